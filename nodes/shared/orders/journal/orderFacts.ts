import { senderEntries, type AccountGroup } from './accountGroups';
import { createTopic, getEntries } from './facts';
import { bucketsOfLife, toBucket } from './keyLife';

/** What is to be paid, and with which key. No field may contain blanks. */
export interface JournalQuery {
	/** Names the order: a hash. Unique within one call. */
	readonly order: string;
	/** Fingerprint of what is to be paid (amount, PIX key, document). */
	readonly content: string;
	/** Fingerprint of the API key that it would be sent with. */
	readonly account: string;
}

/** With the group of the API key in use, where it has one. */
export type SentQuery = JournalQuery & { readonly group: AccountGroup | undefined };

/** `sent`, up to four `alive`, `sentBy`, `made`, and two copies each of armed, content, account, settled, over, paid and row. */
export const ENTRIES_PER_ORDER = 21;

type Terms = Pick<JournalQuery, 'order' | 'content'>;

export const fact = {
	armed: ({ order }: JournalQuery) => `armed ${order}`,
	content: ({ order, content }: Terms) => `content ${order} ${content}`,
	settled: ({ order, content }: Terms) => `settled ${order} ${content}`,
	/** Settled, with any content. */
	over: ({ order }: JournalQuery) => `over ${order}`,
	/** Settled with other content than it was first sent with. */
	superseded: ({ order }: JournalQuery) => `superseded ${order}`,
	/** Sent with more than one content. */
	several: ({ order }: JournalQuery) => `several ${order}`,
	/** Sent with more than one API key. */
	otherKey: ({ order }: JournalQuery) => `otherKey ${order}`,
	account: ({ order, account }: JournalQuery) => `account ${order} ${account}`,
	alive: ({ order }: Pick<JournalQuery, 'order'>, bucket: number) => `alive ${order} ${bucket}`,
	paid: (order: string, id: string) => `paid ${order} ${id}`,
	row: (id: string) => `row ${id}`,
};

export const topic = {
	armed: (query: JournalQuery) => createTopic(fact.armed(query)),
	/** One topic, so that an interruption cannot spoil one of the two alone. */
	terms: (query: Terms) => createTopic(fact.content(query), fact.settled(query)),
	/** A separate topic, like all questions about any content: another question must not spoil it. */
	over: (query: JournalQuery) => createTopic(fact.over(query)),
	superseded: (query: JournalQuery) => createTopic(fact.superseded(query)),
	several: (query: JournalQuery) => createTopic(fact.several(query)),
	otherKey: (query: JournalQuery) => createTopic(fact.otherKey(query)),
	account: (query: JournalQuery) => createTopic(fact.account(query)),
	alive: (query: Pick<JournalQuery, 'order'>, now: number) =>
		createTopic(fact.alive(query, toBucket(now))),
	paid: (order: string, id: string) => createTopic(fact.paid(order, id)),
	row: (id: string) => createTopic(fact.row(id)),
};

/** That the order may have been sent, and with which content. */
export const sentEntry = ({ order }: JournalQuery) => `sent ${order}`;
export const sendingEntries = (query: JournalQuery) => [
	sentEntry(query),
	...getEntries([fact.armed(query), fact.content(query)]),
];
export const accountEntries = (query: SentQuery) => [
	...getEntries([fact.account(query)]),
	...senderEntries(query.order, query.group),
];

/**
 * That the key is alive, forward-dated: an entry for each bucket of time that ends before the key may
 * be forgotten. A bucket that would outlive the key is left out, so the key counts as dead earlier.
 */
export function aliveEntries(query: JournalQuery, now: number): string[] {
	const facts = bucketsOfLife(now).map((bucket) => fact.alive(query, bucket));
	// One copy: an interrupted question makes the key count as dead.
	return getEntries(facts, 1);
}

/** What is stated of an order when it is sent for the first time. */
export function firstEntries(query: SentQuery, now: number): string[] {
	return [...sendingEntries(query), ...accountEntries(query), ...aliveEntries(query, now)];
}
