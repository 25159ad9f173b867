/**
 * How an order that has a name (a payout, or a charge with an External ID) is made once. Pure: the node
 * carries out the actions, and so does the model checker in test/model, which tries all interleavings.
 *
 * What the rows of an order say to a run (`decide`), the first line that fits:
 *
 * | the rows                                           | the run                                      |
 * | -------------------------------------------------- | -------------------------------------------- |
 * | a `paid`, and no `failed` of its withdrawal        | reads the withdrawal                         |
 * | one that a person has edited                       | says that the order is in doubt              |
 * | no open `sending`                                  | claims the next generation, beginning with 0 |
 * | an open `sending` of another API key               | says that the order is in doubt              |
 * | open only in the highest generation, its key alive | claims the same generation                   |
 * | open otherwise                                     | reads the list; absent: claims the next one  |
 *
 * To claim is to write a `sending`, to read back, and to decide again on the rows of others. Only if that
 * gives the same generation, something is sent; otherwise the row is removed. As each run writes before it
 * reads back, at least one of two sees the other. A `sending` is open until another row covers it (`covers`).
 *
 * All times are epoch milliseconds of one clock, that of n8n's database. The rules as sentences, by number:
 * test/model/README.md.
 */

/** A row of one order. Rows are added and removed, never changed. */
export interface Row {
	readonly id: number;
	/** `edited`: a person has changed the row, so that nothing in it counts any more. */
	readonly status: 'sending' | 'paid' | 'failed' | 'refused' | 'edited';
	/** Counts the idempotency keys of the order. */
	readonly generation: number;
	/** Fingerprint of amount and PIX key; empty if a person has edited it. */
	readonly content: string;
	/** Public part of the API key. */
	readonly apiKey: string;
	/** Names the run that wrote it, or `PERSON`. */
	readonly run: string;
	/** When it was written. Of a `refused`: when the list was begun that proves it, or as old as its key. */
	readonly at: number;
	/** Of a `paid` or `failed`. */
	readonly withdrawalId?: string;
}
type Rows = readonly Row[];
type Ids = readonly string[];
/** A row to be written: its content is that of the run, and its time that of now, if they are left out. */
export type NewRow = Pick<Row, 'status' | 'generation'> &
	Partial<Pick<Row, 'content' | 'at' | 'withdrawalId'>>;
/** First the new rows are written, then the others are removed, by ID. */
export type Change = Readonly<{ record: readonly NewRow[]; remove: readonly number[] }>;

export const PERSON = 'person';
/**
 * How long the service certainly knows a key: 24 hours (docs/api.md#idempotency), less a margin for clocks
 * that differ and for a request under way. Milliseconds.
 */
export const KEY_LIFE_MS = (24 * 60 - 10) * 60_000;
/** Nothing is sent under a `sending` that is older than this. */
export const FRESH_MS = 30_000;
/** How long the list may lag behind. */
export const LAG_MS = 2 * 60_000;
/**
 * How long after the last open `sending` a list is a proof: requests execute up to 2 minutes late. It also judges
 * rows that earlier runs have stored. People read it rounded up: `PROOF_TIME` in `texts.ts`.
 */
export const PROOF_MS = 2 * 60_000 + LAG_MS + FRESH_MS;
/** How often a run begins anew: others have changed the ledger, or the service asks for a new key. */
const MAX_ROUNDS = 4;

/** What the order is to be called, for the user. */
export type Conclusion = Readonly<
	/** `isNew`: this run has made it, and no other one. */
	| { say: 'paid'; id: string; isNew: boolean }
	/** Paid, but it cannot be read now; paid with another amount or PIX key; refused by the bank. */
	| { say: 'recorded' | 'mismatch' | 'failed'; id: string }
	/** Without effect. `elsewhere`: another n8n, or another tool, has used the key for another request. */
	| { say: 'refused' | 'elsewhere' }
	/** It will be known from this time on; undefined: when the service answers, or other runs have ended. */
	| { say: 'later'; from?: number }
	/** A person has to decide: see `settlePaid` and `settleNotPaid`. */
	| { say: 'inDoubt'; because: 'candidates'; ids: Ids }
	/** `noAnswer`: two runs have asked the service under the key, minutes apart, and it says nothing. */
	| { say: 'inDoubt'; because: 'listUnreadable' | 'otherKey' | 'edited' | 'noAnswer' }
