import type { AccountSettings } from '../settings/account';
import { brazilianHour } from '../values/time';

/**
 * Net amount below which no account may go, even with a smaller minimum of its own (Withdrawal
 * limits).
 */
const PLATFORM_MINIMUM_CENTS = 1_000;

type LimitSettings = Pick<
	AccountSettings,
	| 'feeCents'
	| 'minWithdrawalCents'
	| 'dayLimitCents'
	| 'nightLimitCents'
	| 'perTransactionLimitCents'
	| 'dayStartHour'
	| 'dayEndHour'
>;

export interface WithdrawalLimits {
	currentLimitCents: number;
	usedCents: number;
	remainingCents: number;
	isNightTime: boolean;
	minCents: number;
}

/** Daytime is `dayStartHour` up to, not including, `dayEndHour`, in Brazilian time. */
export function isNightTime(settings: LimitSettings, now: number): boolean {
	const hour = brazilianHour(now);
	return hour < settings.dayStartHour || hour >= settings.dayEndHour;
}

/**
 * The window that counts at `now` (epoch ms). `usedCents` is the one counter of the Brazilian day,
 * so at night `remaining` can be zero although the night itself consumed nothing.
 */
export function withdrawalLimits(
	settings: LimitSettings,
	usedCents: number,
	now: number,
): WithdrawalLimits {
	const night = isNightTime(settings, now);
	const currentLimitCents = night ? settings.nightLimitCents : settings.dayLimitCents;
	return {
		currentLimitCents,
		usedCents,
		remainingCents: Math.max(0, currentLimitCents - usedCents),
		isNightTime: night,
		minCents: Math.max(PLATFORM_MINIMUM_CENTS, settings.minWithdrawalCents),
	};
}
