/** Within what bounds the worlds are searched: `npm test` takes the small suite, `npm run model` both. */
import type { Bounds, Wish } from './world';

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
	atOnce: 2,
	jump: 641,
	refuses: 'forgotten',
	asksNewKey: true,
	isSlow: false,
	keyScope: 'account',
	comparesAccounts: true,
	skew: 0,
	isPersonHasty: false,
};

/** The worlds of `CALM`, but for these bounds. */
export function bounded(name: string, bounds: Partial<Bounds>): Bounds {
	return { ...CALM, ...bounds, name };
}
const row = bounded;

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
	row('a person edits', { edits: 1, kills: 1, ticks: 1, runs: 1 }),
	row('outcome not written', { failedWrites: 1, refusals: 1, ticks: 1, atOnce: 1 }),
	row('slow service', { isSlow: true, refusals: 1, ticks: 1, atOnce: 1 }),
	row('repeats', { repeats: 1, lost: 1, refusals: 1, ticks: 1, atOnce: 1 }),
	row('never left', { unsent: 1, lost: 1, ticks: 0 }),
	row('another tool', { strangers: 1, lost: 1, ticks: 1, atOnce: 1 }),
	row('another API key', { apiKeys: ['a', 'b'], keyScope: 'apiKey', kills: 1, ticks: 1 }),
	row('another API key, a person', {
		apiKeys: ['a', 'b'],
		keyScope: 'apiKey',
		comparesAccounts: false,
		lost: 1,
		words: 1,
		ticks: 2,
		atOnce: 1,
	}),
	row('another account', { apiKeys: ['a', 'x'], lost: 1, bankRefusals: 1, ticks: 1, atOnce: 1 }),
	row('two orders, key dies', { orders: 2, kills: 1, jumps: 1, ticks: 1, atOnce: 1 }),
	row('unreadable, clocks differ', {
		unreadable: 1,
		kills: 1,
		jumps: 1,
		ticks: 1,
		skew: -1,
		atOnce: 1,
	}),
];

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
	row('corrected, killed', { wishes: TWO, kills: 1, lost: 1 }),
	row('description corrected', { wishes: REWORDED, kills: 1, refusals: 1 }),
	row('killed', { kills: 1, refusals: 1 }),
	row('key dies', { jumps: 1, kills: 1, runs: 3, ticks: 1 }),
	row('key dies slowly', { jumps: 2, jump: 634, runs: 3, ticks: 1, kills: 1 }),
	row('last minutes of a key', { jumps: 1, jump: 635, runs: 2, ticks: 2, kills: 1 }),
	row('bank refuses', { bankRefusals: 1, lost: 1, runs: 3, ticks: 1 }),
	row('bank refuses, key dies', { bankRefusals: 1, kills: 1, jumps: 1, ticks: 1 }),
	row('lookalikes', { lookalikes: 1, kills: 1, jumps: 1, ticks: 1 }),
	row('lookalikes, corrected', { lookalikes: 1, wishes: TWO, lost: 1, runs: 2, ticks: 2 }),
	row('a person', { words: 1, kills: 1, refusals: 1, ticks: 2 }),
	row('a person, corrected', { words: 1, wishes: TWO, lost: 1, ticks: 2 }),
	row('a person, lookalikes, key dies', { words: 1, lookalikes: 1, jumps: 1, kills: 1, ticks: 1 }),
	row('a person edits', { edits: 1, kills: 1, refusals: 1, ticks: 2 }),
	row('a person edits, corrected', { edits: 1, wishes: TWO, lost: 1, ticks: 2 }),
	row('a person edits, key dies', { edits: 1, lookalikes: 1, jumps: 1, kills: 1, ticks: 1 }),
	row('outcome not written', { failedWrites: 1, lost: 1, refusals: 1 }),
	row('outcome not written, corrected', { failedWrites: 1, wishes: TWO, refusals: 1 }),
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
	row('another API key, not comparable, a person', {
		apiKeys: ['a', 'b'],
		comparesAccounts: false,
		lost: 1,
		words: 1,
		ticks: 3,
	}),
	row('another API key, own keys, not comparable, a person', {
		apiKeys: ['a', 'b'],
		keyScope: 'apiKey',
		comparesAccounts: false,
		lost: 1,
		words: 1,
		ticks: 3,
	}),
	row('another API key, own keys, not comparable, edits', {
		apiKeys: ['a', 'b'],
		keyScope: 'apiKey',
		comparesAccounts: false,
		lost: 1,
		edits: 1,
		ticks: 3,
	}),
	row('another account', { apiKeys: ['a', 'x'], lost: 1, bankRefusals: 1 }),
	row('another account, a person', { apiKeys: ['a', 'x'], lost: 1, words: 1, ticks: 3 }),
	row('two orders', { orders: 2, lost: 1, ticks: 1, runs: 3 }),
	row('two orders, key dies', { orders: 2, kills: 1, jumps: 1, ticks: 1, runs: 2 }),
	row('two orders, a person', { orders: 2, kills: 1, jumps: 1, ticks: 1, runs: 2, words: 1 }),
	row('unreadable', { unreadable: 1, lost: 1, kills: 1, jumps: 1, ticks: 1 }),
	row('clocks differ', { skew: 1, lost: 1, jumps: 1, kills: 1, ticks: 1 }),
	row('clocks differ, other way', { skew: -1, lost: 1, jumps: 1, kills: 1, ticks: 1 }),
];