>;

/**
 * What a list is read for: living withdrawals with these contents, made in this time, and not recorded by a
 * run for another order. A withdrawal made after `until` is not the order's; a list that was begun before it
 * proves nothing.
 */
export type Sought = Readonly<{ contents: ReadonlySet<string>; since: number; until: number }>;
/** A list that was begun at this time, and what was found; undefined: it is not complete. */
export type List = Readonly<{ ids: Ids | undefined; apiKey: string; at: number }>;

/** What is to be done next, and the function to call with what it has brought. */
export type Action = Readonly<
	/** Make the change, then read all rows of the order -> `sawRows`. */
	| ({ do: 'change' } & Change)
	/** Send under the key of this generation, if `mayAttempt` -> `sawAnswer`. */
	| { do: 'send'; generation: number }
	/** Read the withdrawal -> `sawWithdrawal`. */
	| { do: 'fetch'; id: string }
	/** Read the list -> `sawList`. */
	| ({ do: 'list' } & Sought)
	/** Make the change, then say this. */
	| ({ do: 'end'; conclusion: Conclusion } & Change)
>;

/** The last answer to the attempts of a run under one key. */
export type Answer = Readonly<
	| { kind: 'paid' | 'failed'; id: string }
	/** `needsNewKey`: the service keeps the refusal under the key, and asks for another one. */
	| { kind: 'refused'; needsNewKey: boolean }
	/** `mismatch`: the key was used for another request. `unknown`: no answer, or one that says nothing. */
	| { kind: 'mismatch' | 'unknown' }
	/** The request certainly never left. `stale`: because of `mayAttempt`. */
	| { kind: 'notSent' | 'stale' }
>;

/** One order in one run. */
export interface State {
	readonly asked: Pick<Row, 'run' | 'apiKey' | 'content'>;
	/** What the ledger said last, own rows included. */
	readonly rows: Rows;
	/** The generation that it sends under, or is about to. */
	readonly generation: number;
	/** When the last attempt was made that got no answer; -Infinity: all got one. */
	readonly unansweredAt: number;
	/** That an attempt had no effect: to conclude from once the ledger is read again. */
	readonly answer: Answer | undefined;
	readonly rounds: number;
}
export type Step = Readonly<{ state: State; action: Action }>;

/** A new run of an order. */
export function begin(asked: State['asked']): Step {
	const none = { unansweredAt: -Infinity, answer: undefined };
	return change({ asked, rows: [], generation: 0, ...none, rounds: 0 });
}

type Decided = number | 'paid' | 'otherKey' | 'edited' | 'open';

/** @param now by the clock of the ledger */
export function sawRows(before: State, rows: Rows, now: number): Step {
	const state = { ...before, rows };
	if (state.answer) return conclude(state, state.answer, now);
	const { asked, generation } = state;
	const others = othersRows(state);
	const decided = decide(others, asked.apiKey, now);
	if (ownSendings(state).length > 0) {
		if (decided !== generation) return startOver(state);
		return { state, action: { do: 'send', generation } };
	}
	if (decided === 'otherKey' || decided === 'edited')
		return end(state, { say: 'inDoubt', because: decided });
	if (decided === 'open') return prove(state, now);
	if (decided !== 'paid') return claim(state, decided);
	return { state, action: { do: 'fetch', id: findPaid(others)?.withdrawalId ?? '' } };
}

/** The table at the head of this file; a number is the generation to claim. */
export function decide(rows: Rows, key: string, now: number): Decided {
	if (findPaid(rows)) return 'paid';
	if (rows.some(({ status }) => status === 'edited')) return 'edited';
	const open = openSendings(rows);
	const highest = highestOf(rows);
	if (open.length === 0) return highest + 1;
	if (open.some(({ apiKey }) => apiKey !== key)) return 'otherKey';
	const isAlive = now - keyUsedAt(rows, highest) < KEY_LIFE_MS;
	return isAlive && open.every(({ generation }) => generation === highest) ? highest : 'open';
}

