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

test.each<[unknown, GuardMode]>([
	['automatic', 'automatic'],
	['always', 'always'],
	['never', 'never'],
	[undefined, 'automatic'],
])('the mode %o is %s', (value, mode) => {
	expect(parseGuardMode(value)).toBe(mode);
});

test.each([true, null, '', 'Always', {}])('%o is refused, and does not count as off', (value) => {
	expect(getRefusal(() => parseGuardMode(value)).message).toContain(
		'Duplicate Guard must be Automatic, Always or Never',
	);
});

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

	const SENT = { state: 'sent', firstUsedAt: NOW } as const;
	const ALWAYS = { settings: { mode: 'always' } } as const;
	const NEVER = { settings: { mode: 'never' } } as const;
	const LIVE_BY_HAND = { facts: { isStartedByHand: true }, settings: { isLive: true } } as const;
	const SUB = { facts: { mode: 'integrated', isSubExecution: true } } as const;
	const AGENT = { facts: { isAgentTool: true } } as const;

	test.each<[string, Given, GuardReason]>([
		['where the user wants it', ALWAYS, 'always'],
		['for an own key where the user wants it', { ...ALWAYS, kind: 'ownKey' }, 'always'],
		['for an adopted key where the user wants it', { ...ALWAYS, kind: 'adopted' }, 'always'],
		[
			'after an attempt without effect, where the user wants it',
			{ ...ALWAYS, record: SENT },
			'always',
		],
		['for a person who presses Execute with a live key', LIVE_BY_HAND, 'manual'],
		['in a sub-workflow', SUB, 'subExecution'],
		[
			'in a sub-workflow where a failed item comes back',
			{ ...SUB, kind: 'adopted', record: SENT },
			'subExecution',
		],
		[
			'in a sub-workflow where an item was sent without effect',
			{ ...SUB, record: SENT },
			'subExecution',
		],
		['for an agent', AGENT, 'agentTool'],
		['for an agent, if the user says never', { ...AGENT, ...NEVER }, 'agentTool'],
		['for an agent with an own key', { ...AGENT, kind: 'ownKey' }, 'agentTool'],
		['for an agent with a reference', { ...AGENT, kind: 'reference' }, 'agentTool'],
		['for an agent after an attempt without effect', { ...AGENT, record: SENT }, 'agentTool'],
		[
			'for an agent that calls again after a success',
			{ ...AGENT, record: { state: 'done' } },
			'agentTool',
		],
		[
			'for an agent in a retry of unknown age',
			{ facts: { isAgentTool: true, mode: 'retry', establishedAt: undefined } },
			'agentTool',
		],
		[
			'for an agent after a lost response, if the key is forgotten',
			{ ...AGENT, record: { ...LOST, firstUsedAt: FORGOTTEN } },
			'agentTool',
		],
		[
			'for an agent after a lost response, if the first use is not known',
			{ ...AGENT, record: { ...LOST, firstUsedAt: undefined } },
			'agentTool',
		],
	])('is on %s', (_, given, reason) => {
		expect(plan(given)).toBe(reason);
	});

	test.each<[string, Given]>([
		['for a first attempt that nobody can have made before', {}],
		['in a sub-workflow, if the user says never', { ...SUB, ...NEVER }],
		['in a sub-workflow with an own key', { ...SUB, kind: 'ownKey' }],
		['in a sub-workflow that has paid', { ...SUB, record: { state: 'done' } }],
		['by hand with a test key', { facts: LIVE_BY_HAND.facts }],
		[
			'by hand, if the user says never',
			{ ...LIVE_BY_HAND, settings: { isLive: true, mode: 'never' } },
		],
		['by hand with an own key', { ...LIVE_BY_HAND, kind: 'ownKey' }],
		['with a live key, if no person pressed Execute', { settings: { isLive: true } }],
		[
			'for an agent after a lost response: the service recognizes the key',
			{ ...AGENT, record: LOST },
		],
	])('is off %s', (_, given) => {
		expect(plan(given)).toBeUndefined();
	});

	test.each<[string, Given]>([
		['where the user wants it', ALWAYS],
		['by hand with a live key', LIVE_BY_HAND],
		['in a sub-workflow', SUB],
	])(
		'is off %s for what may have taken effect, and for a reference, which is paid once',
		(_, given) => {
			expect(plan({ ...given, record: LOST })).toBeUndefined();
			expect(plan({ ...given, kind: 'reference' })).toBeUndefined();
		},
	);
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
