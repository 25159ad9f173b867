/**
 * Planted faults: each leaves out or weakens a rule (README.md), and the search has to find it by the
 * invariant beside it. A fault is a change of the text of `protocol.ts` that has to apply exactly once: one
 * that no longer fits fails, instead of being missed.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { runInThisContext } from 'node:vm';

import { ModuleKind, ScriptTarget, transpileModule } from 'typescript';

import { KEY_LIFE, USED_LIFE, type Bounds, type Flaw, type Machine } from './bounds';
import type { Violation } from './invariants';
import { bounded, REWORDED, TWO } from './suite';

export interface Fault {
	readonly name: string;
	readonly foundBy: Violation['invariant'];
	/** What is replaced by what; undefined: a flaw of the node (`Bounds.flaw`). */
	readonly change: readonly [string, string] | undefined;
	readonly within: Bounds;
}

const PROTOCOL = join(__dirname, '../../nodes/BrlPayments/orders/protocol.ts');

/** The protocol with a fault. */
export function plant({ name, change }: Pick<Fault, 'name' | 'change'>): Machine {
	let source = readFileSync(PROTOCOL, 'utf8');
	if (change) {
		const [from, to] = change;
		// However it is broken into lines.
		const words = from.split(/\s+/).map((word) => word.replace(/[^\w]/g, '\\$&'));
		const pattern = new RegExp(words.join('\\s+'), 'g');
		const times = source.match(pattern)?.length ?? 0;
		if (times !== 1) throw new Error(`${name}: found ${times} times in protocol.ts: ${from}`);
		source = source.replace(pattern, () => to);
	}
	const { outputText } = transpileModule(source, {
		compilerOptions: { module: ModuleKind.CommonJS, target: ScriptTarget.ES2022 },
	});
	const exported = {};
	const load = runInThisContext(`(exports) => {${outputText}\n}`) as (exports: object) => void;
	load(exported);
	return exported as Machine;
}

type World = Partial<Bounds>;
/** A rule, what is done to it, the invariant, the text and what replaces it (or a flaw), and the world. */
type Entry =
	| readonly [number, string, Violation['invariant'], string, string, World]
	| readonly [number, string, Violation['invariant'], Flaw, World];

const CALM: World = { ticks: 0, atOnce: 1 };
const DEAD: World = { ...CALM, kills: 1, jumps: 1 };
const MINUTES: World = { jumps: 1, jump: 2, ticks: 0 };
const SILENT: World = { ...CALM, keepsErrors: true, refusals: 1 };
const MISTAKEN: World = { orders: 2, isPersonMistaken: true, words: 1, atOnce: 1 };
const LOOKALIKE: World = { ...MISTAKEN, orders: 1, lookalikes: 1 };