/** Immediately before every attempt, repeats included. */
export function mayAttempt(state: State, now: number): boolean {
	return ownSendings(state).some(({ at }) => now - at < FRESH_MS);
}

/** The service has answered, or the run has given up. */
export function sawAnswer(before: State, answer: Answer, unansweredAt: number, now: number): Step {
	const state = { ...before, unansweredAt };
	const { asked, rows, generation } = state;
	if (answer.kind === 'stale') return claim(state, generation);
	if (answer.kind === 'notSent') return end(state, { say: 'later' });
	if (answer.kind === 'unknown') {
		const isAskedTwice = openSendings(othersRows(state)).some(({ at }) => now - at >= PROOF_MS);
		return end(state, isAskedTwice ? { say: 'inDoubt', because: 'noAnswer' } : { say: 'later' });
	}
	if (!('id' in answer)) return change({ ...state, answer });
	const { kind: status, id } = answer;
	const made = { status, generation, withdrawalId: id };
	if (status === 'failed') return end(state, { say: 'failed', id }, [made]);
	const isAlone = ofGeneration(rows, generation).every(({ run }) => run === asked.run);
	return isAlone ? end(state, { say: 'paid', id, isNew: true }, [made]) : change(state, [made]);
}

/** What had no effect by itself, with the ledger as it is now. */
function conclude(state: State, answer: Answer, now: number): Step {
	const { generation, rounds } = state;
	const others = othersRows(state);
	const same = ofGeneration(others, generation);
	if (findPaid(others) || highestOf(others) > generation) return startOver(state);
	if (openSendings(same).length > 0) return prove(state, now);
	if (answer.kind !== 'refused') {
		// If the ledger knows of a refusal under the key, the service keeps that one.
		return same.length > 0 ? startOver(state) : end(state, { say: 'elsewhere' });
	}
	return answer.needsNewKey && rounds < MAX_ROUNDS
		? claim({ ...state, rounds: rounds + 1 }, generation + 1, refusalOf(state))
		: end(state, { say: 'refused' });
}

/** Only the list can show that nothing was paid, and only some time after the last attempt. */
function prove(state: State, now: number): Step {
	const sought = soughtFor(openSendings(othersRows(state)));
	if (now < sought.until) return end(state, { say: 'later', from: sought.until });
	return { state, action: { do: 'list', ...sought } };
}

export function sawList(state: State, { ids, at }: List): Step {
	if (ids === undefined) return end(state, { say: 'inDoubt', because: 'listUnreadable' });
	if (ids.length > 0) return end(state, { say: 'inDoubt', because: 'candidates', ids });
	return claim(state, highestOf(state.rows) + 1, close(openSendings(othersRows(state)), at));
}

export type Found = 'living' | 'failed' | 'unreadable';

/**
 * @param isSame whether its content is the one asked for; if it is unreadable, by what the ledger says
 * @param owners other references that a run has recorded it for, see `findOwners`; only asked for if a person says
 * that it was paid
 */
export function sawWithdrawal(state: State, found: Found, isSame: boolean, owners: Ids): Step {
	const paid = findPaid(state.rows);
	if (paid === undefined) throw new TypeError('There was nothing to read');
	const { generation, withdrawalId: id = '', run } = paid;
	// Without the word of a person who was mistaken, what was open is open again.
	if (run === PERSON && (found === 'failed' || owners.length > 0)) return startOver(state, [paid]);
	const failed: NewRow = { status: 'failed', generation, withdrawalId: id };
	if (found === 'failed') return claim(state, highestOf(state.rows) + 1, [failed]);
	if (!isSame) return end(state, { say: 'mismatch', id });
	if (found === 'unreadable') return end(state, { say: 'recorded', id });
	return end(state, { say: 'paid', id, isNew: false });
}

