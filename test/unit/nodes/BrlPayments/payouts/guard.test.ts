import {
	duplicateFound,
	parseGuardMode,
	planGuard,
	type GuardMode,
	type GuardReason,
} from '../../../../../nodes/BrlPayments/payouts/guard';
import type { ExecutionFacts } from '../../../../../nodes/shared/orders/executionIdentity';
import { KEY_LIFE_MS } from '../../../../../nodes/shared/orders/key';
import type { OrderKind, OrderRecord } from '../../../../../nodes/shared/orders/order';
import { parseReference } from '../../../../../nodes/shared/orders/reference';
import type { ApiRecord } from '../../../../../nodes/shared/transport/schemas';
import { getRefusal } from '../../../support/refusal';

const NOW = Date.parse('2026-11-21T12:00:00Z');
const HOUR = 60 * 60 * 1000;
/** Since then a key is surely forgotten. */
const FORGOTTEN = NOW - KEY_LIFE_MS;

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
		kind?: OrderKind;
		facts?: Partial<ExecutionFacts>;
		settings?: Partial<{ mode: GuardMode; isLive: boolean }>;
	}

	/** A first attempt with a test key, in an execution that a trigger started an hour ago. */
	const plan = ({ record, kind = 'automatic', facts, settings }: Given = {}):
		GuardReason | undefined =>
		planGuard(
			{
				kind,
				record: {
					key: 'key-1',
					content: 'content-1',
					keyId: 'key-id-1',
					state: 'new',
					generation: 0,
					...record,
				},
			},
			{
				executionId: '101',
				mode: 'trigger',
				isStartedByHand: false,
				establishedAt: NOW - HOUR,
				delivery: undefined,
				isSubExecution: false,
				isAgentTool: false,
				run: 'run-1',
				...facts,
			},
			{ mode: 'automatic', isLive: false, ...settings },
			NOW,
		);
	const LOST = { state: 'unclear', lastTriedAt: NOW - HOUR / 2, firstUsedAt: NOW - HOUR } as const;

	test('is off for a first attempt that nobody can have made before', () => {
		expect(plan()).toBeUndefined();
	});

	test('is on where the user wants it', () => {
		expect(plan({ settings: { mode: 'always' } })).toBe('always');
	});

	test.each(['ownKey', 'adopted'] as const)('is on for %s where the user wants it', (kind) => {
		expect(plan({ kind, settings: { mode: 'always' } })).toBe('always');
	});

	test('is on after an attempt without effect where the user wants it', () => {
		const record = { state: 'sent', firstUsedAt: NOW } as const;

		expect(plan({ record, settings: { mode: 'always' } })).toBe('always');
	});

	test.each<[string, Given]>([
		['where the user wants it', { settings: { mode: 'always' } }],
		['by hand with a live key', { facts: { isStartedByHand: true }, settings: { isLive: true } }],
		['in a sub-workflow', { facts: { isSubExecution: true } }],
	])('is off %s for what may have taken effect: it would be found itself', (_, given) => {
		expect(plan(given)).toBeDefined();
		expect(plan({ ...given, record: LOST })).toBeUndefined();
	});

	test.each<[string, Given]>([
		['where the user wants it', { settings: { mode: 'always' } }],
		['by hand with a live key', { facts: { isStartedByHand: true }, settings: { isLive: true } }],
		['in a sub-workflow', { facts: { isSubExecution: true } }],
	])('is off for a reference, which is paid once: %s', (_, given) => {
		expect(plan(given)).toBeDefined();
		expect(plan({ ...given, kind: 'reference' })).toBeUndefined();
	});

	describe('in a sub-workflow', () => {
		const SUB = { mode: 'integrated', isSubExecution: true } as const;

		test('is on', () => {
			expect(plan({ facts: SUB })).toBe('subExecution');
		});

		test.each<[string, Given]>([
			['the user says never', { settings: { mode: 'never' } }],
			['the key is its own', { kind: 'ownKey' }],
			['it has paid', { record: { state: 'done' } }],
		])('is off where %s', (_, given) => {
			expect(plan({ ...given, facts: SUB })).toBeUndefined();
		});

		test.each<[string, Given]>([
			['a failed item comes back', { kind: 'adopted', record: { state: 'sent' } }],
			['an item was sent without effect', { record: { state: 'sent' } }],
		])('is on where %s', (_, given) => {
			expect(plan({ ...given, facts: SUB })).toBe('subExecution');
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
			['the key is its own', { kind: 'ownKey' }],
			['no person pressed it', { facts: { isStartedByHand: false } }],
		])('is off where %s', (_, given) => {
			expect(byHand(given)).toBeUndefined();
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
			['the key is its own', { kind: 'ownKey' }],
			['the reference comes from the agent', { kind: 'reference' }],
			['it was sent without effect', { record: { state: 'sent', firstUsedAt: NOW - HOUR } }],
			['it calls again after a success', { record: { state: 'done' } }],
			['it is a retry', { facts: { mode: 'retry' } }],
			['nothing is known of a retry', { facts: { mode: 'retry', establishedAt: undefined } }],
		])('is on where %s, too', (_, given) => {
			expect(byAgent(given)).toBe('agentTool');
		});

		test('is off after a lost response: the service recognizes the key', () => {
			expect(byAgent({ record: LOST })).toBeUndefined();
		});

		test.each<[string, Partial<OrderRecord>]>([
			['the key is forgotten', { ...LOST, firstUsedAt: FORGOTTEN }],
			['its first use is not known', { ...LOST, firstUsedAt: undefined }],
		])('is on after a lost response where %s', (_, record) => {
			expect(byAgent({ record })).toBe('agentTool');
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

	test('is not called without effect where it may be the own payout of the item', () => {
		expect(failureFor('agentTool', 1, {}, true).effect).toBe('unknown');
	});

	test('names the reference', () => {
		const reference = parseReference('NF-1042');

		expect(failureFor('agentTool', 1, { reference }).reference).toBe('NF-1042');
	});
});
