import {
	NodeOperationError,
	type IExecuteFunctions,
	type INodeExecutionData,
	type NodeExecutionHint,
} from 'n8n-workflow';
import { ApiClient } from '../api/client';
import { LogicalOperations } from '../api/idempotency/logicalOperation';
import { ItemCall, type NodeRun } from './itemCall';
import { errorJson, failureOf, nodeErrorOf } from './itemError';
import { describeAftermath, runItems } from './itemLoop';
import type { ItemOperation, Operation } from './operation';
import { parseConcurrency } from './options';
import { findOperation } from './resources';

/** Runs the chosen operation over all input items. Each output item knows the input item it came from. */
export async function route(context: IExecuteFunctions): Promise<INodeExecutionData[][]> {
	const itemCount = context.getInputData().length;
	if (itemCount === 0) return [[]];

	const { operation, run } = await forAllItems(context, async () => await openRun(context));
	const calls = Array.from({ length: itemCount }, (_, index) => new ItemCall(run, index));
	const output =
		'executeAll' in operation
			? await forAllItems(context, async () => await operation.executeAll(calls))
			: await executeEach(context, operation, calls);
	showHints(context, run.hints);
	return [output];
}

async function openRun(
	context: IExecuteFunctions,
): Promise<{ operation: Operation; run: NodeRun }> {
	const operation = findOperation(
		context.getNodeParameter('resource', 0),
		context.getNodeParameter('operation', 0),
	);
	const run = {
		context,
		client: await ApiClient.open(context),
		operations: operation.isKeyed ? new LogicalOperations(context) : undefined,
		scope: operation.scope,
		hints: new Set<string>(),
	};
	return { operation, run };
}

/** For what concerns all items alike: there is no single item that could carry the error. */
async function forAllItems<T>(context: IExecuteFunctions, run: () => T | Promise<T>): Promise<T> {
	try {
		return await run();
	} catch (error) {
		throw nodeErrorOf(failureOf(error), context.getNode(), 0, '');
	}
}

async function executeEach(
	context: IExecuteFunctions,
	operation: ItemOperation,
	calls: readonly ItemCall[],
): Promise<INodeExecutionData[]> {
	const keepGoing = context.continueOnFail();
	const concurrency = await forAllItems(context, () =>
		parseConcurrency(calls[0]?.option('maxConcurrency')),
	);
	const outcomes = await runItems(
		calls,
		concurrency,
		keepGoing,
		async (call) => await operation.execute(call),
	);

	const failedIndex = outcomes.findIndex(({ state }) => state === 'failed');
	const failed = outcomes[failedIndex];
	if (failed?.state === 'failed' && !keepGoing) {
		const aftermath = describeAftermath(outcomes, operation.isWrite === true);
		throw nodeErrorOf(failed.failure, context.getNode(), failedIndex, aftermath);
	}
	if (outcomes.some(({ state }) => state === 'notStarted')) {
		throw new NodeOperationError(context.getNode(), 'The execution was stopped', {
			description: describeAftermath(outcomes, operation.isWrite === true),
		});
	}
	return outcomes.flatMap((outcome, item) => {
		switch (outcome.state) {
			case 'done':
				return [outcome.result].flat().map((result) => ({ ...result, pairedItem: { item } }));
			case 'failed':
				return [{ json: { error: errorJson(outcome.failure) }, pairedItem: { item } }];
			default:
				return [];
		}
	});
}

function showHints(context: IExecuteFunctions, hints: ReadonlySet<string>): void {
	// Absent in n8n before 2024; hints are a courtesy.
	const { addExecutionHints } = context as Partial<Pick<IExecuteFunctions, 'addExecutionHints'>>;
	for (const message of hints) {
		const hint: NodeExecutionHint = { message, location: 'outputPane' };
		addExecutionHints?.call(context, hint);
	}
}