function change(state: State, record: readonly NewRow[] = [], remove: Rows = []): Step {
	return { state, action: { do: 'change', record, remove: idsOf(remove) } };
}

/** @param outcomes what ends earlier generations */
function claim(state: State, generation: number, outcomes: readonly NewRow[] = []): Step {
	const next = { ...state, generation, answer: undefined };
	return change(next, [...outcomes, { status: 'sending', generation }], ownSendings(state));
}

/** The ledger is not as the run thought. */
function startOver(state: State, wrong: Rows = []): Step {
	if (state.rounds === MAX_ROUNDS) return end(state, { say: 'later' });
	const next = { ...state, answer: undefined, rounds: state.rounds + 1 };
	return change(next, [], [...ownSendings(state), ...wrong]);
}

function end(state: State, conclusion: Conclusion, outcomes: readonly NewRow[] = []): Step {
	const { asked, rows } = state;
	const record = outcomes.length > 0 ? outcomes : refusalOf(state);
	// As it will be stored: newer than all other rows.
	const written = record.map((row): Row => ({ ...asked, at: Infinity, ...row, id: Infinity }));
	const obsolete = findObsolete([...rows, ...written]).filter((row) => rows.includes(row));
	const remove = [...new Set(idsOf([...ownSendings(state), ...obsolete]))];
	return { state, action: { do: 'end', record, remove, conclusion } };
}

/**
 * Says that the service holds a refusal under this key. Without the row, another run would send under it again,
 * and could not explain the mismatch that it gets. It covers no attempt of others.
 */
function refusalOf(state: State): NewRow[] {
	const { answer, rows, generation } = state;
	const others = ofGeneration(othersRows(state), generation);
	const isKept = others.some(({ status }) => status !== 'sending');
	if (answer?.kind !== 'refused' || isKept) return [];
	return [{ status: 'refused', generation, at: keyUsedAt(rows, generation) }];
}

/** The rows that say nothing any more beside the others. */
function findObsolete(rows: Rows): Row[] {
	const open = openSendings(rows);
	const highest = highestOf(rows.filter(({ status }) => status !== 'sending'));
	const paid = findPaid(rows);
	return rows.filter((row) => {
		if (open.includes(row)) return false;
		return row.status === 'sending' || (row.generation < highest && row !== paid);
	});
}

/** A `paid` row counts until a `failed` row takes it back, and a person's only if no run has written one. */
export function findPaid(rows: Rows): Row | undefined {
	const failed = rows.filter(({ status }) => status === 'failed').map((row) => row.withdrawalId);
	const paid = rows.filter((row) => row.status === 'paid' && !failed.includes(row.withdrawalId));
	return paid.find(({ run }) => run !== PERSON) ?? paid[0];
}

/** What may have had an effect that no row tells. */
export function openSendings(rows: Rows): Row[] {
	return rows.filter(
		(row) =>
			row.status === 'edited' ||
			(row.status === 'sending' && !rows.some((one) => covers(one, row))),
	);
}

function covers(row: Row, sending: Row): boolean {
	if (row.generation !== sending.generation) return false;
	if (row.status === 'refused') return row.at - sending.at >= PROOF_MS;
	return (row.status === 'paid' || row.status === 'failed') && row.run !== PERSON;
}

/** @param at as of when it is known that nothing was paid */
const close = (open: Rows, at: number): NewRow[] =>
	open.map(({ generation }) => ({ status: 'refused', generation, at }));

function soughtFor(open: Rows): Sought {
	const times = open.map(({ at }) => at);
	const contents = new Set(open.map(({ content }) => content));
	return { contents, since: Math.min(...times), until: Math.max(...times) + PROOF_MS };
}

/** What the run itself has written to send, and may remove: every attempt under it was answered. */
export function ownSendings({ rows, asked, generation, unansweredAt }: State): Row[] {
	const own = ofGeneration(rows, generation).filter(({ run }) => run === asked.run);
	return own.filter(({ status, at }) => status === 'sending' && at > unansweredAt);
}

function othersRows(state: State): Row[] {
	const own = ownSendings(state);
	return state.rows.filter((row) => !own.includes(row));
}

