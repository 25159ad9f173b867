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
import { refused, silent } from '../../../support/failedRequest';
import { savedAndLoaded } from '../../../support/nodeContext';
import { getRefusal } from '../../../support/refusal';

const NOW = Date.parse('2026-11-21T12:00:00Z');
const LATE = NOW + KEY_LIFE_MS;
const ID = '3fa85f64-5717-4562-b3fc-2c963f66afa6';
const OTHER_ID = '3fa85f64-5717-4562-b3fc-2c963f66afa7';

/** Of an order that was not sent; tests change one aspect. */
const RECORD: OrderRecord = {
	key: 'n8n-key-1',
	content: 'content-1',
	keyId: 'key-id-1',
	state: 'new',
	generation: 0,
};
const OTHER: OrderRecord = { ...RECORD, key: 'n8n-key-2', state: 'done', doneId: OTHER_ID };

interface Opening {
	kind?: OrderKind;
	facts?: Partial<ExecutionFacts>;
	allowLate?: boolean;
	record?: Partial<OrderRecord>;
	/** As saved by an earlier run. */
	saved?: IContextObject;
	/** Names the API key in use. */
	readonly keyId?: string;
	/** Its memory began in a retry. */
	readonly isPartial?: boolean;
}

/** An order of an execution that began now, in which another one is done. */
const open = ({
	kind = 'automatic',
	facts = {},
	allowLate = false,
	record = {},
	saved = {},
	keyId = RECORD.keyId,
	isPartial = false,
}: Opening = {}) => {
	const node = { id: 'node-1', name: 'Pay' };
	const mode = isPartial ? 'retry' : 'trigger';
	const memory = new OrderMemory(saved, node, 'run-1', { mode }, () => 'execution-1');
	const known = memory.find(RECORD.key) ?? { ...RECORD, ...record };
	memory.store(OTHER);
	memory.store(known);
	const order = new Order(
		kind,
		undefined,
		known,
		memory,
		{ executionId: '101', mode: 'trigger', establishedAt: NOW, ...facts } as ExecutionFacts,
		{ allowLate, keyId },
		'none',
	);
	return { order, saved: () => savedAndLoaded(saved) };
};

/** The same order as a retry of the execution finds it. */
const reopen = ({ saved }: ReturnType<typeof open>, changed: Opening = {}) =>
	open({ facts: { mode: 'retry' }, ...changed, saved: saved() });

/** What may happen to an order. */
const EVENTS = {
	attempt: (order: Order) => order.beforeAttempt(NOW),
	'no answer': (order: Order) => order.recordOutcome(silent('timeout'), 'unknown', NOW + 1_000),
	refusal: (order: Order) => order.recordOutcome(refused('NOT_FOUND'), 'none', NOW + 1_000),
	'not reached': (order: Order) => order.recordOutcome(refused('X'), 'notReached', NOW + 1_000),
	'kept refusal': (order: Order) => order.recordUsedUp(),
	success: (order: Order) => order.recordSuccess(NOW + 1_000, { id: ID }),
	"another order's withdrawal": (order: Order) =>
		order.recordSuccess(NOW + 1_000, { id: OTHER_ID }),
	'absent from the list': (order: Order) => order.recordAbsent(),
	disputed: (order: Order) => order.recordDisputed(NOW + 1_000),
};

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
		const opened = open({ record: { state: from, firstUsedAt: NOW } });
		EVENTS[event](opened.order);

		expect(opened.order.record.state).toBe(to);
		expect(reopen(opened).order.record).toEqual(opened.order.record);
		expect(opened.order.record.lastTriedAt !== undefined).toBe(
			to === 'unclear' && !['attempt', 'refusal'].includes(event),
		);
	});

	test('new, attempt: unclear in a retry that does not know what was sent before', () => {
		const { order } = open({ isPartial: true, facts: { mode: 'retry' } });
		EVENTS.attempt(order);
		EVENTS.refusal(order);

		expect(order.record).toMatchObject({ state: 'unclear', lastTriedAt: NOW });
	});
});

test('the key counts with the API key that it was last sent with', () => {
	const again = reopen(open(), { keyId: 'key-id-2' });
	expect(again.order.record.keyId).toBe('key-id-1');

	again.order.beforeAttempt(NOW);
	expect(again.order.record.keyId).toBe('key-id-2');
});

