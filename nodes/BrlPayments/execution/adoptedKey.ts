import type {
	IDataObject,
	IExecuteFunctions,
	INodeExecutionData,
	IPairedItemData,
	ISourceData,
} from 'n8n-workflow';
import { MAX_KEY_LENGTH } from '../../shared/orders/key';
import { redescribe, type Failure } from '../../shared/failures/failure';
import { toIso } from '../../shared/text/time';
import { omitUndefined } from '../../shared/text/omitUndefined';
import type { AdoptedKey } from '../../shared/orders/orderBook';

/**
 * The key of an item that failed in this package's node before and comes back with its `error`, as
 * from an error output that is wired back. Without it the item would be a new order.
 *
 * @param json of the input item
 * @param now epoch ms; a first use in the future is ignored
 */
export function getAdoptedKey(json: IDataObject | undefined, now: number): AdoptedKey | undefined {
	const error = json?.error;
	if (typeof error !== 'object' || error === null || Array.isArray(error)) return undefined;
	const { idempotencyKey, firstSentAt, lastSentAt, effect, content, reference } =
		error as IDataObject;
	if (typeof idempotencyKey !== 'string' || !isKey(idempotencyKey)) return undefined;
	return {
		key: idempotencyKey,
		firstUsedAt: readTime(firstSentAt, now),
		content: typeof content === 'string' ? content : undefined,
		reference: typeof reference === 'string' ? reference : undefined,
		isUnclear: effect !== 'none',
		lastTriedAt: readTime(lastSentAt, now) ?? now,
	};
}

/**
 * The key under which an item was sent before, as far as it or its origin shows that.
 *
 * @param isLater see `isLaterRound`
 * @param now see `getAdoptedKey`
 */
export function findAdoptedKey(
	context: EarlierRounds,
	itemIndex: number,
	isLater: boolean,
	now: number,
): AdoptedKey | undefined {
	const own = getAdoptedKey(context.getInputData()[itemIndex]?.json, now);
	return own ?? (isLater ? getKeyOfEarlierRound(context, itemIndex, now) : undefined);
}

/**
 * The key of an item that comes back without its `error`, because a node in between has dropped or renamed it.
 * n8n knows from which item it was made. What certainly had no effect may be asked for anew.
 *
 * @param now see `getAdoptedKey`
 */
function getKeyOfEarlierRound(
	context: EarlierRounds,
	itemIndex: number,
	now: number,
): AdoptedKey | undefined {
	const { pairedItem } = context.getInputData()[itemIndex] ?? {};
	if (typeof pairedItem !== 'object' || Array.isArray(pairedItem)) return undefined;
	try {
		const { $getPairedItem: find } = context.getWorkflowDataProxy(0) as { $getPairedItem: Find };
		const source = context.getInputSourceData(pairedItem.input);
		const adopted = getAdoptedKey(find(context.getNode().name, source, pairedItem).json, now);
		return adopted?.isUnclear ? adopted : undefined;
	} catch {
		// This node has not put it out: it comes from elsewhere, or was made of several items.
		return undefined;
	}
}

type EarlierRounds = Pick<
	IExecuteFunctions,
	'getInputData' | 'getInputSourceData' | 'getNode' | 'getWorkflowDataProxy'
>;
type Find = (node: string, source: ISourceData, paired: IPairedItemData) => INodeExecutionData;

/** Whether this node has run before in the same execution: in a loop, or for what its error output put out. */
export function isLaterRound(context: Pick<IExecuteFunctions, 'getWorkflowDataProxy'>): boolean {
	const { $runIndex: run } = context.getWorkflowDataProxy(0) as { $runIndex?: unknown };
	return typeof run === 'number' && run > 0;
}

const MAY_BE_DONE =
	'An earlier attempt at this item may have taken effect: its idempotency key is kept. Leave it with the item.';

/**
 * The failure of an item that came with a key, and now fails without one: refused before anything was
 * sent. The new error replaces the one that it came with, so it takes over the key and what is known
 * of it. Otherwise the item would be a new order when it comes back once more.
 *
 * @param adopted what the item came with
 */
export function keepKey(failure: Failure, adopted: AdoptedKey | undefined): Failure {
	if (adopted === undefined || failure.idempotencyKey !== undefined) return failure;
	const { key, firstUsedAt, isUnclear, content, reference, lastTriedAt } = adopted;
	const kept = {
		...failure,
		idempotencyKey: key,
		...omitUndefined({ firstSentAt: toIso(firstUsedAt), content, reference }),
	};
	if (!isUnclear) return kept;
	const lastSentAt = toIso(lastTriedAt);
	if (failure.effect !== 'none') return { lastSentAt, ...kept };
	return {
		...redescribe({ lastSentAt, ...kept }, `${failure.description} ${MAY_BE_DONE}`),
		effect: 'unknown',
	};
}

/** @returns epoch ms; undefined for a time in the future, and for what is none */
function readTime(text: unknown, now: number): number | undefined {
	const time = typeof text === 'string' ? Date.parse(text) : NaN;
	return Number.isNaN(time) || time > now ? undefined : time;
}

function isKey(text: string): boolean {
	return /^[\x21-\x7e]+$/.test(text) && text.length <= MAX_KEY_LENGTH;
}
