import { pick } from 'lodash';
import type {
	IDataObject,
	IExecuteFunctions,
	INodeExecutionData,
	NodeExecutionHint,
} from 'n8n-workflow';
import { ApiClient } from '../shared/client/client';
import type { Failure } from '../shared/failures/failure';
import { Limiter } from '../shared/concurrency/limiter';
import { realRuntime, type Runtime } from '../shared/concurrency/runtime';
import { ItemCall, type NodeRun } from './item';
import {
	canceledError,
	errorJson,
	toFailure,
	toNodeError,
	type RunEnd,
} from '../shared/failures/itemError';
import { maskResult, runItems, wantsMasking, type ItemOutcome } from './items';
import { maskPersonalData } from '../shared/privacy/value';
import { isOrder, type ItemOperation, type Operation, type OrderOperation } from './operation';
import type { ItemResult } from './orderRequest';
import { parseConcurrency } from './editor/options';
import { buildFields } from './editor/properties';
import { runOrders } from './orderRun';
import { jsonOfItems } from './expression';
import { findOperation } from './resources';
import { reportRun, type RunFacts, type RunReport } from './report';
import { logRun } from './reportLog';
import { findHints, MAX_ROWS, nameOfRow, wordRun } from './reportWords';
import { formatReais, parseReais } from '../shared/input/money';
import { toText } from '../shared/input/text';

/** Runs the chosen operation over all input items. Each output item knows the input item it came from. */
export async function route(
	context: IExecuteFunctions,
	runtime: Runtime = realRuntime,
): Promise<INodeExecutionData[][]> {
	if (context.getInputData().length === 0) return [[]];
	let ended: Ended;
	try {
		ended = await execute(context, runtime);
	} catch (error) {
		return [failAll(context, toFailure(error))];
	}
	const output = 'output' in ended ? ended.output : report(ended);
	// Absent in n8n before 2024; without hints, the node works the same.
	const { addExecutionHints } = context as Partial<Pick<IExecuteFunctions, 'addExecutionHints'>>;
	for (const message of ended.run.hints) {
		const hint: NodeExecutionHint = { message, location: 'outputPane' };
		addExecutionHints?.call(context, hint);
	}
	return [output];
}

/** A run in which each item has its own outcome. */
interface Executed {
	readonly run: NodeRun;
	readonly operation: Operation;
	readonly calls: readonly ItemCall[];
	readonly outcomes: ReadonlyArray<ItemOutcome<ItemResult[]>>;
	readonly facts: RunFacts;
}

/** `output` is that of items that were judged together. */
type Ended = Executed | { readonly run: NodeRun; readonly output: INodeExecutionData[] };

async function execute(context: IExecuteFunctions, runtime: Runtime): Promise<Ended> {
	const resource: string = context.getNodeParameter('resource', 0);
	const name: string = context.getNodeParameter('operation', 0);
	const operation = findOperation(resource, name);
	const { maxConcurrency } = context.getNodeParameter('options', 0, {});
	const limiter = new Limiter(parseConcurrency(maxConcurrency), runtime);
	const run = {
		context,
		client: await ApiClient.open(context, runtime),
		parameters: context.getNode().parameters as IDataObject,
		json: jsonOfItems(context),
		operation: `${resource}.${name}`,
		fields: buildFields(operation),
		scope: operation.scope,
		verificationHint: operation.verificationHint,
		hints: new Set<string>(),
	};
	const calls = context.getInputData().map((_, index) => new ItemCall(run, index));
	if ('executeAll' in operation) {
		const areMasked = calls.map(wantsMasking);
		const results = await operation.executeAll(calls, limiter);
		const output = results.map((result, item) => maskResult(result, areMasked[item] === true));
		return { run, output };
	}
	return { run, operation, calls, ...(await executeEach(run, operation, calls, limiter)) };
}

/**
 * For what concerns all items alike. With Continue On Fail each item carries the error: if the node
 * threw it, n8n would pass the input items on as if they had succeeded.
 */
function failAll(context: IExecuteFunctions, failure: Failure): INodeExecutionData[] {
	if (!context.continueOnFail()) throw toNodeError(failure, context.getNode(), 0);
	return context.getInputData().map((_, item) => errorItem(failure, item));
}

function errorItem(failure: Failure, item: number, known: IDataObject = {}): INodeExecutionData {
	return { json: { ...known, error: errorJson(failure) }, pairedItem: { item } };
}

async function executeOne(operation: ItemOperation, call: ItemCall): Promise<ItemResult[]> {
	const isMasked = wantsMasking(call);
	const results = [await operation.execute(call)].flat();
	return results.map((result) => maskResult(result, isMasked));
}

async function executeEach(
	run: NodeRun,
	operation: ItemOperation | OrderOperation,
	calls: readonly ItemCall[],
	limiter: Limiter,
): Promise<Pick<Executed, 'outcomes' | 'facts'>> {
	const keepGoing = run.context.continueOnFail();
	if (!isOrder(operation)) {
		const outcomes = await runItems(
			calls,
			limiter,
			keepGoing,
			async (call) => await executeOne(operation, call),
		);
		const kind = operation.isWrite === true ? 'write' : 'read';
		return { outcomes, facts: { kind, isCancelled: run.client.isCancelled } };
	}
	const kind = operation.kind?.kind === 'payout' ? 'payout' : 'order';
	const { outcomes, ...facts } = await runOrders(run, operation, calls, limiter, keepGoing);
	const { parameters } = run.context.getNode();
	return {
		outcomes,
		facts: {
			...facts,
			kind,
			codes: new Set(outcomes.flatMap((one) => (one.state === 'failed' ? one.failure.code : []))),
			isCancelled: run.client.isCancelled,
			isTest: run.client.connection.environment === 'sandbox',
			hasReferences: operation.hasReferences?.(parameters) ?? false,
			isManual: run.context.getMode() === 'manual',
		},
	};
}

