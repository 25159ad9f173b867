/**
 * Which order an item is: its name, and the idempotency keys of that name. Pure.
 *
 * | the item                                        | its name                                           |
 * | ----------------------------------------------- | -------------------------------------------------- |
 * | has a reference (a charge: an External ID)      | that                                               |
 * | comes back with the order of its `error`        | that one, if it asks for the same content          |
 * | anything else                                   | automatic: of the root, the content and its data   |
 *
 * The ledger holds these names: whoever changes how one is made renames orders that are stored, and their retries
 * no longer find them.
 *
 * The root is what all attempts of one execution share (`execution.ts`). The content is amount and PIX key.
 */
import { DAY_MS } from '../../shared/text/time';
import { fingerprint, hash } from '../../shared/text/fingerprint';

export type Kind = 'payout' | 'charge';

/** The name of an order. Equal in kind, environment and value: one order. */
export interface Name {
	readonly kind: Kind;
	/** Made with a live key. */
	readonly isLive: boolean;
	/** The cleaned reference, or `auto-…`. */
	readonly value: string;
	readonly isAutomatic: boolean;
}

/** What the attempts of one execution share: Retry On Fail, a retry in the list Executions, one after kill -9. */
export interface Root {
	readonly name: string;
	/** Epoch ms; undefined if n8n does not say. */
	readonly bornAt: number | undefined;
	/** An event of the trigger: a copy of the event has this root too, and other data. */
	readonly isEvent: boolean;
}

/** Automatic names are kept this long after they are settled. Milliseconds. */
export const NAME_LIFE_MS = 20 * DAY_MS;
/** An older root gives no automatic names: the ledger may have forgotten them. Milliseconds. */
export const ROOT_LIFE_MS = 18 * DAY_MS;

/** References of this form are refused: in errors and in the table they would pass for an automatic name. */
const AUTOMATIC = /^auto-[\w-]{16}$/;

export function looksAutomatic(text: string): boolean {
	return AUTOMATIC.test(text);
}

/** What the error of an item says of its order. */
export interface CameWith {
	readonly name: string;
	readonly content: string;
	/** It may have taken effect. */
	readonly isUnclear: boolean;
}

/**
 * The order that an item had when it failed in this node, as from an error output that is wired back.
 * @param isOurs whether such an order has a name like this
 */
export function readOrder(
	json: Readonly<Record<string, unknown>> | undefined,
	isOurs: (name: string) => boolean,
): CameWith | undefined {
	const { order, effect } = (json?.error ?? {}) as { order?: unknown; effect?: unknown };
	const { name, content } = (order ?? {}) as { name?: unknown; content?: unknown };
	if (typeof name !== 'string' || typeof content !== 'string' || !isOurs(name)) return undefined;
	return { name, content, isUnclear: effect !== 'none' };
}

/**
 * The automatic name of an item. The item's data tells two rows of one amount to one payee apart. It takes no
 * part where a second attempt has other data: another copy of an event, another call of an agent.
 * @param data the JSON of the item
 */
export function automaticName(
	root: Root,
	content: string,
	data: Readonly<Record<string, unknown>>,
	isAgentTool: boolean,
): string {
	return `auto-${fingerprint([root.name, content, ownData(root, data, isAgentTool)])}`;
}

/** What tells items of one root and content apart, see {@link automaticName}; null for nothing. */
export function ownData(
	root: Root | undefined,
	data: Readonly<Record<string, unknown>>,
	isAgentTool: boolean,
): unknown {
	if (root?.isEvent || isAgentTool) return null;
	// What this node has put out says other things of the same payout in a retry, except its ID.
	const isOutput = 'alreadyPaid' in data || 'alreadyCreated' in data;
	if (isOutput && typeof data.id === 'string') return { id: data.id };
	// Check Batch shows the balance and sums of the moment in each row.
	const isChecked = 'batchOk' in data;
	const own = Object.entries(data).filter(([name]) => !(isChecked && name.startsWith('batch')));
	return canonical({ ...Object.fromEntries(own), error: undefined });
}

/** A person who edits a node moves fields: their order says nothing. Also part of keys, see `keyOnly.ts`. */
export function canonical(value: unknown): unknown {
	if (typeof value !== 'object' || value === null) return value;
	if (Array.isArray(value)) return value.map(canonical);
	if ('toJSON' in value) return value;
	const entries = Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1));
	return Object.fromEntries(entries.map(([name, inner]) => [name, canonical(inner)]));
}

