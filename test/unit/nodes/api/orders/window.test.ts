import type { ExecutionFacts } from '../../../../../nodes/api/idempotency/root';
import { checkKeyLifetime, KEY_LIFETIME_MS } from '../../../../../nodes/api/idempotency/window';
import { refusalOf } from '../../../support/refusal';

const NOW = Date.parse('2026-11-21T12:00:00Z');
const LONG_AGO = NOW - 30 * KEY_LIFETIME_MS;

const facts = (changed: Partial<ExecutionFacts> = {}): ExecutionFacts => ({
	executionId: '101',
	mode: 'trigger',
	establishedAt: NOW - 1000,
	delivery: undefined,
	isSubExecution: false,
	isAgentTool: false,
	...changed,
});

const NEITHER = { isAllowed: false, isLookedUp: false };

const check = (firstUsedAt: number | undefined, changed: Partial<ExecutionFacts> = {}) =>
	checkKeyLifetime(firstUsedAt, facts(changed), NOW, NEITHER);

test('a key lives 24 hours', () => {
	expect(KEY_LIFETIME_MS).toBe(86_400_000);
});

describe('a first attempt', () => {
	test.each([
		['of a young execution', NOW - 1000],
		['of one that has waited for a month', LONG_AGO],
		['in an n8n that does not tell when it began', undefined],
	])('%s may be sent', (_, establishedAt) => {
		expect(() => check(undefined, { establishedAt })).not.toThrow();
	});
});

describe('a repetition', () => {
	test.each(['trigger', 'manual', 'retry'] as const)(
		'in mode %s may be sent for 24 hours after the first use of the key, however old the execution is',
		(mode) => {
			const old = { mode, establishedAt: LONG_AGO };
			expect(() => check(NOW, old)).not.toThrow();
			expect(() => check(NOW - KEY_LIFETIME_MS + 1, old)).not.toThrow();
			expect(() => check(NOW - KEY_LIFETIME_MS, old)).toThrow();
		},
	);

	test('that is too late says when it was first sent, and that it may have taken effect', () => {
		const refused = refusalOf(() => check(NOW - KEY_LIFETIME_MS));

		expect(refused.message).toContain('first sent on 2026-11-20T12:00:00.000Z');
		expect(refused.remedy).toContain('Look up whether it already took effect');
		expect(refused.remedy).toContain('Allow Retry After 24 Hours');
		expect(refused.effect).toBe('unknown');
	});
});

describe('a retried execution without record, as after n8n was killed', () => {
	test('may send within 24 hours of its beginning', () => {
		expect(() =>
			check(undefined, { mode: 'retry', establishedAt: NOW - KEY_LIFETIME_MS + 1 }),
		).not.toThrow();
	});

	test('is refused after that', () => {
		const refused = refusalOf(() =>
			check(undefined, { mode: 'retry', establishedAt: NOW - KEY_LIFETIME_MS }),
		);

		expect(refused.message).toContain('This execution began on 2026-11-20T12:00:00.000Z');
		expect(refused.effect).toBe('unknown');
	});

	test('is refused where n8n does not tell when it began', () => {
		const refused = refusalOf(() => check(undefined, { mode: 'retry', establishedAt: undefined }));

		expect(refused.message).toContain('nothing tells whether its first attempt already sent this');
		expect(refused.effect).toBe('unknown');
	});

	test('counts from the delivery that started it where n8n does not tell when it began', () => {
		const receivedAgo = (ms: number) => ({
			mode: 'retry' as const,
			establishedAt: undefined,
			delivery: { deliveryId: 'delivery-1', receivedAt: NOW - ms },
		});
		expect(() => check(undefined, receivedAgo(KEY_LIFETIME_MS - 1))).not.toThrow();
		expect(() => check(undefined, receivedAgo(KEY_LIFETIME_MS))).toThrow('2026-11-20T12:00');
	});
});

test.each<[string, number | undefined, Partial<ExecutionFacts>]>([
	['a late repetition', LONG_AGO, {}],
	['a late retry without record', undefined, { mode: 'retry', establishedAt: LONG_AGO }],
	['a retry of unknown age', undefined, { mode: 'retry', establishedAt: undefined }],
])('the user can allow %s', (_, firstUsedAt, changed) => {
	expect(() => check(firstUsedAt, changed)).toThrow();
	const allowed = { ...NEITHER, isAllowed: true };
	expect(() => checkKeyLifetime(firstUsedAt, facts(changed), NOW, allowed)).not.toThrow();
});

describe('a look-up that found nothing', () => {
	const afterLookUp = (firstUsedAt: number | undefined, changed: Partial<ExecutionFacts>) =>
		checkKeyLifetime(firstUsedAt, facts(changed), NOW, { ...NEITHER, isLookedUp: true });

	test('lets a retry of unknown age through', () => {
		expect(() => afterLookUp(undefined, { mode: 'retry', establishedAt: undefined })).not.toThrow();
	});

	test.each<[string, number | undefined, Partial<ExecutionFacts>]>([
		['a late repetition', LONG_AGO, {}],
		['a late retry without record', undefined, { mode: 'retry', establishedAt: LONG_AGO }],
	])('does not let %s through: it looked back 24 hours only', (_, firstUsedAt, changed) => {
		expect(() => afterLookUp(firstUsedAt, changed)).toThrow();
	});
});
