import {
	sandboxOutcome,
	sandboxRefundFails,
} from '../../../../../dev/sandbox/rules/outcomeByCents';

test.each([
	[10_000, 'PAID'],
	[10_001, 'PAID'],
	[10_002, 'NEW'],
	[10_003, 'CANCELLED'],
	[10_004, 'EXPIRED'],
	[10_005, 'PAID'],
	[10_020, 'PAID'],
	[10_099, 'PAID'],
] as const)('sandbox amount of %d cents ends as %s', (cents, outcome) => {
	expect(sandboxOutcome(cents)).toBe(outcome);
});

test('only cents .02 fail a sandbox refund', () => {
	expect([1, 2, 3, 102, 120].map(sandboxRefundFails)).toEqual([false, true, false, true, false]);
});
