import type { AccountSettings } from '../settings/account';
import type { Dialect } from '../settings/dialects';

/** How an endpoint has been responding, and what follows from it (docs/api.md#suspension). */
export interface Health {
	readonly circuit: 'CLOSED' | 'OPEN' | 'TRIAL';
	readonly consecutiveFailures: number;
	/** How often the circuit opened since the last success; each time it stays open longer. */
	readonly openings: number;
	/** Attempts of the rolling window, oldest first. */
	readonly recent: ReadonlyArray<{ readonly at: number; readonly ok: boolean }>;
}

export const HEALTHY: Health = {
	circuit: 'CLOSED',
	consecutiveFailures: 0,
	openings: 0,
	recent: [],
};

/** More would only cost time: a rate over a thousand attempts is as good as one over all. */
const REMEMBERED = 1_000;

/** The circuit stays open twice as long each time, but ten times as long at most. */
const LONGEST_PAUSE_FACTOR = 10;

export function pauseMs(openings: number, firstPauseMs: number): number {
	return firstPauseMs * Math.min(2 ** (openings - 1), LONGEST_PAUSE_FACTOR);
}

const FEW = 20;

/** Consecutive failures that suspend an endpoint, in the dialect. */
export function suspendAfter(configured: number, { suspensionThresholds }: Dialect): number {
	return suspensionThresholds.failures === 'few' ? Math.min(configured, FEW) : configured;
}

export function afterAttempt(
	health: Health,
	ok: boolean,
	at: number,
	account: AccountSettings,
	suspendAfter: number,
): { health: Health; suspend: boolean } {
	const since = at - account.webhookFailureRateWindowMs;
	const recent = [
		...health.recent.slice(1 - REMEMBERED).filter((attempt) => attempt.at > since),
		{ at, ok },
	];
	if (ok) {
		const closed: Health = { circuit: 'CLOSED', consecutiveFailures: 0, openings: 0, recent };
		return { health: closed, suspend: false };
	}
	const consecutiveFailures = health.consecutiveFailures + 1;
	const failures = recent.filter((attempt) => !attempt.ok).length;
	const tooMany =
		recent.length >= account.webhookFailureRateAttempts &&
		failures / recent.length >= account.webhookFailureRate;
	const opens =
		health.circuit === 'TRIAL' ||
		(health.circuit === 'CLOSED' && consecutiveFailures >= account.webhookBreakAfter);
	return {
		health: {
			circuit: opens ? 'OPEN' : health.circuit,
			consecutiveFailures,
			openings: health.openings + (opens ? 1 : 0),
			recent,
		},
		suspend: consecutiveFailures >= suspendAfter || tooMany,
	};
}
