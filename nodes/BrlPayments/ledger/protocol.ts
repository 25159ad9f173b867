/**
 * How an order with a reference (a payout, or a charge with an External ID) is made once: the states of an
 * order, and what leads from one to the next. Pure: the node carries out what this module asks for, and so
 * does the model checker in test/model, which tries all interleavings of it.
 *
 * All times are epoch milliseconds of one clock, that of n8n's database.
 */
import { KEY_LIFE_MS } from '../../shared/orders/key';

/** What a row of the ledger says. The first four are written by the node, the last two are about people. */
export type Status = 'sending' | 'paid' | 'failed' | 'refused' | 'in doubt' | 'not paid';

/** A row of one reference in one environment. Rows are added and removed, never changed by the node. */
export interface Row {
	/** Of two rows of one run, the later one has the higher ID. */
	readonly id: number;
	readonly status: Status;
	/** Counts the idempotency keys of the order: each has its own generation. */
	readonly generation: number;
	/** Fingerprint of amount and PIX key; empty if a person wrote the row. */
	readonly content: string;
	/** Fingerprint of the whole request, which the service compares; empty if a person wrote the row. */
	readonly body: string;
	/** Public part of the API key. */
	readonly apiKey: string;
	/** Names the run that wrote it. */
	readonly run: string;
	/**
	 * Of a `sending`, when it was written. Of a `refused`, when the refusal arrived or when the list was
	 * begun that proves it. Of a `not paid`, when the person said so.
	 */
	readonly at: number;
	/** Of a `paid` or `failed`. Of an `in doubt`, what was named for another order too. */
	readonly withdrawalId?: string;
	/** Of a `paid`: a person says so, not the service. */
	readonly isByPerson?: boolean;
	/** Of an `in doubt` or `not paid`: the withdrawals that the person was shown. */
	readonly shown?: readonly string[];
	/** Of a `refused`: the service may not have looked at the key, so the key may still be in use. */
	readonly isBeforeKeyCheck?: boolean;
	/**
	 * Of a `refused`: whoever sends the same request under its key is refused, too. The request itself is
	 * wrong, or the service has shown that it keeps the refusal.
	 */
	readonly isLasting?: boolean;
	/**
	 * Of a `not paid`: it was said beside a complete list that this API key can read, and the person had been
	 * shown whatever in it may be the order's. What a person enters in the table by hand says nothing of a list.
	 */
	readonly isListed?: boolean;
	/** Of a `paid` charge: what a customer pays with, which the service may show only once. */
	readonly shows?: Readonly<Record<string, string>>;
}

/** A row to be written, which may be minutes later: what a refusal proves is as old as its evidence. */
export type NewRow = Pick<
	Row,
	'generation' | 'withdrawalId' | 'shown' | 'isBeforeKeyCheck' | 'isLasting' | 'isListed'
> & {
	/** What it is about; what the run asks for, if it is left out. */
	readonly about?: Pick<Row, 'content' | 'body'>;
} & (
		| { readonly status: 'refused'; readonly at: number }
		| { readonly status: 'paid' | 'sending'; readonly at?: number }
		| { readonly status: Exclude<Status, 'refused' | 'paid' | 'sending'>; readonly at?: undefined }
	);

/** What one item asks for. */
export interface Asked {
	readonly run: string;
	readonly apiKey: string;
	readonly content: string;
	readonly body: string;
}

/**
 * How long a request may be under way before it executes. An assumption about the service, which
 * docs/never-paid-twice.md states.
 */
const LATE_MS = 2 * 60_000;
/** How long the list may lag behind. */
export const LAG_MS = 2 * 60_000;
/** Nothing is sent under a `sending` that is older than this. */
export const FRESH_MS = 30_000;
/** How long after the last unanswered attempt a list proves that nothing was paid. */
export const PROOF_MS = LATE_MS + LAG_MS + FRESH_MS;
/** New keys of one run: if no provider takes the payout, the next attempt is a person's decision. */
const MAX_NEW_KEYS = 4;
/** How often a run begins anew because another one changed the ledger meanwhile. */
const MAX_ROUNDS = 3;

/** What the order is to be called, for the user. */
export type Conclusion =
	/** `isNew`: this very run made it, and no other one. */
	| { readonly say: 'paid'; readonly id: string; readonly isNew: boolean }
	/** The ledger says so, and the withdrawal cannot be read. `isForeign`: another API key has paid it. */
	| { readonly say: 'recorded'; readonly id: string; readonly isForeign: boolean }
	/** The reference was paid with another amount or PIX key. */
	| { readonly say: 'mismatch'; readonly id: string }
	/** The key was used with a request that the ledger does not know: by another n8n, or another tool. */
	| { readonly say: 'elsewhere' }
	/** The service refused it, and nothing else is under way: it had no effect. */
	| { readonly say: 'refused' }
	/** The service accepted it, and the bank refused it. */
	| { readonly say: 'failed'; readonly id: string }
	/** Nothing was sent by this run. */
	| { readonly say: 'notSent' }
	/** It will be known from this time on; undefined: as soon as the other run has ended. */
	| { readonly say: 'later'; readonly from: number | undefined }
	/** A person has to decide. */
	| { readonly say: 'inDoubt'; readonly because: Doubt };

export type Doubt =
	/** The list shows withdrawals of the same amount to the same PIX key. */
	| { readonly reason: 'candidates'; readonly ids: readonly string[] }
	| { readonly reason: 'listUnreadable' }
	/** It was sent with another API key, and nothing shows that both belong to one account. */
	| { readonly reason: 'otherKey'; readonly apiKeys: readonly string[] }
	/** Two runs have asked the service under the key, minutes apart, and it says nothing. */
	| { readonly reason: 'noAnswer' }
	/** A person, or an answer, has named a withdrawal that is said to be another reference's. */
	| { readonly reason: 'claimedTwice'; readonly id: string; readonly claimants: readonly string[] }
	/** A person has named a withdrawal that cannot be read. */
	| { readonly reason: 'unreadableWord'; readonly id: string };

