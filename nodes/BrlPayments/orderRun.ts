import type { IDataObject } from 'n8n-workflow';
import type { Limiter } from '../shared/concurrency/limiter';
import { ApiFailure, redescribe, type Failure } from '../shared/failures/failure';
import { toFailure } from '../shared/failures/itemError';
import { AskedNames } from './orders/asked';
import { readFacts } from './orders/execution';
import { parseGuardMode } from './orders/guard';
import { KeyOnly, settleByKey, type KeyOnlyRequest } from './orders/keyOnly';
import { parseNodeLimits } from './orders/limits';
import { looksAutomatic, readOrder } from './orders/names';
import { Orders } from './orders/orders';
import type { OrderItem } from './orders/track';
import type { ItemResult, OrderRequest } from './orderRequest';
import type { ItemCall, NodeRun } from './item';
import { maskResult, runItems, wantsMasking, type ItemOutcome } from './items';
import type { OrderOperation } from './operation';

/** What became of one item so far, in the order of the items. */
interface Prepared {
	readonly isMasked: boolean;
	/** Undefined if it cannot be sent. */
	readonly item: OrderItem | undefined;
	failure: Failure | undefined;
	/** Of what has no name. */
	keyed: KeyOnlyRequest | undefined;
}

/** How a run of orders ended, see `RunFacts`. */
interface OrderOutcomes {
	readonly outcomes: ReadonlyArray<ItemOutcome<ItemResult[]>>;
	readonly hasActed: boolean;
	readonly isEvent: boolean;
	readonly isGuarded: boolean;
	readonly calledAs: string | undefined;
	readonly mayHaveMade: boolean;
}

/**
 * Runs an operation that creates something. All items are prepared and named before the first is sent. With
 * On Error = Stop Workflow nothing is sent when one of them cannot be right: the user who corrects it has
 * nothing to sort out.
 *
 * @param keepGoing with Continue On Fail every item is tried
 */
export async function runOrders(
	run: NodeRun,
	operation: OrderOperation,
	calls: readonly ItemCall[],
	limiter: Limiter,
	keepGoing: boolean,
): Promise<OrderOutcomes> {
	const { context, client } = run;
	const isLive = client.connection.environment === 'production';
	const options = (context.getNode().parameters.options ?? {}) as IDataObject;
	const isPayout = operation.kind?.kind === 'payout';
	const guard = parseGuardMode(options.duplicateGuard);
	const settings = isPayout
		? { limits: parseNodeLimits(context.getNode().parameters), guard }
		: undefined;
	const prepared = await prepareAll(operation, calls, limiter);
	const isNamed = ({ request }: OrderItem) => isPayout || request.reference !== undefined;
	const named = prepared.flatMap(({ item }) => (item && isNamed(item) ? item : []));
	const { kind } = operation;
	const facts = readFacts(context);
	const flow = context.getContext('flow');
	const asked = new AskedNames(flow, context.getNode(), facts.run, client.now());
	const isRepetition = facts.mode === 'retry' || asked.wasMadeBefore;
	const orders =
		kind && (isPayout || named.length > 0)
			? new Orders(run, kind, settings, facts, asked, isRepetition)
			: undefined;
	if (named.length < prepared.length) {
		const keys = new KeyOnly(
			facts,
			asked.countEarlier(),
			asked.openElsewhere,
			run.operation,
			isLive,
		);
		assignKeys(prepared, named, keys);
	}
	const isWrong = prepared.some(({ failure }) => failure !== undefined);
	const shared = {
		// Until the ledger is read, an earlier attempt may have made some. Other rounds of a loop, and other nodes, may
		// have in any case: who is told that nothing was paid starts the list again.
		hasActed: isRepetition || asked.elsewhere.size > 0,
		mayHaveMade: false,
		isEvent: facts.isEvent,
		calledAs: facts.isSubExecution ? facts.executionId : undefined,
		isGuarded: isPayout && guard !== 'never' && isLive && context.getMode() === 'manual',
	};
	const isStopped = isWrong && !keepGoing;
	if (isStopped && !isRepetition) {
		return { ...shared, outcomes: prepared.map(ended) };
	}
	let outcomes: ReadonlyArray<ItemOutcome<ItemResult[]>> = [];
	try {
		const begun = await orders?.begin(named, isStopped);
		if (begun?.hasMissing) for (const one of prepared) one.failure = asUnknown(one.failure);
		named.forEach((item, index) => {
			const one = prepared[item.call.itemIndex];
			if (one) one.failure = begun?.refusals[index];
		});
		if (isStopped || (begun?.isWrong && !keepGoing)) {
			return {
				...shared,
				hasActed: orders?.hasActed ?? shared.hasActed,
				outcomes: prepared.map(ended),
			};
		}
		if (orders === undefined) asked.set([]);
		const contents = prepared.flatMap(({ keyed }) => (keyed ? (keyed.content ?? OWN_KEY) : []));
		if (contents.length > 0) asked.add(contents);
		outcomes = await runItems(calls, limiter, keepGoing, async ({ itemIndex }) => {
			const { failure, item, keyed, isMasked } = prepared[itemIndex] as Prepared;
			if (failure !== undefined) throw new ApiFailure(failure);
			if (item === undefined) throw new TypeError('An item has no order');
			const settled = keyed
				? settleByKey(item.call, item.request, keyed)
				: (orders as Orders).settle(item);
			return [maskResult(withEcho(await settled, item.request), isMasked)];
		});
	} finally {
		await orders?.end();
	}
	outcomes.forEach((outcome, index) => {
		const { content } = prepared[index]?.keyed ?? {};
		const isOpen = outcome.state === 'failed' && outcome.failure.effect === 'unknown';
		if (isOpen && content !== undefined) asked.leaveOpen(content);
	});
	return {
		...shared,
		hasActed: orders?.hasActed ?? shared.hasActed,
		mayHaveMade: orders?.mayHaveMade ?? false,
		outcomes: outcomes.map((outcome, index) => {
			const call = calls[index] as ItemCall;
			const named = withOrder(outcome, call, prepared[index], orders);
			return isPayout ? aloneIfContinued(named, call) : named;
		}),
	};
}