// prettier-ignore
const ENTRIES: readonly Entry[] = [
	// What the rows say
	[1, 'a payout is not looked for', 'I1', "if (findPaid(rows)) return 'paid';", '', CALM],
	[1, 'a payout counts only in the highest generation', 'I1',
		"row.status === 'paid' && !failed", "row.status === 'paid' && row.generation === highestOf(rows) && !failed",
		{ wishes: REWORDED, refusals: 1, ticks: 0 }],
	[1, 'a payout counts although it has failed', 'I3',
		'!failed.includes(row.withdrawalId)', 'true', { ...CALM, runs: 1, bankRefusals: 1 }],
	[1, 'a generation that is closed is claimed again', 'I3',
		'return highest + 1;', 'return Math.max(0, highest);', { ...CALM, runs: 1, refusals: 1, asksNewKey: false, refuses: 'kept' }],
	[1, 'another API key is taken for the own one', 'I1',
		'apiKey !== key', 'apiKey === ""', { ...CALM, apiKeys: ['a', 'b'], keyScope: 'apiKey', lost: 1 }],
	[1, 'open attempts of an earlier generation are ignored', 'I1',
		'open.every(({ generation })', 'open.some(({ generation })', { ticks: 0, kills: 2, refusals: 1 }],
	[1, 'a living key is never used again', 'I3', 'highest : ', "'open' : ", { ...CALM, lost: 1 }],
	[1, 'a dead key is used again', 'I1', 'isAlive && open', 'open', DEAD],
	[2, 'a key is as young as its last attempt', 'I1',
		'Math.min(...ofGeneration', 'Math.max(...ofGeneration', { ...CALM, lost: 1, kills: 1, runs: 3, jumps: 2, jump: USED_LIFE - 1 }],
	[2, 'a key is used up to its last minute', 'I1',
		'(24 * 60 - 10)', '(24 * 60)', { ...CALM, lost: 2, ticks: 1, jumps: 1, jump: KEY_LIFE - 1 }],

	// Claims and attempts
	[3, 'earlier generations are not closed', 'I3',
		"[...outcomes, { status: 'sending', generation }]", "[{ status: 'sending', generation }]", DEAD],
	[3, 'what is read back is ignored', 'I1',
		'if (decided !== generation) return startOver(state);', '', { wishes: REWORDED, refusals: 1, ticks: 0 }],
	[3, 'any claim will do', 'I1',
		'decided !== generation', "typeof decided !== 'number'", { wishes: REWORDED, refusals: 1, ticks: 0 }],
	[3, 'attempts without an answer are removed', 'I1',
		'at > unansweredAt', 'true', { ...CALM, lost: 1, jumps: 1 }],
	[3, 'the own row stays when the run begins anew', 'I3',
		'[...ownSendings(state), ...wrong]', '[...wrong]', { refusals: 1, ticks: 0 }],
	[3, 'a run never begins anew', 'I3',
		'state.rounds === MAX_ROUNDS', 'true', { ...CALM, ...LOOKALIKE, bankRefusals: 1 }],
	[4, 'an attempt is made however old the own row is', 'I1',
		'now - at < FRESH_MS', 'true', { ...MINUTES, jumps: 2, refusals: 1 }],
	[4, 'a run that is late ends', 'I3',
		"if (answer.kind === 'stale') return claim(state, generation);", "if (answer.kind === 'stale') return end(state, { say: 'later' });",
		{ ...CALM, runs: 1, ticks: 1 }],

	// Answers
	[5, 'a success is always new', 'I2', 'return isAlone ?', 'return true ?', { ...CALM, ticks: 1, lost: 1 }],
	[5, 'a success that is not new is not read', 'I2',
		': change(state, [made]);', ": end(state, { say: 'paid', id, isNew: false }, [made]);", { ...CALM, lost: 1, bankRefusals: 1 }],
	[5, 'what the bank refused at once is not recorded', 'I3',
		"{ say: 'failed', id }, [made])", "{ say: 'failed', id })", { ...CALM, lost: 1, bankRefusals: 1 }],
	[6, 'a refusal counts before the ledger is read again', 'I2',
		'return change({ ...state, answer });', 'return conclude({ ...state, answer }, answer, now);',
		{ ticks: 0, refusals: 1, refuses: 'early', asksNewKey: false }],
	[6, 'a payout that was recorded meanwhile is ignored', 'I2',
		'if (findPaid(others) || ', 'if (', { ticks: 0, refusals: 1, refuses: 'early', asksNewKey: false }],
	[6, 'that another run has gone on is ignored', 'I2',
		' || highestOf(others) > generation)', ')', { ...MINUTES, refusals: 2, asksNewKey: false }],
	[7, 'open attempts of others are forgotten', 'I2',
		'if (openSendings(same).length > 0) return prove(state, now);', '', { ...CALM, lost: 1, refusals: 1, asksNewKey: false }],
	[7, 'a mismatch that a refusal explains is blamed on another tool', 'I2',
		'return same.length > 0 ? startOver(state) : ', 'return ', { wrong: 'b1', wishes: TWO, ticks: 0, refuses: 'kept' }],
	[7, 'a mismatch that nothing explains is a refusal', 'I2',
		"if (answer.kind !== 'refused') {", 'if (false) {', { ...CALM, runs: 1, strangers: 1 }],
	[7, 'a refusal is not recorded', 'I3',
		"if (answer?.kind !== 'refused' || isKept) return [];", 'return [];', { ...CALM, runs: 1, refusals: 1, asksNewKey: false, refuses: 'kept' }],
	[7, 'a refusal is as young as the answer', 'I1',
		'at: keyUsedAt(rows, generation) }];', '}];', { ...CALM, lost: 1, refusals: 1, ticks: 2, refuses: 'early', asksNewKey: false }],
	[7, 'a refusal is recorded again and again', 'I3',
		' || isKept', '', { ...CALM, wrong: 'b1', refuses: 'kept', lost: 1, lookalikes: 1, runs: 1, ticks: 1 }],
	[7, 'a refusal that asks for a new key ends the run', 'I3',
		'answer.needsNewKey && ', 'false && ', { ...CALM, runs: 1, refusals: 1 }],
	[8, 'what never left stays open', 'I3',
		"return end(state, { say: 'later' }); if (answer.kind === 'unknown')", "return end({ ...state, unansweredAt: now }, { say: 'later' }); if (answer.kind === 'unknown')",
		{ ...CALM, runs: 1, unsent: 1 }],
	[8, 'a key that never says anything is asked for ever', 'I3', 'isAskedTwice ?', 'false ?', SILENT],

	// The list
	[9, 'the list is asked at once', 'I3',
		'if (now < sought.until) return end(state', 'if (false) return end(state', { ...CALM, ticks: 1, repeats: 1, lost: 1, refusals: 1 }],
	[9, 'the list is asked before late requests have executed', 'I1',
		'2 * 60_000 + LAG_MS + FRESH_MS', 'LAG_MS', { ...CALM, ticks: 1, lost: 1, refusals: 1 }],
	[9, 'the list is asked for one content only', 'I1',
		'new Set(open.map(({ content }) => content))', 'new Set(open.slice(-1).map(({ content }) => content))',
		{ ...DEAD, wishes: TWO, kills: 0, lost: 2, runs: 3 }],
	[9, 'the list is asked from the last attempt on', 'I1',
		'since: Math.min(', 'since: Math.max(', { ...MINUTES, jumps: 2, atOnce: 1, wishes: TWO, lost: 2, runs: 3 }],
	[9, 'what is made later counts', 'I3', 'listsLater', { ...DEAD, ticks: 1, lookalikes: 1, othersKeepPaying: true }],
	[9, 'what a late request has made does not count', 'I1',
		'listsEarly', { ...CALM, ticks: 1, lost: 1, jumps: 1, skew: 1 }],
	[9, 'candidates are taken for absent', 'I1',
		"if (ids.length > 0) return end(state, { say: 'inDoubt', because: 'candidates', ids });", '', DEAD],
	[9, 'a candidate is taken for the payout', 'I2',
		"return end(state, { say: 'inDoubt', because: 'candidates', ids });", "return end(state, { say: 'paid', id: ids[0], isNew: false });",
		{ ...DEAD, lookalikes: 1 }],
	[9, 'a list that is not complete is a proof', 'I1',
		"if (ids === undefined) return end(state, { say: 'inDoubt', because: 'listUnreadable' }); if (ids.length", 'if (ids && ids.length',
		{ ...DEAD, unreadable: 1 }],
	[9, 'withdrawals of other orders are candidates', 'I2', 'asksNobody', { ...DEAD, orders: 2 }],
	[9, 'what a person has named for another order is no candidate', 'I1',
		'believesPeople', { ...MISTAKEN, lost: 1, jumps: 1, ticks: 0 }],
	[9, 'only the highest generation is closed', 'I3',
		'close(openSendings(othersRows(state)), at)', 'close(openSendings(ofGeneration(state.rows, highestOf(state.rows))), at)',
		{ ticks: 0, kills: 2, refusals: 1 }],

	// What covers an attempt
	[10, 'payouts cover nothing', 'I3',
		"return (row.status === 'paid' || row.status === 'failed') && row.run !== PERSON;", 'return false;', { ticks: 0, kills: 1, bankRefusals: 1 }],
	[10, 'the word of a person covers attempts', 'I2',
		"|| row.status === 'failed') && row.run !== PERSON;", "|| row.status === 'failed');",
		{ ...LOOKALIKE, lost: 1, bankRefusals: 1, ...MINUTES, jumps: 1, ticks: 1 }],
	[10, 'a refusal covers every attempt, however young', 'I1',
		'row.at - sending.at >= PROOF_MS', 'true', { ticks: 0, lost: 1, refusals: 1, asksNewKey: false, runs: 3 }],
	[10, 'a refusal covers only attempts of its own run', 'I3',
		'row.at - sending.at >= PROOF_MS', 'row.run === sending.run', DEAD],
	[10, 'a row covers attempts of other generations', 'I1',
		'if (row.generation !== sending.generation) return false;', '', { ticks: 0, kills: 1, refusals: 1, bankRefusals: 1, runs: 2 }],

	// The withdrawal
	[11, 'a payout is not read again', 'I2',
		"return { state, action: { do: 'fetch', id: findPaid(others)?.withdrawalId ?? '' } };", "return end(state, { say: 'paid', id: findPaid(others)?.withdrawalId ?? '', isNew: false });",
		{ ...CALM, wishes: TWO }],
	[11, 'the content is not compared', 'I2',
		"if (!isSame) return end(state, { say: 'mismatch', id });", '', { ...CALM, wishes: TWO }],
	[11, 'a failed payout is not recorded as failed', 'I3',
		'+ 1, [failed]);', '+ 1);', { ...CALM, runs: 1, bankRefusals: 1 }],
	[11, 'a failed payout is not paid again', 'I3',
		'return claim(state, highestOf(state.rows) + 1, [failed]);', "return end(state, { say: 'failed', id }, [failed]);", { ...CALM, bankRefusals: 1 }],
	[11, 'what cannot be read is called paid', 'I2',
		"if (found === 'unreadable') return end(state, { say: 'recorded', id });", '', { ...CALM, unreadable: 1, bankRefusals: 1 }],
	[11, 'what a person has named is another order’s', 'I2',
		'|| owners.length > 0)', ')', { ...MISTAKEN, lost: 1, ticks: 0 }],
	[11, 'that the bank refused what a person has named closes the attempts', 'I1',
		"(found === 'failed' || owners.length > 0)", '(owners.length > 0)', { ...LOOKALIKE, lost: 1, bankRefusals: 1, ...MINUTES, ticks: 1 }],
	[11, 'the word of a person weighs as much as that of the service', 'I2',
		'paid.find(({ run }) => run !== PERSON) ?? paid[0]', 'paid[0]', { ...LOOKALIKE, ...MINUTES, ticks: 1 }],

	// People
	[12, 'a person may name what an order that was paid has not', 'I2',
		"if (isSettled(rows)) return { because: 'nothing', ids: [] };", '', { ...LOOKALIKE, ticks: 0 }],
	[12, 'a person may name what another order has', 'I2',
		"if (owners.length > 0) return { because: 'otherOrder', ids: owners };", '', { ...MISTAKEN, ticks: 0 }],
	[12, 'the other order is not named', 'I3',
		"{ because: 'otherOrder', ids: owners }", "{ because: 'otherOrder', ids: [] }", { ...MISTAKEN, lost: 1, jumps: 1, ticks: 0 }],
	[12, 'a person may name what pays something else', 'I2',
		"if (content === '' || !isMeant)", "if (content === '')", { ...LOOKALIKE, wishes: TWO, lost: 1, ...MINUTES }],
	[12, 'a person may name what has failed', 'I2',
		"if (content === '' || !isMeant)", 'if (!isMeant)', { ...MISTAKEN, ticks: 0, bankRefusals: 1 }],
	[12, 'a person may name a withdrawal at once', 'I2',
		'if (sought && now < sought.until)', 'if (false)', { ...MISTAKEN, atOnce: 2, ticks: 1, lost: 1 }],
	[12, 'a reference that was never sent cannot be settled', 'I1',
		"if (isSettled(rows)) return { because: 'nothing'", "if (isSettled(rows) || openSendings(rows).length === 0) return { because: 'nothing'",
		{ ...CALM, runs: 1, isTakenOver: true }],
	[12, 'an earlier word stays', 'I2',
		'record: [paid], remove: findWords(rows) };', 'record: [paid], remove: [] };', { ...LOOKALIKE, lost: 1, ...MINUTES, ticks: 1 }],
	[12, 'a person may deny at any time', 'I2',
		"if (at < sought.until) return { because: 'tooEarly', ids: [] };", '', { ...CALM, lost: 1, words: 1 }],
	[12, 'an unreadable list is as good as the look of a person at any time', 'I1',
		'const at = isProof ? list.at : lookedAt;', 'const at = list.at;', { ...CALM, lost: 1, words: 1, unreadable: 1, ...MINUTES, ticks: 1 }],
	[12, 'the list of another API key is a proof', 'I1',
		'apiKey === list.apiKey &&', '', { ...MINUTES, atOnce: 1, words: 1, lost: 1, jumps: 1, personKeys: ['x'] }],
	[12, 'a person need not look at what the list shows', 'I1',
		"if (ids.length > 0) return { because: 'candidates', ids };", '', { ...MINUTES, atOnce: 1, words: 1, lost: 1, ticks: 1 }],
	[12, 'a person cannot rule anything out', 'I3',
		'.filter((id) => !ruledOut.includes(id))', '', { ...DEAD, lookalikes: 1 }],
	[12, 'what a person has looked up counts for nothing', 'I3',
		'isProof ? list.at : lookedAt', 'isProof ? list.at : -Infinity', { ...CALM, apiKeys: ['a', 'b'], keyScope: 'apiKey', kills: 1 }],
	[9, 'a proof is as young as its row', 'I1',
		"status: 'refused', generation, at })", "status: 'refused', generation })", { ...MINUTES, atOnce: 1, words: 1, lost: 2, jumps: 2 }],
	[12, 'a denial closes nothing', 'I2',
		'record: close(open, at), remove', 'record: [], remove', { ...CALM, apiKeys: ['a', 'b'], keyScope: 'apiKey', kills: 1 }],
	[12, 'a word cannot be taken back', 'I2',
		'isSettled(rows) || open.length === 0', 'findPaid(rows) || open.length === 0', { ...LOOKALIKE, lost: 1, ...MINUTES, ticks: 1 }],
	[12, 'a word on what was never sent cannot be taken back', 'I3',
		'remove.length > 0 && !isSettled(rows)', 'false', { ...LOOKALIKE, runs: 0, ticks: 1 }],

	// Tidying
	[13, 'rows are removed before others are written', 'I2', 'removesFirst', { ticks: 0 }],
	[13, 'open attempts are removed', 'I2',
		'if (open.includes(row)) return false;', '', { ...CALM, lost: 1, refusals: 1, refuses: 'early', asksNewKey: false, runs: 3 }],
	[13, 'the payout that counts is removed', 'I3',
		'&& row !== paid)', ')', { ...LOOKALIKE, ...MINUTES, jumps: 2, lost: 1, refusals: 2, asksNewKey: false }],
	[13, 'outcomes of earlier generations stay', 'I3',
		"row.status === 'sending' || (row.generation < highest && row !== paid)", "row.status === 'sending'", { ...CALM, runs: 1, refusals: 1 }],
	[13, 'attempts that were answered stay', 'I3',
		'idsOf([...ownSendings(state), ...obsolete])', 'idsOf(obsolete)', { ...CALM, runs: 1, refusals: 1, asksNewKey: false }],
	[13, 'covered attempts stay', 'I3',
		"return row.status === 'sending' || (row", 'return (row', { ...CALM, lost: 1 }],

	// Rows that cannot be read
	[14, 'a row that cannot be read is an attempt like others', 'I3',
		"if (rows.some(({ status }) => status === 'edited')) return 'edited';", '', { ...DEAD, edits: 1 }],
	[14, 'the list is a proof of what cannot be read', 'I1',
		"&& content !== ''", '', { ...CALM, runs: 1, lost: 1, edits: 1, words: 1, jumps: 1 }],
	[14, 'a row that cannot be read is no attempt', 'I3',
		"row.status === 'edited' || (row", '(row', { ...CALM, runs: 1, edits: 1 }],
	[14, 'a row that cannot be read stays', 'I2',
		"|| row.status === 'edited')", ')', { ...CALM, runs: 1, edits: 1, words: 1, ...MINUTES }],
	[14, 'only what can be read may be named', 'I3', '|| isEdited ||', '||', { ...CALM, runs: 1, edits: 1 }],
];

export const FAULTS = ENTRIES.map((entry): Fault => {
	const [rule, what, foundBy] = entry;
	const name = `${rule}. ${what}`;
	if (entry.length === 5) {
		const [, , , flaw, world] = entry;
		return { name, foundBy, change: undefined, within: bounded(name, { ...world, flaw }) };
	}
	const [, , , from, to, world] = entry;
	return { name, foundBy, change: [from, to], within: bounded(name, world) };
});
