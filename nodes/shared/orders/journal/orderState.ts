import { getAllEntries, getEntries, type Inquiry } from './facts';
import { toBucket } from './keyLife';
import {
	accountEntries,
	aliveEntries,
	fact,
	firstEntries,
	sendingEntries,
	topic,
	type JournalQuery,
	type SentQuery,
} from './orderFacts';

/**
 * What is known of an order:
 * - `new`: never sent, or known to have had no effect; now recorded as sent
 * - `differs`: known with other content; no trace of the new content is left. Only where it is in
 *   doubt and its key alive may it be sent: the service compares, under the same key, with what it
 *   has accepted. Not certain where successive interruptions have destroyed the record of the
 *   content: ask a person to check.
 * - `settled`: known to have taken effect
 * - `inDoubt`: may have been sent, with unknown outcome. `isKeyAlive`: the service still recognizes
 *   its idempotency key. `isSameAccount`: it was sent with the same API key.
 */
export type JournalState =
	| { readonly kind: 'new' | 'settled' }
	| {
			readonly kind: 'differs';
			readonly isCertain: boolean;
			/** The outcome of the earlier content is unknown. */
			readonly isOpen: boolean;
			readonly isKeyAlive: boolean;
			readonly isSameAccount: boolean;
	  }
	| {
			readonly kind: 'inDoubt';
			readonly isKeyAlive: boolean;
			readonly isSameAccount: boolean;
			/** It may have been sent with other content as well. */
			readonly hasOtherContent?: true;
	  };

export interface Begun {
	readonly state: JournalState;
	/** What this run stated about the order; stated again at the end, in case it got lost. */
	readonly entries: readonly string[];
}

export const maySend = (begun: Begun | undefined) =>
	begun?.state.kind === 'new' || begun?.state.kind === 'inDoubt';

/** Another API key shows neither what the first one did nor which one it was. */
export const canKnowAll = (begun: Begun | undefined) =>
	begun?.state.kind === 'new' || (begun?.state.kind === 'inDoubt' && begun.state.isSameAccount);

/**
 * Orders that were interrupted before anything was sent take the content that is asked for now. Their
 * keys stay dead: whether one is alive is asked only where it was stated before.
 */
export async function adoptContent(queries: readonly SentQuery[], inquiry: Inquiry): Promise<void> {
	const entries = queries.flatMap((query) => [...sendingEntries(query), ...accountEntries(query)]);
	for (const query of queries) inquiry.drop(getAllEntries(topic.terms(query)));
	inquiry.keep(entries);
	await inquiry.record(entries);
}

/** @param now epoch ms */
export function judgeKnown(
	query: SentQuery,
	answers: ReadonlyMap<string, boolean>,
	now: number,
): Begun {
	const entries = sendingEntries(query);
	if (answers.get(fact.settled(query)) === true) return judged({ kind: 'settled' }, entries);
	const isSuperseded = answers.get(fact.superseded(query)) === true;
	// The first content no longer counts after the order has taken effect with other content.
	if (answers.get(fact.content(query)) === true && !isSuperseded) {
		const isKeyAlive = answers.get(fact.alive(query, toBucket(now))) === true;
		const isSameAccount = isSentWith(query, answers);
		const isOnly = answers.get(fact.several(query)) === false;
		const state = { kind: 'inDoubt', isKeyAlive, isSameAccount } as const;
		return judged(isOnly ? state : { ...state, hasOtherContent: true }, entries);
	}
	if (answers.get(fact.armed(query)) === false) {
		const state = { kind: 'inDoubt', isKeyAlive: false, isSameAccount: true } as const;
		return judged(state, [...entries, ...accountEntries(query)]);
	}
	const isCertain =
		isSuperseded || (answers.has(fact.content(query)) && answers.has(fact.armed(query)));
	const isOpen = answers.get(fact.over(query)) === false;
	const isKeyAlive = isOpen && answers.get(fact.alive(query, toBucket(now))) === true;
	const isSameAccount = isSentWith(query, answers);
	return judged({ kind: 'differs', isCertain, isOpen, isKeyAlive, isSameAccount }, []);
}

/**
 * With this API key and no other: another one may have sent it last, and then only the list can
 * settle it.
 */
function isSentWith(query: JournalQuery, answers: ReadonlyMap<string, boolean>): boolean {
	return answers.get(fact.account(query)) === true && answers.get(fact.otherKey(query)) === false;
}

/**
 * Judges an order without `sent`. Facts of it that were there before show that only its oldest entries
 * were evicted or lost: it is known after all, and what was stated of it by mistake is taken back.
 */
export function judgeFresh(
	query: SentQuery,
	known: ReadonlySet<string>,
	inquiry: Inquiry,
	now: number,
): Begun {
	const wasKnown = (name: string) => getEntries([name]).some((entry) => known.has(entry));
	if (!wasKnown(fact.armed(query))) {
		const entries = firstEntries(query, now);
		// Questions that were interrupted before the order was last forgotten: they must not spoil it
		// now.
		const spoiled = [topic.terms(query), topic.over(query), topic.account(query)].filter(
			({ name }) => wasKnown(name),
		);
		inquiry.drop(spoiled.flatMap(getAllEntries));
		inquiry.keep(entries);
		return judged({ kind: 'new' }, entries);
	}
	const isSame = wasKnown(fact.content(query));
	const mistaken = [
		...(isSame ? [] : getEntries([fact.content(query)])),
		...accountEntries(query),
		...aliveEntries(query, now),
	];
	inquiry.drop(mistaken.filter((entry) => !known.has(entry)));
	if (!isSame) {
		const differs = { isCertain: true, isOpen: true, isKeyAlive: false, isSameAccount: false };
		return judged({ kind: 'differs', ...differs }, []);
	}
	const isSameAccount = wasKnown(fact.account(query));
	return judged({ kind: 'inDoubt', isKeyAlive: false, isSameAccount }, sendingEntries(query));
}

const judged = (state: JournalState, entries: readonly string[]): Begun => ({ state, entries });