/** What is to be done next, and what to tell `advance` then. */
export type Action =
	/** Read all rows of the reference -> `ledger`. */
	| { readonly do: 'readLedger' }
	/** Write these rows, all or none, then read all rows -> `claimed`. The last one is the `sending`. */
	| { readonly do: 'claim'; readonly rows: readonly NewRow[] }
	/** Remove own rows -> `withdrawn`. */
	| { readonly do: 'withdraw'; readonly ids: readonly number[] }
	/** Send under the key of this generation, see `mayAttempt` -> `answered` or `stale`. */
	| { readonly do: 'send'; readonly generation: number }
	/** Read a withdrawal by its ID, and who else has it in rows of these kinds -> `fetched`. */
	| { readonly do: 'fetch'; readonly id: string; readonly claims: readonly Status[] }
	/** Read the list: which living withdrawals have one of these contents? -> `listed`. */
	| {
			readonly do: 'list';
			readonly contents: ReadonlySet<string>;
			/** Nothing of the order is older. */
			readonly since: number;
			/** A list that was begun earlier proves nothing. */
			readonly from: number;
			readonly ruledOut: ReadonlySet<string>;
			/** What the service has named for this order: it counts, even if another order has it too. */
			readonly named: ReadonlySet<string>;
	  }
	/** Can a withdrawal that one of these API keys made be read with the own one? -> `compared`. */
	| { readonly do: 'compareAccounts'; readonly apiKeys: readonly string[] }
	/** Write these rows, then remove those, then say this. */
	| {
			readonly do: 'end';
			readonly record: readonly NewRow[];
			readonly remove: readonly number[];
			readonly conclusion: Conclusion;
	  };

/** What was observed. */
export type Event =
	| { readonly saw: 'ledger'; readonly rows: readonly Row[] }
	/** `own`: the `sending` as written; undefined if somebody has removed or changed it since. */
	| { readonly saw: 'claimed'; readonly own: Row | undefined; readonly rows: readonly Row[] }
	| { readonly saw: 'withdrawn' }
	/** Before an attempt, `mayAttempt` said no. `unansweredAt`: the last attempt that got no answer. */
	| { readonly saw: 'stale'; readonly unansweredAt: number | undefined }
	| {
			readonly saw: 'answered';
			readonly answer: Answer;
			/** When the last attempt of this run was made that got no answer; undefined if all got one. */
			readonly unansweredAt: number | undefined;
	  }
	/** `claimants`: other references that are said to be paid by it, if that was asked. */
	| {
			readonly saw: 'fetched';
			readonly withdrawal: Fetched;
			readonly claimants: readonly string[];
	  }
	/** `begunAt`: when the reading began. */
	| { readonly saw: 'listed'; readonly list: Listed; readonly begunAt: number }
	| { readonly saw: 'compared'; readonly same: readonly string[] };

/** The last answer to the attempts of this run under one key. */
export type Answer =
	/**
	 * `made`: by the clock of the service, before this run sent anything, or since. `claimants`: other
	 * orders that it was named for a moment ago. Something on the way mixes up answers.
	 */
	| {
			readonly kind: 'paid' | 'failed';
			readonly id: string;
			readonly made?: 'before' | 'since' | undefined;
			readonly claimants?: readonly string[];
	  }
	/**
	 * `needsNewKey`: the service keeps the refusal under the key, and asks for another one. `isBeforeKeyCheck`: it
	 * may have refused before it looked at the key. A proxy that has sent the request twice, and by an
	 * address that the API key does not allow, hides a payout behind such a refusal.
	 */
	| ({ readonly kind: 'refused'; readonly needsNewKey: boolean } & Pick<
			Row,
			'isBeforeKeyCheck' | 'isLasting'
	  >)
	| { readonly kind: 'mismatch' }
	/** No answer, one that says nothing, or that an earlier attempt is still being processed. */
	| { readonly kind: 'unknown' }
	/** The request certainly never left. */
	| { readonly kind: 'notSent' };

/** Answers that say of this attempt alone that it had no effect. */
type WithoutEffect = Extract<Answer, { readonly kind: 'refused' | 'mismatch' | 'notSent' }>;

export interface Fetched {
	readonly state: 'living' | 'failed' | 'unreadable';
	/** Whether it has the amount and PIX key that are asked for; if unreadable, by what the ledger says. */
	readonly isSameContent: boolean;
}

/** `candidates`: those with one of the contents, without those that were ruled out or belong to others. */
export type Listed =
	| { readonly isComplete: true; readonly candidates: readonly string[] }
	| { readonly isComplete: false };

/** One order in one run. */
export interface State {
	readonly asked: Asked;
	/** What the ledger said last, own rows included. */
	readonly rows: readonly Row[];
	/** The generation that it sends under, or is about to. */
	readonly generation: number;
	/** The newest own `sending`. */
	readonly own: Row | undefined;
	/** Since when the key may have been in use. */
	readonly keyUsedAt: number;
	/**
	 * What the ledger showed of other runs that send under this generation when it was read back. `gone`:
	 * all attempts are so old that whatever they sent has arrived by now, or never will.
	 */
	readonly others: 'none' | 'gone' | 'active';
	/** When the last attempt of this run under the current key was made that got no answer. */
	readonly unansweredAt: number | undefined;
	/** The answer to conclude from once the ledger has been read again, and when it came. */
	readonly answer: (WithoutEffect & { readonly at: number }) | undefined;
	/** The withdrawal that is being fetched: what is known of it, and whether by an answer to this run. */
	readonly fetching:
		| { readonly id: string; readonly status: 'paid' | 'failed'; readonly isNew: boolean }
		| undefined;
	readonly newKeys: number;
	readonly rounds: number;
	/** Other API keys whose withdrawals the own one can read, and those whose it cannot. */
	readonly sameAccount: readonly string[];
	readonly otherAccount: readonly string[];
}

