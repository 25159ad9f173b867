import {
	duplicateFound,
	parseGuardMode,
	planGuard,
	type GuardMode,
	type GuardReason,
} from '../../../../../nodes/BrlPayments/payouts/guard';
import type { ExecutionFacts } from '../../../../../nodes/shared/orders/executionIdentity';
import { EXPIRY_MARGIN_MS, KEY_LIFETIME_MS } from '../../../../../nodes/shared/orders/keyExpiry';
import type { Order } from '../../../../../nodes/shared/orders/order';
import type { OrderRecord } from '../../../../../nodes/shared/orders/orderMemory';
import { parseReference } from '../../../../../nodes/shared/orders/reference';
import type { ApiRecord } from '../../../../../nodes/shared/transport/schemas';
import { getRefusal } from '../../../support/refusal';

const NOW = Date.parse('2026-11-21T12:00:00Z');
const HOUR = 60 * 60 * 1000;
/** Since then a key is surely forgotten. */
const FORGOTTEN = NOW - KEY_LIFETIME_MS + EXPIRY_MARGIN_MS;

test.each(['automatic', 'always', 'never'] as const)('the mode can be %s', (mode) => {
	expect(parseGuardMode(mode)).toBe(mode);
});

test('the mode is automatic where none is chosen', () => {
	expect(parseGuardMode(undefined)).toBe('automatic');
});

test.each([true, false, null, '', 'Always', {}])(
	'%o is refused, and does not count as off',
	(value) => {
		expect(getRefusal(() => parseGuardMode(value)).message).toContain(
			'Duplicate Guard must be Automatic, Always or Never',
		);
	},
);

