import fc from 'fast-check';
import {
	REMOVED_AT_FIRST,
	withDurableStore,
} from '../../../../../../nodes/shared/n8n/durableStore';
import {
	KnownKeys,
	SHOWN_WITHDRAWALS,
	WITNESSES,
} from '../../../../../../nodes/shared/orders/journal/accountGroups';
import { ActiveOrders } from '../../../../../../nodes/shared/orders/journal/activeOrders';
import { Journal, type JournalResult } from '../../../../../../nodes/shared/orders/journal/journal';
import {
	ENTRIES_PER_ORDER,
	type JournalQuery,
} from '../../../../../../nodes/shared/orders/journal/orderFacts';
import type { JournalState } from '../../../../../../nodes/shared/orders/journal/orderState';
import type { LastKey, LaterKey } from '../../../../../../nodes/shared/orders/journal/laterKeys';
import type {
	Refusal,
	UsedKey,
	UsedUp,
} from '../../../../../../nodes/shared/orders/journal/refusals';
import { countCases } from '../../../../support/cases';
import {
	FakeDeduplication,
	StoreFailure,
	type FailureMoment,
} from '../../../../support/deduplicationStore';

const HOUR_MS = 60 * 60 * 1000;
const NOW = Date.parse('2026-11-21T12:00:00Z');

let store: FakeDeduplication;
let processMemory: [ActiveOrders, KnownKeys];

const restart = () => {
	processMemory = [new ActiveOrders(), new KnownKeys()];
};

beforeEach(() => {
	store = new FakeDeduplication();
	restart();
});

const query = (order: string, changed: Partial<JournalQuery> = {}): JournalQuery => ({
	order,
	content: 'content-1',
	account: 'account-1',
	...changed,
});
const A = query('order-a');
const B = query('order-b');

const openJournal = (remembered = 100, nodeId?: string) =>
	new Journal(store.context(nodeId), remembered, ...processMemory);

/** One execution that begins, and ends with the same effect for all its orders. */
async function run(
	queries: readonly JournalQuery[],
	effect: JournalResult['effect'] = 'unknown',
	{ now = NOW, remembered = 100 } = {},
): Promise<JournalState[]> {
	const journal = openJournal(remembered);
	const states = await journal.begin(queries, now);
	await journal.end(queries.map((each) => result(each, effect)));
	return states;
}

const result = (each: JournalQuery, effect: JournalResult['effect']): JournalResult => ({
	...each,
	effect,
	...(effect === 'paid' ? { withdrawalId: getId(each) } : {}),
});
const getId = ({ order }: JournalQuery) => `withdrawal-of-${order}`;
const peek = async (queries: readonly JournalQuery[], now = NOW) =>
	await openJournal().begin(queries, now);

/** As n8n's process dies at the k-th call of the store from now on. */
async function killed(call: number, work: () => Promise<unknown>, moment?: FailureMoment) {
	store.failAt(call, moment);
	await expect(work()).rejects.toThrow(StoreFailure);
	restart();
}

const getCalls = async (work: () => Promise<unknown>) => {
	const before = store.calls.length;
	await work();
	return store.calls.slice(before);
};

const NEW = { kind: 'new' };
const SETTLED = { kind: 'settled' };
const DIFFERS: unknown = expect.objectContaining({ kind: 'differs', isCertain: true });
const IN_DOUBT = { kind: 'inDoubt', isKeyAlive: true, isSameAccount: true };
const DEAD_KEY = { ...IN_DOUBT, isKeyAlive: false };

describe('an order', () => {
	test('is new once, and in doubt until its end is known', async () => {
		expect(await peek([A, B])).toEqual([NEW, NEW]);
		restart();
		expect(await peek([A, B])).toEqual([IN_DOUBT, IN_DOUBT]);
		expect(await peek([B, query('order-c')])).toEqual([IN_DOUBT, NEW]);
	});

	test('is settled once it was paid, in every later execution', async () => {
		await run([A, B], 'paid');
		for (const hours of [0, 30, 9_000]) {
			expect(await peek([A, B], NOW + hours * HOUR_MS)).toEqual([SETTLED, SETTLED]);
		}
	});

	test('is settled without a withdrawal ID, too', async () => {
		const journal = openJournal();
		await journal.begin([A, B], NOW);
		await journal.end([A, B].map((each) => ({ ...each, effect: 'paid' })));
		expect(await peek([A, B])).toEqual([SETTLED, SETTLED]);
	});

	test('that was paid under another name before this journal knew it is settled', async () => {
		await openJournal().end([result(A, 'paid'), result(B, 'none')]);
		expect(await peek([A, B])).toEqual([SETTLED, NEW]);
	});

	test('stays in doubt where its effect is unknown, or no result is given', async () => {
		const journal = openJournal();
		await journal.begin([A, B], NOW);
		await journal.end([result(A, 'unknown')]);
		expect(await peek([A, B])).toEqual([IN_DOUBT, IN_DOUBT]);
	});

	test('is forgotten without a trace where nothing took effect', async () => {
		await run([A, B], 'none');
		expect(store.row()).toEqual([]);
		expect(await peek([{ ...A, content: 'content-2' }, B])).toEqual([NEW, NEW]);
	});

	test('that was in doubt is forgotten like a new one', async () => {
		await peek([A, B]);
		restart();
		expect(await run([A, B], 'none', { now: NOW + HOUR_MS })).toEqual([IN_DOUBT, IN_DOUBT]);
		expect(await peek([A, B])).toEqual([NEW, NEW]);
	});

	test('that was sent with another API key is not forgotten by a run that cannot see its account', async () => {
		await run([A, B], 'unknown');
		await run([{ ...A, account: 'account-2' }, B], 'none');
		expect(await peek([A, B])).toEqual([IN_DOUBT, NEW]);
	});

	test('that is settled is not forgotten, whatever a later run says', async () => {
		await run([A, B], 'paid');
		await run([A], 'none');
		await run([B], 'unknown');
		expect(await peek([A, B])).toEqual([SETTLED, SETTLED]);
	});

	test('of another node is another one', async () => {
		await run([A, B], 'paid');
		expect(await openJournal(100, 'node-2').begin([A, B], NOW)).toEqual([NEW, NEW]);
	});
});