export interface Step {
	readonly state: State;
	readonly action: Action;
}

const READ: Action = { do: 'readLedger' };

/** A new run of an order. */
export function begin(asked: Asked): Step {
	const state: State = {
		asked,
		rows: [],
		generation: 0,
		own: undefined,
		keyUsedAt: 0,
		others: 'active',
		unansweredAt: undefined,
		answer: undefined,
		fetching: undefined,
		newKeys: 0,
		rounds: 1,
		sameAccount: [],
		otherAccount: [],
	};
	return { state, action: READ };
}

/** What follows from what was observed. @param now by the clock of the ledger */
export function advance(state: State, event: Event, now: number): Step {
	switch (event.saw) {
		case 'ledger': {
			const read = { ...state, rows: event.rows };
			return state.answer === undefined ? plan(read, now) : conclude(read, state.answer, now);
		}
		case 'claimed':
			return confirm({ ...state, rows: event.rows, own: event.own }, now);
		case 'withdrawn':
			return startOver(state);
		case 'stale':
			return claim({ ...state, unansweredAt: event.unansweredAt }, state.generation);
		case 'answered':
			return answered({ ...state, unansweredAt: event.unansweredAt }, event.answer, now);
		case 'fetched':
			return fetched(state, event.withdrawal, event.claimants, now);
		case 'listed':
			return listed(state, event.list, event.begunAt);
		case 'compared': {
			const { same } = event;
			const other = otherApiKeys(state).filter((key) => !same.includes(key));
			return plan({ ...state, sameAccount: same, otherAccount: other }, now);
		}
	}
}

/**
 * Immediately before every attempt, repeats included: whether other runs still count the own
 * `sending`, and the service still knows the key. If not, nothing is sent, and `stale` follows.
 */
export function mayAttempt({ own, keyUsedAt }: State, now: number): boolean {
	return own !== undefined && now - own.at < FRESH_MS && now - keyUsedAt < KEY_LIFE_MS;
}

/** What is to be removed if the run ends before anything was sent: own rows, by ID. */
export function findUnsent({ state, action }: Step): number[] {
	const isBefore = action.do === 'send' || action.do === 'claim';
	return isBefore && state.unansweredAt === undefined ? ownSendings(state).map(({ id }) => id) : [];
}

/** What the ledger says before anything is sent. */
function plan(state: State, now: number): Step {
	const others = othersRows(state);
	const paid = findPaid(others);
	if (paid) return fetch(state, paid);
	if (others.length === 0) return claim(state, 0);

	const highest = highestGeneration(others);
	const open = openSendings(others);
	if (open.length === 0) return askAgain(state, highest, now);

	const { sameAccount, otherAccount } = state;
	const foreign = otherApiKeys(state);
	const word = wordAfter(open, others);
	if (foreign.some((key) => !sameAccount.includes(key) && !otherAccount.includes(key))) {
		return { state, action: { do: 'compareAccounts', apiKeys: foreign } };
	}
	if (foreign.some((key) => otherAccount.includes(key))) {
		if (word) return claim(state, highest + 1, close(open, word.at));
		return end(state, { say: 'inDoubt', because: { reason: 'otherKey', apiKeys: foreign } });
	}
	// The service was asked twice and says nothing: to ask it for ever would leave the order unpaid.
	const isSilent = word !== undefined && new Set(open.map(({ run }) => run)).size > 1;
	const keyUsedAt = Math.min(...inGeneration(others, highest).map(({ at }) => at));
	const isDead = now - keyUsedAt >= KEY_LIFE_MS;
	const isLower = open.some(({ generation }) => generation < highest);
	const isRefused =
		isRefusedSince(others, open, now) || isDoubted(others, open, highest, state.asked);
	if (foreign.length > 0 || isDead || isLower || isRefused || isSilent) {
		return prove({ ...state, generation: highest }, now);
	}
	return claim(state, highest);
}

/** The service was asked after all open attempts, long enough ago for a proof, and may not have looked. */
function isRefusedSince(rows: readonly Row[], open: readonly Row[], now: number): boolean {
	const refusals = rows.filter(({ isBeforeKeyCheck }) => isBeforeKeyCheck);
	return (
		refusals.some((row) => open.every(({ at }) => at <= row.at)) &&
		refusals.every(({ at }) => now - at >= PROOF_MS)
	);
}

/** The refusals of a generation, if none of them shows that the service had looked at the key. */
function earlyRefusals(rows: readonly Row[], generation: number): Row[] {
	const outcomes = inGeneration(rows, generation).filter(({ status }) => OUTCOMES.has(status));
	return outcomes.every(({ isBeforeKeyCheck = false }) => isBeforeKeyCheck) ? outcomes : [];
}

/** Whether it is what the service has answered, not what a list has proven. */
function isServiceRefusal({ status, content }: Row): boolean {
	return status === 'refused' && content !== '';
}

/** Whether what was refused may be paid under the same key when it is sent again, by whomever. */
function mayBePaidSince(row: Row): boolean {
	return isServiceRefusal(row) && !row.isLasting;
}

/**
 * While a key lives that the service has only refused, the service is asked under it once more: what was
 * refused may have been paid since by its copy, or by another n8n, which begins with the same key. The
 * next generation follows as soon as the service has refused it in two runs (`refusedByEarlierRun`), or, if it
 * may not have looked at the key, as soon as a list shows that nothing was paid.
 */
