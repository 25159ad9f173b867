import {
	type IDataObject,
	type IExecuteFunctions,
	type INodeExecutionData,
	type NodeExecutionHint,
} from 'n8n-workflow';
import { ApiClient } from '../shared/client/client';
import type { Failure } from '../shared/failures/failure';
import { AdaptiveLimiter } from '../shared/concurrency/adaptiveLimiter';
import { realRuntime, type Runtime } from '../shared/concurrency/runtime';
import { getAdoptedKey, keepKey } from './execution/adoptedKey';
import { ItemCall, type NodeRun } from './execution/itemCall';
import {
	canceledError,
	errorJson,
	toFailure,
	toNodeError,
	type RunEnd,
} from '../shared/failures/itemError';
import { runItems, type ItemOutcome } from './execution/itemLoop';
import { executeAllMasked, executeMasked } from './execution/maskOutput';
import {
	isOrder,
	type ItemOperation,
	type ItemResult,
	type Operation,
	type OrderOperation,
} from './execution/operation';
import { buildFields, parseConcurrency } from './description/options';
import { runOrders } from './execution/orderRun';
import { jsonOfItems } from './execution/plainParameter';
import { findOperation } from './resources';
import { summarizeRun, type RunFacts } from './execution/runSummary';
import { wordSummary } from './execution/runSummaryText';

/** Runs the chosen operation over all input items. Each output item knows the input item it came from. */
export async function route(
	context: IExecuteFunctions,
	runtime: Runtime = realRuntime,
): Promise<INodeExecutionData[][]> {
	const itemCount = context.getInputData().length;
	if (itemCount === 0) return [[]];

	const opened = await attempt(async () => await openRun(context, itemCount, runtime));
	if ('failure' in opened) return [failAll(context, runtime, opened.failure)];
	const { operation, run, calls, pace } = opened.result;
	if ('executeAll' in operation) {
		const judged = await attempt(async () => await executeAllMasked(operation, calls));
		if ('failure' in judged) return [failAll(context, runtime, judged.failure)];
		showHints(context, run.hints);
		return [judged.result];
	}
	const executed = await attempt(async () => await executeEach(run, operation, calls, pace));
	if ('failure' in executed) return [failAll(context, runtime, executed.failure)];
	const output = toOutput(run, executed.result);
	if (operation.movesMoney && run.client.connection.environment === 'sandbox') {
		const options = (run.parameters.options ?? {}) as IDataObject;
		run.hints.add(hintAtTestKey(executed.result.facts, options));
	}
	showHints(context, run.hints);
	return [output];
}

/** Builders press Execute again and again; with real money, that is different. */
function hintAtTestKey({ kind, isManual, hasReferences }: RunFacts, options: IDataObject): string {
	const noMoney = 'With a test key no money moves.';
	const isNever = options.duplicateGuard === 'never' || options.idempotencyKey !== undefined;
	if (kind !== 'payout' || isManual !== true || hasReferences === true || isNever) return noMoney;
	return `${noMoney} With a live key, Duplicate Guard would stop payouts that were made in the last 24 hours when you press Execute again. To have each payout made once, fill in Reference.`;
}

interface OpenedRun {
	readonly operation: Operation;
	readonly run: NodeRun;
	readonly calls: readonly ItemCall[];
	readonly pace: AdaptiveLimiter;
}

async function openRun(
	context: IExecuteFunctions,
	itemCount: number,
	runtime: Runtime,
): Promise<OpenedRun> {
	const resource: string = context.getNodeParameter('resource', 0);
	const name: string = context.getNodeParameter('operation', 0);
	const operation = findOperation(resource, name);
	const { maxConcurrency } = context.getNodeParameter('options', 0, {});
	const pace = new AdaptiveLimiter(parseConcurrency(maxConcurrency), runtime);
	const run = {
		context,
		client: await ApiClient.open(context, pace, runtime),
		parameters: context.getNode().parameters as IDataObject,
		json: jsonOfItems(context),
		operation: `${resource}.${name}`,
		fields: buildFields(operation),
		scope: operation.scope,
		verificationHint: operation.verificationHint,
		hints: new Set<string>(),
	};
	const calls = Array.from({ length: itemCount }, (_, index) => new ItemCall(run, index));
	return { operation, run, calls, pace };
}

