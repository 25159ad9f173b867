/**
 * Planted faults: each leaves out or weakens one rule of `protocol.ts`, and the search has to find it by
 * the invariant that is named beside it. A fault is a change of the source text, which has to apply
 * exactly once: one that no longer fits fails, instead of being missed.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { runInThisContext } from 'node:vm';

import { ModuleKind, ScriptTarget, transpileModule } from 'typescript';

import * as key from '../../nodes/shared/orders/key';
import type { Violation } from './invariants';
import { bounded, OTHERS_KEEP_PAYING, REWORDED, TWO } from './suite';
import type { Bounds, Machine } from './world';
import { KEY_LIFE, USED_LIFE } from './world';

export interface Fault {
	readonly name: string;
	readonly foundBy: Violation['invariant'];
	/** What is replaced by what. */
	readonly changes: ReadonlyArray<readonly [string, string]>;
	readonly within: Bounds;
}

const PROTOCOL = join(__dirname, '../../nodes/BrlPayments/ledger/protocol.ts');

/** The protocol with a fault. */
export function plant({ name, changes }: Pick<Fault, 'name' | 'changes'>): Machine {
	let source = readFileSync(PROTOCOL, 'utf8');
	for (const [from, to] of changes) {
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
	const load = runInThisContext(`(exports, require) => {${outputText}\n}`) as (
		exports: object,
		require: (path: string) => unknown,
	) => void;
	load(exported, (path) => {
		if (path === '../../shared/orders/key') return key;
		throw new Error(`${path} is not provided for the protocol with a fault`);
	});
	return exported as Machine;
}

const fault = (
	name: string,
	foundBy: Fault['foundBy'],
	changes: Fault['changes'],
	bounds: Partial<Bounds>,
): Fault => ({ name, foundBy, changes, within: bounded(name, bounds) });

/** A proxy sends a request twice; the run gets the refusal of one, and the other one pays. */
const SENT_TWICE: Partial<Bounds> = {
	...{ copies: 1, refusals: 1, ticks: 1 },
	...{ refuses: 'early', asksNewKey: false, looksEarly: true },
};

export const FAULTS: readonly Fault[] = [
	// What the ledger says
	fault(
		'a paid row of a lower generation is ignored',
		'I1',
		[
			[
				".filter(({ status }) => status === 'paid')",
				".filter(({ status, generation }) => status === 'paid' && generation === highestGeneration(rows))",
			],
		],
		{ refusals: 1, ticks: 0, runs: 3, atOnce: 3 },
	),
	fault(
		'a withdrawal that failed still counts as paid',
		'I3',
		[['.filter(({ withdrawalId: id }) => !rows.some((row) => isFailedRow(row, id)))', '']],
		{ bankRefusals: 1 },
	),
	fault(
		'a refusal answers every attempt of its generation, however young',
		'I1',
		[
			[
				'return isOwn || (!row.isBeforeKeyCheck && row.at - sending.at >= PROOF_MS);',
				'return true;',
			],
		],
		{ lost: 1, refusals: 1, ticks: 1 },
	),
	fault(
		'a refusal answers what the same run sends later',
		'I1',
		[['row.run === sending.run && row.id > sending.id', 'row.run === sending.run']],
		{ refusals: 1, ticks: 0 },
	),
	fault(
		'the time of a refusal by proof is when it is written',
		'I1',
		[['...openSendings(others)], begunAt)', '...openSendings(others)], undefined as never)']],
		{
			refusals: 1,
			lost: 1,
			jumps: 2,
			jump: 2,
			ticks: 0,
			runs: 3,
			refuses: 'early',
			asksNewKey: false,
		},
	),
	fault(
		'open attempts of an earlier generation are ignored before a claim',
		'I3',
		[['foreign.length > 0 || isDead || isLower', 'foreign.length > 0 || isDead']],
		{ kills: 2, refusals: 1, ticks: 0 },
	),
	fault(
		'a dead key is claimed again',
		'I3',
		[['foreign.length > 0 || isDead || isLower', 'foreign.length > 0 || isLower']],
		{ kills: 1, jumps: 1 },
	),
	fault(
		'the age of a key is that of the own row',
		'I1',
		[
			['Math.min(...inGeneration([...state.rows, own], generation).map(({ at }) => at))', 'own.at'],
			[
				'Math.min(...inGeneration(others, highest).map(({ at }) => at))',
				'Math.max(...inGeneration(others, highest).map(({ at }) => at))',
			],
		],
		{ jumps: 2, jump: USED_LIFE - 1, runs: 3, ticks: 1, lost: 2, kills: 0, atOnce: 1 },
	),
	fault(
		'the age of a key is not looked at before an attempt',
		'I1',
		[['now - own.at < FRESH_MS && now - keyUsedAt < KEY_LIFE_MS', 'now - own.at < FRESH_MS']],
		{ jumps: 1, kills: 1 },
	),
	fault(
		'a key is used up to its last minute',
		'I1',
		[
			[
				"import { KEY_LIFE_MS } from '../../shared/orders/key';",
				'const KEY_LIFE_MS = 24 * 60 * 60_000;',
			],
		],
		{ jumps: 1, jump: KEY_LIFE - 1, kills: 2, runs: 3, ticks: 2, atOnce: 1 },
	),
	fault('closing rows are not written', 'I3', [['[...closing, { status:', '[{ status:']], {
		jumps: 1,
		kills: 1,
	}),

	// Between the claim and the attempt
	fault(
		'an attempt is made however old the own row is',
		'I1',
		[
			['now - own.at < FRESH_MS && now - keyUsedAt', 'now - keyUsedAt'],
			// Otherwise the same fault is found sooner, by what it says.
			["? 'gone' : 'active'", "? 'active' : 'active'"],
		],
		{ jumps: 1, jump: 2, refusals: 1, lost: 1, ticks: 0 },
	),
	fault(
		'what is read back is ignored',
		'I2',
		[
			[
				'return confirm({ ...state, rows: event.rows, own: event.own }, now);',
				'return confirm({ ...state, own: event.own }, now);',
			],
		],
		{ refusals: 1, ticks: 0 },
	),
	fault(
		'a later generation is ignored',
		'I1',
		[['others.some((row) => row.generation > generation) || open', 'open']],
		{ refusals: 1, ticks: 0, runs: 3, atOnce: 3 },
	),
	fault(
		'a payout that was recorded meanwhile is ignored',
		'I2',
		[
			[
				'const { own, asked, generation } = state; const others = othersRows(state); const paid = findPaid(others); if (paid) return fetch(state, paid);',
				'const { own, asked, generation } = state; const others = othersRows(state);',
			],
		],
		{ ticks: 0 },
	),
	fault(
		'a run withdraws although an attempt of its own is unanswered',
		'I1',
		[
			[
				"if (state.unansweredAt !== undefined) return end(state, { say: 'later', from: undefined });",
				'',
			],
		],
		{ repeats: 1, lost: 1, refusals: 1, ticks: 1 },
	),
	fault(
		'another API key is taken for the own one',
		'I3',
		[['return [...new Set(keys)].filter((key) => key !== state.asked.apiKey);', 'return [];']],
		{ apiKeys: ['a', 'b'], keyScope: 'apiKey', kills: 1 },
	),
	fault(
		'another account is taken for the own one',
		'I1',
		[['if (foreign.some((key) => otherAccount.includes(key))) {', 'if (foreign.length > 9) {']],
		{ apiKeys: ['a', 'x'], kills: 1, jumps: 1, jump: 2, ticks: 0 },
	),

	// After an answer
	fault(
		'nothing is read again before a refusal counts',
		'I2',
		[
			[
				'return { state: { ...state, answer: { ...answer, at: now } }, action: READ };',
				'return conclude({ ...state }, { ...answer, at: now }, state.own?.at ?? 0);',
			],
		],
		{ refusals: 1, lost: 1, asksNewKey: false, ticks: 0 },
	),
	fault(
		'an unanswered attempt of this run is forgotten once another one is refused',
		'I1',
		[
			[
				"unansweredAt !== undefined || same.some(({ status }) => status === 'sending');",
				"same.some(({ status }) => status === 'sending');",
			],
		],
		{ repeats: 1, lost: 1, refusals: 1 },
	),
	fault(
		'attempts of other runs are forgotten once one is refused',
		'I2',
		[
			[
				"unansweredAt !== undefined || same.some(({ status }) => status === 'sending');",
				'unansweredAt !== undefined;',
			],
		],
		{ lost: 1, refusals: 1, asksNewKey: false, ticks: 0 },
	),
	fault(
		'a refusal by proof explains no mismatch',
		'I2',
		[["({ status, body }) => status === 'refused' || (body", '({ body }) => (body']],
		{ wishes: TWO, refuses: 'kept', refusals: 1, jumps: 1, jump: 2, ticks: 0 },
	),
	fault(
		'what was refused is not kept, where the generation stays open',
		'I2',
		[["isOpen && answer?.kind === 'refused' && unansweredAt === undefined", 'false']],
		{ refuses: 'kept', refusals: 1, wishes: TWO },
	),
	fault(
		'attempts that were answered stay in the ledger',
		'I3',
		[
			[
				'const answered = ownSendings(state).filter( ({ at }) => unansweredAt === undefined || at > unansweredAt, );',
				'const answered = isOpen ? [] : ownSendings(state);',
			],
		],
		{ wishes: TWO, kills: 1 },
	),
	fault(
		'attempts without an answer are removed',
		'I1',
		[['({ at }) => unansweredAt === undefined || at > unansweredAt', '() => true']],
		{ lost: 1, jumps: 1 },
	),
	fault(
		'a mismatch that the ledger explains is blamed on another tool',
		'I2',
		[
			[
				"return isUnanswered || isExplained(state) ? prove(state, now) : end(state, { say: 'elsewhere' });",
				"return end(state, { say: 'elsewhere' });",
			],
		],
		{ wishes: TWO },
	),
	fault(
		'only other amounts and PIX keys explain a mismatch',
		'I2',
		[
			[
				"({ status, body }) => status === 'refused' || (body !== '' && body !== state.asked.body)",
				"({ content }) => content !== '' && content !== state.asked.content",
			],
		],
		{ wishes: REWORDED, lost: 1, refusals: 1, refuses: 'kept', asksNewKey: false, runs: 3 },
	),
	fault(
		'that nothing left is said without reading the ledger again',
		'I2',
		[
			[
				"case 'notSent': case 'refused': case 'mismatch':",
				"case 'notSent': return end(state, { say: 'notSent' }); case 'refused': case 'mismatch':",
			],
		],
		{ unsent: 1, lost: 1 },
	),
	fault(
		'a payout is new although another run was sending',
		'I2',
		[["if (attempts.length === 0) return 'none';", "return 'none';"]],
		{},
	),
	fault(
		'that another run has gone on is ignored',
		'I2',
		[
			[
				"if (highestGeneration(others) > generation) return end(state, { say: 'later', from: undefined });",
				'',
			],
		],
		{ refusals: 3, asksNewKey: false, jumps: 1, jump: 2, ticks: 0, runs: 3 },
	),
	fault(
		'what is recorded as paid is not read again',
		'I2',
		[
			[
				'const highest = highestGeneration(others); const open = openSendings(others); if (open.length === 0)',
				'const highest = highestGeneration(others); const open = openSendings(others); if (open.length === 0)',
			],
			[
				'if (paid) return fetch(state, paid); if (others.length === 0)',
				"if (paid) return end(state, { say: 'paid', id: paid.withdrawalId ?? '', isNew: false }); if (others.length === 0)",
			],
		],
		{ bankRefusals: 1 },
	),

	// What may have been refused before the service looked at the key
	fault(
		'a refusal always shows that the service had looked at the key',
		'I1',
		[['...(isBeforeKeyCheck ? { isBeforeKeyCheck } : {}), ...(isLasting', '...(isLasting']],
		{ ...SENT_TWICE, copies: 0, lost: 1, ticks: 2, jumps: 1, runs: 3, atOnce: 1 },
	),
	fault(
		'a refusal that may have come before the key answers the attempts of others',
		'I1',
		[
			[
				'(!row.isBeforeKeyCheck && row.at - sending.at >= PROOF_MS)',
				'row.at - sending.at >= PROOF_MS',
			],
		],
		{ ...SENT_TWICE, copies: 0, lost: 1, ticks: 2, jumps: 1, runs: 3, atOnce: 1 },
	),
	fault(
		'what was refused once is never asked about again under its key',
		'I1',
		[['if (!isAsked) return claim', 'return claim']],
		{ ...SENT_TWICE, looksEarly: false },
	),
	fault(
		'after such a refusal, the list is asked at once',
		'I1',
		[['if (early.length === 0 || now < from)', 'if (early.length === 0)']],
		SENT_TWICE,
	),
	fault(
		'an attempt that was refused like this is no attempt',
		'I1',
		[
			['...[...open, ...refused].map(({ at }) => at)', '...open.map(({ at }) => at)'],
			['[...open, ...refused].map(({ content }) => content)', 'open.map(({ content }) => content)'],
		],
		{ ...SENT_TWICE, wishes: TWO },
	),
	fault(
		'the own attempt that was refused like this is no attempt',
		'I1',
		[["...(answer?.kind === 'refused' && answer.isBeforeKeyCheck ? [answer.at] : []),", '']],
		{ ...SENT_TWICE, ticks: 2, kills: 1 },
	),
	fault(
		'a person cannot settle what was refused like this',
		'I3',
		[['...(isDoubted ? refusals : earlyRefusals(rows, highest))]', ']']],
		{ ...SENT_TWICE, wishes: TWO, ticks: 0 },
	),
	fault(
		'what was refused once is refused for good',
		'I1',
		[['.every((row) => row.isLasting)', '.every(() => true)']],
		{ ...SENT_TWICE, refuses: 'forgotten', looksEarly: false, wishes: TWO, ticks: 2, atOnce: 1 },
	),
	fault(
		'a person cannot settle what may be the copy of a refused request',
		'I3',
		[['isDoubted ? refusals :', 'isDoubted ? [] :']],
		{
			...{ ...SENT_TWICE, refuses: 'forgotten', looksEarly: false, wishes: TWO },
			...{ ticks: 2, atOnce: 1, lookalikes: 1 },
		},
	),

	// The list
	fault(
		'the list is asked at once',
		'I3',
		[['if (now < from) return end(', 'if (false) return end(']],
		{
			lost: 1,
			refusals: 1,
			wishes: TWO,
		},
	),
	fault(
		'the list is asked before late requests have executed',
		'I1',
		[['PROOF_MS = LATE_MS + LAG_MS + FRESH_MS', 'PROOF_MS = LATE_MS']],
		{ kills: 1, wishes: TWO },
	),
	fault(
		'the list is asked for what the run asks for only',
		'I1',
		[['contents: new Set(sent)', 'contents: new Set([asked.content])']],
		{ kills: 1, wishes: TWO },
	),
	fault(
		'the list is asked for what others have sent only',
		'I1',
		[['own ? [...known, asked.content] : known', 'known']],
		{ repeats: 1, lost: 1, refusals: 1, jumps: 1, jump: 2, ticks: 0, atOnce: 1 },
	),
	fault(
		'the list is asked from the last attempt on',
		'I1',
		[['const since = Math.min(...attempts', 'const since = Math.max(...attempts']],
		{ kills: 1, wishes: TWO, runs: 3, skew: -1, lost: 1 },
	),
	fault(
		'candidates are taken for absent',
		'I1',
		[
			[
				'const { candidates } = list; if (candidates.length > 0) {',
				'const { candidates } = list; if (false) {',
			],
		],
		{ kills: 1, wishes: TWO },
	),
	fault(
		'a candidate is taken for the payout',
		'I2',
		[
			[
				'const { candidates } = list; if (candidates.length > 0) {',
				"const { candidates } = list; if (candidates[0] !== undefined) return end(state, { say: 'paid', id: candidates[0], isNew: false }); if (candidates.length > 0) {",
			],
		],
		{ kills: 1, jumps: 1, lookalikes: 1 },
	),
	fault(
		'a list that is not complete is a proof',
		'I1',
		[
			[
				"if (!list.isComplete) { return end(state, { say: 'inDoubt', because: { reason: 'listUnreadable' } }); }",
				'if (!list.isComplete) return listed(state, { isComplete: true, candidates: [] }, begunAt);',
			],
		],
		{ kills: 1, jumps: 1, ticks: 0, unreadable: 1, atOnce: 1 },
	),

	// People
	fault(
		'a person rules out what nobody has shown them',
		'I1',
		[
			[
				"record: [{ ...row, status: 'not paid', isListed: true }] };",
				"record: [{ ...row, status: 'not paid', isListed: true, shown: word.list.candidates }] };",
			],
			['if (ids.length > 0) {', 'if (false) {'],
		],
		{ words: 1, kills: 1, wishes: TWO },
	),
	fault(
		'a person rules out what is shown later',
		'I1',
		[["row === word || (row.status === 'in doubt' && row.at <= word.at)", 'true']],
		{ words: 1, kills: 1, jumps: 1, jump: 2, ticks: 0, wishes: TWO, atOnce: 1 },
	),
	fault(
		'that nothing was paid ends the attempts before',
		'I3',
		[
			[
				'const open = openSendings(others); if (open.length === 0) return',
				"const open = openSendings(others); if (others.some(({ status }) => status === 'not paid')) return claim(state, highest + 1); if (open.length === 0) return",
			],
		],
		{ words: 1, kills: 1, ticks: 1 },
	),
	fault(
		'what a person says never counts for another API key',
		'I3',
		[
			[
				'otherAccount.includes(key))) { if (word) return claim',
				'otherAccount.includes(key))) { if (false) return claim',
			],
		],
		{ apiKeys: ['a', 'b'], comparesAccounts: false, kills: 1 },
	),
	fault(
		'what a person says counts for another API key at once',
		'I3',
		[['word.at - at >= PROOF_MS', 'true']],
		{
			apiKeys: ['a', 'b'],
			keyScope: 'apiKey',
			comparesAccounts: false,
			kills: 1,
			words: 1,
			ticks: 1,
		},
	),
	fault(
		'what a person says counts as a list, however early',
		'I3',
		[['apiKey === asked.apiKey && at >= from', 'apiKey === asked.apiKey']],
		{ words: 1, lost: 1, jumps: 1, ticks: 1, runs: 3 },
	),
	fault(
		'what a person says never counts as a list',
		'I3',
		[['isListed && apiKey === asked.apiKey && at >= from', 'false']],
		OTHERS_KEEP_PAYING,
	),
	fault(
		'what a person says beside the list of another account counts as one of the own account',
		'I1',
		[['isListed && apiKey === asked.apiKey && at >= from', 'isListed && at >= from']],
		{ words: 1, lost: 1, jumps: 1, ticks: 1, runs: 3, atOnce: 1, personKeys: ['x'] },
	),
	fault(
		'a person has to look at whatever others pay later',
		'I3',
		[['until: Math.max(...attempts.map(({ at }) => at)) + PROOF_MS', 'until: Infinity']],
		OTHERS_KEEP_PAYING,
	),
	fault(
		'a person need not look at what a late request has paid',
		'I1',
		[['...attempts.map(({ at }) => at)) + PROOF_MS', '...attempts.map(({ at }) => at))']],
		{ words: 1, lost: 1, jumps: 1, ticks: 2, runs: 2, atOnce: 1, skew: 1, isPersonHasty: true },
	),
	fault(
		'a person need not look at what only the last attempt can have paid',
		'I1',
		[['until: Math.max(', 'until: Math.min(']],
		{ words: 1, lost: 2, jumps: 1, ticks: 2, runs: 3, atOnce: 1, isPersonHasty: true },
	),
	fault(
		'what a person makes of a row is removed with it',
		'I1',
		[
			[
				"return rows.filter(({ status, run }) => status === 'sending' && run === asked.run);",
				'return rows.filter(({ run }) => run === asked.run);',
			],
		],
		{ edits: 1, lost: 1, jumps: 1, ticks: 1 },
	),
	fault(
		'a withdrawal that a person has named for another order is not asked for',
		'I2',
		[["isNew ? ['paid'] : isByPerson ? ['paid', 'in doubt'] : []", '[]']],
		{ orders: 2, lost: 1, edits: 1, ticks: 0, atOnce: 1, runs: 3, isPersonMistaken: true },
	),
	fault(
		'what the service confirms is not asked for',
		'I2',
		[["isNew ? ['paid'] : isByPerson", 'isByPerson']],
		{ orders: 2, lost: 2, words: 1, ticks: 0, atOnce: 1, runs: 3, isPersonMistaken: true },
	),
	fault(
		'what a person has named is not asked for',
		'I2',
		[["isByPerson ? ['paid', 'in doubt'] : []", '[]']],
		{ orders: 2, lost: 1, edits: 1, ticks: 0, atOnce: 1, runs: 3, isPersonMistaken: true },
	),
	fault(
		'a key that never says anything is asked for ever',
		'I3',
		[['isRefused || isSilent', 'isRefused']],
		{ keepsErrors: true, refusals: 1, ticks: 1, atOnce: 1 },
	),
	fault(
		'what a person has edited outlasts its twin',
		'I1',
		[['isTwin && !one.isByPerson && one.id', 'isTwin && one.id']],
		{ edits: 1, jumps: 1, ticks: 0 },
	),
	fault(
		'what was made before is called new',
		'I2',
		[["(others === 'none' && made !== 'before')", "(others === 'none')"]],
		{ deletions: 1, lost: 1, ticks: 1 },
	),
	fault(
		'an earlier charge that the service returns is called new',
		'I2',
		[["(others === 'none' && made !== 'before')", "(others === 'none')"]],
		{ findsExisting: true, deletions: 1, lost: 1, ticks: 1, atOnce: 1 },
	),
	fault(
		'an earlier charge of another amount is taken for what is asked for',
		'I2',
		[["withdrawal.state === 'living' && !withdrawal.isSameContent", 'false']],
		{ findsExisting: true, wishes: TWO, deletions: 1, lost: 1, jumps: 1, ticks: 1, atOnce: 1 },
	),
	fault(
		'what a run without an answer has made is called new',
		'I2',
		[["(others === 'gone' && made === 'since')", "(others === 'gone')"]],
		{ lost: 1, ticks: 2 },
	),
	fault(
		'another run is taken for gone while it is sending',
		'I2',
		[["attempts.every(({ at }) => now - at >= PROOF_MS) ? 'gone' : 'active'", "'gone'"]],
		{},
	),
	fault(
		'the content of a payout that cannot be read is not compared',
		'I2',
		[["if (!withdrawal.isSameContent) return end(state, { say: 'mismatch', id });", '']],
		{ unreadable: 1, wishes: TWO, ticks: 0 },
	),
	fault(
		'an answer that was another order’s closes the attempt',
		'I1',
		[['{ ...state, unansweredAt: now }, { say', 'state, { say']],
		{ orders: 2, mixups: 1, ticks: 0, runs: 3 },
	),
	fault(
		'an answer that was named for another order is believed',
		'I2',
		[
			[
				'if (claimants.length > 0) return claimedTwice(state, withdrawalId',
				'if (false) return claimedTwice(state, withdrawalId',
			],
		],
		{ orders: 2, mixups: 1, ticks: 0, runs: 2 },
	),
];