describe('other content', () => {
	const changed = { ...A, content: 'content-2' };

	test.each(['paid', 'unknown'] as const)('differs where the order was %s', async (effect) => {
		await run([A, B], effect);
		expect((await peek([changed, B]))[0]).toEqual(DIFFERS);
	});

	test('says whether the earlier one is open, its key alive and the API key the same', async () => {
		await run([A], 'unknown');
		await run([B], 'paid');
		const other = { ...A, content: 'content-2' };
		const open = { kind: 'differs', isCertain: true, isOpen: true };
		expect(await peek([other, { ...B, content: 'content-2' }])).toEqual([
			{ ...open, isKeyAlive: true, isSameAccount: true },
			{ ...open, isOpen: false, isKeyAlive: false, isSameAccount: true },
		]);
		expect(await peek([other], NOW + 30 * HOUR_MS)).toEqual([
			{ ...open, isKeyAlive: false, isSameAccount: true },
		]);
		expect(await peek([{ ...other, account: 'account-2' }])).toEqual([
			{ ...open, isKeyAlive: true, isSameAccount: false },
		]);
	});

	test('leaves no trace: the row is as it was', async () => {
		await run([A, B], 'unknown');
		const before = store.row();
		await run([changed], 'none');
		expect(store.row()).toEqual(before);
		expect(await peek([A, changed])).toEqual([IN_DOUBT, DIFFERS]);
	});

	test('is not believed to be paid', async () => {
		await run([A, B], 'unknown');
		await run([changed, B], 'paid');
		expect(await peek([changed, B])).toEqual([DIFFERS, SETTLED]);
		expect(await peek([A])).toEqual([IN_DOUBT]);
	});

	test('differs, too, after its question was interrupted', async () => {
		await run([A, B], 'unknown');
		await killed(3, async () => await peek([changed]));
		expect(await peek([changed, A])).toEqual([DIFFERS, IN_DOUBT]);
		expect(await peek([changed])).toEqual([DIFFERS]);
	});
});

describe('an order that took effect with corrected content', () => {
	const CORRECTED = query('order-a', { content: 'content-2' });

	beforeEach(async () => {
		await run([A], 'unknown');
		const journal = openJournal();
		await journal.begin([CORRECTED], NOW);
		await journal.end([{ ...result(CORRECTED, 'paid'), supersedes: true }]);
	});

	test('is settled with that content', async () => {
		expect(await peek([CORRECTED], NOW + 25 * HOUR_MS)).toEqual([{ kind: 'settled' }]);
	});

	test('says nothing about another order', async () => {
		await run([B], 'unknown');
		expect(await peek([B])).toEqual([IN_DOUBT]);
	});

	test.each(['content-1', 'content-3'])('is known with other content than %s', async (content) => {
		const asked = query('order-a', { content });
		const [state] = await peek([asked], NOW + 25 * HOUR_MS);

		expect(state).toMatchObject({ kind: 'differs', isCertain: true, isOpen: false });
		expect(await peek([CORRECTED])).toEqual([{ kind: 'settled' }]);
	});
});

describe('the key', () => {
	test.each([0, 0.1, 0.25, 1, 3, 5.9])(
		'first used %o hours after the beginning of a bucket lives long enough, and never too long',
		async (offset) => {
			const first = NOW + offset * HOUR_MS;
			await run([A, B], 'unknown', { now: first });
			const isAlive = async (hours: number) => {
				const [state] = await peek([A], first + hours * HOUR_MS);
				return state?.kind === 'inDoubt' && state.isKeyAlive;
			};
			for (const hours of [0, 6, 12, 17.5]) expect(await isAlive(hours)).toBe(true);
			for (const hours of [23.75, 24, 30, -6.1]) expect(await isAlive(hours)).toBe(false);
		},
	);

	test('is known to have been alive at a time, for each order separately', async () => {
		await run([A], 'unknown');
		const moments = [NOW, NOW + 6 * HOUR_MS, NOW + 30 * HOUR_MS];
		for (let time = 0; time < 2; time += 1) {
			expect(await openJournal().wasAlive(A.order, moments)).toEqual([true, true, false]);
			expect(await openJournal().wasAlive(B.order, moments)).toEqual([false, false, false]);
		}
		expect(await peek([B])).toEqual([NEW]);
	});

	test('does not live longer because someone asks', async () => {
		await run([A, B], 'unknown');
		for (let hours = 1; hours < 48; hours += 1) await peek([A], NOW + hours * HOUR_MS);
		expect(await peek([A, B], NOW + 48 * HOUR_MS)).toEqual([DEAD_KEY, DEAD_KEY]);
	});

	test.each([1, 2, 3, 4])('is not brought to life by a kill at call %o', async (call) => {
		await run([A, B], 'unknown');
		const later = NOW + 30 * HOUR_MS;
		await killed(call, async () => await peek([A, B], later), 'after');
		expect(await peek([A, B], later)).toEqual([DEAD_KEY, DEAD_KEY]);
	});

	test('of another account is recognized, and asking leaves no trace', async () => {
		await run([A, B], 'unknown');
		const other = { ...A, account: 'account-2' };
		const states = [{ ...IN_DOUBT, isSameAccount: false }];
		expect(await peek([other])).toEqual(states);
		expect(await peek([other])).toEqual(states);
		await killed(4, async () => await peek([other]));
		// The question about the key was cut off as well: it counts as dead for a few hours.
		expect(await peek([other, B])).toEqual([{ ...DEAD_KEY, isSameAccount: false }, IN_DOUBT]);
		expect(await peek([A])).toEqual([DEAD_KEY]);
	});
});

