import type { IContextObject } from 'n8n-workflow';
import type { ExecutionFacts } from '../../../../../nodes/shared/orders/executionIdentity';
import { KEY_LIFE_MS } from '../../../../../nodes/shared/orders/key';
import { DAY_MS } from '../../../../../nodes/shared/text/time';
import {
	Order,
	type OrderKind,
	type OrderRecord,
	type OrderState,
} from '../../../../../nodes/shared/orders/order';
import { OrderMemory } from '../../../../../nodes/shared/orders/orderMemory';
import type { Effect } from '../../../../../nodes/shared/retry/errors';
import { refused, silent } from '../../../support/failedRequest';
import { savedAndLoaded } from '../../../support/nodeContext';
import { getRefusal } from '../../../support/refusal';

const NOW = Date.parse('2026-11-21T12:00:00Z');
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
	readonly keyId?: string;
	/** Further orders of the execution. */
	readonly others?: readonly OrderRecord[];
	/** Its memory began in a retry. */
	readonly isPartial?: boolean;
}

/** An order of an execution that began now. It was not sent yet, unless an earlier run is given. */
const open = ({
	kind = 'automatic',
	facts = {},
	allowLate = false,
	record = {},
	saved,
	keyId = 'key-id-1',
	others = [],
	isPartial = false,
}: Opening = {}) => {
	const executionContext = saved ?? {};
	const node = { id: 'node-1', name: 'Pay' };
	const memory = new OrderMemory(
		executionContext,
		node,
		'run-1',
		{ mode: isPartial ? 'retry' : 'trigger' },
		() => 'execution-1',
	);
	for (const other of others) memory.store(other);
	const known = memory.find(KEY) ?? {
		key: KEY,
		content: 'content-1',
		keyId: 'key-id-1',
		state: 'new',
		generation: 0,
		...record,
	};
	memory.store(known);
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
			run: 'run-1',
			...facts,
		},
		{ allowLate, keyId },
		'none',
	);
	return { order, saved: () => savedAndLoaded(executionContext) };
};

/** An attempt that ends without success. */
const fail = (order: Order, effect: Effect, at = NOW) => {
	const outcome = effect === 'unknown' ? silent('timeout') : refused('INSUFFICIENT_BALANCE');
	order.recordOutcome(outcome, effect, at);
};

/** The same order as a retry of the execution finds it. */
const reopen = ({ saved }: ReturnType<typeof open>, changed: Opening = {}) =>
	open({ facts: { mode: 'retry' }, ...changed, saved: saved() });

/** What may happen to an order. */
const EVENTS = {
	attempt: (order: Order) => order.beforeAttempt(NOW),
	'no answer': (order: Order) => fail(order, 'unknown', NOW + 1_000),
	refusal: (order: Order) => fail(order, 'none', NOW + 1_000),
	'not reached': (order: Order) => fail(order, 'notReached', NOW + 1_000),
	'kept refusal': (order: Order) => order.recordUsedUp(),
	success: (order: Order) => order.recordSuccess(NOW + 1_000, { id: ID }),
	"another order's withdrawal": (order: Order) =>
		order.recordSuccess(NOW + 1_000, { id: OTHER_ID }),
	'absent from the list': (order: Order) => order.recordAbsent(),
	disputed: (order: Order) => order.recordDisputed(NOW + 1_000),
};
const OTHER = {
	key: 'n8n-key-2',
	content: 'content-2',
	keyId: 'key-id-1',
	generation: 0,
	state: 'done',
	doneId: OTHER_ID,
} as const;