/**
 * Whether a root may give automatic names.
 * @param madeAt when this very run of the node was first made, epoch ms: executions wait for months
 */
export function isRecent(root: Root, madeAt: number, now: number): boolean {
	const bornAt = root.bornAt ?? -Infinity;
	return now - bornAt < ROOT_LIFE_MS || now - madeAt < ROOT_LIFE_MS;
}

/**
 * The idempotency key of a generation. Neither n8n nor workflow takes part, so that two n8n that pay one
 * invoice send one key; and not the content, so that the service itself judges a corrected row.
 */
export function keyOf({ kind, isLive, value }: Name, generation: number): string {
	return `n8n-${hash([kind, isLive, value, generation])}`;
}

/** What an item asks for, as far as other items matter. */
export interface Asked {
	readonly value: string;
	readonly content: string;
	/** Its name came with the item: as a reference, or with an earlier error. */
	readonly isGiven: boolean;
}

/** How an item relates to others that ask for its name. */
export type Relation =
	/** The earlier item is carried out, and this one shows its result. */
	| { readonly is: 'shared'; readonly with: number }
	/** It has the reference of that item, and asks for something else. */
	| { readonly is: 'contradicting'; readonly with: number }
	/** The same in every field as that item; undefined: as one of another run or node of this execution. */
	| { readonly is: 'equal'; readonly to: number | undefined };

/**
 * Finds items that ask for one name.
 * @param elsewhere names that other runs and nodes of this execution have asked for
 */
export function relate(
	items: ReadonlyArray<Asked | undefined>,
	elsewhere: ReadonlySet<string>,
): Map<number, Relation> {
	const relations = new Map<number, Relation>();
	const firsts = new Map<string, number>();
	items.forEach((item, index) => {
		if (item === undefined) return;
		const first = firsts.get(item.value);
		if (first === undefined) {
			firsts.set(item.value, index);
			if (!item.isGiven && elsewhere.has(item.value)) {
				relations.set(index, { is: 'equal', to: undefined });
			}
		} else if (item.isGiven) {
			const isSame = items[first]?.content === item.content;
			relations.set(index, { is: isSame ? 'shared' : 'contradicting', with: first });
		} else {
			// If the first one were paid, nobody could tell which of the two it was.
			const to = elsewhere.has(item.value) ? undefined : first;
			relations.set(index, { is: 'equal', to });
			if (!relations.has(first)) relations.set(first, { is: 'equal', to: index });
		}
	});
	return relations;
}

/** An order of the root that was paid or may have been, in an earlier attempt of the execution. */
export interface Earlier {
	readonly value: string;
	readonly content: string;
	/** ID of the withdrawal that paid it; undefined if it may have been paid. */
	readonly paidBy: string | undefined;
	/** `run` has sent it. */
	readonly cells: { readonly run: string | null };
}

/**
 * The orders of earlier attempts that have not come up again: one of the items may be the correction of one.
 * @param asked names that this execution has asked for so far
 */
export function findMissing<T extends Earlier>(
	earlier: readonly T[],
	asked: ReadonlySet<string>,
): T[] {
	return earlier.filter(({ value }) => !asked.has(value));
}

/**
 * Why an item that was never sent is not sent now.
 * @param missing see {@link findMissing}
 */
export function findObstacle<T extends Earlier>(
	{ content }: Pick<Asked, 'content'>,
	isReference: boolean,
	missing: readonly T[],
): T | undefined {
	// A list that leaves out what was paid goes on with references: only an equal payout may be this one.
	return isReference ? missing.find((one) => one.content === content) : missing[0];
}

/**
 * Why an item that passes for one that was sent is not taken for it: rows that only their number tells apart get
 * other numbers when the list is read without those that were paid. Then the rest passes for what was paid, and
 * the order that is left over got no answer.
 * @param runs that have sent the order of the item
 * @param missing see {@link findMissing}
 */
export function findLeftOut<T extends Earlier>(
	{ content }: Pick<Asked, 'content'>,
	runs: ReadonlySet<string | null>,
	missing: readonly T[],
): T | undefined {
	const equal = missing.filter((one) => one.content === content && one.paidBy === undefined);
	return equal.find(({ cells }) => runs.has(cells.run));
}