describe('killed', () => {
	test.each([
		[1, 'before', NEW],
		[1, 'after', DEAD_KEY],
		[2, 'before', DEAD_KEY],
		[2, 'after', IN_DOUBT],
	] as const)('at call %o of the first begin, %s it wrote', async (call, moment, expected) => {
		await killed(call, async () => await peek([A, B]), moment);
		expect(await peek([A, B])).toEqual([expected, expected]);
	});

	test('before anything was sent, other content is taken, and is the content from then on', async () => {
		await killed(2, async () => await peek([A, B]));
		const changed = { ...A, content: 'content-2', account: 'account-2' };
		expect(await peek([changed])).toEqual([DEAD_KEY]);
		expect(await peek([A, changed, B])).toEqual([DIFFERS, DEAD_KEY, DEAD_KEY]);
	});

	test.each([1, 2, 3, 4, 5, 6])('twice, the second time at call %o', async (call) => {
		await killed(2, async () => await peek([A, B]));
		store.failAt(call, 'after');
		await peek([A, B]).catch(() => undefined);
		store.failAt();
		restart();
		expect(await peek([A, B])).toEqual([DEAD_KEY, DEAD_KEY]);
		expect(await peek([A, { ...B, content: 'content-2' }])).toEqual([DEAD_KEY, DIFFERS]);
	});

	test.each([
		['paid', 'before', IN_DOUBT],
		['paid', 'after', SETTLED],
		['none', 'before', IN_DOUBT],
		['none', 'after', IN_DOUBT],
		['unknown', 'after', IN_DOUBT],
	] as const)('in an end that says %s, %s it wrote', async (effect, moment, expected) => {
		const journal = openJournal();
		await journal.begin([A, B], NOW);
		await killed(
			1,
			async () => await journal.end([A, B].map((each) => result(each, effect))),
			moment,
		);
		expect(await peek([A, B])).toEqual([expected, expected]);
	});

	test.each([1, 2, 3])(
		'at call %o of asking for a settled order, it stays settled',
		async (call) => {
			await run([A, B], 'paid');
			await killed(call, async () => await peek([A, B]), 'after');
			expect(await peek([A, B])).toEqual([SETTLED, SETTLED]);
			expect(await peek([{ ...A, content: 'content-2' }, B])).toEqual([DIFFERS, SETTLED]);
		},
	);

	test('in questions about other content, it can take that content once the order is forgotten', async () => {
		const changed = { ...A, content: 'content-2' };
		await run([A, B], 'unknown');
		for (const call of [3, 4]) await killed(call, async () => await peek([changed]));
		await run([A], 'none');
		expect(await run([changed, B], 'unknown')).toEqual([NEW, IN_DOUBT]);
		expect(await run([changed], 'none')).toEqual([IN_DOUBT]);
		expect(await peek([A])).toEqual([NEW]);
	});

	test('in every question in a row, it says that it is not certain, and nothing may be sent', async () => {
		await run([A, B], 'unknown');
		await killed(3, async () => await peek([A]));
		await killed(4, async () => await peek([A]));
		expect(await peek([A, B])).toEqual([
			expect.objectContaining({ kind: 'differs', isCertain: false }),
			IN_DOUBT,
		]);
	});
});

describe('two executions of one process at the same time', () => {
	async function both() {
		const first = openJournal();
		const second = openJournal();
		expect(await first.begin([A, B], NOW)).toEqual([NEW, NEW]);
		expect(await second.begin([A, B], NOW)).toEqual([IN_DOUBT, IN_DOUBT]);
		const end = async (journal: Journal, effect: JournalResult['effect']) =>
			await journal.end([A, B].map((each) => result(each, effect)));
		return {
			first: async (effect: JournalResult['effect']) => await end(first, effect),
			second: async (effect: JournalResult['effect']) => await end(second, effect),
		};
	}

	test.each([
		['paid', 'paid', SETTLED],
		['paid', 'none', SETTLED],
		['paid', 'unknown', SETTLED],
		['none', 'paid', SETTLED],
		['none', 'unknown', IN_DOUBT],
		['unknown', 'paid', SETTLED],
		['unknown', 'none', IN_DOUBT],
		['none', 'none', NEW],
	] as const)('that end with %s, then %s', async (one, two, expected) => {
		for (const swapped of [false, true]) {
			store = new FakeDeduplication();
			restart();
			const { first, second } = await both();
			await (swapped ? second : first)(one);
			await (swapped ? first : second)(two);
			expect(await peek([A, B])).toEqual([expected, expected]);
		}
	});

	test('a failed end counts as unknown for the other one', async () => {
		const { first, second } = await both();
		store.failAt(1);
		await expect(second('none')).rejects.toThrow(StoreFailure);
		await first('none');
		expect(await peek([A, B])).toEqual([IN_DOUBT, IN_DOUBT]);
	});

	test('killed after the first one ended without effect: what the second sent stays in doubt', async () => {
		const { first } = await both();
		await first('none');
		restart();
		expect(await peek([A, B])).toEqual([IN_DOUBT, IN_DOUBT]);
	});

	test('an order of another node does not keep one from being forgotten', async () => {
		const [one, other] = [openJournal(), openJournal(100, 'node-2')];
		await one.begin([A], NOW);
		await other.begin([A], NOW);
		for (const journal of [one, other]) await journal.end([result(A, 'none')]);
		expect(await peek([A])).toEqual([NEW]);
	});

	test('an execution that may not send does not keep an order from being forgotten', async () => {
		const first = openJournal();
		await first.begin([A, B], NOW);
		expect(await openJournal().begin([{ ...A, content: 'content-2' }], NOW)).toEqual([DIFFERS]);
		await first.end([result(A, 'none')]);
		expect(await peek([A])).toEqual([NEW]);
	});

	test('of two that begin at once, one finds the order new', async () => {
		const states = await Promise.all([peek([A, B]), peek([B, A])]);
		expect(states.flat().filter(({ kind }) => kind === 'new')).toHaveLength(2);
		expect(store.mostTogether).toBe(1);
	});
});

describe('entries that another process has lost', () => {
	test.each([
		['paid', SETTLED],
		['unknown', IN_DOUBT],
	] as const)('are there again after an end that says %s', async (effect, expected) => {
		const journal = openJournal();
		await journal.begin([A, B], NOW);
		store.rows.clear();
		await journal.end([A, B].map((each) => result(each, effect)));
		expect(await peek([A, B])).toEqual([expected, expected]);
	});

	test('an order without its oldest entry is still known', async () => {
		await run([A, B], 'unknown');
		const changed = { ...B, content: 'content-2', account: 'account-2' };
		await withDurableStore(store.context(), async (access) => {
			await access.forget(['sent order-a', 'sent order-b']);
		});
		const later = NOW + 10 * HOUR_MS;
		const unreliable = { isKeyAlive: false, isSameAccount: false };
		expect(await peek([A, changed], later)).toEqual([
			DEAD_KEY,
			{ kind: 'differs', isCertain: true, isOpen: true, ...unreliable },
		]);
		expect(await peek([A, B], later)).toEqual([IN_DOUBT, IN_DOUBT]);
		expect(await peek([changed, A], later)).toEqual([DIFFERS, IN_DOUBT]);
		const otherAccount = { ...B, account: 'account-2' };
		expect(await peek([otherAccount], later)).toEqual([{ ...IN_DOUBT, isSameAccount: false }]);
		expect(await peek([A, B], NOW + 25 * HOUR_MS)).toEqual([DEAD_KEY, DEAD_KEY]);
	});

	test('a settlement that another process wrote is not forgotten', async () => {
		const journal = openJournal();
		await journal.begin([A, B], NOW);
		await openJournal().end([result(A, 'paid')]);
		await journal.end([result(A, 'none'), result(B, 'none')]);
		expect(await peek([A, B])).toEqual([SETTLED, NEW]);
	});
});