function askAgain(state: State, generation: number, now: number): Step {
	const { asked, rows } = state;
	const same = inGeneration(rows, generation);
	const outcomes = same.filter(({ status }) => OUTCOMES.has(status));
	const times = same.map(({ at }) => at);
	const since = Math.min(...times);
	const isAsked =
		outcomes.length > 0 &&
		outcomes.every((row) => isServiceRefusal(row) && row.apiKey === asked.apiKey) &&
		now - since < KEY_LIFE_MS;
	if (!isAsked) return claim(state, generation + 1);
	const early = earlyRefusals(rows, generation);
	const from = Math.max(...times) + PROOF_MS;
	if (early.length === 0 || now < from) return claim(state, generation);
	const contents = new Set(early.map(({ content }) => content));
	const action: Action = { do: 'list', contents, since, from, ...knownIds(rows) };
	return { state: { ...state, generation }, action };
}

/** What an earlier run was told under the key of this generation, after the service had looked at it. */
function refusedByEarlierRun({ asked, generation }: State, others: readonly Row[]): Row[] {
	return inGeneration(others, generation).filter(
		(row) => isServiceRefusal(row) && !row.isBeforeKeyCheck && row.run !== asked.run,
	);
}

/** The key has refused this very request, and nothing was sent since: only the list can say more. */
function isDoubted(
	rows: readonly Row[],
	open: readonly Row[],
	generation: number,
	{ body }: Asked,
): boolean {
	return inGeneration(rows, generation).some(
		(row) =>
			row.status === 'in doubt' &&
			row.withdrawalId === undefined &&
			row.body === body &&
			open.every(({ at }) => at <= row.at),
	);
}

/** The own `sending` is written: does what others have written meanwhile still allow to send? */
function confirm(state: State, now: number): Step {
	const { own, asked, generation } = state;
	const others = othersRows(state);
	const paid = findPaid(others);
	if (paid) return fetch(state, paid);
	// The own `sending` is gone: another run would not see this attempt, and could pay as well.
	if (own === undefined) return leave(state);

	const open = openSendings(others);
	const same = inGeneration(others, generation);
	const isClosed =
		same.some(
			(row) => row.status === 'failed' || (row.status === 'refused' && !isServiceRefusal(row)),
		) && inGeneration(open, generation).length === 0;
	const isOvertaken =
		isClosed ||
		others.some((row) => row.generation > generation) ||
		open.some((row) => row.generation < generation) ||
		same.some(({ status, apiKey }) => status === 'sending' && apiKey !== asked.apiKey);
	const keyUsedAt = Math.min(...inGeneration([...state.rows, own], generation).map(({ at }) => at));
	const next = { ...state, keyUsedAt, others: findOthers(same, now) };
	if (isOvertaken || !mayAttempt(next, now)) return leave(next);
	return { state: next, action: { do: 'send', generation } };
}

/** The service has answered, or the run has given up. */
function answered(state: State, answer: Answer, now: number): Step {
	const { generation } = state;
	switch (answer.kind) {
		case 'paid':
		case 'failed': {
			const { kind: status, id: withdrawalId, claimants = [] } = answer;
			const made: NewRow = { status, generation, withdrawalId };
			if (claimants.length > 0) return claimedTwice(state, withdrawalId, claimants, now);
			if (!isOwn(state, answer.made)) return fetch(state, made, status);
			return status === 'failed'
				? end(state, { say: 'failed', id: withdrawalId }, [made])
				: end(state, { say: 'paid', id: withdrawalId, isNew: true }, [made]);
		}
		case 'unknown': {
			const open = openSendings(othersRows(state));
			const isAskedTwice = open.some(({ at }) => now - at >= PROOF_MS);
			return isAskedTwice
				? end(state, { say: 'inDoubt', because: { reason: 'noAnswer' } })
				: end(state, { say: 'later', from: undefined });
		}
		// Before anything is said to have had no effect, the ledger is read again.
		case 'notSent':
		case 'refused':
		case 'mismatch':
			return { state: { ...state, answer: { ...answer, at: now } }, action: READ };
	}
}

/** @param same the rows of the generation that others have written */
function findOthers(same: readonly Row[], now: number): State['others'] {
	const attempts = same.filter(({ status }) => status === 'sending');
	if (attempts.length === 0) return 'none';
	return attempts.every(({ at }) => now - at >= PROOF_MS) ? 'gone' : 'active';
}

/** Whether this run made a withdrawal, and no other one. */
function isOwn({ others }: State, made: 'before' | 'since' | undefined): boolean {
	return (others === 'none' && made !== 'before') || (others === 'gone' && made === 'since');
}

/** What had no effect by itself, with the ledger as it is now. */
function conclude(state: State, answer: NonNullable<State['answer']>, now: number): Step {
	const { generation, unansweredAt, newKeys } = state;
	const others = othersRows(state);
	const paid = findPaid(others);
	if (paid) return fetch(state, paid);

	// Another run has gone on: what it does now can't be told from here.
	if (highestGeneration(others) > generation) return end(state, { say: 'later', from: undefined });

	const same = inGeneration(others, generation);
	const isUnanswered =
		unansweredAt !== undefined || same.some(({ status }) => status === 'sending');
	const kept = refusedByEarlierRun(state, others);
	if (answer.kind === 'mismatch') {
		// All that was refused under this key is refused for good, so no copy of it has been paid.
		const isKeptForGood =
			kept.length > 0 && same.filter(isServiceRefusal).every((row) => row.isLasting);
		if (!isUnanswered && isKeptForGood) return claim(state, generation + 1);
		return isUnanswered || isExplained(state)
			? prove(state, now)
			: end(state, { say: 'elsewhere' });
	}
	if (answer.kind === 'notSent') {
		return end(state, isUnanswered ? { say: 'later', from: undefined } : { say: 'notSent' });
	}
	if (isUnanswered) return prove(state, now);
	const { isBeforeKeyCheck, at, needsNewKey } = answer;
	const refused: NewRow = { status: 'refused', generation, at, ...kindOf(answer) };
	const isKept = !isBeforeKeyCheck && kept.some(({ body }) => body === state.asked.body);
	if ((needsNewKey || isKept) && newKeys < MAX_NEW_KEYS) {
		return claim({ ...state, newKeys: newKeys + 1 }, generation + 1, [refused]);
	}
	return end(state, { say: 'refused' }, [refused]);
}

