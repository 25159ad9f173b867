import { draw } from './random';

/** One payment that is owed: it has to happen exactly once. */
export interface Payout {
	/** PIX key; each payout has its own, so that an effect in the books says which payout it belongs to. */
	payee: string;
	amountCents: number;
}

/**
 * How the workflow of a batch is built, as users build them:
 * - `oneGo`: all items into the paying node; the workflow stops at an error
 * - `loop`: Loop Over Items feeds it ten at a time; the workflow stops at an error
 * - `continue`: all items, with On Error > Continue; failed items carry their error
 */
export type Shape = 'oneGo' | 'loop' | 'continue';

export const SHAPES: readonly Shape[] = ['oneGo', 'loop', 'continue'];

/** Items of one call of the webhook. */
export interface Batch {
	number: number;
	shape: Shape;
	payouts: Payout[];
}

export const BATCH_SIZE = 40;

const LEAST_CENTS = 1_000;
const LARGEST_CENTS = 150_000;

/** The payouts that every strategy has to make, in batches whose shapes take turns. */
export function planLoad(seed: number, count: number): Batch[] {
	const payouts = Array.from({ length: count }, (_value, index): Payout => {
		const payee = `payee-${String(index + 1).padStart(5, '0')}@example.com`;
		const span = LARGEST_CENTS - LEAST_CENTS + 1;
		return { payee, amountCents: LEAST_CENTS + Math.floor(draw(seed, 'amount', payee) * span) };
	});
	return Array.from({ length: Math.ceil(count / BATCH_SIZE) }, (_value, number) => ({
		number,
		shape: SHAPES[number % SHAPES.length]!,
		payouts: payouts.slice(number * BATCH_SIZE, (number + 1) * BATCH_SIZE),
	}));
}

/**
 * After how many payouts with an effect n8n is killed, ascending. Counted in progress and not in
 * time, so that every strategy is killed at the same points. Spread over the run: one in each equal
 * part of the range from 3 % to 85 %, for the last payouts may never get an effect.
 */
export function planKills(seed: number, kills: number, payouts: number): number[] {
	const first = 0.03;
	const part = (0.85 - first) / kills;
	return Array.from({ length: kills }, (_value, index) =>
		Math.max(1, Math.round((first + (index + draw(seed, 'kill', index)) * part) * payouts)),
	);
}
