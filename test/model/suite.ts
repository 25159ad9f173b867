/** Within what bounds the worlds are searched: `npm test` takes the small suite, `npm run model` both. */
import { KEY_LIFE, USED_LIFE, type Bounds, type Wish } from './bounds';

const ONE: readonly Wish[] = [{ content: 'c1', body: 'b1' }];
/** Somebody corrects the amount or the PIX key. */
export const TWO: readonly Wish[] = [...ONE, { content: 'c2', body: 'b2' }];
/** Somebody corrects the description only. */
export const REWORDED: readonly Wish[] = [...ONE, { content: 'c1', body: 'b1 reworded' }];

export const CALM: Omit<Bounds, 'name'> = {
	runs: 2,
	ticks: 2,
	jumps: 0,
	lost: 0,
	repeats: 0,
	unsent: 0,
	refusals: 0,
	kills: 0,
	lookalikes: 0,
	strangers: 0,
	bankRefusals: 0,
	words: 0,
	edits: 0,
	unreadable: 0,
	orders: 1,
	wishes: ONE,
	apiKeys: ['a'],
	personKeys: undefined,
	atOnce: 2,
	jump: KEY_LIFE + 1,
	refuses: 'forgotten',
	asksNewKey: true,
	wrong: undefined,
	keepsErrors: false,
	findsExisting: false,
	keyScope: 'account',
	skew: 0,
	othersKeepPaying: false,
	isPersonMistaken: false,
	sparesRuns: false,
	isTakenOver: false,
	flaw: undefined,
};

type World = Partial<Bounds>;

/** The worlds of `CALM`, but for these bounds. */
export function bounded(name: string, ...bounds: readonly World[]): Bounds {
	return Object.assign({}, CALM, ...bounds, { name }) as Bounds;
}
const row = bounded;

/** One run after the other, with a little time between them. */
const IN_TURNS: World = { atOnce: 1, ticks: 1 };
/** The same, and the time after which a list is a proof. */
const PROVEN: World = { atOnce: 1, ticks: 2 };
/** The key dies after a run was killed. */
const DEAD: World = { kills: 1, jumps: 1 };
const FOR_GOOD: World = { refuses: 'kept', asksNewKey: false };
const EARLY: World = { refuses: 'early', asksNewKey: false };
const TWO_KEYS: World = { apiKeys: ['a', 'b'] };
/** Each API key has idempotency keys of its own. */
const OWN_KEYS: World = { ...TWO_KEYS, keyScope: 'apiKey' };
const CORRECTED: World = { wishes: TWO, ticks: 3 };
const FOUR_CORRECTED: World = { wishes: TWO, runs: 4 };
const OTHER_ACCOUNT: World = { apiKeys: ['a', 'x'] };
const READS_LISTS: World = { lost: 1, words: 1, personKeys: ['a', 'b'] };
const MISTAKEN: World = { orders: 2, isPersonMistaken: true, words: 1, atOnce: 1 };
/** Dies by its age, which the last attempt does not change. */
const SLOWLY: World = { jumps: 2, jump: USED_LIFE - 1, runs: 3, ticks: 1 };
const MINUTES: World = { jumps: 1, jump: 2, ticks: 0, runs: 3 };
const THREE_AT_ONCE: World = { runs: 3, atOnce: 3, ticks: 1 };
const SILENT: World = { keepsErrors: true, refusals: 1 };
const FOUND: World = { findsExisting: true };
const ALIKE: World = { lookalikes: 1, othersKeepPaying: true };
const OF_OTHERS: World = {
	...{ orders: 1, words: 2, lookalikes: 1, lost: 1, bankRefusals: 1 },
	...{ runs: 2, ticks: 1, atOnce: 2 },
};
const TAKEN_OVER: World = { isTakenOver: true, bankRefusals: 1 };