/** Logs what became of the items, gives hints, and puts them out. @throws the error that ends the run */
function report(executed: Executed): INodeExecutionData[] {
	const { run, operation, calls, outcomes, facts } = executed;
	const { context } = run;
	const told = reportRun(outcomes, facts);
	const isPayout = facts.kind === 'payout';
	if (isPayout || facts.kind === 'order') logRun(context, run.operation, outcomes, told, isPayout);
	const named = (item: number) => nameItem(operation, calls[item]);
	const failedIndex = outcomes.findIndex(({ state }) => state === 'failed');
	const failed = outcomes[failedIndex];
	if (failed?.state === 'failed' && !context.continueOnFail()) {
		const end = toRunEnd(executed, told, named);
		throw toNodeError(failed.failure, context.getNode(), failedIndex, end);
	}
	if (outcomes.some(({ state }) => state === 'notStarted')) {
		throw canceledError(
			context.getNode(),
			toRunEnd(executed, told, () => ''),
		);
	}
	if (operation.movesMoney) {
		for (const hint of findHints(told, facts, named)) run.hints.add(hint);
		if (context.getNode().executeOnce) run.hints.add(EXECUTES_ONCE);
	}
	const output: INodeExecutionData[][] = [];
	for (const [item, outcome] of outcomes.entries()) {
		if (outcome.state === 'done') {
			const toItem = ({ json, ...result }: ItemResult): INodeExecutionData => ({
				json: { ...pick(json, operation.columns ?? []), ...json },
				...result,
				pairedItem: { item },
			});
			output.push(outcome.result.map(toItem));
		} else if (outcome.state === 'failed') {
			const { failure } = outcome;
			const earlier = isOrder(operation) ? undefined : failedBefore(calls[item], failure);
			output.push([
				earlier
					? { json: earlier, pairedItem: { item } }
					: errorItem(failure, item, identify(operation, calls[item], failure)),
			]);
		}
	}
	return output.flat();
}

const EXECUTES_ONCE =
	"'Execute Once' is on in the Settings of this node, so n8n passed only the first item. To send all of them, turn it off.";

/** @param nameOf what a person recognizes an item by */
function toRunEnd(
	{ outcomes, facts }: Executed,
	summary: RunReport,
	nameOf: (item: number) => string,
): RunEnd {
	const failed = outcomes.flatMap((outcome, item) =>
		outcome.state === 'failed' ? { item, message: outcome.failure.message } : [],
	);
	const nameRow = (item: number) => `Row ${nameOfRow(item, nameOf)}`;
	const [first] = failed;
	const others = failed
		.slice(1, MAX_ROWS)
		.map(({ item, message }) => `${nameRow(item)}: ${message}`);
	const left = failed.length - MAX_ROWS;
	return {
		summary,
		...wordRun(summary, facts),
		otherRows: left > 0 ? [...others, `and ${left} more`] : others,
		...(first && outcomes.length > 1 ? { row: nameRow(first.item) } : {}),
	};
}

/**
 * What an item that has failed in a node before, and so has no ID to look up, goes on with: that a payout is in
 * doubt must stay in sight.
 */
function failedBefore(call: ItemCall | undefined, { code }: Failure): IDataObject | undefined {
	const { inputJson = {} } = call ?? {};
	const { error } = inputJson as { error?: IDataObject };
	if (code !== 'INVALID_INPUT' || typeof error?.effect !== 'string') return undefined;
	return isSplit(call) ? { error } : inputJson;
}

/** n8n sends items with other fields than `error` to the success output, and adds those of the input. */
const isSplit = (call: ItemCall | undefined): boolean =>
	call?.context.getNode().onError === 'continueErrorOutput';

/** What a failed item keeps for people to recognize it by. */
function identify(
	{ identifiedBy }: Operation,
	call: ItemCall | undefined,
	{ effect }: Failure,
): IDataObject {
	if (!call || !identifiedBy || isSplit(call)) return {};
	const entered = identifiedBy.map((name) => [name, call.entered(name)] as const);
	const known = Object.fromEntries(entered.filter(([, value]) => value !== undefined));
	const json = { row: call.itemIndex + 1, ...known, status: STATUS_OF_EFFECT[effect] };
	return asksForMasking(call) ? maskPersonalData(json) : json;
}

// Whether it was paid, as by an earlier execution, only the ledger knows.
const STATUS_OF_EFFECT = { none: 'REFUSED', unknown: 'UNKNOWN' };

/** An expression that fails says nothing of what the user wants. */
function asksForMasking(call: ItemCall): boolean {
	try {
		return wantsMasking(call);
	} catch {
		return true;
	}
}

/** Its reference, or its amount, which is no personal data. */
function nameItem({ identifiedBy = [] }: Operation, call: ItemCall | undefined): string {
	const [name = ''] = identifiedBy;
	const text = toText(call?.entered(name)).trim();
	if (text !== '' || !identifiedBy.includes('amount')) return text;
	try {
		return formatReais(parseReais(call?.entered('amount')));
	} catch {
		return '';
	}
}