describe('the list of withdrawals', () => {
	const candidates = [getId(A), 'withdrawal-of-nobody', getId(B)];

	test('shows which is the own one, and which belong to any order', async () => {
		await run([A, B], 'paid');
		const C = query('order-c');
		await peek([C]);
		expect(
			await openJournal().identify([
				{ order: B.order, candidates },
				{ order: C.order, candidates },
			]),
		).toEqual([
			{ own: getId(B), owned: new Set([getId(A), getId(B)]) },
			{ own: undefined, owned: new Set([getId(A), getId(B)]) },
		]);
	});

	test('is not changed by asking', async () => {
		await run([A, B], 'paid');
		const before = store.row();
		await openJournal().identify([{ order: A.order, candidates }]);
		expect(store.row()).toEqual(before);
	});

	test('is read right after a question was cut off', async () => {
		await run([A, B], 'paid');
		const ask = async () =>
			await openJournal().identify([
				{ order: A.order, candidates },
				{ order: 'order-c', candidates },
			]);
		await killed(2, ask);
		expect((await ask()).map(({ own, owned }) => [own, owned.size])).toEqual([
			[getId(A), 2],
			[undefined, 2],
		]);
	});

	test('does not give away to others what may be the own one', async () => {
		await run([A, B], 'paid');
		const ask = async (order: string) => await openJournal().identify([{ order, candidates }]);
		const ofOther = [{ own: undefined, owned: new Set([getId(A), getId(B)]) }];
		for (const call of [2, 3]) {
			await killed(call, async () => await ask(A.order));
			// The other order learns whose the rows are, but not whether they are A's.
			expect(await ask('order-c')).toEqual(ofOther);
		}
		expect(await ask(A.order)).toEqual([{ own: undefined, owned: new Set() }]);
	});

	test('calls nothing owned of which it is not certain', async () => {
		await run([A, B], 'paid');
		const ask = async () => await openJournal().identify([{ order: A.order, candidates }]);
		await killed(2, ask);
		await killed(3, ask);
		expect(await ask()).toEqual([{ own: undefined, owned: new Set() }]);
	});
});

describe('another API key', () => {
	const OTHER = 'account-2';
	const THIRD = 'account-3';
	const IDS = [getId(A), 'withdrawal-of-nobody'];
	const DOUBT = query('order-c');
	const DOUBT_OF_OTHER = query('order-d', { account: OTHER });
	const NOTHING_SHOWN = async (_least: number): Promise<string[]> => [];

	const meet = async (account: string, shown: readonly string[] = [], isLive = true) => {
		const journal = openJournal();
		await journal.meetKey(account, isLive, async () => shown);
		return journal;
	};
	const shares = async (each: JournalQuery, ids: readonly string[], account: string) =>
		await (await meet(account)).sharesAccount(each.order, ids, account, true);
	const send = async (each: JournalQuery, shown: readonly string[] = []) => {
		await meet(each.account, shown);
		return await run([each], 'unknown');
	};

	/** A was made with the first API key; the outcome of another payout is not known. */
	beforeEach(async () => {
		const journal = await meet(A.account);
		await journal.begin([A], NOW);
		await journal.end([{ ...result(A, 'paid'), isMadeNow: true }]);
		await send(DOUBT);
		restart();
	});

	test('has the account of the first one if it shows what that one has made', async () => {
		expect(await shares(DOUBT, IDS, OTHER)).toBe(true);
		expect(await shares(DOUBT, IDS, THIRD)).toBe(true);
	});

	test('has it from then on, whatever it shows', async () => {
		await shares(DOUBT, IDS, OTHER);
		restart();
		expect(await shares(DOUBT, [], OTHER)).toBe(true);
	});

	test('that showed it before it sent something settles doubts of both, whatever they show', async () => {
		await send(DOUBT_OF_OTHER, IDS);
		restart();
		expect(await shares(DOUBT_OF_OTHER, [], A.account)).toBe(true);
		expect(await shares(DOUBT, [], OTHER)).toBe(true);
		expect(await shares(DOUBT, [], THIRD)).toBe(false);
	});

	test('shows nothing by what was made with a key that the order was not sent with', async () => {
		await send(DOUBT_OF_OTHER);
		expect(await shares(DOUBT_OF_OTHER, IDS, THIRD)).toBe(false);
		expect(await shares(DOUBT_OF_OTHER, IDS, THIRD)).toBe(false);
		expect(await shares(DOUBT_OF_OTHER, IDS, A.account)).toBe(false);
	});

	test('shows nothing by withdrawals that this journal has only found', async () => {
		const journal = openJournal();
		await journal.begin([B], NOW);
		await journal.end([result(B, 'paid')]);

		expect(await shares(DOUBT, [getId(B)], OTHER)).toBe(false);
	});

	test('shows nothing of an order that was never sent', async () => {
		expect(await shares(query('order-e'), IDS, OTHER)).toBe(false);
	});

	test('is not the one that an order was sent with, which sees its own account', async () => {
		expect(await shares(DOUBT, [], DOUBT.account)).toBe(true);
	});

	describe('that an order was sent with one which shares nothing with this one', () => {
		const isForeign = async (each: JournalQuery, account: string, shown: readonly string[] = []) =>
			await (await meet(account, shown)).isFromOtherGroup(each.order, account, true);

		test('is known of a settled order and of one in doubt', async () => {
			expect(await isForeign(A, OTHER)).toBe(true);
			expect(await isForeign(DOUBT, OTHER)).toBe(true);
		});

		test('is not so of the key itself, nor of one that shows what it has made', async () => {
			expect(await isForeign(A, A.account)).toBe(false);
			expect(await isForeign(A, THIRD, IDS)).toBe(false);
		});

		test('is not known of an order that was never sent, nor of a key that was never met', async () => {
			expect(await isForeign(query('order-e'), OTHER)).toBe(false);
			expect(await openJournal().isFromOtherGroup(A.order, THIRD, true)).toBe(false);
		});
	});

	test('shows nothing once a question was cut off', async () => {
		const journal = await meet(OTHER);
		await killed(2, async () => await journal.sharesAccount(DOUBT.order, IDS, OTHER, true));

		expect(await shares(DOUBT, IDS, OTHER)).toBe(false);
	});

	test('of test money sees nothing of live money', async () => {
		const journal = await meet(OTHER, IDS, false);
		expect(await journal.sharesAccount(DOUBT.order, IDS, OTHER, false)).toBe(false);
	});

	test('is not asked for what it shows where it is the only one, nor a second time', async () => {
		const readIds = vi.fn(NOTHING_SHOWN);
		await openJournal().meetKey(A.account, true, readIds);
		expect(readIds).not.toHaveBeenCalled();

		await openJournal().meetKey(OTHER, true, readIds);
		await openJournal().meetKey(OTHER, true, readIds);
		expect(readIds.mock.calls).toEqual([[SHOWN_WITHDRAWALS]]);
		// Now there are two groups.
		restart();
		await openJournal().meetKey(A.account, true, readIds);
		expect(readIds).toHaveBeenCalledTimes(2);
	});

	test('that showed nothing when it was met joins later', async () => {
		await send(DOUBT_OF_OTHER);
		restart();
		await meet(OTHER, IDS);
		expect(await shares(DOUBT, [], OTHER)).toBe(true);
		// What it had sent before belongs to the group that it had then.
		expect(await shares(DOUBT_OF_OTHER, [], OTHER)).toBe(true);
	});

	test('joins by a withdrawal of a run that was killed, which was recorded as soon as it was made', async () => {
		const journal = await meet('account-4');
		await journal.begin([query('order-f', { account: 'account-4' })], NOW);
		await journal.proveKey('account-4', 'withdrawal-1');
		await journal.proveKey('account-4', 'withdrawal-2');
		restart();

		const order = query('order-f');
		expect(await shares(order, ['withdrawal-2'], OTHER)).toBe(false);
		expect(await shares(order, ['withdrawal-1'], OTHER)).toBe(true);
	});

	test('that is the first of its node is asked for a few withdrawals only', async () => {
		const readIds = vi.fn(NOTHING_SHOWN);
		await openJournal(100, 'node-2').meetKey(OTHER, true, readIds);

		expect(readIds.mock.calls).toEqual([[WITNESSES]]);
	});

	test('joins by a withdrawal that the first one saw before it sent anything', async () => {
		restart();
		await send(query('order-g', { account: 'account-5' }), ['seen-1', 'seen-2']);
		restart();

		const order = query('order-g');
		expect(await shares(order, ['unseen'], THIRD)).toBe(false);
		expect(await shares(order, ['unseen', 'seen-2'], OTHER)).toBe(true);
	});

	test('founds no group where a question about groups was cut off', async () => {
		await killed(2, async () => await meet(OTHER));
		await killed(3, async () => await meet(OTHER));
		await send(DOUBT_OF_OTHER, ['seen-1']);
		restart();

		expect(await shares(DOUBT_OF_OTHER, ['seen-1'], THIRD)).toBe(false);
	});

	test('founds none either where the question of another key was cut off', async () => {
		await killed(2, async () => await meet(OTHER));
		await killed(3, async () => await meet(OTHER));
		const order = query('order-h', { account: THIRD });
		await send(order, ['seen-1']);
		restart();

		expect(await shares(order, ['seen-1'], 'account-4')).toBe(false);
	});

	test('founds no group beyond the last, and then proves nothing', async () => {
		for (let number = 0; number < 40; number += 1)
			await send(query(`o-${number}`, { account: `a-${number}` }));
		restart();
		expect(await shares(query('o-0'), [], 'a-0')).toBe(true);
		expect(await shares(query('o-39'), [], 'a-39')).toBe(false);
	});
});