/** Each is searched to its end within a second or two, and none is part of another one. */
export const SMALL: readonly Bounds[] = [
	row('lost and refused', { lost: 1, refusals: 1, runs: 3 }, IN_TURNS),
	row('lost and refused for good', { lost: 1, refusals: 1, ticks: 1 }, FOR_GOOD),
	row('refused before the key is looked at', { lost: 1, refusals: 1, ticks: 1 }, EARLY),
	row('wrong, corrected', { wrong: 'b1', wishes: TWO, lost: 1, ticks: 1, refuses: 'kept' }),
	row('killed', { kills: 1, ticks: 1 }),
	row('corrected, lost', { wishes: TWO, lost: 1, ticks: 1 }),
	row('description corrected, refused', { wishes: REWORDED, refusals: 1, ticks: 0 }),
	row('key dies', DEAD, { ticks: 0 }),
	row('bank refuses', { bankRefusals: 1, lost: 1, ticks: 0 }),
	row('a person, lookalikes, key dies', { words: 1, lookalikes: 1 }, DEAD, IN_TURNS),
	row('a person, others keep paying the same', { words: 1 }, ALIKE, DEAD, IN_TURNS),
	row(
		'a person, others keep paying the same, corrected',
		{ words: 1, lost: 1, wishes: TWO },
		ALIKE,
		PROVEN,
	),
	row('a person, list unreadable', { words: 1, unreadable: 1, lost: 1, jumps: 1 }, PROVEN),
	row('two words of people', { words: 2, lost: 1, lookalikes: 1, jumps: 1 }, IN_TURNS),
	row('asked for in turns', { wishes: TWO, lost: 2, ticks: 3, runs: 4, atOnce: 1 }),
	row('asked for in turns, a person', { wishes: TWO, lost: 1, words: 1, runs: 3 }, PROVEN),
	row('three at once', THREE_AT_ONCE, { ticks: 0 }),
	row('another API key, a person, lookalikes', TWO_KEYS, PROVEN, {
		lost: 1,
		words: 1,
		lookalikes: 1,
	}),
	row('another API key, a person who reads only lists', OWN_KEYS, PROVEN, READS_LISTS),
	row('a person who sees only another account', IN_TURNS, {
		words: 1,
		lost: 1,
		jumps: 1,
		runs: 3,
		personKeys: ['x'],
	}),
	row('repeats', { repeats: 1, lost: 1, refusals: 1 }, IN_TURNS),
	row('never left', { unsent: 1, lost: 1, ticks: 0 }),
	row('another tool', { strangers: 1, lost: 1 }, IN_TURNS),
	row('another API key', { kills: 1, ticks: 1 }, OWN_KEYS),
	row('another API key, a person', OWN_KEYS, PROVEN, { lost: 1, words: 1 }),
	row('another account', { lost: 1, bankRefusals: 1 }, OTHER_ACCOUNT, IN_TURNS),
	row('two orders, key dies', { orders: 2 }, DEAD, IN_TURNS),
	row('a charge that the service finds, key dies', FOUND, DEAD, { ticks: 0, atOnce: 1 }),
	row('a charge that the service finds, ended', FOUND, { bankRefusals: 1, lost: 1, ticks: 0 }),
	row('a charge that the service finds, corrected', FOUND, { wishes: TWO, lost: 1, ticks: 1 }),
	row('mistaken, and corrected', MISTAKEN, { lost: 1, words: 2, ticks: 1, runs: 3 }),
	row('errors are kept', SILENT, IN_TURNS),
	row('unreadable, clocks differ', { unreadable: 1, skew: -1 }, DEAD, IN_TURNS),
	row('rows that a person edits', { edits: 1, lost: 1, words: 1 }, IN_TURNS),
	row('recorded by a person before it was sent', TAKEN_OVER, { unreadable: 1, ticks: 0 }),
];

