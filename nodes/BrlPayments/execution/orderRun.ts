import type { IDataObject } from 'n8n-workflow';
import { ApiFailure, redescribe, type Failure } from '../../shared/failures/failure';
import type { InputError } from '../../shared/validation/inputError';
import { toFailure } from '../../shared/failures/itemError';
import type { Order } from '../../shared/orders/order';
import { OrderBook } from '../../shared/orders/orderBook';
import type { AdaptiveLimiter } from '../../shared/concurrency/adaptiveLimiter';
import type { ItemCall, NodeRun } from './itemCall';
import { runItems, type ItemOutcome, type ItemProgress } from './itemLoop';
import { maskResult, wantsMasking } from './maskOutput';
import type { ItemResult, OrderDraft } from './draft';
import type { OrderOperation } from './operation';
import type { OrderItem, OrderProcessor, TakenBack } from './orderProcessor';
import { toIso } from '../../shared/text/time';
import { omitUndefined } from '../../shared/text/omitUndefined';

/** One item on its way through the run. */
interface Place {
	readonly call: ItemCall;
	isMasked: boolean;
	item: OrderItem | undefined;
	failure: Failure | undefined;
}

interface OrderOutcomes {
	readonly outcomes: ReadonlyArray<ItemOutcome<ItemResult[]>>;
	readonly book: OrderBook;
	/** At least one item cannot be right, so none was sent. */
	readonly isRefusedWhole: boolean;
	/** See {@link OrderProcessor.stopsNextPress}. */
	readonly isGuarded: boolean;
	/** Whether this run has sent anything. */
	readonly hasSent: boolean;
}

/**
 * Runs an operation that creates something. All items are prepared, and their orders assigned in
 * item order, before the first is sent. With On Error = Stop Workflow nothing is sent when one of
 * them cannot be right: the user who corrects it has nothing to sort out.
 *
 * @param keepGoing with Continue On Fail every item is tried
 * @param progress see `runItems`
 */
export async function runOrders(
	run: NodeRun,
	operation: OrderOperation,
	calls: readonly ItemCall[],
	pace: AdaptiveLimiter,
	keepGoing: boolean,
	progress: Array<ItemProgress<ItemResult[]>>,
): Promise<OrderOutcomes> {
	const book = new OrderBook(run.context);
	const places = await prepareAll(operation, calls, pace, book);
	const refused = book.begin(places.map(({ item }) => item?.request));
	for (const [index, place] of places.entries()) assign(place, index, book, refused.get(index));

	const aside = async <T>(wait: Promise<T>) => await (keepGoing ? pace.aside(wait) : wait);
	const processor: OrderProcessor =
		operation.openProcessor?.({ node: run, book, aside }) ?? new PlainProcessor();
	const isGuarded = () => processor.stopsNextPress?.() ?? false;
	const isStopped = !keepGoing && places.some(({ failure }) => failure !== undefined);
	if (isStopped) {
		const outcomes = places.map((place) => ended(place));
		return { outcomes, book, isRefusedWhole: true, isGuarded: isGuarded(), hasSent: false };
	}
	const items = places.flatMap(({ item }) => item ?? []);
	let outcomes: ReadonlyArray<ItemOutcome<ItemResult[]>> = [];
	let takenBack: TakenBack | undefined;
	try {
		const refusals = await processor.begin(items);
		items.forEach((item, index) => {
			const place = places[item.index];
			if (place) place.failure = refusals[index];
		});
		outcomes = await runItems(
			places,
			pace,
			keepGoing,
			async (place) => {
				if (place.failure !== undefined) throw new ApiFailure(place.failure);
				if (place.item === undefined) throw new TypeError('An item has no order');
				const result = withEcho(await processor.settle(place.item), place.item.draft);
				return [maskResult(result, place.isMasked)];
			},
			progress,
		);
	} finally {
		takenBack = await processor.end();
	}
	if (takenBack !== undefined) outcomes = outcomes.map(unlessTakenBack(places, takenBack));
	return {
		outcomes: outcomes.map(withContent(places, book)),
		book,
		isRefusedWhole: false,
		isGuarded: isGuarded(),
		hasSent: items.some(({ order }) => order.firstSentInRunAt !== undefined),
	};
}

function unlessTakenBack(places: readonly Place[], takenBack: TakenBack) {
	return (outcome: ItemOutcome<ItemResult[]>, index: number): ItemOutcome<ItemResult[]> => {
		const { item } = places[index] ?? {};
		const failure = item && outcome.state === 'done' ? takenBack(item) : undefined;
		return failure ? { state: 'failed', failure } : outcome;
	};
}

function withEcho(result: ItemResult, { echo = {} }: OrderDraft): ItemResult {
	const { json } = result;
	// What was paid before may have been asked for with another description, but not with another recipient.
	const isTrue = (name: string) => json.alreadyPaid !== true || name.startsWith('recipient');
	const missing = Object.entries(echo).filter(
		([name]) => (json[name] ?? '') === '' && isTrue(name),
	);
	return { ...result, json: { ...json, ...Object.fromEntries(missing) } };
}

/** Says in each failure what the item asked for: an item that comes back keeps its key only for that. */
function withContent(places: readonly Place[], book: OrderBook) {
	return (outcome: ItemOutcome<ItemResult[]>, index: number): ItemOutcome<ItemResult[]> => {
		const { item } = places[index] ?? {};
		if (outcome.state !== 'failed' || item === undefined) return outcome;
		const content = book.contentOf(item.request);
		const { firstUsedAt, lastTriedAt } = item.order.record;
		const known = omitUndefined({
			firstSentAt: toIso(firstUsedAt),
			lastSentAt: toIso(lastTriedAt),
		});
		const isKeyed = outcome.failure.idempotencyKey !== undefined;
		return { ...outcome, failure: { content, ...(isKeyed ? known : {}), ...outcome.failure } };
	};
}