describe('an order in doubt that is sent once more', () => {
	const CHANGED = { ...A, content: 'content-2' };
	const OTHER_KEY = { ...A, account: 'account-2' };
	const resend = async (about: { query?: JournalQuery; content?: boolean; key?: boolean }) => {
		const { query: again = A, content = false, key = false } = about;
		await openJournal().noteResent([{ query: again, isOtherContent: content, isOtherKey: key }]);
		restart();
	};
	beforeEach(async () => {
		await run([A, B], 'unknown');
		restart();
	});

	test('with other content may have been paid with either', async () => {
		await resend({ query: CHANGED, content: true });

		const several = { ...IN_DOUBT, hasOtherContent: true };
		expect(await peek([A, B])).toEqual([several, IN_DOUBT]);
		expect(await peek([CHANGED])).toEqual([several]);
	});

	test('with another API key is no longer settled by either key alone', async () => {
		await resend({ query: OTHER_KEY, key: true });

		const otherAccount = { ...IN_DOUBT, isSameAccount: false };
		expect(await peek([A, B])).toEqual([otherAccount, IN_DOUBT]);
		expect(await peek([OTHER_KEY])).toEqual([otherAccount]);
	});

	test('as it was stays as it was, and costs no call where there is none', async () => {
		await resend({});
		expect(await peek([A])).toEqual([IN_DOUBT]);
		expect(await getCalls(async () => await openJournal().noteResent([]))).toEqual([]);
	});

	test('is sent elsewhere as long as another run of this process may send it', async () => {
		const [first, second] = [openJournal(), openJournal()];
		await first.begin([A], NOW);
		expect(first.isSentElsewhere(A.order)).toBe(false);
		await second.begin([A, B], NOW);

		expect(first.isSentElsewhere(A.order)).toBe(true);
		expect(second.isSentElsewhere(A.order)).toBe(true);
		expect(second.isSentElsewhere(B.order)).toBe(false);
		await first.end([result(A, 'paid')]);
		expect(second.isSentElsewhere(A.order)).toBe(false);
	});
});

describe('what an order was sent with', () => {
	test('stays open where a question about other content was cut off', async () => {
		await run([A], 'unknown');
		const changed = [{ ...A, content: 'content-2' }];
		await killed(3, async () => await openJournal().begin(changed, NOW));
		const OPEN: unknown = expect.objectContaining({ kind: 'differs', isOpen: true });
		expect(await peek([{ ...A, content: 'content-3' }])).toEqual([OPEN]);
	});

	test('is found among other contents', async () => {
		await run([A, B], 'unknown');
		const contents = ['content-0', A.content, 'content-2'];
		expect(await openJournal().findContents(A.order, contents)).toEqual([A.content]);
		expect(await openJournal().findContents('order-c', contents)).toEqual([]);
		// Asking leaves no trace.
		expect(await openJournal().findContents(A.order, contents)).toEqual([A.content]);
	});

	test('may be anything once two questions were cut off', async () => {
		await run([A], 'unknown');
		const ask = async () => await openJournal().findContents(A.order, [A.content, 'content-2']);
		await killed(2, ask);
		await killed(3, ask);
		expect(await ask()).toEqual([A.content, 'content-2']);
	});
});

