import {
	NodeOperationError,
	type IExecuteFunctions,
	type INodeExecutionData,
	type NodeExecutionHint,
} from 'n8n-workflow';
import { ApiClient } from '../api/client';
import type { Failure } from '../api/failure';
import { LogicalOperations } from '../api/idempotency/logicalOperation';
import { Pace } from '../api/pace';
import { realTools, type Tools } from '../api/tools';
import { ItemCall, type NodeRun } from './itemCall';
import { errorJson, failureOf, nodeErrorOf } from '../api/itemError';
import { describeAftermath, runItems, type RunFacts } from './itemLoop';
import { executeAllMasked, executeMasked } from './maskOutput';
import type { ItemOperation, Operation } from './operation';
import { parseConcurrency } from './options';
import { findOperation } from './resources';

/** Runs the chosen operation over all input items. Each output item knows the input item it came from. */
export async function route(
	context: IExecuteFunctions,
	tools: Tools = realTools,
): Promise<INodeExecutionData[][]> {
	const itemCount = context.getInputData().length;
	if (itemCount === 0) return [[]];

	const opened = await attempt(async () => await openRun(context, itemCount, tools));
	if ('failure' in opened) return [failAll(context, itemCount, opened.failure)];
	const { operation, run, calls, pace } = opened.result;
	if ('executeAll' in operation) {
		const judged = await attempt(async () => await executeAllMasked(operation, calls));
		if ('failure' in judged) return [failAll(context, itemCount, judged.failure)];
		showHints(context, run.hints);
		return [judged.result];
	}
	const output = await executeEach(run, operation, calls, pace);
	if (operation.movesMoney && run.client.connection.environment === 'sandbox') {
		run.hints.add('With a test key no money moves.');
	}
	showHints(context, run.hints);
	return [output];
}

interface OpenedRun {
	readonly operation: Operation;
	readonly run: NodeRun;
	readonly calls: readonly ItemCall[];
	readonly pace: Pace;
}

async function openRun(
	context: IExecuteFunctions,
	itemCount: number,
	tools: Tools,
): Promise<OpenedRun> {
	const operation = findOperation(
		context.getNodeParameter('resource', 0),
		context.getNodeParameter('operation', 0),
	);
	const { maxConcurrency } = context.getNodeParameter('options', 0, {});
	const pace = new Pace(parseConcurrency(maxConcurrency), tools);
	const run = {
		context,
		client: await ApiClient.open(context, pace, tools),
		operations: operation.isKeyed ? new LogicalOperations(context) : undefined,
		scope: operation.scope,
		whereItShows: operation.whereItShows,
		hints: new Set<string>(),
	};
	const calls = Array.from({ length: itemCount }, (_, index) => new ItemCall(run, index));
	if (operation.isKeyed) calls.forEach((call) => call.claimOwnKey());
	return { operation, run, calls, pace };
}

async function attempt<T>(run: () => Promise<T>): Promise<{ result: T } | { failure: Failure }> {
	try {
		return { result: await run() };
	} catch (error) {
		return { failure: failureOf(error) };
	}
}

/**
 * For what concerns all items alike. With Continue On Fail each item carries the error: if the node
 * threw it, n8n would hand the input items on as if they had succeeded.
 */
function failAll(
	context: IExecuteFunctions,
	itemCount: number,
	failure: Failure,
): INodeExecutionData[] {
	if (!context.continueOnFail()) throw nodeErrorOf(failure, context.getNode(), 0, '');
	return Array.from({ length: itemCount }, (_, item) => errorItem(failure, item));
}

function errorItem(failure: Failure, item: number): INodeExecutionData {
	return { json: { error: errorJson(failure) }, pairedItem: { item } };
}

async function executeEach(
	{ context, client, operations }: NodeRun,
	operation: ItemOperation,
	calls: readonly ItemCall[],
	pace: Pace,
): Promise<INodeExecutionData[]> {
	const keepGoing = context.continueOnFail();
	// Before the first item is sent.
	const isRepetition = operations?.isRepetition ?? false;
	const outcomes = await runItems(
		calls,
		pace,
		keepGoing,
		async (call) => await executeMasked(operation, call),
	);

	const describe = () =>
		describeAftermath(outcomes, {
			kind: kindOf(operation),
			isRepetition,
			hasOwnKeys: operations?.ownKeyCount === calls.length,
			isCancelled: client.isCancelled,
		});
	const failedIndex = outcomes.findIndex(({ state }) => state === 'failed');
	const failed = outcomes[failedIndex];
	if (failed?.state === 'failed' && !keepGoing) {
		throw nodeErrorOf(failed.failure, context.getNode(), failedIndex, describe());
	}
	if (outcomes.some(({ state }) => state === 'notStarted')) {
		throw new NodeOperationError(context.getNode(), 'The execution was canceled', {
			description: describe(),
		});
	}
	return outcomes.flatMap((outcome, item) => {
		switch (outcome.state) {
			case 'done':
				return outcome.result.map((result) => ({ ...result, pairedItem: { item } }));
			case 'failed':
				return [errorItem(outcome.failure, item)];
			default:
				return [];
		}
	});
}

function kindOf({ isWrite, isKeyed, scope }: ItemOperation): RunFacts['kind'] {
	if (isWrite !== true) return 'read';
	if (isKeyed !== true) return 'repeatable';
	return scope === 'withdrawals:write' ? 'payout' : 'once';
}

function showHints(context: IExecuteFunctions, hints: ReadonlySet<string>): void {
	// Absent in n8n before 2024; hints are a courtesy.
	const { addExecutionHints } = context as Partial<Pick<IExecuteFunctions, 'addExecutionHints'>>;
	for (const message of hints) {
		const hint: NodeExecutionHint = { message, location: 'outputPane' };
		addExecutionHints?.call(context, hint);
	}
}