describe('the states of an order', () => {
	test.each<[OrderState, keyof typeof EVENTS, OrderState]>([
		['new', 'attempt', 'sent'],
		['new', 'absent from the list', 'sent'],
		['sent', 'attempt', 'sent'],
		['sent', 'refusal', 'sent'],
		['sent', 'not reached', 'sent'],
		['sent', 'kept refusal', 'sent'],
		['sent', 'no answer', 'unclear'],
		['sent', 'success', 'done'],
		['sent', "another order's withdrawal", 'unclear'],
		['unclear', 'attempt', 'unclear'],
		['unclear', 'refusal', 'unclear'],
		['unclear', 'not reached', 'unclear'],
		['unclear', 'no answer', 'unclear'],
		['unclear', 'kept refusal', 'sent'],
		['unclear', 'absent from the list', 'sent'],
		['unclear', 'success', 'done'],
		['unclear', "another order's withdrawal", 'unclear'],
		['done', 'no answer', 'done'],
		['done', 'refusal', 'done'],
		['done', 'kept refusal', 'done'],
		['done', 'absent from the list', 'done'],
		['done', 'disputed', 'unclear'],
	])('%s, %s: %s, also after n8n has saved the execution', (from, event, to) => {
		const opened = open({ record: { state: from, firstUsedAt: NOW }, others: [OTHER] });
		EVENTS[event](opened.order);

		expect(opened.order.record.state).toBe(to);
		expect(reopen(opened).order.record).toEqual(opened.order.record);
		expect(opened.order.record.lastTriedAt !== undefined).toBe(
			to === 'unclear' && !['attempt', 'refusal', 'not reached'].includes(event),
		);
	});

	test('new, attempt: unclear in a retry that does not know what was sent before', () => {
		const { order } = open({ isPartial: true, facts: { mode: 'retry' } });
		order.beforeAttempt(NOW);
		fail(order, 'none');

		expect(order.record).toMatchObject({ state: 'unclear', lastTriedAt: NOW });
	});
});

describe('the key', () => {
	test.each<[OrderKind, boolean]>([
		['ownKey', true],
		['automatic', false],
	])('of the kind %s is an own key: %o', (kind, expected) => {
		expect(open({ kind }).order.hasOwnKey).toBe(expected);
	});

	test('counts with the API key that it was last sent with', () => {
		const opened = open();
		opened.order.beforeAttempt(NOW);
		const again = reopen(opened, { keyId: 'key-id-2' });
		expect(again.order.record.keyId).toBe('key-id-1');

		again.order.beforeAttempt(NOW);
		expect(again.order.record.keyId).toBe('key-id-2');
	});
});

describe('the first use of the key', () => {
	test('is unknown until the order is sent', () => {
		const { order } = open();

		expect([order.firstUsedAt, order.retrySafeUntil]).toEqual([undefined, undefined]);
	});

	test('is the first attempt, and later ones do not prolong it', () => {
		const opened = open();
		opened.order.beforeAttempt(NOW);
		opened.order.beforeAttempt(NOW + 5_000);

		expect(opened.order.firstSentInRunAt).toBe(NOW);
		expect(reopen(opened).order.retrySafeUntil).toBe(NOW + KEY_LIFE_MS);
	});

	test('is the first attempt, however long before the execution began', () => {
		const { order } = open({ facts: { establishedAt: NOW - DAY_MS } });
		order.beforeAttempt(NOW);

		expect(order.firstUsedAt).toBe(NOW);
	});

	test('may be as old as the execution if a retry has no record', () => {
		const { order } = open({ facts: { mode: 'retry', establishedAt: NOW - 60_000 } });
		order.beforeAttempt(NOW);

		expect([order.firstUsedAt, order.firstSentInRunAt]).toEqual([NOW - 60_000, NOW]);
	});

	test('of a reference is its first attempt', () => {
		const opened = open({ kind: 'reference' });
		opened.order.recordSent(NOW);
		opened.order.recordSent(NOW + 5_000);

		expect(reopen(opened).order.record).toMatchObject({ state: 'sent', firstUsedAt: NOW });
	});
});

