import type { IContextObject } from 'n8n-workflow';
import type { ExecutionFacts } from '../../../../../nodes/shared/orders/executionIdentity';
import { keyOfGeneration } from '../../../../../nodes/shared/orders/key';
import { EXPIRY_MARGIN_MS, KEY_LIFETIME_MS } from '../../../../../nodes/shared/orders/keyExpiry';
import { Order, type OrderKind } from '../../../../../nodes/shared/orders/order';
import {
	getLastAccount,
	OrderMemory,
	type OrderRecord,
} from '../../../../../nodes/shared/orders/orderMemory';
import type { Effect } from '../../../../../nodes/shared/retry/errors';
import { refused, silent } from '../../../support/failedRequest';
import { savedAndLoaded } from '../../../support/nodeContext';
import { getRefusal } from '../../../support/refusal';

const NOW = Date.parse('2026-11-21T12:00:00Z');
const SAFE_MS = KEY_LIFETIME_MS - EXPIRY_MARGIN_MS;
const ID = '3fa85f64-5717-4562-b3fc-2c963f66afa6';
const OTHER_ID = '3fa85f64-5717-4562-b3fc-2c963f66afa7';
const KEY = 'n8n-key-1';

interface Opening {
	kind?: OrderKind;
	facts?: Partial<ExecutionFacts>;
	allowLate?: boolean;
	record?: Partial<OrderRecord>;
	/** As saved by an earlier run. */
	saved?: IContextObject;
	/** Names the API key in use. */
	readonly account?: string;
	/** Further orders of the execution. */
	readonly others?: readonly OrderRecord[];
}

/** An order of an execution that began now. It was not sent yet, unless an earlier run is given. */
const open = ({
	kind = 'automatic',
	facts = {},
	allowLate = false,
	record = {},
	saved,
	account = 'account-1',
	others = [],
}: Opening = {}) => {
	const executionContext = saved ?? {};
	const node = { id: 'node-1', name: 'Pay' };
	const memory = new OrderMemory(
		executionContext,
		node,
		0,
		{ executionId: '101', mode: 'trigger' },
		() => 'execution-1',
	);
	for (const other of others) memory.store(other);
	const known = memory.find(KEY) ?? {
		key: KEY,
		content: 'content-1',
		account: 'account-1',
		generation: 0,
		...record,
	};
	const order = new Order(
		kind,
		kind === 'reference' ? { shown: 'NF-1', value: 'NF-1', isNormalized: false } : undefined,
		known,
		memory,
		{
			executionId: '101',
			mode: 'trigger',
			isStartedByHand: false,
			establishedAt: NOW,
			delivery: undefined,
			isSubExecution: false,
			isAgentTool: false,
			...facts,
		},
		{ allowLate, account },
		saved === undefined ? 'new' : 'bound',
	);
	return { order, saved: () => savedAndLoaded(executionContext) };
};

/** An attempt that ends without success. */
const fail = (order: Order, effect: Effect, at = NOW) => {
	const outcome = effect === 'unknown' ? silent('timeout') : refused('INSUFFICIENT_BALANCE');
	order.noteOutcome(outcome, effect, at);
};

/** The same order as a retry of the execution finds it. */
const reopen = ({ saved }: ReturnType<typeof open>, changed: Opening = {}) =>
	open({ facts: { mode: 'retry' }, ...changed, saved: saved() });

describe('the key', () => {
	test('is the one that is bound to the order', () => {
		expect(open().order.key).toBe(KEY);
	});

	test('moves on, and is remembered before anything can be sent under it', () => {
		const opened = open();
		opened.order.useNextKey();

		expect(opened.order.key).toBe(keyOfGeneration(KEY, 1));
		expect(reopen(opened).order.key).toBe(opened.order.key);
		expect(reopen(opened).order.generation).toBe(1);
	});

	test('moves on where nothing took effect under it, so nothing is in doubt any more', () => {
		const opened = open();
		fail(opened.order, 'unknown');
		opened.order.noteUsedUp();
		opened.order.useNextKey();

		expect(opened.order.isUnclear).toBe(false);
		expect(reopen(opened).order.isUnclear).toBe(false);
	});

	test('that was refused for good stays in this execution, which a retry can tell', () => {
		const opened = open();
		opened.order.beforeAttempt(NOW);
		opened.order.noteUsedUp();

		expect(opened.order.key).toBe(KEY);
		expect(opened.order.generation).toBe(0);
		expect(reopen(opened).order.record).toMatchObject({ generation: 0, usedUpIn: '101' });
	});
});