async function attempt<T>(run: () => Promise<T>): Promise<{ result: T } | { failure: Failure }> {
	try {
		return { result: await run() };
	} catch (error) {
		return { failure: toFailure(error) };
	}
}

/**
 * For what concerns all items alike. With Continue On Fail each item carries the error: if the node
 * threw it, n8n would pass the input items on as if they had succeeded.
 */
function failAll(
	context: IExecuteFunctions,
	runtime: Runtime,
	failure: Failure,
): INodeExecutionData[] {
	if (!context.continueOnFail()) throw toNodeError(failure, context.getNode(), 0);
	return context
		.getInputData()
		.map(({ json }, item) => errorItem(keepKey(failure, getAdoptedKey(json, runtime.now())), item));
}

function errorItem(failure: Failure, item: number): INodeExecutionData {
	return { json: { error: errorJson(failure) }, pairedItem: { item } };
}

interface Executed {
	readonly outcomes: ReadonlyArray<ItemOutcome<ItemResult[]>>;
	readonly facts: RunFacts;
}

async function executeEach(
	run: NodeRun,
	operation: ItemOperation | OrderOperation,
	calls: readonly ItemCall[],
	pace: AdaptiveLimiter,
): Promise<Executed> {
	const keepGoing = run.context.continueOnFail();
	const isCancelled = () => run.client.isCancelled;
	if (!isOrder(operation)) {
		const outcomes = await runItems(
			calls,
			pace,
			keepGoing,
			async (call) => await executeMasked(operation, call),
		);
		const kind = operation.isWrite === true ? 'repeatable' : 'read';
		return { outcomes, facts: { kind, isCancelled: isCancelled() } };
	}
	const { outcomes, book, isGuarded } = await runOrders(run, operation, calls, pace, keepGoing);
	const { parameters } = run.context.getNode();
	return {
		outcomes: outcomes.map((outcome, item) => {
			if (outcome.state !== 'failed') return outcome;
			return { ...outcome, failure: keepKey(outcome.failure, calls[item]?.adoptedKey) };
		}),
		facts: {
			kind: operation.scope === 'withdrawals:write' ? 'payout' : 'order',
			isCancelled: isCancelled(),
			isRepetition: book.isRepetition,
			hasReferences: (parameters.reference ?? '') !== '',
			hasOwnKeys: ((parameters.options ?? {}) as IDataObject).idempotencyKey !== undefined,
			isManual: run.context.getMode() === 'manual',
			isGuarded,
		},
	};
}

function toOutput({ context }: NodeRun, executed: Executed): INodeExecutionData[] {
	const { outcomes } = executed;
	const keepGoing = context.continueOnFail();
	const failedIndex = outcomes.findIndex(({ state }) => state === 'failed');
	const failed = outcomes[failedIndex];
	if (failed?.state === 'failed' && !keepGoing) {
		throw toNodeError(failed.failure, context.getNode(), failedIndex, toRunEnd(executed));
	}
	if (outcomes.some(({ state }) => state === 'notStarted')) {
		throw canceledError(context.getNode(), toRunEnd(executed));
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

function toRunEnd({ outcomes, facts }: Executed): RunEnd {
	const summary = summarizeRun(outcomes, facts);
	return { summary, ...wordSummary(summary, facts) };
}

function showHints(context: IExecuteFunctions, hints: ReadonlySet<string>): void {
	// Absent in n8n before 2024; without hints, the node works the same.
	const { addExecutionHints } = context as Partial<Pick<IExecuteFunctions, 'addExecutionHints'>>;
	for (const message of hints) {
		const hint: NodeExecutionHint = { message, location: 'outputPane' };
		addExecutionHints?.call(context, hint);
	}
}