describe('a later key', () => {
	const later = (order: string, generation: number): LaterKey => ({ order, generation });
	const last = (generation: number, isCertain = true): LastKey => ({ generation, isCertain });
	const find = async (now = NOW) => [
		...(await openJournal().findLastKeys([A.order, B.order], now)).values(),
	];

	test('is not known of an order that keeps its first', async () => {
		await run([A, B]);

		expect(await find()).toEqual([last(0), last(0)]);
		expect(await find()).toEqual([last(0), last(0)]);
	});

	test('is known from then on, in another process too', async () => {
		await openJournal().noteLaterKeys([later(A.order, 1), later(B.order, 1)], NOW);
		restart();
		await openJournal().noteLaterKeys([later(B.order, 2)], NOW);

		expect(await find()).toEqual([last(1), last(2)]);
		expect(await find()).toEqual([last(1), last(2)]);
	});

	test('counts as long as the service surely knows it, and a day later no more', async () => {
		await openJournal().noteLaterKeys([later(A.order, 1), later(B.order, 1)], NOW);

		expect(await find(NOW + 17 * HOUR_MS)).toEqual([last(1), last(1)]);
		expect(await find(NOW + 25 * HOUR_MS)).toEqual([last(0), last(0)]);
	});

	test('outlives what is known of the first one, which was sent before it', async () => {
		await run([A, B]);
		await openJournal().noteLaterKeys([later(A.order, 1), later(B.order, 1)], NOW + HOUR_MS);
		for (let hours = 1; hours < 24; hours += 1) {
			const now = NOW + hours * HOUR_MS;
			const [state] = await peek([A], now);
			if (state?.kind !== 'inDoubt' || !state.isKeyAlive) continue;
			expect(await find(now)).toEqual([last(1), last(1)]);
		}
		expect.hasAssertions();
	});

	test('is not made up, nor lost, by a question that is cut off', async () => {
		await openJournal().noteLaterKeys([later(A.order, 1)], NOW);
		await killed(3, find);

		expect(await find()).toEqual([last(1), last(0)]);
	});

	test('is uncertain where questions that were cut off have destroyed what was noted', async () => {
		await openJournal().noteLaterKeys([later(A.order, 1)], NOW);
		await killed(3, find);
		await killed(5, find);

		expect(await find()).toEqual([last(0, false), last(0, false)]);
	});

	test('is found where questions that were cut off have destroyed what was noted of any order', async () => {
		await openJournal().noteLaterKeys([later(A.order, 1)], NOW);
		await killed(2, find);
		await killed(3, find);

		expect(await find()).toEqual([last(1), last(0)]);
	});

	test('is asked about in two calls, in which no order is named, where none has one', async () => {
		const before = store.row().length;

		expect(await getCalls(find)).toEqual(['record', 'forget']);
		expect(store.row()).toHaveLength(before);
	});

	test('is forgotten together with its order', async () => {
		const journal = openJournal();
		await journal.begin([A, B], NOW);
		await journal.noteLaterKeys([later(A.order, 1)], NOW);
		await journal.noteLaterKeys([later(A.order, 2), later(B.order, 1)], NOW);
		await journal.end([result(A, 'none'), result(B, 'unknown')]);

		expect(await find()).toEqual([last(0), last(1)]);
	});

	test('of an earlier run is forgotten together with its order', async () => {
		const first = openJournal();
		await first.begin([A, B], NOW);
		await first.noteLaterKeys([later(A.order, 1), later(B.order, 1)], NOW);
		restart();
		const journal = openJournal();
		await journal.begin([A, B], NOW);
		await journal.findLastKeys([A.order, B.order], NOW);
		await journal.end([result(A, 'none'), result(B, 'unknown')]);

		expect(await find()).toEqual([last(0), last(1)]);
	});
});

describe('a key with a stored refusal', () => {
	const key = (changed: Partial<Refusal> = {}): Refusal => ({
		...{ order: A.order, account: A.account, content: 'content-1', generation: 0 },
		...changed,
	});
	/** The same key, for other content. */
	const asked = (changed: Partial<Refusal> = {}) => key({ content: 'content-2', ...changed });
	const KNOWN: UsedUp = { isRefused: true, isDoubtful: false };
	const UNKNOWN: UsedUp = { isRefused: false, isDoubtful: true };

	test('is known from then on, in another process too', async () => {
		await openJournal().noteRefusals([key(), key({ generation: 1 })], NOW);
		restart();

		expect(await openJournal().findUsedUp(asked(), NOW)).toEqual(KNOWN);
		expect(await openJournal().findUsedUp(asked({ generation: 1 }), NOW)).toEqual(KNOWN);
	});

	test.each<[string, Partial<UsedKey>, UsedUp]>([
		['order', { order: B.order }, UNKNOWN],
		['API key', { account: 'account-2' }, UNKNOWN],
		['generation', { generation: 1 }, UNKNOWN],
	])('is not mixed up with that of another %s', async (_what, changed, expected) => {
		await openJournal().noteRefusals([key()], NOW);

		expect(await openJournal().findUsedUp(asked(changed), NOW)).toEqual(expected);
		expect(await openJournal().findUsedUp(asked(changed), NOW)).toEqual(expected);
	});

	test.each(['noteRefusals', 'noteSuspicions'] as const)(
		'says nothing about what the key holds for content that was refused under it as well: %s',
		async (note) => {
			const own = { ...asked(), doubtfulCents: 1001 };
			await openJournal().noteRefusals([key()], NOW);
			await openJournal()[note]([own, { ...own, order: B.order }], NOW);
			restart();

			expect(await openJournal().findUsedUp(own, NOW)).toEqual({
				...UNKNOWN,
				isContradictory: true,
			});
			const third = asked({ content: 'content-3' });
			expect(await openJournal().findUsedUp(third, NOW)).toMatchObject({ isRefused: true });
		},
	);

	test('is reported as known when it is noted again', async () => {
		expect(await openJournal().noteRefusals([key()], NOW)).toEqual([false]);
		restart();

		expect(await openJournal().noteRefusals([key({ generation: 1 }), key()], NOW)).toEqual([
			...[false, true],
		]);
	});

	test('of another API key is not made up by a question that was cut off', async () => {
		await killed(2, async () => await openJournal().findUsedUp(asked(), NOW));
		const other = asked({ account: 'account-2' });
		expect(await openJournal().findUsedUp(other, NOW)).toEqual(UNKNOWN);
		expect(await openJournal().findUsedUp(other, NOW)).toEqual(UNKNOWN);
	});

	test('is known after the order was forgotten, which stays new', async () => {
		const journal = openJournal();
		await journal.begin([A], NOW);
		await journal.noteRefusals([key()], NOW);
		await journal.end([result(A, 'none')]);

		expect(await peek([A])).toEqual([{ kind: 'new' }]);
		expect(await openJournal().findUsedUp(asked(), NOW)).toEqual(KNOWN);
	});

	test('is never made up by a question that is cut off', async () => {
		await killed(2, async () => await openJournal().findUsedUp(asked(), NOW));

		expect(await openJournal().findUsedUp(asked(), NOW)).toEqual(UNKNOWN);
	});

	test('after a lost response says nothing about the key of another order', async () => {
		const other = key({ order: B.order });
		await openJournal().noteRefusals([key({ doubtfulCents: 1001 }), other], NOW);

		expect(await openJournal().findUsedUp(asked({ order: B.order }), NOW)).toEqual(KNOWN);
	});

	test('after a lost response names the amount that may have been paid, and no other', async () => {
		await openJournal().noteRefusals([key({ doubtfulCents: 1001 })], NOW);

		expect(await openJournal().findUsedUp(asked(), NOW)).toEqual({ ...KNOWN, isDoubtful: true });
		expect(await openJournal().mayHavePaid(key(), [2002, 3003])).toBe(false);
		expect(await openJournal().mayHavePaid(key(), [2002, 1001])).toBe(true);
		expect(await openJournal().mayHavePaid(key({ generation: 1 }), [1001])).toBe(false);
	});

	test('may have paid everything where questions that were cut off have destroyed what was noted', async () => {
		await openJournal().noteRefusals([key({ doubtfulCents: 1001 })], NOW);
		for (const call of [2, 3]) {
			await killed(call, async () => await openJournal().mayHavePaid(key(), [2002]));
		}

		expect(await openJournal().mayHavePaid(key(), [2002])).toBe(true);
	});

	describe('for a group of API keys', () => {
		const OTHER = asked({ account: 'account-2' });
		beforeEach(async () => {
			await openJournal().meetKey(A.account, true, async () => ['withdrawal-1']);
			await openJournal().noteRefusals([key()], NOW);
			restart();
		});

		test('is known to another key of the group', async () => {
			const journal = openJournal();
			await journal.meetKey(OTHER.account, true, async () => ['withdrawal-1']);

			expect(await journal.findUsedUp(OTHER, NOW)).toEqual(KNOWN);
		});

		test('is not known to a key of another account, in which nothing was refused', async () => {
			const journal = openJournal();
			await journal.meetKey(OTHER.account, true, async () => ['withdrawal-of-another']);

			expect(await journal.findUsedUp(OTHER, NOW)).toEqual(UNKNOWN);
		});
	});

	test.each(['noteRefusals', 'noteSuspicions'] as const)(
		'does not outlive the key, which %s again makes no younger',
		async (note) => {
			const refusal = { ...key(), doubtfulCents: 1001 };
			const isRefusedAt = async (hours: number) => {
				const { isRefused } = await openJournal().findUsedUp(asked(), NOW + hours * HOUR_MS);
				return isRefused;
			};
			await openJournal()[note]([refusal], NOW);
			await killed(2, async () => await openJournal()[note]([refusal], NOW + 11 * HOUR_MS));
			await openJournal()[note]([refusal], NOW + 12 * HOUR_MS);
			await openJournal()[note]([refusal], NOW + 23 * HOUR_MS);

			expect([await isRefusedAt(0), await isRefusedAt(12)]).toEqual([true, true]);
			expect([await isRefusedAt(24), await isRefusedAt(36)]).toEqual([false, false]);
			// A key that is used again two days later is another one for the service.
			await openJournal()[note]([refusal], NOW + 60 * HOUR_MS);
			expect(await isRefusedAt(60)).toBe(true);
		},
	);
});

