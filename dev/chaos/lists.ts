import { sortBy } from 'lodash';

import { draw } from './random';

/**
 * What somebody is to be paid once. Many payouts have the same PIX key and amount: only its ID, which
 * begins its description, says which one an effect in the books is.
 */
export interface Payout {
	readonly id: string;
	readonly pixKey: string;
	readonly amountCents: number;
	/** Such as an invoice number. */
	readonly reference: string;
}

/** One row of the list, as written: key and amount may be wrong until the person corrects them. */
export interface Row {
	readonly payout: Payout;
	readonly pixKey: string;
	/** Reais, as a number or as text that cannot be read as an amount. */
	readonly amount: number | string;
	/** The payout's own, or the one that the person gave it after looking it up. */
	readonly reference: string;
}

export function correctRow(payout: Payout): Row {
	const { pixKey, amountCents, reference } = payout;
	return { payout, pixKey, amount: amountCents / 100, reference };
}

/** @param row as it is written, or as a node was given it */
export function isCorrect(row: { payout: Payout; pixKey: unknown; amount: unknown }): boolean {
	return row.pixKey === row.payout.pixKey && row.amount === row.payout.amountCents / 100;
}

const LIST_SIZE = 40;

/** The service refuses a single withdrawal above this; no amount that is owed reaches it. */
export const LARGEST_WITHDRAWAL_CENTS = 200_000;

/**
 * Lists share their payees with every tenth list of the strategy: each payout looks like some of its own list, of
 * four others, and of another tool, but not like hundreds, which no person could look at.
 */
const CIRCLES = 10;
const PAYEES = [1, 2, 3, 4] as const;
const AMOUNTS_CENTS = [10_000, 25_000, 49_990] as const;

const toPixKey = (strategy: string, circle: number, payee: number) =>
	`supplier-${payee}-of-${strategy}-${circle}@example.com`;

/** Begins a PIX key that is well-formed, and refused by the service. */
export const REFUSED = 'former-';

type Look = Pick<Payout, 'pixKey' | 'amountCents'>;

function drawLook(seed: number, strategy: string, circle: number, about: string): Look {
	const payee = PAYEES[Math.floor(draw(seed, 'which key', about) * PAYEES.length)]!;
	const amount = Math.floor(draw(seed, 'amount', about) * AMOUNTS_CENTS.length);
	return { pixKey: toPixKey(strategy, circle, payee), amountCents: AMOUNTS_CENTS[amount]! };
}

/** A payout of another tool, which looks like those of some lists. @param about names it */
export function drawLookOfOther(seed: number, strategies: readonly string[], about: string): Look {
	const strategy = strategies[Math.floor(draw(seed, 'strategy', about) * strategies.length)]!;
	return drawLook(seed, strategy, Math.floor(draw(seed, 'circle', about) * CIRCLES), about);
}

/** How a workflow hands the list to the paying node, and what happens when an item fails. */
const SHAPES = ['stop', 'continue', 'loop'] as const;

/** What can be wrong with a row at first: two that only the service refuses, two that the node detects. */
const FLAWS: ReadonlyArray<(row: Row) => Row> = [
	(row) => ({ ...row, pixKey: REFUSED + row.pixKey }),
	(row) => ({ ...row, amount: (row.payout.amountCents + LARGEST_WITHDRAWAL_CENTS) / 100 }),
	(row) => ({ ...row, pixKey: row.pixKey.replace('@', ' at ') }),
	(row) => ({ ...row, amount: '1.234' }),
];
const FOUND_BY_SERVICE = 2;

/** A list and the workflow that pays it, before the person has done anything. */
export interface PayoutList {
	readonly number: number;
	readonly shape: (typeof SHAPES)[number];
	/** The node setting Retry On Fail. */
	readonly isRetriedByN8n: boolean;
	readonly rows: readonly Row[];
	/** Of its payouts. */
	readonly ids: readonly string[];
}

/**
 * @param name begins the ID of every payout, so that two strategies have different ones
 * @param count payouts over all lists; only the last list may be shorter
 * @param people whether people correct them; else the rows are right, and each payee has one
 */
export function planLists(
	seed: number,
	name: string,
	count: number,
	people: boolean,
): PayoutList[] {
	const payouts = Array.from({ length: count }, (_value, index): Payout => {
		const id = `${name}-${String(index + 1).padStart(5, '0')}`;
		const look = drawLook(seed, name, Math.floor(index / LIST_SIZE) % CIRCLES, id);
		const pixKey = people ? look.pixKey : `${id}@example.com`;
		return { id, ...look, pixKey, reference: `NF ${id}/2026` };
	});
	return Array.from({ length: Math.ceil(count / LIST_SIZE) }, (_value, number): PayoutList => {
		const theirs = payouts.slice(number * LIST_SIZE, (number + 1) * LIST_SIZE);
		const shape = SHAPES[number % SHAPES.length]!;
		// A row that the node itself refuses stops a run before anything is sent: not in every list, or
		// little else would happen.
		const hasLocalFlaws = shape !== 'stop' || draw(seed, 'local flaws', name, number) < 0.5;
		const flaws = people ? FLAWS.slice(0, hasLocalFlaws ? FLAWS.length : FOUND_BY_SERVICE) : [];
		const shuffled = sortBy(theirs, ({ id }) => draw(seed, 'place', name, number, id));
		const spoil = (row: Row): Row => flaws[shuffled.indexOf(row.payout)]?.(row) ?? row;
		return {
			...{ number, shape },
			isRetriedByN8n: !people || draw(seed, 'retry on fail', name, number) < 0.5,
			rows: theirs.map((payout) => spoil(correctRow(payout))),
			ids: theirs.map(({ id }) => id),
		};
	});
}
