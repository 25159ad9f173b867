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
import { factsWith, recordWith } from './orders';

const NOW = Date.parse('2026-11-21T12:00:00Z');
const HOUR = 60 * 60 * 1000;
const BY_HAND = { isStartedByHand: true };
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
		settings?: Partial<{ mode: GuardMode; isLive: boolean; isNewReference: boolean }>;
	}

	/** A first attempt with a test key, in an execution that a trigger started an hour ago. */
	const plan = ({ record, kind = 'automatic', facts, settings }: Given = {}) =>
		planGuard(
			{ kind, record: recordWith(record) },
			factsWith({ establishedAt: NOW - HOUR, ...facts }),
			{ mode: 'automatic', isLive: false, ...settings },
			NOW,
		);
	const LOST = { state: 'unclear', lastTriedAt: NOW - HOUR / 2, firstUsedAt: NOW - HOUR } as const;
	const DEAD = { ...LOST, firstUsedAt: FORGOTTEN };
	const SENT = { state: 'sent', firstUsedAt: NOW } as const;
	const ALWAYS = { settings: { mode: 'always' } } as const;
	const NEVER = { settings: { mode: 'never' } } as const;
	const LIVE_BY_HAND = { facts: { isStartedByHand: true }, settings: { isLive: true } } as const;
	const SUB = { facts: { mode: 'integrated', isSubExecution: true } } as const;
	const AGENT = { facts: { isAgentTool: true } } as const;

	test.each<[string, Given, GuardReason | undefined]>([
		['if the user wants it', ALWAYS, 'always'],
		['for an own key, if the user wants it', { ...ALWAYS, kind: 'ownKey' }, 'always'],
		['for an adopted key, if the user wants it', { ...ALWAYS, kind: 'adopted' }, 'always'],
		[
			'after an attempt without effect, if the user wants it',
			{ ...ALWAYS, record: SENT },
			'always',
		],
		['for a person who presses Execute with a live key', LIVE_BY_HAND, 'manual'],
		['in a sub-workflow', SUB, 'subExecution'],
		['in it, for a failed item', { ...SUB, kind: 'adopted', record: SENT }, 'subExecution'],
		['in it, after an attempt without effect', { ...SUB, record: SENT }, 'subExecution'],
		['for an agent', AGENT, 'agentTool'],
		['for an agent, if the user says never', { ...AGENT, ...NEVER }, 'agentTool'],
		['for an agent with an own key', { ...AGENT, kind: 'ownKey' }, 'agentTool'],
		['for an agent with a reference', { ...AGENT, kind: 'reference' }, 'agentTool'],
		['for an agent after an attempt without effect', { ...AGENT, record: SENT }, 'agentTool'],
		['for an agent after a success', { ...AGENT, record: { state: 'done' } }, 'agentTool'],
		[
			'for an agent in a retry of unknown age',
			{ facts: { isAgentTool: true, mode: 'retry', establishedAt: undefined } },
			'agentTool',
		],
		['for an agent whose key is forgotten', { ...AGENT, record: DEAD }, 'agentTool'],
		[
			'for an agent whose first attempt nobody knows',
			{ ...AGENT, record: { ...LOST, firstUsedAt: undefined } },
			'agentTool',
		],
		// The service recognizes the key.
		['for an agent after a lost response', { ...AGENT, record: LOST }, undefined],
		['for a first attempt that nobody can have made before', {}, undefined],
		['in a sub-workflow, if the user says never', { ...SUB, ...NEVER }, undefined],
		['in a sub-workflow with an own key', { ...SUB, kind: 'ownKey' }, undefined],
		['in a sub-workflow that has paid', { ...SUB, record: { state: 'done' } }, undefined],
		['by hand with a test key', { facts: LIVE_BY_HAND.facts }, undefined],
		[
			'by hand, if the user says never',
			{ ...LIVE_BY_HAND, settings: { isLive: true, mode: 'never' } },
			undefined,
		],
		['by hand with an own key', { ...LIVE_BY_HAND, kind: 'ownKey' }, undefined],
		['with a live key, if nobody pressed Execute', { settings: { isLive: true } }, undefined],
	])('looks, or not, %s', (_, given, reason) => {
		expect(plan(given)).toBe(reason);
	});

	test.each<[string, Given]>([
		['if the user wants it', ALWAYS],
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

describe.each([
	['if the user wants it', { mode: 'always', isLive: false }, {}, 'always'],
	['by hand with a live key', { mode: 'automatic', isLive: true }, BY_HAND, 'manual'],
	[
		'in a sub-workflow',
		{ mode: 'automatic', isLive: false },
		{ isSubExecution: true },
		'subExecution',
	],
	['in production', { mode: 'automatic', isLive: true }, {}, undefined],
	['by hand with a test key', { mode: 'automatic', isLive: false }, BY_HAND, undefined],
	['if the user says never', { mode: 'never', isLive: true }, BY_HAND, undefined],
] as const)('a reference, %s', (_, settings, facts, reason) => {
	const plan = (isNewReference: boolean, record: Partial<OrderRecord> = {}) =>
		planGuard(
			{ kind: 'reference', record: recordWith(record) },
			factsWith(facts),
			{ ...settings, isNewReference },
			NOW,
		);

	test('is looked for only while the ledger has never seen it', () => {
		expect(plan(true)).toBe(reason);
		expect(plan(false)).toBeUndefined();
		expect(plan(true, { state: 'done' })).toBeUndefined();
	});
});

describe('what the item is stopped with', () => {
	const ROWS = ['id-1', 'id-2'].map((id) => ({ id, netAmount: 100.5, pixKey: '52998224725' }));
	const failureFor = (
		reason: GuardReason,
		rows: readonly ApiRecord[] = ROWS.slice(0, 1),
		reference?: string,
		mayBeOwn = false,
	) => {
		const order = { reference: parseReference(reference) };
		return duplicateFound(rows, 10_050, reason, order, mayBeOwn).failure;
	};

	test('names amount and period, the withdrawal, and how to pay anyway', () => {
		expect(failureFor('always')).toEqual({
			code: 'POSSIBLE_DUPLICATE',
			message:
				'There is a withdrawal of R$ 100,50 to this PIX key from the last 24 hours, so it was not paid again',
			description:
				'Its ID: id-1. If that was this item, it is paid. Do not add a reference to it now, and remove it from the list. If this is another payout of the same amount, run a new execution with only this item, with Never in Options > Duplicate Guard. Give the payouts of the next list a reference before its first run.',
			httpStatus: null,
			retryable: false,
			effect: 'none',
			withdrawalIds: ['id-1'],
			concernsItemOnly: true,
		});
	});

	test('names all withdrawals', () => {
		const failure = failureFor('always', ROWS);
		expect(failure.message).toMatch(/^There are 2 withdrawals of/);
		expect(failure.description).toContain('Their IDs: id-1, id-2.');
		expect(failure.withdrawalIds).toEqual(['id-1', 'id-2']);
	});

	test('does not claim what the service does not show', () => {
		const [first, second] = ROWS;
		const { message, description } = failureFor('always', [
			{ ...first, netAmount: undefined },
			{ ...second },
		]);
		expect(message).toBe(
			'There are 2 withdrawals from the last 24 hours that may have paid R$ 100,50 to this PIX key, so it was not paid again',
		);
		expect(description).toContain('does not show clearly how much id-1 paid, or to whom.');
	});

	test.each<[GuardReason, string]>([
		['manual', 'with Never in Options > Duplicate Guard'],
		['subExecution', 'fill in Reference'],
		['agentTool', 'Tell the requester.'],
	])('says for %s how to continue', (reason, remedy) => {
		expect(failureFor(reason).description).toContain(remedy);
	});

	test('names the reference, and is in doubt if it may be the own payout of the item', () => {
		expect(failureFor('agentTool', ROWS, 'NF-1042', true)).toMatchObject({
			reference: 'NF-1042',
			effect: 'unknown',
		});
	});
});