describe('the first use of the key', () => {
	test.each<[string, Opening, number[], number | undefined]>([
		['is unknown before the first attempt', {}, [], undefined],
		['is the first attempt, and later ones do not prolong it', {}, [NOW, NOW + 5_000], NOW],
		[
			'is the first attempt, however long before the execution began',
			{ facts: { establishedAt: NOW - DAY_MS } },
			[NOW],
			NOW,
		],
		[
			'may be as old as the execution if a retry has no record',
			{ facts: { mode: 'retry', establishedAt: NOW - 60_000 } },
			[NOW],
			NOW - 60_000,
		],
	])('%s', (_, opening, attempts, first) => {
		const opened = open(opening);
		for (const at of attempts) opened.order.beforeAttempt(at);

		expect(opened.order.firstSentInRunAt).toBe(attempts[0]);
		expect(reopen(opened).order.firstUsedAt).toBe(first);
		expect(reopen(opened).order.retrySafeUntil).toBe(first && first + KEY_LIFE_MS);
		// Another execution may have used a key of the user's own before.
		expect(reopen(opened, { kind: 'ownKey' }).order.retrySafeUntil).toBeUndefined();
	});

	test('of a reference is its first attempt', () => {
		const opened = open({ kind: 'reference' });
		opened.order.recordSent(NOW);
		opened.order.recordSent(NOW + 5_000);

		expect(opened.order.firstSentInRunAt).toBe(NOW);
		expect(reopen(opened).order.record).toMatchObject({ state: 'sent', firstUsedAt: NOW });
	});
});

describe('an attempt after the life of the key', () => {
	const UNCLEAR = { state: 'unclear', firstUsedAt: NOW, lastTriedAt: NOW } as const;
	const withoutRecord = (establishedAt: number | undefined): Opening => ({
		facts: { mode: 'retry', establishedAt },
	});

	test.each<[string, Opening, string]>([
		[
			'may have had an effect',
			{ record: UNCLEAR },
			'This was first sent on 2026-11-21 09:00 (Brasília time), and the server recognizes a repetition for 24 hours only',
		],
		[
			'may have, and nobody knows when that was',
			{ record: { ...UNCLEAR, firstUsedAt: undefined } },
			'An earlier attempt may have taken effect, and it is not known when that was',
		],
		[
			'may be as old as the execution that this one retries without a record',
			withoutRecord(NOW),
			'This execution started on 2026-11-21 09:00 (Brasília time), and the server recognizes a repetition for 24 hours only',
		],
		[
			'may be of any age on an n8n that does not say how old that is',
			withoutRecord(undefined),
			'This is a retried execution, and it is not known whether its first attempt already sent this',
		],
	])('is refused if an earlier one %s', (_, opening, message) => {
		const refusal = getRefusal(() => open(opening).order.beforeAttempt(LATE));

		expect(refusal).toMatchObject({ message, effect: 'unknown' });
		expect(refusal.remedy).toMatch(/^Nothing was sent\. Check whether it already took effect/);
	});

	test.each<[string, Opening, number]>([
		['it is a moment earlier', { record: UNCLEAR }, LATE - 1],
		['the user allows it', { record: UNCLEAR, allowLate: true }, LATE],
	])('is allowed if %s', (_, opening, at) => {
		expect(() => open(opening).order.beforeAttempt(at)).not.toThrow();
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

	test.each([
		[
			'nothing shows when its event arrived',
			{ subject: 'signed:tx-1:PAID', receivedAt: undefined },
		],
		['it has no event', undefined],
	])('of a run by hand is allowed if %s', (_, delivery) => {
		const { order } = open({ facts: { mode: 'manual', delivery }, record: { isLive: true } });

		expect(() => order.beforeAttempt(NOW)).not.toThrow();
	});

	test.each<[string, Opening, boolean]>([
		['the earlier one had no effect', { record: { state: 'sent', firstUsedAt: NOW } }, false],
		['the list does not show an unclear one', { record: UNCLEAR }, true],
		['the list does not show one that a retry has no record of', withoutRecord(NOW), true],
	])('begins another life if %s', (_, opening, isAbsent) => {
		const { order } = open(opening);
		if (isAbsent) order.recordAbsent();
		order.beforeAttempt(LATE);

		expect(order.retrySafeUntil).toBe(LATE + KEY_LIFE_MS);
	});
});

describe('a success', () => {
	const done = (body: unknown) => {
		const opened = open();
		opened.order.beforeAttempt(NOW);
		opened.order.recordSuccess(NOW + 2_000, body);
		return opened;
	};

	test('is remembered as what it was first', () => {
		const { order } = reopen(done({ id: ID }));
		order.recordSuccess(NOW + 4_000, { id: '3fa85f64-5717-4562-b3fc-2c963f66afa8' });

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
		const opened = done({ id: ID, pixKey: 'maria@customer.example' });
		const answer = { checkoutUrl: 'https://pay.example.com/c/1' };
		opened.order.recordAnswer(answer);

		expect(JSON.stringify(opened.saved())).not.toContain('maria');
		expect(reopen(opened).order.record.answer).toEqual(answer);
	});
});

test('what was paid before the execution is done, and counts in none of its sums', () => {
	const opened = open({ record: { cents: 1_000 } });
	opened.order.recordPaidBefore(ID);

	const { record } = reopen(opened).order;
	expect([record.state, record.doneId, record.cents]).toEqual(['done', ID, undefined]);
});
