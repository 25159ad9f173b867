import type { AccountSettings } from '../settings/account';
import { brazilianHour } from '../values/time';

/**
 * Net amount below which no account may go, even with a smaller minimum of its own (Withdrawal
 * limits).
 */
const PLATFORM_MINIMUM_CENTS = 1_000;

/**
 * The window that counts at `now` (epoch ms). Daytime is `dayStartHour` up to, not including,
 * `dayEndHour`, in Brazilian time. `usedCents` is the one counter of the Brazilian day,
 * so at night `remaining` can be zero although the night itself consumed nothing.
 */
export function withdrawalLimits(settings: AccountSettings, usedCents: number, now: number) {
	const hour = brazilianHour(now);
	const isNightTime = hour < settings.dayStartHour || hour >= settings.dayEndHour;
	const currentLimitCents = isNightTime ? settings.nightLimitCents : settings.dayLimitCents;
	return {
		currentLimitCents,
		usedCents,
		remainingCents: Math.max(0, currentLimitCents - usedCents),
		isNightTime,
		minCents: Math.max(PLATFORM_MINIMUM_CENTS, settings.minWithdrawalCents),
	};
}
