/** Within what bounds the worlds are searched: `npm test` takes the small suite, `npm run model` both. */
import { KEY_LIFE, USED_LIFE, type Bounds, type Wish } from './bounds';

export const ONE: readonly Wish[] = [{ content: 'c1', body: 'b1' }];
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
	failedWrites: 0,
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
	isSlow: false,
	keyScope: 'account',
	skew: 0,
	othersKeepPaying: false,
	isPersonMistaken: false,
	isTakenOver: false,
	flaw: undefined,
};

/** The worlds of `CALM`, but for these bounds. */
export function bounded(name: string, bounds: Partial<Bounds>): Bounds {
	return { ...CALM, ...bounds, name };
}
const row = bounded;

export const OTHERS_KEEP_PAYING: Partial<Bounds> = {
	othersKeepPaying: true,
	lookalikes: 1,
	kills: 1,
	jumps: 1,
	ticks: 1,
	atOnce: 1,
};

/** Each is searched to its end within a second or two. */
export const SMALL: readonly Bounds[] = [
	row('lost and refused', { lost: 1, refusals: 1, ticks: 1, atOnce: 1, runs: 3 }),
	row('lost and refused for good', {
		lost: 1,
		refusals: 1,
		ticks: 1,
		asksNewKey: false,
		refuses: 'kept',
	}),
	row('refused before the key is looked at', {
		lost: 1,
		refusals: 1,
		ticks: 1,
		refuses: 'early',
		asksNewKey: false,
	}),
	row('wrong, corrected', { wrong: 'b1', wishes: TWO, lost: 1, ticks: 1, refuses: 'kept' }),
	row('killed', { kills: 1, ticks: 1 }),
	row('corrected, lost', { wishes: TWO, lost: 1, ticks: 1 }),
	row('description corrected, refused', { wishes: REWORDED, refusals: 1, ticks: 0 }),
	row('key dies', { jumps: 1, kills: 1, ticks: 0 }),
	row('bank refuses', { bankRefusals: 1, lost: 1, ticks: 0 }),
	row('lookalikes, key dies', { lookalikes: 1, jumps: 1, kills: 1, ticks: 0, atOnce: 1 }),
	row('a person', { words: 1, kills: 1, ticks: 1, atOnce: 1 }),
	row('a person, lookalikes, key dies', {
		words: 1,
		lookalikes: 1,
		kills: 1,
		jumps: 1,
		ticks: 1,
		atOnce: 1,
	}),
	row('others keep paying the same, key dies', OTHERS_KEEP_PAYING),
	row('others keep paying the same, corrected', {
		othersKeepPaying: true,
		lookalikes: 1,
		lost: 1,
		wishes: TWO,
		ticks: 1,
		atOnce: 1,
	}),
	row('a person, others keep paying the same', {
		...{ words: 1, lookalikes: 1, kills: 1, jumps: 1, ticks: 1, atOnce: 1 },
		othersKeepPaying: true,
	}),
	row('a person, others keep paying the same, corrected', {
		...{ words: 1, lookalikes: 1, lost: 1, wishes: TWO, ticks: 2, atOnce: 1 },
		othersKeepPaying: true,
	}),
	row('a person, list unreadable', {
		...{ words: 1, unreadable: 1, lost: 1, jumps: 1, ticks: 2, atOnce: 1 },
	}),
	row('two words of people', { words: 2, lost: 1, lookalikes: 1, jumps: 1, ticks: 1, atOnce: 1 }),
	row('asked for in turns', { wishes: TWO, lost: 2, ticks: 3, runs: 4, atOnce: 1 }),
	row('asked for in turns, a person', {
		wishes: TWO,
		lost: 1,
		words: 1,
		ticks: 2,
		atOnce: 1,
		runs: 3,
	}),
	row('three at once', { runs: 3, atOnce: 3, ticks: 0 }),
	row('another API key, a person, lookalikes', {
		...{ apiKeys: ['a', 'b'], lost: 1, words: 1, lookalikes: 1, ticks: 2, atOnce: 1 },
	}),
	row('another API key, a person who reads only lists', {
		...{ apiKeys: ['a', 'b'], keyScope: 'apiKey', lost: 1, words: 1, ticks: 2, atOnce: 1 },
		personKeys: ['a', 'b'],
	}),
	row('a person who sees only another account', {
		...{ words: 1, lost: 1, jumps: 1, ticks: 1, runs: 3, atOnce: 1 },
		personKeys: ['x'],
	}),
	row('outcome not written', { failedWrites: 1, refusals: 1, ticks: 1, atOnce: 1 }),
	row('slow service', { isSlow: true, refusals: 1, ticks: 1, atOnce: 1 }),
	row('repeats', { repeats: 1, lost: 1, refusals: 1, ticks: 1, atOnce: 1 }),
	row('never left', { unsent: 1, lost: 1, ticks: 0 }),
	row('another tool', { strangers: 1, lost: 1, ticks: 1, atOnce: 1 }),
	row('another API key', { apiKeys: ['a', 'b'], keyScope: 'apiKey', kills: 1, ticks: 1 }),
	row('another API key, a person', {
		apiKeys: ['a', 'b'],
		keyScope: 'apiKey',
		lost: 1,
		words: 1,
		ticks: 2,
		atOnce: 1,
	}),
	row('another account', { apiKeys: ['a', 'x'], lost: 1, bankRefusals: 1, ticks: 1, atOnce: 1 }),
	row('two orders, key dies', { orders: 2, kills: 1, jumps: 1, ticks: 1, atOnce: 1 }),
	row('two orders, a person takes one for the other', {
		orders: 2,
		lost: 1,
		words: 1,
		ticks: 1,
		atOnce: 1,
		runs: 3,
		isPersonMistaken: true,
	}),
	row('a charge that the service finds, key dies', {
		findsExisting: true,
		kills: 1,
		jumps: 1,
		ticks: 0,
		atOnce: 1,
	}),
	row('a charge that the service finds, ended', {
		findsExisting: true,
		bankRefusals: 1,
		lost: 1,
		ticks: 0,
	}),
	row('a charge that the service finds, corrected', {
		findsExisting: true,
		wishes: TWO,
		lost: 1,
		ticks: 1,
	}),
	row('two orders, a person takes one for the other, and back', {
		...{ orders: 2, lost: 1, words: 2, ticks: 1, atOnce: 1, runs: 3 },
		isPersonMistaken: true,
	}),
	row('errors are kept', { keepsErrors: true, refusals: 1, ticks: 1, atOnce: 1 }),
	row('unreadable, clocks differ', {
		unreadable: 1,
		kills: 1,
		jumps: 1,
		ticks: 1,
		skew: -1,
		atOnce: 1,
	}),
	row('rows that a person edits', { edits: 1, lost: 1, words: 1, ticks: 1, atOnce: 1 }),
	row('recorded by a person before it was sent', {
		...{ isTakenOver: true, bankRefusals: 1, unreadable: 1, atOnce: 2, ticks: 0 },
	}),
];