describe('the store', () => {
	const orders = (count: number) =>
		Array.from({ length: count }, (_, index) => query(`order-${index}`));

	test.each([1, 4])('is called as often for %o orders as for any other number', async (count) => {
		const effects = async (effect: JournalResult['effect']) => await run(orders(count), effect);
		expect(await getCalls(async () => await effects('none'))).toEqual([
			...['record', 'record'],
			...['record', 'forget'],
		]);
		expect(await getCalls(async () => await effects('unknown'))).toEqual([
			...['record', 'record'],
			'record',
		]);
		expect(await getCalls(async () => await effects('paid'))).toEqual([
			...['record', 'record', 'record', 'forget'],
			'record',
		]);
		expect(await getCalls(async () => await peek(orders(count)))).toEqual([
			...['record', 'record', 'forget'],
		]);
	});

	test('is killed while it forgets very many orders: those that are left are in doubt, and nothing is made up', async () => {
		const many = orders(REMOVED_AT_FIRST / 4);
		await killed(5, async () => await run(many, 'none'));

		const changed = many.map((each) => ({ ...each, content: 'content-2' }));
		const states = await peek(changed);
		const kinds = states.map(({ kind }) => kind);
		expect(new Set(kinds)).toEqual(new Set(['new', 'differs']));
		expect(states.filter(({ kind }) => kind === 'differs')).toEqual(
			kinds.filter((kind) => kind === 'differs').map(() => DIFFERS),
		);
	});

	test('has no more entries for each order than announced', async () => {
		for (const offset of [0, 1, 5]) {
			store = new FakeDeduplication();
			await run(orders(10), 'paid', { now: NOW + offset * HOUR_MS });
			expect(store.row().length).toBeLessThanOrEqual(10 * ENTRIES_PER_ORDER);
		}
	});

	test('remembers as many orders as wanted, and a large run costs none of them', async () => {
		const [old, large] = [orders(60).slice(0, 10), orders(60).slice(10)];
		await run(old, 'paid', { remembered: 60 });
		await run(large, 'paid', { remembered: 60 });
		expect(new Set((await peek([...old, ...large])).map(({ kind }) => kind))).toEqual(
			new Set(['settled']),
		);
	});

	test('forgets the oldest beyond it', async () => {
		for (const each of orders(30)) await run([each], 'paid', { remembered: 10 });
		const kinds = (await peek(orders(30).slice(20))).map(({ kind }) => kind);
		expect(new Set(kinds)).toEqual(new Set(['settled']));
		expect(store.row().length).toBeLessThan(15 * ENTRIES_PER_ORDER);
	});

	test('is not called for nothing', async () => {
		const journal = openJournal();
		expect(await journal.begin([], NOW)).toEqual([]);
		expect(await journal.identify([])).toEqual([]);
		await journal.end([]);
		expect(store.calls).toEqual([]);
	});
});