/** A key is as old as the oldest row of its generation. */
function keyUsedAt(rows: Rows, generation: number): number {
	return Math.min(...ofGeneration(rows, generation).map(({ at }) => at));
}

function ofGeneration(rows: Rows, generation: number): Row[] {
	return rows.filter((row) => row.generation === generation);
}

const highestOf = (rows: Rows) => Math.max(-1, ...rows.map(({ generation }) => generation));
const idsOf = (rows: Rows) => rows.map(({ id }) => id);

/** What a list is read for before a person says Not Paid; undefined: nothing is open, or a run has recorded it. */
export function findDoubt(rows: Rows): Sought | undefined {
	const open = openSendings(rows);
	return isSettled(rows) || open.length === 0 ? undefined : soughtFor(open);
}

/** No word of a person changes what a run has recorded. */
function isSettled(rows: Rows): boolean {
	const { run = PERSON } = findPaid(rows) ?? {};
	return run !== PERSON;
}

/** What a person's word changes; or why nothing, and the withdrawals or orders that this is about. */
export type Settlement = Change | Readonly<{ because: Objection; ids: Ids }>;
/** `otherContent`: or it cannot be read, or has failed. `tooEarly`: before `until` of `findDoubt`. */
type Objection = 'nothing' | 'otherOrder' | 'otherContent' | 'tooEarly' | 'candidates';

/**
 * A person says which withdrawal is the order's. Of an order that was never sent, it may be any; its content is
 * recorded.
 * @param content empty if it cannot be read, or has failed
 * @param owners other references that it counts for (`findPaid`), by a run or a person, see `findOwners`
 * @param now by the clock of the ledger
 */
export function settlePaid(
	rows: Rows,
	id: string,
	content: string,
	owners: Ids,
	now: number,
): Settlement {
	if (isSettled(rows)) return { because: 'nothing', ids: [] };
	if (owners.length > 0) return { because: 'otherOrder', ids: owners };
	const sought = findDoubt(rows);
	const isEdited = rows.some(({ status }) => status === 'edited');
	const isMeant = sought === undefined || isEdited || sought.contents.has(content);
	if (content === '' || !isMeant) return { because: 'otherContent', ids: [id] };
	// Until then, the run of another order may be about to record it.
	if (sought && now < sought.until) return { because: 'tooEarly', ids: [] };
	const generation = Math.max(0, highestOf(rows));
	const paid: NewRow = { status: 'paid', generation, withdrawalId: id, content };
	return { record: [paid], remove: findWords(rows) };
}

/**
 * A person says that nothing was paid.
 * @param list what was read for `findDoubt`; not complete, if there was nothing to read it for
 * @param ruledOut withdrawals that the person has looked at: they are not the order's
 * @param lookedAt when the person has looked the payout up where the list may not show it
 */
export function settleNotPaid(rows: Rows, list: List, ruledOut: Ids, lookedAt: number): Settlement {
	const sought = findDoubt(rows);
	const remove = findWords(rows);
	if (sought === undefined) {
		// Only a person has said that it was paid.
		const isTakenBack = remove.length > 0 && !isSettled(rows);
		return isTakenBack ? { record: [], remove } : { because: 'nothing', ids: [] };
	}
	const open = openSendings(rows);
	// The list of another API key may be that of another account, and none shows what nobody can read.
	const isShown = open.every(({ apiKey, content }) => apiKey === list.apiKey && content !== '');
	const isProof = list.ids !== undefined && isShown;
	const at = isProof ? list.at : lookedAt;
	if (at < sought.until) return { because: 'tooEarly', ids: [] };
	const ids = (list.ids ?? []).filter((id) => !ruledOut.includes(id));
	if (ids.length > 0) return { because: 'candidates', ids };
	return { record: close(open, at), remove };
}

/** What people have said or edited before. */
const findWords = (rows: Rows) =>
	idsOf(
		rows.filter((row) => (row.status === 'paid' && row.run === PERSON) || row.status === 'edited'),
	);