/** None is part of another one. */
export const WIDE: readonly Bounds[] = [
	row('refusals kept', { lost: 1, refusals: 1 }, FOR_GOOD),
	row('refusals forgotten', { lost: 1, refusals: 1, asksNewKey: false }),
	row('refusals early', { lost: 1, refusals: 1 }, EARLY),
	row('refusals forgotten, corrected', { wishes: TWO, lost: 1, refusals: 1 }),
	row('refusals early, corrected', { refuses: 'early', wishes: TWO, lost: 1, refusals: 1 }),
	row('wrong, corrected, killed', { wrong: 'b1', wishes: TWO, lost: 1, kills: 1, refuses: 'kept' }),
	row('description corrected', { wishes: REWORDED, kills: 1, refusals: 1 }),
	row('key dies', DEAD, { runs: 3, ticks: 1 }),
	row('last minutes of a key', DEAD, { jump: USED_LIFE }),
	row('bank refuses, key dies', DEAD, { bankRefusals: 1, ticks: 1 }),
	row('a person', { words: 1, kills: 1, refusals: 1 }),
	row('charges that the service finds, refused', FOUND, { lost: 1, refusals: 1, runs: 3 }),
	row(
		'charges that the service finds, corrected, key dies',
		FOUND,
		{ wishes: TWO, ticks: 1 },
		DEAD,
	),
	row(
		'charges that the service finds, lookalikes, a person',
		FOUND,
		{ words: 1, lookalikes: 1, ticks: 1 },
		DEAD,
	),
	row('repeats', { repeats: 1, lost: 2, refusals: 1 }),
	row('repeats, corrected', { repeats: 1, lost: 1, wishes: TWO }),
	row('never left', { unsent: 1, lost: 1, repeats: 1 }),
	row('another tool', { strangers: 1, lost: 1 }),
	row('another API key', TWO_KEYS, { lost: 1, kills: 1 }),
	row('another API key, each with keys of its own', OWN_KEYS, { lost: 1, kills: 1 }),
	row('another account', OTHER_ACCOUNT, { lost: 1, bankRefusals: 1 }),
	row('another account, a person', OTHER_ACCOUNT, { lost: 1, words: 1, ticks: 3 }),
	row('two orders', { orders: 2, lost: 1, ticks: 1, runs: 3 }),
	row('two orders, a person', DEAD, { orders: 2, words: 1, ticks: 1 }),
	row('mistaken', MISTAKEN, { lost: 2, ticks: 2, runs: 4 }),
	row('errors are kept', SILENT, { lost: 1, ticks: 3, runs: 3 }),
	row('errors are kept, a person', SILENT, { words: 1, lookalikes: 1, ticks: 3, runs: 3 }),
	row('a person, others keep paying the same', DEAD, { words: 2, lost: 1, runs: 3 }, ALIKE, {
		lookalikes: 3,
	}),
	row('a person, others keep paying the same, corrected', ALIKE, CORRECTED, {
		words: 1,
		lost: 2,
		lookalikes: 2,
		runs: 3,
	}),
	row('a person, list unreadable, corrected', CORRECTED, {
		words: 1,
		unreadable: 2,
		lost: 1,
		kills: 1,
	}),
	row('two words of people', DEAD, { words: 2, lost: 1, lookalikes: 1 }),
	row('asked for in turns', { wishes: TWO, lost: 2, ticks: 4, runs: 4 }),
	row('asked for in turns, refused', FOUR_CORRECTED, { lost: 1, refusals: 2, refuses: 'kept' }),
	row('asked for in turns, key dies, a person', FOUR_CORRECTED, {
		lost: 1,
		words: 1,
		jumps: 1,
		lookalikes: 1,
	}),
	row('three at once, lost', THREE_AT_ONCE, { refusals: 1, lost: 1 }),
	row('three at once, refused twice', THREE_AT_ONCE, { refusals: 2 }),
	row('three at once, corrected', THREE_AT_ONCE, { wishes: TWO, kills: 1 }),
	row('three at once, key dies', THREE_AT_ONCE, DEAD, { lost: 1, ticks: 0 }),
	row('three at once, bank refuses', THREE_AT_ONCE, { bankRefusals: 1, lost: 1 }),
	row('three at once, bank refuses, refused', THREE_AT_ONCE, {
		bankRefusals: 1,
		refusals: 1,
		ticks: 0,
	}),
	row('another API key, a person, lookalikes', TWO_KEYS, {
		lost: 1,
		words: 1,
		lookalikes: 2,
		ticks: 3,
		runs: 3,
	}),
	row('another API key, a person, corrected', OWN_KEYS, CORRECTED, { lost: 1, words: 1 }),
	row('another account, a person, key dies', OTHER_ACCOUNT, { lost: 1, words: 2, jumps: 1 }),
	row('unreadable', DEAD, { unreadable: 1, lost: 1, ticks: 1 }),
	row('clocks differ', DEAD, { skew: 1, lost: 1, ticks: 1 }),
	row('clocks differ, other way', DEAD, { skew: -1, lost: 1, ticks: 1 }),
	row('clocks differ, a person', { skew: 1, lost: 1, jumps: 1, words: 1, atOnce: 1 }),
	row('key dies slowly, lost twice', SLOWLY, { atOnce: 1, lost: 2 }),
	row('key dies slowly, refused early', EARLY, SLOWLY, { lost: 1, kills: 1, refusals: 1 }),
	row('last minutes of a key, killed twice', {
		jumps: 1,
		jump: KEY_LIFE - 1,
		kills: 2,
		runs: 3,
		atOnce: 1,
	}),
	row('refused three times, minutes apart', MINUTES, { refusals: 3, asksNewKey: false }),
	row('refused early, minutes apart', EARLY, MINUTES, { refusals: 1, lost: 1, jumps: 2 }),
	row('refused early, one after the other', EARLY, { lost: 1, refusals: 1, runs: 3, atOnce: 1 }),
	row('killed twice, refused, minutes apart', MINUTES, { kills: 2, refusals: 1 }),
	row('mistaken, bank refuses', MISTAKEN, { bankRefusals: 1, lost: 2, ticks: 1, runs: 3 }),
	row('mistaken, lost twice', MISTAKEN, { lost: 2, jumps: 1, ticks: 1, runs: 4 }),
	row('mistaken, at once', MISTAKEN, { lost: 1, runs: 3, atOnce: 2, sparesRuns: true }),
	row('mistaken about what others pay', MISTAKEN, MINUTES, OF_OTHERS),
	row('rows that a person edits', { edits: 2, lost: 1, words: 1, jumps: 1 }),
	row('rows that a person edits, lookalikes', { edits: 1, lost: 1, lookalikes: 1, words: 1 }),
	row('recorded by a person before it was sent', TAKEN_OVER, { lost: 1, words: 1, ticks: 1 }),
];