/**
 * Whether the ledger knows of another request under the key. Of an attempt without an answer, what has
 * arrived may be another request, too, if something on the way changes requests.
 */
function isExplained(state: State): boolean {
	return inGeneration(othersRows(state), state.generation).some(
		// A run that proves a refusal may remove the rows that told of the other content.
		({ status, body }) => status === 'refused' || (body !== '' && body !== state.asked.body),
	);
}

/** Only the list can show that nothing was paid, and only some time after the last attempt. */
function prove(state: State, now: number): Step {
	const { asked, own, unansweredAt, answer } = state;
	const others = othersRows(state);
	const open = openSendings(others);
	const generations = new Set([state.generation, ...open.map(({ generation }) => generation)]);
	// A copy of what was refused may have been paid since.
	const refused = others.filter((row) => mayBePaidSince(row) && generations.has(row.generation));
	const attempts = [
		...[...open, ...refused].map(({ at }) => at),
		...(unansweredAt === undefined ? [] : [unansweredAt]),
		...(answer?.kind === 'refused' && answer.isBeforeKeyCheck ? [answer.at] : []),
	];
	const from = Math.max(...attempts) + PROOF_MS;
	if (now < from) return end(state, { say: 'later', from });
	// Others who pay the same again and again would leave it in doubt for ever. The list of another API key may
	// be that of another account, which shows nothing of this payout.
	const word = others.find(
		({ isListed = false, apiKey, at }) => isListed && apiKey === asked.apiKey && at >= from,
	);
	if (word) return listed(state, { isComplete: true, candidates: [] }, word.at);
	const known = [...open, ...refused].map(({ content }) => content);
	const sent = own ? [...known, asked.content] : known;
	const used = others.filter(({ generation }) => generations.has(generation));
	const since = Math.min(...attempts, ...used.map(({ at }) => at));
	const action: Action = {
		do: 'list',
		contents: new Set(sent),
		since,
		from,
		...knownIds(others),
	};
	return { state, action };
}

/** The withdrawals that a person has ruled out, and those that the service has named for this order. */
function knownIds(
	rows: readonly Row[],
): Pick<Extract<Action, { do: 'list' }>, 'ruledOut' | 'named'> {
	const named = rows.filter(({ status }) => status === 'in doubt').map((row) => row.withdrawalId);
	return { ruledOut: ruledOut(rows), named: new Set(named.filter((id) => id !== undefined)) };
}

function listed(state: State, list: Listed, begunAt: number): Step {
	const isAskedAgain = state.answer === undefined && openSendings(othersRows(state)).length === 0;
	if (isAskedAgain) {
		const isAbsent = list.isComplete && list.candidates.length === 0;
		return claim(state, isAbsent ? state.generation + 1 : state.generation);
	}
	if (!list.isComplete) {
		return end(state, { say: 'inDoubt', because: { reason: 'listUnreadable' } });
	}
	const others = othersRows(state);
	const highest = Math.max(state.generation, highestGeneration(others));
	const { candidates } = list;
	if (candidates.length > 0) {
		const before = shownBefore(others);
		const shown = [...new Set([...before, ...candidates])];
		const row: NewRow = { status: 'in doubt', generation: highest, shown };
		const conclusion: Conclusion = {
			say: 'inDoubt',
			because: { reason: 'candidates', ids: candidates },
		};
		return end(state, conclusion, shown.length > before.size ? [row] : []);
	}
	if (state.answer?.kind === 'mismatch' && !isExplained(state)) {
		return end(state, { say: 'elsewhere' });
	}
	const closed = close([{ generation: state.generation }, ...openSendings(others)], begunAt);
	return claim({ ...state, unansweredAt: undefined }, highest + 1, closed);
}

/** What a withdrawal makes of its order; undefined: what the answer said that named it. */
const STATUS_OF = { living: 'paid', failed: 'failed', unreadable: undefined } as const;

/**
 * The service has named the withdrawal of another order. Recorded as paid, it would leave this order unpaid,
 * so the attempt stays open.
 */
function claimedTwice(state: State, id: string, claimants: readonly string[], now: number): Step {
	const { generation } = state;
	return end(
		{ ...state, unansweredAt: now },
		{ say: 'inDoubt', because: { reason: 'claimedTwice', id, claimants } },
		[{ status: 'in doubt', generation, withdrawalId: id, shown: [id] }],
	);
}

/**
 * What takes the place of a new `paid` row whose withdrawal another run has recorded for another order: the
 * attempt, as old as its key, and the doubt.
 */
export function takenBack({ generation, withdrawalId = '' }: NewRow, keyUsedAt: number): NewRow[] {
	return [
		{ status: 'sending', generation, at: keyUsedAt },
		{ status: 'in doubt', generation, withdrawalId, shown: [withdrawalId] },
	];
}