/** Stands for what is sent under a key of the user's own. */
const OWN_KEY = 'own key';

async function prepareAll(
	operation: OrderOperation,
	calls: readonly ItemCall[],
	limiter: Limiter,
): Promise<Prepared[]> {
	const outcomes = await runItems(calls, limiter, true, async (call) => {
		// Read before anything is sent: an expression that fails must not make a payment look as if it had.
		const isMasked = wantsMasking(call);
		const request = await operation.prepare(call);
		const guarded = [...operation.guardedFields, ...(request.guardedFields ?? [])];
		const body = call.completed(request.body, guarded);
		request.checkBody?.(body);
		call.hintAtLostCharacters(body);
		return { isMasked, item: { call, request: { ...request, body } } };
	});
	return outcomes.map((outcome): Prepared => {
		if (outcome.state === 'done')
			return { ...outcome.result, failure: undefined, keyed: undefined };
		const failure = outcome.state === 'failed' ? outcome.failure : undefined;
		return { isMasked: false, item: undefined, failure, keyed: undefined };
	});
}

function assignKeys(
	prepared: readonly Prepared[],
	named: readonly OrderItem[],
	keys: KeyOnly,
): void {
	const hasName = new Set(named);
	for (const one of prepared) {
		const { item } = one;
		if (item === undefined || hasName.has(item)) continue;
		try {
			one.keyed = keys.assign(item.call, item.request, item.call.ownKey);
		} catch (error) {
			one.failure = toFailure(error);
		}
	}
}

/** A check by this node says nothing about what an earlier attempt did to the item. */
function asUnknown(failure: Failure | undefined): Failure | undefined {
	if (failure === undefined || failure.effect !== 'none') return failure;
	const before =
		'This item was not sent this time. An earlier attempt may have taken effect: check that before you do it again.';
	return { ...redescribe(failure, `${failure.description} ${before}`), effect: 'unknown' };
}

function ended({ failure }: Prepared): ItemOutcome<ItemResult[]> {
	return failure === undefined ? { state: 'notStarted' } : { state: 'failed', failure };
}

function withEcho(result: ItemResult, { echo = {} }: OrderRequest): ItemResult {
	const { json } = result;
	// What was paid before may have been asked for with another description, but not with another recipient.
	const isTrue = (name: string) => json.alreadyPaid !== true || name.startsWith('recipient');
	const missing = Object.entries(echo).filter(
		([name]) => (json[name] ?? '') === '' && isTrue(name),
	);
	return { ...result, json: { ...json, ...Object.fromEntries(missing) } };
}

/**
 * With Continue On Fail the other rows are paid: whoever corrects one and runs the list again would pay them
 * once more if they have no references. A loop sends the other rows in rounds of their own.
 */
function aloneIfContinued(
	outcome: ItemOutcome<ItemResult[]>,
	{ context, rawParameters }: ItemCall,
): ItemOutcome<ItemResult[]> {
	if (outcome.state !== 'failed' || !context.continueOnFail()) return outcome;
	const { failure } = outcome;
	if (failure.code !== 'INVALID_INPUT' || (rawParameters.reference ?? '') !== '') return outcome;
	const alone = 'Then run it alone in a new execution: any other rows would be paid again.';
	return { ...outcome, failure: redescribe(failure, `${failure.description} ${alone}`) };
}

/** Says in each failure which order it was: an item that comes back keeps its name. */
function withOrder(
	outcome: ItemOutcome<ItemResult[]>,
	call: ItemCall,
	prepared: Prepared | undefined,
	orders: Orders | undefined,
): ItemOutcome<ItemResult[]> {
	if (outcome.state !== 'failed') return outcome;
	const { item, keyed } = prepared ?? {};
	const order = keyed?.order ?? (item ? orders?.orderOf(item) : undefined);
	if (order) return { ...outcome, failure: { ...outcome.failure, order } };
	// What cannot be read now may have been paid before: it comes back once more when it is corrected.
	const earlier = item ? undefined : readOrder(call.inputJson, looksAutomatic);
	if (!earlier?.isUnclear) return outcome;
	const { name, content } = earlier;
	return {
		...outcome,
		failure: { ...outcome.failure, effect: 'unknown', order: { name, content } },
	};
}