const MISTAKEN: Partial<Bounds> = { orders: 2, isPersonMistaken: true, words: 1, atOnce: 1 };
const KINDS = ['kept', 'forgotten', 'early'] as const;

export const WIDE: readonly Bounds[] = [
	...KINDS.flatMap((refuses) =>
		[true, false].map((asksNewKey) =>
			row(`refusals ${refuses}${asksNewKey ? ', another key asked for' : ''}`, {
				refuses,
				asksNewKey,
				lost: 1,
				refusals: 1,
			}),
		),
	),
	...KINDS.map((refuses) =>
		row(`refusals ${refuses}, corrected`, { refuses, wishes: TWO, lost: 1, refusals: 1 }),
	),
	row('wrong, corrected, killed', {
		...{ wrong: 'b1', wishes: TWO, lost: 1, kills: 1, refuses: 'kept' },
	}),
	row('corrected, killed', { wishes: TWO, kills: 1, lost: 1 }),
	row('description corrected', { wishes: REWORDED, kills: 1, refusals: 1 }),
	row('killed', { kills: 1, refusals: 1 }),
	row('key dies', { jumps: 1, kills: 1, runs: 3, ticks: 1 }),
	row('key dies slowly', { jumps: 2, jump: USED_LIFE - 1, runs: 3, ticks: 1, kills: 1 }),
	row('last minutes of a key', { jumps: 1, jump: USED_LIFE, runs: 2, ticks: 2, kills: 1 }),
	row('bank refuses', { bankRefusals: 1, lost: 1, runs: 3, ticks: 1 }),
	row('bank refuses, key dies', { bankRefusals: 1, kills: 1, jumps: 1, ticks: 1 }),
	row('lookalikes', { lookalikes: 1, kills: 1, jumps: 1, ticks: 1 }),
	row('lookalikes, corrected', { lookalikes: 1, wishes: TWO, lost: 1, runs: 2, ticks: 2 }),
	row('a person', { words: 1, kills: 1, refusals: 1, ticks: 2 }),
	row('a person, corrected', { words: 1, wishes: TWO, lost: 1, ticks: 2 }),
	row('a person, lookalikes, key dies', { words: 1, lookalikes: 1, jumps: 1, kills: 1, ticks: 1 }),
	row('outcome not written', { failedWrites: 1, lost: 1, refusals: 1 }),
	row('outcome not written, corrected', { failedWrites: 1, wishes: TWO, refusals: 1 }),
	row('charges that the service finds, refused', {
		...{ findsExisting: true, lost: 1, refusals: 1, runs: 3 },
	}),
	row('charges that the service finds, corrected, key dies', {
		...{ findsExisting: true, wishes: TWO, kills: 1, jumps: 1, ticks: 1 },
	}),
	row('charges that the service finds, lookalikes, a person', {
		...{ findsExisting: true, words: 1, lookalikes: 1, jumps: 1, kills: 1, ticks: 1 },
	}),
	row('slow service', { isSlow: true, refusals: 1, kills: 1 }),
	row('repeats', { repeats: 1, lost: 2, refusals: 1 }),
	row('repeats, corrected', { repeats: 1, lost: 1, wishes: TWO }),
	row('never left', { unsent: 1, lost: 1, repeats: 1 }),
	row('another tool', { strangers: 1, lost: 1 }),
	row('another API key', { apiKeys: ['a', 'b'], lost: 1, kills: 1 }),
	row('another API key, each with keys of its own', {
		apiKeys: ['a', 'b'],
		keyScope: 'apiKey',
		lost: 1,
		kills: 1,
	}),
	row('another API key, a person', {
		apiKeys: ['a', 'b'],
		lost: 1,
		words: 1,
		ticks: 3,
	}),
	row('another API key, own keys, a person', {
		apiKeys: ['a', 'b'],
		keyScope: 'apiKey',
		lost: 1,
		words: 1,
		ticks: 3,
	}),
	row('another account', { apiKeys: ['a', 'x'], lost: 1, bankRefusals: 1 }),
	row('another account, a person', { apiKeys: ['a', 'x'], lost: 1, words: 1, ticks: 3 }),
	row('two orders', { orders: 2, lost: 1, ticks: 1, runs: 3 }),
	row('two orders, key dies', { orders: 2, kills: 1, jumps: 1, ticks: 1, runs: 2 }),
	row('two orders, a person', { orders: 2, kills: 1, jumps: 1, ticks: 1, runs: 2, words: 1 }),
	row('two orders, a person takes one for the other', {
		orders: 2,
		lost: 2,
		words: 1,
		ticks: 2,
		runs: 4,
		atOnce: 1,
		isPersonMistaken: true,
	}),
	row('errors are kept', { keepsErrors: true, refusals: 1, lost: 1, ticks: 3, runs: 3 }),
	row('errors are kept, a person', {
		keepsErrors: true,
		refusals: 1,
		words: 1,
		ticks: 3,
		runs: 3,
		lookalikes: 1,
	}),
	row('a person, others keep paying the same', {
		...{ words: 2, lookalikes: 3, kills: 1, lost: 1, jumps: 1, ticks: 2, runs: 3 },
		othersKeepPaying: true,
	}),
	row('a person, others keep paying the same, corrected', {
		...{ words: 1, lookalikes: 2, lost: 2, wishes: TWO, ticks: 3, runs: 3 },
		othersKeepPaying: true,
	}),
	row('a person, list unreadable, corrected', {
		...{ words: 1, unreadable: 2, lost: 1, kills: 1, wishes: TWO, ticks: 3 },
	}),
	row('two words of people', { words: 2, lost: 1, lookalikes: 1, jumps: 1, ticks: 2, kills: 1 }),
	row('asked for in turns', { wishes: TWO, lost: 2, ticks: 4, runs: 4 }),
	row('asked for in turns, refused', {
		...{ wishes: TWO, lost: 1, refusals: 2, ticks: 2, runs: 4, refuses: 'kept' },
	}),
	row('asked for in turns, key dies, a person', {
		...{ wishes: TWO, lost: 1, words: 1, jumps: 1, ticks: 2, runs: 4, lookalikes: 1 },
	}),
	row('three at once, refused', { runs: 3, atOnce: 3, refusals: 1, ticks: 0 }),
	row('three at once, lost', { runs: 3, atOnce: 3, refusals: 1, lost: 1, ticks: 1 }),
	row('three at once, refused twice', { runs: 3, atOnce: 3, refusals: 2, ticks: 1 }),
	row('three at once, corrected', { runs: 3, atOnce: 3, wishes: TWO, kills: 1, ticks: 1 }),
	row('three at once, key dies', { runs: 3, atOnce: 3, kills: 1, jumps: 1, lost: 1, ticks: 0 }),
	row('three at once, bank refuses', { runs: 3, atOnce: 3, bankRefusals: 1, lost: 1, ticks: 1 }),
	row('another API key, a person, lookalikes', {
		...{ apiKeys: ['a', 'b'], lost: 1, words: 1, lookalikes: 2, ticks: 3, runs: 3 },
	}),
	row('another API key, a person, corrected', {
		...{ apiKeys: ['a', 'b'], keyScope: 'apiKey', wishes: TWO, lost: 1, words: 1, ticks: 3 },
	}),
	row('another account, a person, key dies', {
		...{ apiKeys: ['a', 'x'], lost: 1, words: 2, jumps: 1, ticks: 2 },
	}),
	row('unreadable', { unreadable: 1, lost: 1, kills: 1, jumps: 1, ticks: 1 }),
	row('clocks differ', { skew: 1, lost: 1, jumps: 1, kills: 1, ticks: 1 }),
	row('clocks differ, other way', { skew: -1, lost: 1, jumps: 1, kills: 1, ticks: 1 }),
	row('key dies slowly, lost twice', {
		...{ jumps: 2, jump: USED_LIFE - 1, runs: 3, ticks: 1, lost: 2, atOnce: 1 },
	}),
	row('last minutes of a key, killed twice', {
		...{ jumps: 1, jump: KEY_LIFE - 1, kills: 2, runs: 3, ticks: 2, atOnce: 1 },
	}),
	row('refused three times, minutes apart', {
		...{ refusals: 3, asksNewKey: false, jumps: 1, jump: 2, ticks: 0, runs: 3 },
	}),
	row('refused early, minutes apart', {
		...{ refusals: 1, lost: 1, jumps: 2, jump: 2, ticks: 0, runs: 3 },
		...{ refuses: 'early', asksNewKey: false },
	}),
	row('killed twice, refused', { kills: 2, refusals: 1, ticks: 0 }),
	row('killed twice, refused, minutes apart', {
		...{ kills: 2, refusals: 1, jumps: 1, jump: 2, ticks: 0, runs: 3 },
	}),
	row('a person takes another payout for this one, key dies', {
		...{ ...MISTAKEN, lost: 1, jumps: 1, ticks: 1, runs: 3 },
	}),
	row('a person takes another payout for this one, bank refuses', {
		...{ ...MISTAKEN, bankRefusals: 1, lost: 2, ticks: 1, runs: 3 },
	}),
	row('a person takes another payout for this one, lost twice', {
		...{ ...MISTAKEN, lost: 2, jumps: 1, ticks: 1, runs: 4 },
	}),
	row('a person takes another payout for this one, at once', {
		...{ ...MISTAKEN, lost: 1, ticks: 2, runs: 3, atOnce: 2 },
	}),
	row('a person takes what others pay for this one', {
		...{ isPersonMistaken: true, words: 2, lookalikes: 1, lost: 1, bankRefusals: 1 },
		...{ jumps: 1, jump: 2, ticks: 1 },
	}),
	row('clocks differ, a person', { skew: 1, lost: 1, jumps: 1, ticks: 2, words: 1, atOnce: 1 }),
	row('refused early, one after the other', {
		...{ lost: 1, refusals: 1, ticks: 2, refuses: 'early', asksNewKey: false },
		...{ runs: 3, atOnce: 1 },
	}),
	row('three at once, bank refuses, refused', {
		...{ bankRefusals: 1, ticks: 0, runs: 3, atOnce: 3, refusals: 1 },
	}),
	row('key dies slowly, refused early', {
		...{ jumps: 2, jump: USED_LIFE - 1, runs: 3, ticks: 1, lost: 1, kills: 1 },
		...{ refusals: 1, refuses: 'early', asksNewKey: false },
	}),
	row('rows that a person edits', { edits: 2, lost: 1, words: 1, jumps: 1, ticks: 2 }),
	row('rows that a person edits, lookalikes', { edits: 1, lost: 1, lookalikes: 1, words: 1 }),
	row('recorded by a person before it was sent', {
		...{ isTakenOver: true, bankRefusals: 1, lost: 1, words: 1, ticks: 1 },
	}),
];