describe('whatever happens, in any order, with kills at any call', () => {
	interface Step {
		items: Array<{ reference: number; content: number; account: number; effect: Effect }>;
		hoursLater: number;
		kill: { call: number; moment: FailureMoment } | null;
	}
	/** What a sending really does, and whether the run learns of it. */
	type Effect = 'paid' | 'none' | 'lostPaid' | 'lostNone';

	/** What is true about an order, as an observer of the service sees it. */
	interface Truth {
		isPaid: boolean;
		/** Sent, and not reported as without effect since. */
		mayBeSent: boolean;
		/** What was sent, or is to be looked for. */
		content?: string;
		/** What the store may contain of attempts that were killed before they might send. */
		attempted: Set<string>;
		accounts: Set<string>;
		aliveUntil: number;
		/** Questions in a row that were cut off: about each content, and about the order itself. */
		interruptions: Map<string, number>;
	}

	const step: fc.Arbitrary<Step> = fc.record({
		items: fc.uniqueArray(
			fc.record({
				reference: fc.integer({ min: 0, max: 2 }),
				content: fc.integer({ min: 0, max: 1 }),
				account: fc.integer({ min: 0, max: 1 }),
				effect: fc.constantFrom<Effect>('paid', 'none', 'lostPaid', 'lostNone'),
			}),
			{ minLength: 1, maxLength: 3, selector: ({ reference }) => reference },
		),
		hoursLater: fc.integer({ min: 0, max: 30 }),
		kill: fc.option(
			fc.record({
				call: fc.integer({ min: 1, max: 9 }),
				moment: fc.constantFrom<FailureMoment>('before', 'after'),
			}),
		),
	});

	const newTruth = (): Truth => ({
		isPaid: false,
		mayBeSent: false,
		attempted: new Set(),
		accounts: new Set(),
		aliveUntil: -Infinity,
		interruptions: new Map(),
	});

	async function live(steps: readonly Step[]): Promise<void> {
		store = new FakeDeduplication();
		restart();
		const truths = Array.from({ length: 3 }, newTruth);
		let now = NOW;
		for (const { items, hoursLater, kill } of steps) {
			now += hoursLater * HOUR_MS;
			const asked = items.map((item) => ({
				...item,
				truth: truths[item.reference]!,
				query: query(`order-${item.reference}`, {
					content: `content-${item.content}`,
					account: `account-${item.account}`,
				}),
			}));
			store.failAt(kill?.call, kill?.moment);
			const journal = openJournal();
			let states: JournalState[];
			try {
				states = await journal.begin(
					asked.map((each) => each.query),
					now,
				);
			} catch {
				for (const { truth, query: tried } of asked) noteAttempt(truth, tried, now);
				restart();
				continue;
			}
			const results = asked.flatMap(({ truth, query: each, effect }, index) => {
				judge(states[index]!, truth, each, now);
				return act(states[index]!, truth, each, effect, now);
			});
			const forgotten = asked.filter(({ query: each }, index) => {
				const state = states[index]!;
				const isVisible = state.kind !== 'inDoubt' || state.isSameAccount;
				const known = results.find(({ order }) => order === each.order);
				return isVisible && known?.effect === 'none';
			});
			for (const { truth } of forgotten) {
				truth.mayBeSent = false;
				if (truth.content !== undefined) truth.attempted.add(truth.content);
				delete truth.content;
			}
			try {
				await journal.end(results);
				for (const { truth, query: each } of forgotten) {
					const { interruptions } = truth;
					for (const topic of [each.content, 'order']) interruptions.delete(topic);
					Object.assign(truth, { ...newTruth(), interruptions });
				}
			} catch {
				for (const { truth, query: each } of asked) noteInterruption(truth, each);
				restart();
			}
		}
		store.failAt();
	}

	function noteInterruption({ interruptions }: Truth, { content }: JournalQuery): void {
		for (const topic of [content, 'order']) {
			interruptions.set(topic, (interruptions.get(topic) ?? 0) + 1);
		}
	}

	function noteAttempt(truth: Truth, tried: JournalQuery, now: number): void {
		noteInterruption(truth, tried);
		if (truth.mayBeSent) return;
		truth.attempted.add(tried.content);
		truth.accounts.add(tried.account);
		truth.aliveUntil = now + 24 * HOUR_MS;
	}

	function judge(state: JournalState, truth: Truth, asked: JournalQuery, now: number): void {
		const isOther = truth.content !== undefined && truth.content !== asked.content;
		const { interruptions } = truth;
		if ([asked.content, 'order'].every((topic) => (interruptions.get(topic) ?? 0) < 2)) {
			// A single interruption is survived without any loss.
			if (truth.mayBeSent) {
				expect(state.kind).toBe(isOther ? 'differs' : truth.isPaid ? state.kind : 'inDoubt');
			}
			if (state.kind === 'differs') expect(state.isCertain).toBe(true);
		}
		if (state.kind === 'new') {
			expect(truth).toMatchObject({ isPaid: false, mayBeSent: false });
		}
		if (state.kind === 'settled') expect(truth.isPaid).toBe(true);
		if (state.kind !== 'differs') expect(isOther).toBe(false);
		if (state.kind === 'differs' && state.isCertain) {
			expect(isOther || [...truth.attempted].some((each) => each !== asked.content)).toBe(true);
		}
		if (state.kind === 'inDoubt') {
			if (state.isKeyAlive) expect(now).toBeLessThan(truth.aliveUntil);
			// Where nothing was sent yet, the account asked for becomes its account.
			if (!truth.mayBeSent) truth.accounts.add(asked.account);
			else if (state.isSameAccount) expect(truth.accounts).toContain(asked.account);
		}
		if (state.kind !== 'differs' || state.isCertain) interruptions.delete(asked.content);
		if (state.kind === 'differs' && state.isCertain) interruptions.delete('order');
	}

	/** What the node does with a state, with a perfect look into the list where it is in doubt. */
	function act(
		state: JournalState,
		truth: Truth,
		asked: JournalQuery,
		effect: Effect,
		now: number,
	): JournalResult[] {
		if (state.kind === 'differs') return [];
		if (state.kind === 'settled' || truth.isPaid) return [result(asked, 'paid')];
		if (state.kind === 'new') {
			truth.accounts = new Set([asked.account]);
			truth.aliveUntil = now + 24 * HOUR_MS;
		}
		truth.mayBeSent = true;
		truth.content = asked.content;
		truth.isPaid = effect === 'paid' || effect === 'lostPaid';
		return [result(asked, effect === 'paid' || effect === 'none' ? effect : 'unknown')];
	}

	test('nothing is said that is not so', async () => {
		await fc.assert(fc.asyncProperty(fc.array(step, { minLength: 2, maxLength: 12 }), live), {
			numRuns: countCases(200),
		});
	});

	test('a payout that is known to be paid stays settled', async () => {
		await fc.assert(
			fc.asyncProperty(
				fc.constantFrom(...([1, 2, 3, 4, 5] as const)),
				fc.constantFrom<FailureMoment>('before', 'after'),
				async (call, moment) => {
					store = new FakeDeduplication();
					await run([A, B], 'paid');
					store.failAt(call, moment);
					await run([A, B], 'paid').catch(() => undefined);
					store.failAt();
					restart();
					expect(await peek([A, B])).toEqual([SETTLED, SETTLED]);
				},
			),
			{ numRuns: 50 },
		);
	});
});
