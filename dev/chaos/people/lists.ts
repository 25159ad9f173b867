import { sortBy } from 'lodash';

import { draw } from '../random';
import { correctRow, type Intent, type Payout, type Row } from './intent';

const LIST_SIZE = 40;

/** Rows of each list that the person learns of later. */
const LATE_ROWS = 3;

/** The service refuses a single withdrawal above this; no amount that is owed reaches it. */
export const LARGEST_WITHDRAWAL_CENTS = 200_000;

/** A CNPJ with correct check digits that belongs to no account of the sandbox. */
const DOCUMENT = '11444777000161';

/**
 * Lists share their payees with every tenth list of the strategy: each payout looks like some of its own list, of
 * four others, and of another tool, but not like hundreds, which no person could look at.
 */
const CIRCLES = 10;
const PAYEES = [1, 2, 3, 4, 5] as const;
const AMOUNTS_CENTS = [10_000, 25_000, 49_990] as const;

const toPixKey = (strategy: string, circle: number, payee: number) =>
	`supplier-${payee}-of-${strategy}-${circle}@example.com`;

/** The bank of this one accepts a payout only with the document of its holder. */
const NEEDS_DOCUMENT = PAYEES.at(-1)!;
const NEEDS_DOCUMENT_SHARE = 0.05;

/** Well-formed, and refused by the service. */
const toRefusedKey = (pixKey: string) => `former-${pixKey}`;

/** What the service has to know of the payees of the strategies. */
export function describePayees(strategies: readonly string[]): {
	readonly blocklist: string[];
	readonly pixKeyHolders: Record<string, string>;
} {
	const circles = strategies.flatMap((strategy) =>
		Array.from({ length: CIRCLES }, (_value, circle) => [strategy, circle] as const),
	);
	return {
		blocklist: circles.flatMap((circle) =>
			PAYEES.map((payee) => toRefusedKey(toPixKey(...circle, payee))),
		),
		pixKeyHolders: Object.fromEntries(
			circles.map((circle) => [toPixKey(...circle, NEEDS_DOCUMENT), DOCUMENT]),
		),
	};
}

export type Look = Pick<Payout, 'pixKey' | 'amountCents'>;

function drawLook(seed: number, strategy: string, circle: number, about: string): Look {
	const others = PAYEES.filter((payee) => payee !== NEEDS_DOCUMENT);
	const payee =
		draw(seed, 'pix key', about) < NEEDS_DOCUMENT_SHARE
			? NEEDS_DOCUMENT
			: others[Math.floor(draw(seed, 'which key', about) * others.length)]!;
	const amount = Math.floor(draw(seed, 'amount', about) * AMOUNTS_CENTS.length);
	return { pixKey: toPixKey(strategy, circle, payee), amountCents: AMOUNTS_CENTS[amount]! };
}

/** A payout of another tool, which looks like those of some lists. @param about names it */
export function drawLookOfOther(seed: number, strategies: readonly string[], about: string): Look {
	const strategy = strategies[Math.floor(draw(seed, 'strategy', about) * strategies.length)]!;
	return drawLook(seed, strategy, Math.floor(draw(seed, 'circle', about) * CIRCLES), about);
}

/** How a workflow hands the list to the paying node, and what happens when an item fails. */
export type Shape = 'stop' | 'continue' | 'loop';

const SHAPES: readonly Shape[] = ['stop', 'continue', 'loop'];

/**
 * What can be wrong with a row at first.
 * - `unreadableKey`, `unreadableAmount`: the node detects it without the service
 * - `keyRefused`, `amountRefused`: only the service refuses it
 */
type Flaw = 'unreadableKey' | 'unreadableAmount' | 'keyRefused' | 'amountRefused';

const FOUND_HERE: readonly Flaw[] = ['unreadableKey', 'unreadableAmount'];
const FOUND_BY_SERVICE: readonly Flaw[] = ['keyRefused', 'amountRefused'];

