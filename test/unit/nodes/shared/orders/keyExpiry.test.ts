import type { ExecutionFacts } from '../../../../../nodes/shared/orders/executionIdentity';
import {
	checkKeyLifetime,
	EXPIRY_MARGIN_MS,
	isKeyAlive,
	KEY_LIFETIME_MS,
	keyExpiresAt,
} from '../../../../../nodes/shared/orders/keyExpiry';
import { getRefusal } from '../../../support/refusal';

const NOW = Date.parse('2026-11-21T12:00:00Z');
const LONG_AGO = NOW - 30 * KEY_LIFETIME_MS;
/** So long a repetition is surely recognized. */
const SAFE_MS = KEY_LIFETIME_MS - EXPIRY_MARGIN_MS;
const MINUTE = 60_000;

const facts = (changed: Partial<ExecutionFacts> = {}): ExecutionFacts => ({
	executionId: '101',
	mode: 'trigger',
	isStartedByHand: false,
	establishedAt: NOW - 1000,
	delivery: undefined,
	isSubExecution: false,
	isAgentTool: false,
	...changed,
});

const check = (firstUsedAt: number | undefined, changed: Partial<ExecutionFacts> = {}) =>
	checkKeyLifetime(firstUsedAt, facts(changed), NOW);

describe('a key', () => {
	test('lives 24 hours, and is trusted ten minutes less, since clocks differ', () => {
		expect(KEY_LIFETIME_MS).toBe(86_400_000);
		expect(keyExpiresAt(NOW) - NOW).toBe(86_400_000 - 10 * MINUTE);
	});

	test.each<[string, number, boolean]>([
		['just now', 0, true],
		['one millisecond before it expires', 1 - SAFE_MS, true],
		['when it expires', -SAFE_MS, false],
		['a minute ahead, by another clock', MINUTE, true],
		['more than a minute ahead, by a wrong clock', MINUTE + 1, false],
	])('first used %s: is alive %o', (_, offset, alive) => {
		expect(isKeyAlive(NOW + offset, NOW)).toBe(alive);
	});
});

describe('a first attempt', () => {
	test.each([
		['of a young execution', NOW - 1000],
		['of one that has waited for a month', LONG_AGO],
		['in an n8n that does not say when it began', undefined],
	])('%s may be sent', (_, establishedAt) => {
		expect(() => check(undefined, { establishedAt })).not.toThrow();
	});
});

describe('a repetition', () => {
	test.each(['trigger', 'manual', 'retry'] as const)(
		'in mode %s may be sent as long as the key is alive, however old the execution is',
		(mode) => {
			const old = { mode, establishedAt: LONG_AGO };
			expect(() => check(NOW - SAFE_MS + 1, old)).not.toThrow();
			expect(() => check(NOW - SAFE_MS, old)).toThrow();
		},
	);

	test('that is too late says when it was first sent, and that it may have taken effect', () => {
		const refused = getRefusal(() => check(NOW - KEY_LIFETIME_MS));

		expect(refused.message).toContain('first sent on 2026-11-20T12:00:00.000Z');
		expect(refused.remedy).toContain('Nothing was sent. Check whether it already took effect');
		expect(refused.remedy).toContain('Allow Retry After 24 Hours');
		expect(refused.effect).toBe('unknown');
	});

	test('is refused where its first use is in the future: nothing shows when that was', () => {
		expect(getRefusal(() => check(NOW + MINUTE + 1)).effect).toBe('unknown');
	});
});

describe('a retried execution without record, as after n8n was killed', () => {
	const retried = (establishedAt: number | undefined) =>
		check(undefined, { mode: 'retry', establishedAt });

	test('may send as long as a key from its beginning would be alive', () => {
		expect(() => retried(NOW - SAFE_MS + 1)).not.toThrow();
	});

	test('is refused after that', () => {
		const refused = getRefusal(() => retried(NOW - KEY_LIFETIME_MS));

		expect(refused.message).toContain('This execution started on 2026-11-20T12:00:00.000Z');
		expect(refused.effect).toBe('unknown');
	});

	test('is refused where n8n does not say when it began', () => {
		const refused = getRefusal(() => retried(undefined));

		expect(refused.message).toContain(
			'it is not known whether its first attempt already sent this',
		);
		expect(refused.effect).toBe('unknown');
	});

	test('counts from the delivery that started it where n8n does not say when it began', () => {
		const receivedAgo = (ms: number) => ({
			mode: 'retry' as const,
			establishedAt: undefined,
			delivery: { subject: 'delivery-1', receivedAt: NOW - ms },
		});
		expect(() => check(undefined, receivedAgo(SAFE_MS - 1))).not.toThrow();
		expect(() => check(undefined, receivedAgo(KEY_LIFETIME_MS))).toThrow('2026-11-20T12:00');
	});
});