function fetched(
	state: State,
	withdrawal: Fetched,
	claimants: readonly string[],
	now: number,
): Step {
	const { fetching, rows, generation } = state;
	if (fetching === undefined) throw new TypeError('Nothing was fetched');
	const { id, isNew } = fetching;
	const paid = rows.find((row) => row.status === 'paid' && row.withdrawalId === id);
	if (claimants.length > 0) {
		if (isNew) return claimedTwice(state, id, claimants, now);
		return end(state, { say: 'inDoubt', because: { reason: 'claimedTwice', id, claimants } });
	}
	if (withdrawal.state === 'failed' && !isNew) {
		const failed: NewRow = {
			status: 'failed',
			generation: paid?.generation ?? generation,
			withdrawalId: id,
			about: { content: paid?.content ?? '', body: paid?.body ?? '' },
		};
		const highest = Math.max(generation, highestGeneration(rows));
		return claim({ ...state, unansweredAt: undefined }, highest + 1, [failed]);
	}
	if (isNew) {
		const isOther = withdrawal.state === 'living' && !withdrawal.isSameContent;
		const status = STATUS_OF[withdrawal.state] ?? fetching.status;
		const record: NewRow[] = [{ status, generation, withdrawalId: id }];
		if (status === 'failed') return end(state, { say: 'failed', id }, record);
		if (isOther) return end(state, { say: 'mismatch', id }, record);
		return end(state, { say: 'paid', id, isNew: false }, record);
	}
	if (!withdrawal.isSameContent) return end(state, { say: 'mismatch', id });
	if (withdrawal.state === 'living') return end(state, { say: 'paid', id, isNew: false });
	if (paid?.isByPerson) {
		return end(state, { say: 'inDoubt', because: { reason: 'unreadableWord', id } });
	}
	const { apiKey = '' } = paid ?? {};
	return end(state, { say: 'recorded', id, isForeign: apiKey !== state.asked.apiKey });
}

function fetch(
	state: State,
	{ withdrawalId: id = '', isByPerson = false }: Pick<Row, 'withdrawalId' | 'isByPerson'>,
	answered?: 'paid' | 'failed',
): Step {
	const isNew = answered !== undefined;
	// An answer weighs more than one that was in doubt, a person's word less.
	const claims: Status[] = isNew ? ['paid'] : isByPerson ? ['paid', 'in doubt'] : [];
	return {
		state: { ...state, fetching: { id, status: answered ?? 'paid', isNew } },
		action: { do: 'fetch', id, claims },
	};
}

/** @param closing what ends earlier generations: written before the `sending` */
function claim(state: State, generation: number, closing: readonly NewRow[] = []): Step {
	const rows: NewRow[] = [...closing, { status: 'sending', generation }];
	return { state: { ...state, generation, answer: undefined }, action: { do: 'claim', rows } };
}

/** The own `sending` is not to be used. */
function leave(state: State): Step {
	if (state.unansweredAt !== undefined) return end(state, { say: 'later', from: undefined });
	const ids = ownSendings(state).map(({ id }) => id);
	return ids.length > 0 ? { state, action: { do: 'withdraw', ids } } : startOver(state);
}

/** Nothing of this run is left, and another one has changed the ledger. */
function startOver(state: State): Step {
	const without = { ...state, own: undefined, rounds: state.rounds + 1 };
	return state.rounds < MAX_ROUNDS
		? { state: without, action: READ }
		: end(without, { say: 'later', from: undefined });
}

/** What a refusal says of its request and its key, as a row has it. */
function kindOf({
	isBeforeKeyCheck = false,
	isLasting = false,
}: Pick<Row, 'isBeforeKeyCheck' | 'isLasting'>) {
	return { ...(isBeforeKeyCheck ? { isBeforeKeyCheck } : {}), ...(isLasting ? { isLasting } : {}) };
}

/** Conclusions after which the generation is still open. */
const LEAVES_OPEN: ReadonlySet<Conclusion['say']> = new Set(['later', 'inDoubt']);

function end(state: State, conclusion: Conclusion, outcomes: readonly NewRow[] = []): Step {
	const { asked, rows, generation, unansweredAt, keyUsedAt, answer } = state;
	const isOpen = LEAVES_OPEN.has(conclusion.say);
	const record = [...outcomes];
	if (isOpen && answer?.kind === 'refused' && unansweredAt === undefined) {
		// The service has seen this content under the key. A row as old as the key closes no other attempt.
		const at = answer.isBeforeKeyCheck ? answer.at : keyUsedAt;
		record.push({ status: 'refused', generation, at, ...kindOf(answer) });
	}
	const written = record.map(({ about = asked, ...row }): Row => ({
		id: Infinity,
		content: about.content,
		body: about.body,
		apiKey: asked.apiKey,
		run: asked.run,
		at: Infinity,
		...row,
	}));
	const answered = ownSendings(state).filter(
		({ at }) => unansweredAt === undefined || at > unansweredAt,
	);
	const obsolete = isOpen ? [] : findObsolete([...rows, ...written]);
	const removed = [...answered, ...obsolete].map(({ id }) => id).filter(Number.isFinite);
	return { state, action: { do: 'end', record, remove: [...new Set(removed)], conclusion } };
}

/**
 * What a `paid` row says counts, whatever its generation, until a `failed` row takes it back. A person may have
 * entered what paid the reference after the bank had refused the withdrawal of another row: the newest counts.
 */
export function findPaid(rows: readonly Row[]): Row | undefined {
	const [newest, ...others] = rows
		.filter(({ status }) => status === 'paid')
		.filter(({ withdrawalId: id }) => !rows.some((row) => isFailedRow(row, id)))
		.sort((one, other) => other.generation - one.generation || other.id - one.id);
	// No run records a second withdrawal: somebody has copied a row, maybe with another reference's.
	const isOnly = others.every(({ withdrawalId: id }) => id === newest?.withdrawalId);
	return newest && !isOnly ? { ...newest, isByPerson: true } : newest;
}