/** A list and the workflow that pays it, before the person has done anything. */
export interface PayoutList {
	readonly number: number;
	readonly shape: Shape;
	/** Whether nobody changes anything about it: it is only run, and retried. */
	readonly isLeftAlone: boolean;
	/** The node setting Retry On Fail. */
	readonly isRetriedByN8n: boolean;
	readonly intent: Intent;
	readonly late: readonly Row[];
	/** All payouts that were ever meant for it. */
	readonly ids: readonly string[];
}

/**
 * @param name begins the ID of every payout, so that two strategies have different ones
 * @param count payouts over all lists; only the last list may be shorter
 * @param people whether people edit them; else the rows are right, and each payee has one
 */
export function planLists(seed: number, name: string, count: number, people = true): PayoutList[] {
	const payouts = Array.from({ length: count }, (_value, index): Payout => {
		const id = `${name}-${String(index + 1).padStart(5, '0')}`;
		const look = drawLook(seed, name, Math.floor(index / LIST_SIZE) % CIRCLES, id);
		const pixKey = people ? look.pixKey : `${id}@example.com`;
		return { id, ...look, pixKey, document: DOCUMENT, reference: `NF ${id}/2026` };
	});
	return Array.from({ length: Math.ceil(count / LIST_SIZE) }, (_value, number) => {
		const theirs = payouts.slice(number * LIST_SIZE, (number + 1) * LIST_SIZE);
		return people ? planList(seed, name, number, theirs) : planListLeftAlone(number, theirs);
	});
}

function planListLeftAlone(number: number, payouts: readonly Payout[]): PayoutList {
	return {
		number,
		shape: SHAPES[number % SHAPES.length]!,
		isLeftAlone: true,
		isRetriedByN8n: true,
		intent: { list: payouts.map(correctRow), removed: [] },
		late: [],
		ids: payouts.map(({ id }) => id),
	};
}

function planList(
	seed: number,
	name: string,
	number: number,
	payouts: readonly Payout[],
): PayoutList {
	const about = [name, number] as const;
	const shape = SHAPES[number % SHAPES.length]!;
	// A row that the node itself refuses stops a run before anything is sent: not in every list, or
	// little else would happen.
	const hasLocalFlaws = shape !== 'stop' || draw(seed, 'local flaws', ...about) < 0.5;
	const flaws = [
		...pick(seed, [...about, 'service'], FOUND_BY_SERVICE),
		...(hasLocalFlaws ? pick(seed, [...about, 'local'], FOUND_HERE) : []),
	];
	const shuffled = sortByDraw(seed, [...about, 'roles'], payouts);
	const late = new Set(shuffled.slice(0, LATE_ROWS));
	const flawed = new Map(flaws.map((flaw, index) => [shuffled[LATE_ROWS + index], flaw] as const));
	const rows = payouts.map((payout) => spoil(correctRow(payout), flawed.get(payout)));
	return {
		number,
		shape,
		isLeftAlone: false,
		isRetriedByN8n: draw(seed, 'retry on fail', ...about) < 0.5,
		intent: { list: rows.filter(({ payout }) => !late.has(payout)), removed: [] },
		late: rows.filter(({ payout }) => late.has(payout)),
		ids: payouts.map(({ id }) => id),
	};
}

/** One or two flaws of a kind. */
function pick(seed: number, about: ReadonlyArray<string | number>, flaws: readonly Flaw[]): Flaw[] {
	const count = 1 + Math.floor(draw(seed, 'flaws', ...about) * 2);
	return flaws.slice(0, count);
}

function spoil(row: Row, flaw: Flaw | undefined): Row {
	switch (flaw) {
		case 'unreadableKey':
			return { ...row, pixKey: row.pixKey.replace('@', ' at ') };
		case 'unreadableAmount':
			return { ...row, amount: '1.234' };
		case 'keyRefused':
			return { ...row, pixKey: toRefusedKey(row.pixKey) };
		case 'amountRefused':
			return { ...row, amount: (row.payout.amountCents + LARGEST_WITHDRAWAL_CENTS) / 100 };
		case undefined:
			return row;
	}
}

export function sortByDraw<T extends { id: string }>(
	seed: number,
	about: ReadonlyArray<string | number>,
	payouts: readonly T[],
): T[] {
	return sortBy(payouts, ({ id }) => draw(seed, 'place', ...about, id));
}