describe('the guard', () => {
	interface Given {
		record?: Partial<OrderRecord>;
		order?: Partial<Pick<Order, 'kind' | 'place'>>;
		facts?: Partial<ExecutionFacts>;
		settings?: Partial<{ mode: GuardMode; isLive: boolean; allowLate: boolean }>;
	}

	/** A first attempt with a test key, in an execution that a trigger started an hour ago. */
	const plan = ({ record, order, facts, settings }: Given = {}): GuardReason | undefined =>
		planGuard(
			{
				kind: 'automatic',
				record: {
					key: 'key-1',
					content: 'content-1',
					account: 'account-1',
					generation: 0,
					...record,
				},
				place: 'new',
				...order,
			},
			{
				executionId: '101',
				mode: 'trigger',
				isStartedByHand: false,
				establishedAt: NOW - HOUR,
				delivery: undefined,
				isSubExecution: false,
				isAgentTool: false,
				...facts,
			},
			{ mode: 'automatic', isLive: false, allowLate: false, ...settings },
			NOW,
		);
	const LOST = { sent: true, unclear: NOW - HOUR / 2, firstUsedAt: NOW - HOUR } as const;

	test('is off for a first attempt that nobody can have made before', () => {
		expect(plan()).toBeUndefined();
	});

	test('is on where the user wants it', () => {
		expect(plan({ settings: { mode: 'always' } })).toBe('always');
	});

	test.each(['ownKey', 'adopted'] as const)('is on for %s where the user wants it', (kind) => {
		expect(plan({ order: { kind }, settings: { mode: 'always' } })).toBe('always');
	});

	test('is on after an attempt without effect where the user wants it', () => {
		const record = { sent: true as const, firstUsedAt: NOW };

		expect(plan({ record, settings: { mode: 'always' } })).toBe('always');
	});

	test.each<[string, Given]>([
		['where the user wants it', { settings: { mode: 'always' } }],
		['by hand with a live key', { facts: { isStartedByHand: true }, settings: { isLive: true } }],
		['in a sub-workflow', { facts: { isSubExecution: true } }],
	])('is off %s for what may have taken effect: it would be found itself', (_, given) => {
		expect(plan(given)).toBeDefined();
		expect(plan({ ...given, record: LOST, order: { place: 'bound' } })).toBeUndefined();
	});

	test.each<[string, Given]>([
		['where the user wants it', { settings: { mode: 'always' } }],
		['by hand with a live key', { facts: { isStartedByHand: true }, settings: { isLive: true } }],
		['in a sub-workflow', { facts: { isSubExecution: true } }],
		['in a retry without a trace', { facts: { mode: 'retry', establishedAt: undefined } }],
	])('is off for a reference, which is paid once: %s', (_, given) => {
		expect(plan(given)).toBeDefined();
		expect(plan({ ...given, order: { kind: 'reference' } })).toBeUndefined();
	});

	describe('in a sub-workflow', () => {
		const SUB = { mode: 'integrated', isSubExecution: true } as const;

		test('is on', () => {
			expect(plan({ facts: SUB })).toBe('subExecution');
		});

		test.each<[string, Given]>([
			['the user says never', { settings: { mode: 'never' } }],
			['the key is its own', { order: { kind: 'ownKey' } }],
			['a failed item has come back', { order: { kind: 'adopted', place: 'bound' } }],
		])('is off where %s', (_, given) => {
			expect(plan({ ...given, facts: SUB })).toBeUndefined();
		});

		test.each<[string, Given['order']]>([
			['a failed item comes back from another execution', { kind: 'adopted', place: 'new' }],
			['an item was sent without effect', { kind: 'automatic', place: 'bound' }],
		])('is on where %s', (_, order) => {
			expect(plan({ order, facts: SUB })).toBe('subExecution');
		});
	});

	describe('for a person who presses Execute', () => {
		const byHand = (given: Given = {}) =>
			plan({
				...given,
				facts: { isStartedByHand: true, ...given.facts },
				settings: { isLive: true, ...given.settings },
			});

		test('is on with a live key', () => {
			expect(byHand()).toBe('manual');
		});

		test.each<[string, Given]>([
			['the key is a test key', { settings: { isLive: false } }],
			['the user says never', { settings: { mode: 'never' } }],
			['the key is its own', { order: { kind: 'ownKey' } }],
			['no person pressed it', { facts: { isStartedByHand: false } }],
		])('is off where %s', (_, given) => {
			expect(byHand(given)).toBeUndefined();
		});
	});

	describe('for a retry of which no trace is left', () => {
		const untraced = (given: Given = {}) =>
			plan({ ...given, facts: { mode: 'retry', establishedAt: undefined, ...given.facts } });

		test('is on', () => {
			expect(untraced()).toBe('retriedWithoutTrace');
		});

		test.each<[string, Given]>([
			['its key is its own', { order: { kind: 'ownKey' } }],
			['the guard is off', { settings: { mode: 'never' } }],
		])('is on where %s, too', (_, given) => {
			expect(untraced(given)).toBe('retriedWithoutTrace');
		});

		test.each<[string, Given]>([
			['the user has looked', { settings: { allowLate: true } }],
			['its first use is recorded', { record: { firstUsedAt: NOW - HOUR } }],
			['it was sent', { record: { sent: true } }],
			['it is no retry', { facts: { mode: 'trigger' } }],
			['n8n says when it began', { facts: { establishedAt: NOW - HOUR } }],
			[
				'a delivery says when it began',
				{ facts: { delivery: { subject: 'delivery-1', receivedAt: NOW - HOUR } } },
			],
		])('is off where %s', (_, given) => {
			expect(untraced(given)).toBeUndefined();
		});
	});

	describe('for an agent', () => {
		const byAgent = (given: Given = {}) =>
			plan({ ...given, facts: { isAgentTool: true, ...given.facts } });

		test('is on', () => {
			expect(byAgent()).toBe('agentTool');
		});

		test.each<[string, Given]>([
			['the user says never', { settings: { mode: 'never' } }],
			['the key is its own', { order: { kind: 'ownKey' } }],
			['the reference comes from the agent', { order: { kind: 'reference' } }],
			['it was sent without effect', { record: { sent: true, firstUsedAt: NOW - HOUR } }],
			['it calls again after a success', { record: { sent: true, doneAt: NOW } }],
			['it is a retry', { facts: { mode: 'retry' } }],
			['nothing is known of a retry', { facts: { mode: 'retry', establishedAt: undefined } }],
		])('is on where %s, too', (_, given) => {
			expect(byAgent(given)).toBe('agentTool');
		});

		test('is off after a lost response: the service recognizes the key', () => {
			expect(byAgent({ record: LOST, order: { place: 'bound' } })).toBeUndefined();
		});

		test.each<[string, Partial<OrderRecord>]>([
			['the key is forgotten', { ...LOST, firstUsedAt: FORGOTTEN }],
			['its first use is not known', { ...LOST, firstUsedAt: undefined }],
			['the agent knows of a success', { ...LOST, agentKnows: true }],
		])('is on after a lost response where %s', (_, record) => {
			expect(byAgent({ record, order: { place: 'bound' } })).toBe('agentTool');
		});
	});
});