/** The rows as they are once it is known that the bank has refused what one of them calls paid. */
export function withFailed(rows: readonly Row[], withdrawalId: string): Row[] {
	return rows.map((row) =>
		row.status === 'paid' && row.withdrawalId === withdrawalId ? { ...row, status: 'failed' } : row,
	);
}

function isPaidOrFailed({ status }: Row): boolean {
	return status === 'paid' || status === 'failed';
}

function isFailedRow(row: Row, withdrawalId: string | undefined): boolean {
	return row.status === 'failed' && row.withdrawalId === withdrawalId;
}

/** The attempts whose outcome nothing answers. */
export function openSendings(rows: readonly Row[]): Row[] {
	return rows.filter((row) => row.status === 'sending' && !rows.some((one) => covers(one, row)));
}

/**
 * The attempts that a person can settle. A refusal is one if the service may not have looked at the key, or
 * if a list has shown since what may be its copy.
 */
function undecided(rows: readonly Row[]): Row[] {
	const highest = highestGeneration(rows);
	const isDoubted = inGeneration(rows, highest).some(({ status }) => status === 'in doubt');
	const refusals = inGeneration(rows, highest).filter(mayBePaidSince);
	return [...openSendings(rows), ...(isDoubted ? refusals : earlyRefusals(rows, highest))];
}

/** Whether a row answers a `sending` of its generation. */
function covers(row: Row, sending: Row): boolean {
	if (row.generation !== sending.generation) return false;
	if (isPaidOrFailed(row)) return true;
	if (row.status !== 'refused') return false;
	const isOwn = row.run === sending.run && row.id > sending.id;
	return isOwn || (!row.isBeforeKeyCheck && row.at - sending.at >= PROOF_MS);
}

/** The rows that say nothing any more beside the others. */
function findObsolete(rows: readonly Row[]): Row[] {
	const open = openSendings(rows);
	const outcomes = rows.filter(({ status }) => OUTCOMES.has(status));
	const top = highestGeneration(outcomes);
	return rows.filter((row) => {
		if (row.status === 'sending') return !open.includes(row);
		// Two runs at once have been told of the same withdrawal.
		if (row.status === 'paid' && rows.some((one) => isEarlierTwin(one, row))) return true;
		if (inGeneration(open, row.generation).length > 0) return false;
		const decided = inGeneration(rows, row.generation);
		if (isServiceRefusal(row) && (decided.some(isPaidOrFailed) || isBetween(row, decided)))
			return true;
		if (row.status === 'in doubt' || row.status === 'not paid') return row.generation <= top;
		if (row.generation >= top) return false;
		return row.status !== 'paid' || rows.some((one) => isFailedRow(one, row.withdrawalId));
	});
}

/**
 * Of equal refusals, the oldest shows how old the key is, and the newest when the service was asked last.
 * Those between would fill the table while a schedule runs with an API key that has expired.
 */
function isBetween(row: Row, decided: readonly Row[]): boolean {
	const equal = decided.filter(
		(one) =>
			isServiceRefusal(one) &&
			one.body === row.body &&
			one.apiKey === row.apiKey &&
			(one.isBeforeKeyCheck ?? false) === (row.isBeforeKeyCheck ?? false),
	);
	const isBefore = (one: Row, other: Row) =>
		one.at < other.at || (one.at === other.at && one.id < other.id);
	return equal.some((one) => isBefore(one, row)) && equal.some((one) => isBefore(row, one));
}

/** What a person has edited may be about to be removed by the run that wrote it. */
function isEarlierTwin(one: Row, row: Row): boolean {
	const isTwin = one.status === row.status && one.withdrawalId === row.withdrawalId;
	return isTwin && !one.isByPerson && one.id < row.id;
}

const OUTCOMES: ReadonlySet<Status> = new Set(['paid', 'failed', 'refused']);

/** A person's word that came late enough after every open attempt. */
function wordAfter(open: readonly Row[], rows: readonly Row[]): Row | undefined {
	const words = rows.filter(({ status }) => status === 'not paid');
	return words.find((word) => open.every(({ at }) => word.at - at >= PROOF_MS));
}

/** The withdrawals that a person was shown, and that are not this order's by that person's word. */
export function ruledOut(rows: readonly Row[]): Set<string> {
	const words = rows.filter(({ status }) => status === 'not paid');
	const seen = words.flatMap((word) =>
		rows.filter((row) => row === word || (row.status === 'in doubt' && row.at <= word.at)),
	);
	return new Set(seen.flatMap(({ shown = [] }) => shown));
}

/** All withdrawals that a person was ever shown for this order. */
export function shownBefore(rows: readonly Row[]): Set<string> {
	return new Set(rows.flatMap(({ shown = [] }) => shown));
}

/** What a person says of an order in doubt, and what the node has read to check it. */
export type Word =
	| {
			readonly outcome: 'paid';
			readonly id: string;
			/** Undefined: it cannot be read. */
			readonly withdrawal: { readonly content: string; readonly isLiving: boolean } | undefined;
			/** Other references that the ledger has it for. */
			readonly owners: readonly string[];
	  }
	/** `list`: what it shows of `doubtful`, without what belongs to others */
	| { readonly outcome: 'notPaid'; readonly list: Listed };

export type Settlement =
	| { readonly isAccepted: true; readonly record: readonly NewRow[] }
	| {
			readonly isAccepted: false;
			readonly because:
				| 'paid'
				| 'nothingInDoubt'
				| 'beingSent'
				| 'listUnreadable'
				| 'newCandidates'
				| 'unreadable'
				| 'notLiving'
				| 'otherContent'
				| 'otherOrder';
			/**
			 * Of `paid`: the withdrawal. Of `newCandidates`: what the person has not been shown before. Of
			 * `otherOrder`: references.
			 */
			readonly ids: readonly string[];
			readonly record: readonly NewRow[];
	  };