describe('the first use of the key', () => {
	test('is unknown until the order is sent', () => {
		const { order } = open();

		expect(order.firstUsedAt).toBeUndefined();
		expect(order.retrySafeUntil).toBeUndefined();
		expect(order.isAlive(NOW)).toBe(false);
		expect(order.wasSent).toBe(false);
	});

	test('is the first attempt, and later ones do not prolong it', () => {
		const { order } = open();
		order.beforeAttempt(NOW);
		order.beforeAttempt(NOW + 5_000);

		expect(order.firstUsedAt).toBe(NOW);
		expect(order.retrySafeUntil).toBe(NOW + SAFE_MS);
		expect(order.firstSentInRunAt).toBe(NOW);
	});

	test('is stored before the attempt, so that a crash during it is known afterwards', () => {
		const opened = open();
		opened.order.beforeAttempt(NOW);
		const { order } = reopen(opened);

		expect(order.wasSent).toBe(true);
		expect(order.retrySafeUntil).toBe(NOW + SAFE_MS);
		expect(order.firstSentInRunAt).toBeUndefined();
	});

	test('may be as old as the execution where a retry has no record', () => {
		const { order } = open({ facts: { mode: 'retry', establishedAt: NOW - 60_000 } });
		order.beforeAttempt(NOW);

		expect(order.firstUsedAt).toBe(NOW - 60_000);
		expect(order.firstSentInRunAt).toBe(NOW);
	});

	test("of the user's own key promises nothing: another execution may have used it", () => {
		const { order } = open({ kind: 'ownKey' });
		order.beforeAttempt(NOW);

		expect(order.firstUsedAt).toBe(NOW);
		expect(order.retrySafeUntil).toBeUndefined();
		expect(order.hasOwnKey).toBe(true);
	});

	test('of an adopted key is that of the item that came back', () => {
		const { order } = open({
			kind: 'adopted',
			record: { firstUsedAt: NOW - 60_000, sent: true, unclear: NOW },
		});
		order.beforeAttempt(NOW);

		expect(order.retrySafeUntil).toBe(NOW - 60_000 + SAFE_MS);
	});
});

describe('an attempt after the life of the key', () => {
	const LATE = NOW + SAFE_MS;
	const lost = () => {
		const opened = open();
		opened.order.beforeAttempt(NOW);
		fail(opened.order, 'unknown');
		return opened;
	};

	test('is refused where an earlier one may have taken effect', () => {
		const { order } = reopen(lost());

		expect(() => order.beforeAttempt(LATE - 1)).not.toThrow();
		expect(getRefusal(() => order.beforeAttempt(LATE)).effect).toBe('unknown');
	});

	test('is refused within the run that sent it, too', () => {
		const { order } = lost();

		expect(getRefusal(() => order.beforeAttempt(LATE)).effect).toBe('unknown');
	});

	test('is allowed where the user allows it', () => {
		const { order } = reopen(lost(), { allowLate: true });

		expect(() => order.beforeAttempt(LATE)).not.toThrow();
	});

	test('begins another life where the earlier one surely had no effect', () => {
		const opened = open();
		opened.order.beforeAttempt(NOW);
		fail(opened.order, 'none');
		const { order } = reopen(opened);
		order.beforeAttempt(LATE);

		expect(order.retrySafeUntil).toBe(LATE + SAFE_MS);
	});

	test('begins another life where a look-up found no effect', () => {
		const { order } = reopen(lost());
		order.noteLookedUp();
		order.beforeAttempt(LATE);

		expect(order.isUnclear).toBe(false);
		expect(order.retrySafeUntil).toBe(LATE + SAFE_MS);
	});

	test('is refused to a retry without record, whose first attempt may be as old as the execution', () => {
		const { order } = open({ facts: { mode: 'retry', establishedAt: NOW - KEY_LIFETIME_MS } });

		expect(getRefusal(() => order.beforeAttempt(NOW)).effect).toBe('unknown');
	});
});

describe('what an attempt showed about the effect', () => {
	const after = (...effects: Array<'none' | 'notReached' | 'unknown'>) => {
		const opened = open();
		opened.order.beforeAttempt(NOW);
		for (const effect of effects) fail(opened.order, effect);
		expect(reopen(opened).order.isUnclear).toBe(opened.order.isUnclear);
		return opened.order.isUnclear;
	};

	test('is that it is unknown, after a lost response, also in a retry', () => {
		expect(after('unknown')).toBe(true);
	});

	test.each(['none', 'notReached'] as const)('is that nothing happened, after %s', (effect) => {
		expect(after(effect)).toBe(false);
	});

	test.each(['none', 'notReached'] as const)(
		'stays unknown after a refusal (%s), which says nothing about the lost response before it',
		(effect) => {
			expect(after('unknown', effect)).toBe(true);
		},
	);

	test('is that it is unknown since the last attempt that may have taken effect', () => {
		const opened = open();
		opened.order.beforeAttempt(NOW);
		fail(opened.order, 'unknown', NOW + 1_000);
		fail(opened.order, 'unknown', NOW + 2_000);
		fail(opened.order, 'none', NOW + 3_000);

		expect(reopen(opened).order.record.unclear).toBe(NOW + 2_000);
	});
});

