/** Milliseconds. */
export const DAY_MS = 24 * 60 * 60_000;

/** @param epochMs undefined if nobody knows */
export function toIso(epochMs: number): string;
export function toIso(epochMs: number | undefined): string | undefined;
export function toIso(epochMs: number | undefined): string | undefined {
	return epochMs === undefined ? undefined : new Date(epochMs).toISOString();
}
