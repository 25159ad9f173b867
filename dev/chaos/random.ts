import { createHash } from 'node:crypto';

const DENOMINATOR = 2 ** 48;

/**
 * A number from 0 to 1 (exclusive) that depends on its arguments alone. No sequence, so that what is
 * drawn for one thing never depends on the order in which others were drawn.
 */
export function draw(seed: number, ...about: ReadonlyArray<string | number>): number {
	const hash = createHash('sha256')
		.update(JSON.stringify([seed, ...about]))
		.digest();
	return hash.readUIntBE(0, 6) / DENOMINATOR;
}