/** A withdrawal that pays the same; tests change one aspect. */
const ROW: ApiRecord = {
	id: 'withdrawal-1',
	netAmount: 100.5,
	grossAmount: 102,
	pixKey: '52998224725',
	status: 'PENDING',
	createdAt: '2026-11-21T11:00:00.000Z',
};

describe('what the item is stopped with', () => {
	const ORDER = { reference: undefined };
	const failureFor = (reason: GuardReason, count = 1, order = {}, mayBeOwn = false) => {
		const rows = Array.from({ length: count }, (_, index) => ({ ...ROW, id: `id-${index + 1}` }));
		return duplicateFound(rows, 10050, reason, { ...ORDER, ...order }, mayBeOwn).failure;
	};

	test('names amount and period, the withdrawal, and how to pay anyway', () => {
		expect(failureFor('always')).toEqual({
			code: 'POSSIBLE_DUPLICATE',
			message:
				'There is a withdrawal of R$ 100,50 to this PIX key from the last 24 hours, so it was not paid again',
			description:
				'Its ID: id-1. If this is another payout of the same amount, run a new execution with only this item, with Never in Options > Duplicate Guard. Next time, give each payout a reference.',
			httpStatus: null,
			retryable: false,
			effect: 'none',
			withdrawalIds: ['id-1'],
			concernsItemOnly: true,
		});
	});

	test('names all withdrawals', () => {
		const failure = failureFor('always', 2);
		expect(failure.message).toMatch(/^There are 2 withdrawals of/);
		expect(failure.description).toContain('Their IDs: id-1, id-2.');
		expect(failure.withdrawalIds).toEqual(['id-1', 'id-2']);
	});

	test('does not claim what the service does not show', () => {
		const rows = [ROW, { ...ROW, id: 'withdrawal-2', netAmount: undefined }];
		const { failure } = duplicateFound(rows, 10050, 'always', ORDER, false);
		expect(failure.message).toBe(
			'There are 2 withdrawals from the last 24 hours that may have paid R$ 100,50 to this PIX key, so it was not paid again',
		);
		expect(failure.description).toContain(
			'The service does not show clearly how much withdrawal-2 paid, or to whom.',
		);
		expect(failure.description).not.toContain('how much withdrawal-1');
	});

	test.each<[GuardReason, string]>([
		['manual', 'with Never in Options > Duplicate Guard'],
		['subExecution', 'fill in Reference'],
		['agentTool', 'Tell the requester.'],
	])('says for %s how to continue, and that this item had no effect', (reason, remedy) => {
		const failure = failureFor(reason);

		expect(failure.description).toContain(remedy);
		expect(failure.effect).toBe('none');
	});

	test('says of a retry without a trace that it may be the effect of its first attempt', () => {
		const failure = failureFor('retriedWithoutTrace', 1, {}, true);

		expect(failure.message).toContain('from the last 14 days');
		expect(failure.description).toContain('turn on Options > Allow Retry After 24 Hours');
		expect(failure.effect).toBe('unknown');
	});

	test('is not called without effect where it may be the own payout of the item', () => {
		expect(failureFor('agentTool', 1, {}, true).effect).toBe('unknown');
	});

	test('names the reference', () => {
		const reference = parseReference('NF-1042');

		expect(failureFor('agentTool', 1, { reference }).reference).toBe('NF-1042');
	});
});
