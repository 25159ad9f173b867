import { defaultAccount } from '../../../../../dev/sandbox/settings/account';
import { isNightTime, withdrawalLimits } from '../../../../../dev/sandbox/rules/limits';
import { judgeAmount } from '../../../../../dev/sandbox/rules/withdrawal';

const settings = { ...defaultAccount(), dayLimitCents: 100_000, nightLimitCents: 20_000 };
const brt = (time: string): number => Date.parse(`2026-03-18T${time}-03:00`);

test.each([
	['05:59:59.999', true],
	['06:00:00.000', false],
	['19:59:59.999', false],
	['20:00:00.000', true],
	['00:00:00.000', true],
])('at %s in Brazil night is %s', (time, night) => {
	expect(isNightTime(settings, brt(time))).toBe(night);
});

test('the hours are Brazilian also on a machine elsewhere, before Brazil dropped summer time too', () => {
	// In January 2019 Sao Paulo was at UTC-2.
	expect(isNightTime(settings, Date.parse('2019-01-15T21:59:00.000Z'))).toBe(false);
	expect(isNightTime(settings, Date.parse('2019-01-15T22:00:00.000Z'))).toBe(true);
});

test('one counter is shared by day and night, and what remains is never negative', () => {
	expect(withdrawalLimits(settings, 50_000, brt('12:00'))).toMatchObject({
		currentLimitCents: 100_000,
		remainingCents: 50_000,
	});
	expect(withdrawalLimits(settings, 50_000, brt('21:00'))).toMatchObject({
		currentLimitCents: 20_000,
		remainingCents: 0,
	});
});

test('the minimum of an account never goes below the floor of 10.00', () => {
	expect(withdrawalLimits({ ...settings, minWithdrawalCents: 1 }, 0, 0).minCents).toBe(1_000);
	expect(withdrawalLimits({ ...settings, minWithdrawalCents: 2_000 }, 0, 0).minCents).toBe(2_000);
});

describe('the exact edge of each money rule', () => {
	const judge = (change: object, cents: number, used = 0, available: number | null = null) =>
		judgeAmount({ ...settings, feeCents: 150, ...change }, cents, used, available, brt('12:00'));

	test('the minimum is compared to the net amount', () => {
		expect(judge({ minWithdrawalCents: 2_000 }, 2_000)).toBeNull();
		expect(judge({ minWithdrawalCents: 2_000 }, 1_999)).toBe('WITHDRAWAL_BELOW_MINIMUM');
	});

	test('amount + fee counts against the remaining limit', () => {
		expect(judge({}, 49_850, 50_000)).toBeNull();
		expect(judge({}, 49_851, 50_000)).toBe('WITHDRAWAL_LIMIT_EXCEEDED');
	});

	test('amount + fee counts against the cap of one transaction', () => {
		expect(judge({ perTransactionLimitCents: 5_150 }, 5_000)).toBeNull();
		expect(judge({ perTransactionLimitCents: 5_150 }, 5_001)).toBe('WITHDRAWAL_LIMIT_EXCEEDED');
	});

	test('amount + fee counts against the balance, where there is one', () => {
		expect(judge({}, 5_000, 0, 5_150)).toBeNull();
		expect(judge({}, 5_001, 0, 5_150)).toBe('INSUFFICIENT_BALANCE');
		expect(judge({}, 5_001, 0, null)).toBeNull();
	});

	test('minimum and ceiling of the provider', () => {
		expect(judge({ providerMinCents: 5_000 }, 4_999)).toBe('WITHDRAWAL_BELOW_PROVIDER_MINIMUM');
		expect(judge({ providerMaxCents: 5_000 }, 5_000)).toBeNull();
		expect(judge({ providerMaxCents: 5_000 }, 5_001)).toBe('WITHDRAWAL_LIMIT_EXCEEDED');
	});
});