/** What a list is to be read for. */
export interface Sought {
	readonly contents: ReadonlySet<string>;
	/** Nothing of the order was made earlier, or later. */
	readonly since: number;
	readonly until: number;
}

/**
 * What the list is to be read for before a person says that nothing was paid; undefined: no doubt. What is
 * made later than any attempt can execute is somebody else's: others who pay the same again and again would
 * have the person look at new withdrawals for ever.
 */
export function doubtful(rows: readonly Row[]): Sought | undefined {
	const attempts = undecided(rows);
	if (attempts.length === 0) return undefined;
	return {
		contents: new Set(attempts.map(({ content }) => content)),
		since: Math.min(...rows.map(({ at }) => at)),
		until: Math.max(...attempts.map(({ at }) => at)) + PROOF_MS,
	};
}

/**
 * A person's word. What has paid an order can be said of one that was never sent, too: it was paid without its
 * reference, or by other means. That nothing was paid never closes the order: a late request may still arrive, and
 * the key decides. It rules out the withdrawals that the person was shown, and no other ones.
 */
export function settle(rows: readonly Row[], word: Word): Settlement {
	const refuse = (
		because: Extract<Settlement, { isAccepted: false }>['because'],
		ids: readonly string[] = [],
		record: readonly NewRow[] = [],
	): Settlement => ({ isAccepted: false, because, ids, record });

	const paid = findPaid(rows);
	if (paid) return refuse('paid', [paid.withdrawalId ?? '']);
	const isNew = rows.length === 0 && word.outcome === 'paid';
	if (!isNew && undecided(rows).length === 0) return refuse('nothingInDoubt');
	const row = {
		generation: Math.max(0, highestGeneration(rows)),
		about: { content: '', body: '' },
	};
	if (word.outcome === 'paid') {
		const { id, withdrawal, owners } = word;
		if (owners.length > 0) return refuse('otherOrder', owners);
		if (withdrawal === undefined) return refuse('unreadable');
		if (!withdrawal.isLiving) return refuse('notLiving');
		const about = { content: withdrawal.content, body: '' };
		const paidBy = { ...row, about, status: 'paid', withdrawalId: id } as const;
		if (isNew) return { isAccepted: true, record: [paidBy] };
		// A person's own rows have no content, and neither has a withdrawal that pays something else.
		const isSent = rows.some(({ content }) => content !== '' && content === withdrawal.content);
		if (!isSent) return refuse('otherContent');
		// A person may take it back: then it is an attempt again, as old as its key, and the list decides.
		const at = Math.min(...inGeneration(rows, row.generation).map((one) => one.at));
		return { isAccepted: true, record: [{ ...paidBy, at }] };
	}
	if (!word.list.isComplete) return refuse('listUnreadable');
	const before = shownBefore(rows);
	const ids = word.list.candidates.filter((id) => !before.has(id));
	if (ids.length > 0) {
		const shown = [...before, ...ids];
		return refuse('newCandidates', ids, [{ ...row, status: 'in doubt', shown }]);
	}
	return { isAccepted: true, record: [{ ...row, status: 'not paid', isListed: true }] };
}

/** Closing rows, one for each generation. @param at when the proof was begun */
function close(rows: ReadonlyArray<Pick<Row, 'generation'>>, at: number): NewRow[] {
	const generations = [...new Set(rows.map(({ generation }) => generation))];
	const about = { content: '', body: '' };
	return generations.map((generation) => ({ status: 'refused', generation, at, about }));
}

function otherApiKeys(state: State): string[] {
	const keys = openSendings(othersRows(state)).map(({ apiKey }) => apiKey);
	return [...new Set(keys)].filter((key) => key !== state.asked.apiKey);
}

function othersRows({ rows, asked }: State): Row[] {
	return rows.filter(({ status, run }) => status !== 'sending' || run !== asked.run);
}

/** As they were read: what a person has made of one of them is no longer the run's. */
function ownSendings({ rows, asked }: State): Row[] {
	return rows.filter(({ status, run }) => status === 'sending' && run === asked.run);
}

function inGeneration<T extends Pick<Row, 'generation'>>(
	rows: readonly T[],
	generation: number,
): T[] {
	return rows.filter((row) => row.generation === generation);
}

function highestGeneration(rows: readonly Row[]): number {
	return Math.max(-1, ...rows.map(({ generation }) => generation));
}

/** What the ledger says of an order, for people. */
export interface Described {
	readonly status: 'never sent' | 'sending' | 'in doubt' | 'paid' | 'not paid';
	readonly withdrawalId?: string;
	/** Of a `paid`: a person says so, not the service. */
	readonly isByPerson?: boolean;
	/** Withdrawals that may be this payout. */
	readonly candidates?: readonly string[];
}

export function describeOrder(rows: readonly Row[]): Described {
	const paid = findPaid(rows);
	if (paid !== undefined) {
		const { withdrawalId, isByPerson = false } = paid;
		return { status: 'paid', isByPerson, ...(withdrawalId === undefined ? {} : { withdrawalId }) };
	}
	if (rows.length === 0) return { status: 'never sent' };
	const open = openSendings(rows);
	if (undecided(rows).length === 0) return { status: 'not paid' };
	const out = ruledOut(rows);
	const candidates = [...shownBefore(rows)].filter((id) => !out.has(id));
	if (candidates.length > 0) return { status: 'in doubt', candidates };
	return { status: open.length > 0 ? 'sending' : 'not paid' };
}