describe('an attempt after the life of the key', () => {
	const LATE = NOW + KEY_LIFE_MS;
	const UNCLEAR = { state: 'unclear', firstUsedAt: NOW, lastTriedAt: NOW } as const;

	test('is refused if an earlier one may have taken effect', () => {
		const { order } = open({ record: UNCLEAR });

		expect(() => order.beforeAttempt(LATE - 1)).not.toThrow();
		const { message, remedy, effect } = getRefusal(() => order.beforeAttempt(LATE));
		expect(effect).toBe('unknown');
		expect(message).toBe(
			'This was first sent on 2026-11-21 09:00 (Brasília time), and the server recognizes a repetition for 24 hours only',
		);
		expect(remedy).toMatch(/^Nothing was sent\. Check whether it already took effect/);
	});

	test('is refused if nobody knows when that was', () => {
		const { order } = open({ record: { ...UNCLEAR, firstUsedAt: undefined } });

		expect(getRefusal(() => order.beforeAttempt(NOW)).message).toContain('not known when that was');
	});

	test('is allowed if the user allows it', () => {
		const { order } = open({ record: UNCLEAR, allowLate: true });

		expect(() => order.beforeAttempt(LATE)).not.toThrow();
	});

	test('begins another life if the earlier one certainly had no effect', () => {
		const { order } = open({ record: { state: 'sent', firstUsedAt: NOW } });
		order.beforeAttempt(LATE);

		expect(order.retrySafeUntil).toBe(LATE + KEY_LIFE_MS);
	});

	test('is refused to a retry without record, whose first attempt may be as old as the execution', () => {
		const { order } = open({ facts: { mode: 'retry', establishedAt: NOW - DAY_MS } });

		const { message, effect } = getRefusal(() => order.beforeAttempt(NOW));
		expect(effect).toBe('unknown');
		expect(message).toMatch(/^This execution started on 2026-11-20 09:00 /);
	});

	test.each<[string, boolean, ExecutionFacts['mode'], Partial<OrderRecord>]>([
		['by hand with a live key', true, 'manual', { isLive: true }],
		['by hand with a test key', false, 'manual', {}],
		['by a trigger', false, 'trigger', { isLive: true }],
		['by hand, and was sent without effect', false, 'manual', { isLive: true, state: 'sent' }],
	])('of an old event, run again %s, is refused: %o', (_, isRefused, mode, record) => {
		const delivery = { subject: 'signed:tx-1:PAID', receivedAt: NOW - DAY_MS };
		const { order } = open({ facts: { mode, delivery }, record });

		if (!isRefused) return expect(() => order.beforeAttempt(NOW)).not.toThrow();
		expect(getRefusal(() => order.beforeAttempt(NOW)).message).toMatch(
			/^The event that is run again arrived on 2026-11-20 09:00 /,
		);
	});

	test('of an event that is run again is allowed if nothing shows when it arrived', () => {
		const delivery = { subject: 'signed:tx-1:PAID', receivedAt: undefined };
		const { order } = open({ facts: { mode: 'manual', delivery }, record: { isLive: true } });

		expect(() => order.beforeAttempt(NOW)).not.toThrow();
	});

	test('is refused to a retry without record on an n8n that does not say how old the execution is', () => {
		const { order } = open({ facts: { mode: 'retry', establishedAt: undefined } });

		expect(getRefusal(() => order.beforeAttempt(NOW)).message).toMatch(
			/^This is a retried execution, and it is not known whether/,
		);
	});

	test.each<[string, Opening]>([
		['an unclear one', { record: UNCLEAR }],
		['one of a retry without a record', { facts: { mode: 'retry', establishedAt: NOW - DAY_MS } }],
	])('begins another life if the list does not show it: %s', (_, given) => {
		const { order } = open(given);
		order.recordAbsent();
		order.beforeAttempt(LATE);

		expect(order.retrySafeUntil).toBe(LATE + KEY_LIFE_MS);
	});
});

describe('a success', () => {
	const done = (body: unknown = { id: ID, pixKey: 'maria@customer.example' }) => {
		const opened = open();
		opened.order.beforeAttempt(NOW);
		opened.order.recordSuccess(NOW + 2_000, body);
		return opened;
	};

	test('is remembered as what it was first', () => {
		const { order } = reopen(done());
		order.recordSuccess(NOW + 4_000, { id: OTHER_ID });

		expect(order.doneId).toBe(ID);
	});

	test.each([null, {}, 'w1', { id: 7 }, { id: 'maria@customer.example' }])(
		'is remembered without an ID if %o shows none',
		(body) => {
			const { order } = reopen(done(body));

			expect([order.isDone, order.doneId]).toEqual([true, undefined]);
		},
	);

	test('leaves nothing of the response but its ID, and what cannot be read again', () => {
		const opened = done();
		opened.order.recordAnswer({ checkoutUrl: 'https://pay.example.com/c/1' });

		expect(JSON.stringify(opened.saved())).not.toContain('maria');
		expect(reopen(opened).order.record.answer).toEqual({
			checkoutUrl: 'https://pay.example.com/c/1',
		});
	});
});

test('what was paid before the execution is done, and counts in none of its sums', () => {
	const opened = open({ record: { cents: 1_000 } });
	opened.order.recordPaidBefore(ID);

	const { record } = reopen(opened).order;
	expect([record.state, record.doneId, record.cents]).toEqual(['done', ID, undefined]);
});