async function prepareAll(
	operation: OrderOperation,
	calls: readonly ItemCall[],
	pace: AdaptiveLimiter,
	book: OrderBook,
): Promise<Array<Place & { isCancelled: boolean }>> {
	const prepared = await runItems(calls, pace, true, async (call) => {
		// Read before anything is sent: an expression that fails must not make a payment look as if it had.
		const isMasked = wantsMasking(call);
		const prepared = await operation.prepare(call);
		const draft = { ...prepared, body: call.completed(prepared.body, operation.guardedFields) };
		call.hintAtLostCharacters(draft.body);
		return { isMasked, draft, request: call.orderRequest(draft) };
	});
	return prepared.map((outcome, index) => {
		const call = calls[index] as ItemCall;
		const shared = {
			call,
			get isCancelled() {
				return call.isCancelled;
			},
		};
		if (outcome.state === 'failed') {
			const failure = withEffectBefore(outcome.failure, index, book);
			return Object.assign(shared, { isMasked: false, item: undefined, failure });
		}
		if (outcome.state === 'notStarted') {
			return Object.assign(shared, { isMasked: false, item: undefined, failure: undefined });
		}
		const { isMasked, draft, request } = outcome.result;
		const item = { index, call, draft, request } as OrderItem;
		return Object.assign(shared, { isMasked, item, failure: undefined });
	});
}

function assign(place: Place, index: number, book: OrderBook, refusal?: InputError): void {
	if (place.item === undefined) return;
	try {
		if (refusal) throw refusal;
		place.item = { ...place.item, order: book.assign(index, place.item.request) };
	} catch (error) {
		place.item = undefined;
		place.failure = withEffectBefore(toFailure(error), index, book);
	}
}

/** A check by this node says nothing about what an earlier attempt did to the item. */
function withEffectBefore(failure: Failure, index: number, book: OrderBook): Failure {
	const { effect, doneId } = book.effectBefore(index);
	if (effect === 'none' || failure.effect !== 'none') return failure;
	const id = doneId === undefined ? '' : ` (ID ${doneId})`;
	const before =
		effect === 'done'
			? `An earlier attempt at this item took effect${id}.`
			: 'An earlier attempt at this item may have taken effect: check that before you do it again.';
	return {
		...redescribe(failure, `${failure.description} This item was not sent this time. ${before}`),
		effect,
		...omitUndefined({ withdrawalIds: doneId === undefined ? undefined : [doneId] }),
	};
}

function ended({ failure }: Place): ItemOutcome<ItemResult[]> {
	return failure === undefined ? { state: 'notStarted' } : { state: 'failed', failure };
}

/** For orders that nothing but their key and the memory of the execution protect. */
export class PlainProcessor implements OrderProcessor {
	async begin(items: readonly OrderItem[]): Promise<ReadonlyArray<Failure | undefined>> {
		return await Promise.resolve(items.map(() => undefined));
	}

	async settle({ call, draft, request, order }: OrderItem): Promise<ItemResult> {
		if (order.isDone) {
			if (order.record.isLive !== (request.isLive || undefined))
				throw madeInOtherEnvironment(order);
			if (order.change === 'changed') call.hint(CHANGED_AFTER_SUCCESS);
			return { json: await answerAgain(draft, order) };
		}
		if (order.change === 'changed') throw changedInDoubt(order);
		const { body } = await call.sendOrder(draft, order);
		order.recordAnswer(pickKept(draft, body));
		return { json: body };
	}

	async end(): Promise<undefined> {
		return await Promise.resolve(undefined);
	}
}

export const CHANGED_AFTER_SUCCESS =
	'An item took effect before it was changed. The output shows the original result; the change was not sent.';

/** What was created, as it is now; if it cannot be read again, as in the first response. */
async function answerAgain(
	{ current }: OrderDraft,
	{ doneId, record }: Order,
): Promise<IDataObject> {
	const kept = record.answer ?? {};
	if (!current || doneId === undefined) return { id: doneId, ...kept };
	return { ...kept, ...((await current(doneId)) as IDataObject) };
}

/** Of what can be read again, only what a customer pays with: later responses may not show it. */
const KEPT = ['checkoutUrl', 'pixCode', 'boletoLine'];

function pickKept({ current }: OrderDraft, body: IDataObject): IDataObject {
	return current ? pickPayable(body) : body;
}

/** What a customer pays with. */
export function pickPayable(record: Readonly<Record<string, unknown>>): Record<string, string> {
	const named = KEPT.map((name) => [name, record[name]] as const);
	return Object.fromEntries(
		named.filter((one): one is [string, string] => typeof one[1] === 'string'),
	);
}

function changedInDoubt(order: Order): ApiFailure {
	return new ApiFailure({
		code: 'CHANGED_IN_DOUBT',
		message:
			'This item was changed after it was sent, and it is not known whether the original took effect',
		description:
			'This item was not sent this time. Restore the earlier values and retry this execution to get the outcome. Then make the change.',
		effect: 'unknown',
		idempotencyKey: order.key,
	});
}

/** What was paid with a test key must not count as paid with a live one. */
export function madeInOtherEnvironment({ record }: Order): ApiFailure {
	const [then, now] = record.isLive ? ['live', 'test'] : ['test', 'live'];
	return new ApiFailure({
		code: 'OTHER_ENVIRONMENT',
		message: `This execution already processed this item with a ${then} key, and the credential now contains a ${now} key`,
		description: `This item was not sent. To process it with the ${now} key, run a new execution.`,
		effect: 'none',
	});
}