describe('a success', () => {
	const done = (body: unknown = { id: ID, pixKey: 'maria@customer.example' }) => {
		const opened = open();
		opened.order.beforeAttempt(NOW);
		fail(opened.order, 'unknown');
		opened.order.noteSuccess(NOW + 2_000, body);
		return opened;
	};

	test('is remembered with its ID, and is not in doubt any more', () => {
		const { order } = reopen(done());

		expect(order.isDone).toBe(true);
		expect(order.doneId).toBe(ID);
		expect(order.isUnclear).toBe(false);
	});

	test('is remembered as what it was first', () => {
		const { order } = reopen(done());
		order.noteSuccess(NOW + 4_000, { id: OTHER_ID });

		expect(order.doneId).toBe(ID);
		expect(order.record.doneAt).toBe(NOW + 2_000);
	});

	test.each([
		['a lost response', (order: Order) => fail(order, 'unknown')],
		['a refusal', (order: Order) => fail(order, 'none')],
		['a look-up that found nothing', (order: Order) => order.noteLookedUp()],
	])('is not undone by %s', (_, happens) => {
		const { order } = reopen(done());
		happens(order);

		expect(order.isDone).toBe(true);
		expect(order.isUnclear).toBe(false);
		expect(order.firstUsedAt).toBe(NOW);
	});

	test.each([null, {}, 'w1', { id: 7 }, { id: 'maria@customer.example' }])(
		'is remembered without an ID where %o shows none',
		(body) => {
			const { order } = reopen(done(body));

			expect([order.isDone, order.doneId]).toEqual([true, undefined]);
		},
	);

	test('leaves nothing of the response but its ID', () => {
		expect(JSON.stringify(done().saved())).not.toContain('maria');
	});

	test('with the ID of another order of this execution is none: it stays in doubt', () => {
		const others = [
			{ key: 'n8n-key-2', content: 'content-2', account: 'account-1', generation: 0, doneId: ID },
		];
		const { order } = open({ others });
		order.beforeAttempt(NOW);
		order.noteSuccess(NOW + 2_000, { id: ID });

		expect([order.isDone, order.doneId]).toEqual([false, undefined]);
		expect(order.record.unclear).toBe(NOW + 2_000);
	});

	test('keeps what cannot be read again', () => {
		const opened = done();
		opened.order.noteAnswer({ checkoutUrl: 'https://pay.example.com/c/1' });

		expect(reopen(opened).order.record.answer).toEqual({
			checkoutUrl: 'https://pay.example.com/c/1',
		});
	});

	test('is known to the agent only where an agent asked', () => {
		expect(done().order.record.agentKnows).toBeUndefined();

		const { order } = open({ facts: { isAgentTool: true } });
		order.noteSuccess(NOW, { id: ID });

		expect(order.record.agentKnows).toBe(true);
	});
});

test('remembers the API key that it was last sent with', () => {
	const opened = open();
	opened.order.beforeAttempt(NOW);
	expect(getLastAccount(opened.order.record)).toBe('account-1');

	const again = reopen(opened, { account: 'account-2' });
	expect(getLastAccount(again.order.record)).toBe('account-1');
	again.order.beforeAttempt(NOW);
	expect(getLastAccount(again.order.record)).toBe('account-2');

	const back = reopen(again);
	back.order.beforeAttempt(NOW);
	expect(getLastAccount(back.order.record)).toBe('account-1');
});

test.each<[OrderKind, boolean]>([
	['ownKey', true],
	['automatic', false],
])('of the kind %s has an own key: %o', (kind, expected) => {
	expect(open({ kind }).order.hasOwnKey).toBe(expected);
});

test('that others send under their key is as old as its first attempt, and counts as sent', () => {
	const opened = open({ kind: 'reference' });
	opened.order.noteSent(NOW);
	opened.order.noteSent(NOW + 5_000);
	const { order } = reopen(opened, { kind: 'reference' });

	expect([order.wasSent, order.firstUsedAt]).toEqual([true, NOW]);
});

test('that was found to have taken effect counts as sent', () => {
	const { order } = open();
	order.noteSuccess(NOW, { id: ID });

	expect(order.wasSent).toBe(true);
});

test('is as old as its first attempt, however long before the execution began', () => {
	const { order } = open({ facts: { establishedAt: NOW - KEY_LIFETIME_MS } });
	order.beforeAttempt(NOW);

	expect(order.record.firstUsedAt).toBe(NOW);
});

test('of a retry without a record may be sent once a look-up has found nothing, and is new then', () => {
	const { order } = open({ facts: { mode: 'retry', establishedAt: NOW - 2 * KEY_LIFETIME_MS } });
	order.noteLookedUp();
	order.beforeAttempt(NOW);

	expect(order.record.firstUsedAt).toBe(NOW);
});
