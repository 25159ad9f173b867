const HOUR_MS = 60 * 60 * 1000;
const DAY_MS = 24 * HOUR_MS;
const BUCKET_MS = 6 * HOUR_MS;
/** For clocks that differ, and for the time that requests take. */
const MARGIN_MS = 15 * 60 * 1000;
/** How long a key is relied on: the service's 24 hours, less the margin. */
const KEY_LIFE_MS = DAY_MS - MARGIN_MS;
/** By then the service has surely forgotten a key, and what it kept under it. */
export const KEY_GONE_MS = DAY_MS + MARGIN_MS;

/** The period of six hours that a time is in, as a number. @param now epoch ms */
export const toBucket = (now: number): number => Math.floor(now / BUCKET_MS);

/** The UTC day, as a number. @param now epoch ms */
export const toDay = (now: number): number => Math.floor(now / DAY_MS);

/**
 * The buckets that a key first used now surely survives. One that would outlive the key is left
 * out, so it counts as dead earlier.
 */
export function bucketsOfLife(now: number): number[] {
	const buckets: number[] = [];
	for (let bucket = toBucket(now); (bucket + 1) * BUCKET_MS <= now + KEY_LIFE_MS; bucket += 1) {
		buckets.push(bucket);
	}
	return buckets;
}

/** The days on which a key first used now may still be known. */
export function daysOfLife(now: number): number[] {
	const days: number[] = [];
	for (let day = toDay(now); day <= toDay(now + KEY_GONE_MS); day += 1) days.push(day);
	return days;
}
