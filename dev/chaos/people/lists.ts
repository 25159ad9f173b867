import { draw } from '../random';
import { correctRow, type Intent, type Payee, type Row } from './intent';

/** Payouts of one list. */
export const LIST_SIZE = 40;

/** Rows of each list that the person learns of later. */
export const LATE_ROWS = 3;

/** The service refuses a single withdrawal above this; no amount that is owed reaches it. */
export const LARGEST_WITHDRAWAL_CENTS = 200_000;

const LEAST_CENTS = 1_000;
const LARGEST_CENTS = 150_000;

/** A CNPJ with correct check digits that belongs to no account of the sandbox. */
const DOCUMENT = '11444777000161';

/** How a workflow hands the list to the paying node, and what happens when an item fails. */
export type Shape = 'stop' | 'continue' | 'loop';

export const SHAPES: readonly Shape[] = ['stop', 'continue', 'loop'];

/**
 * What can be wrong with a row at first.
 * - `unreadableKey`, `unreadableAmount`: the node detects it without the service
 * - `keyRefused`, `amountRefused`: only the service refuses it
 */
export type Flaw = 'unreadableKey' | 'unreadableAmount' | 'keyRefused' | 'amountRefused';

const FOUND_HERE: readonly Flaw[] = ['unreadableKey', 'unreadableAmount'];
const FOUND_BY_SERVICE: readonly Flaw[] = ['keyRefused', 'amountRefused'];

/** A list and the workflow that pays it, before the person has done anything. */
export interface PayoutList {
	readonly number: number;
	readonly shape: Shape;
	/** The node setting Retry On Fail. */
	readonly isRetriedByN8n: boolean;
	readonly intent: Intent;
	/** Rows that the person is going to insert. */
	readonly late: readonly Row[];
	/** Payees whose bank accepts a payout only with their document. */
	readonly needDocument: readonly Payee[];
	/** Every PIX key that may be in a row of this list, wrong ones included. */
	readonly pixKeys: readonly string[];
	/** Wrong keys that the service refuses although they are well-formed. */
	readonly refusedKeys: readonly string[];
}

/**
 * @param name begins the PIX key of every payee, so that two strategies have different payees
 * @param count payouts over all lists; only the last list may be shorter
 */
export function planLists(seed: number, name: string, count: number): PayoutList[] {
	const payees = Array.from({ length: count }, (_value, index): Payee => {
		const id = `${name}-${String(index + 1).padStart(5, '0')}`;
		const span = LARGEST_CENTS - LEAST_CENTS + 1;
		return {
			pixKey: `${id}@example.com`,
			amountCents: LEAST_CENTS + Math.floor(draw(seed, 'amount', id) * span),
			document: DOCUMENT,
			reference: `NF ${id}/2026`,
		};
	});
	return Array.from({ length: Math.ceil(count / LIST_SIZE) }, (_value, number) =>
		planList(seed, name, number, payees.slice(number * LIST_SIZE, (number + 1) * LIST_SIZE)),
	);
}

function planList(
	seed: number,
	name: string,
	number: number,
	payees: readonly Payee[],
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
	const shuffled = sortByDraw(seed, [...about, 'roles'], payees);
	const late = new Set(shuffled.slice(0, LATE_ROWS));
	const needDocument = shuffled.slice(LATE_ROWS, LATE_ROWS + 2);
	const flawByPayee = new Map(
		flaws.map((flaw, index) => [shuffled[LATE_ROWS + 2 + index], flaw] as const),
	);
	const rows = payees.map((payee) => spoil(correctRow(payee), flawByPayee.get(payee)));
	const keyRefused = rows.filter(({ payee }) => flawByPayee.get(payee) === 'keyRefused');
	return {
		number,
		shape,
		isRetriedByN8n: draw(seed, 'retry on fail', ...about) < 0.5,
		intent: { list: rows.filter(({ payee }) => !late.has(payee)), removed: [] },
		late: rows.filter(({ payee }) => late.has(payee)),
		needDocument,
		pixKeys: [...new Set(rows.flatMap(({ payee, pixKey }) => [payee.pixKey, pixKey]))],
		refusedKeys: keyRefused.map(({ pixKey }) => pixKey),
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
			return { ...row, pixKey: `former-${row.pixKey}` };
		case 'amountRefused':
			return { ...row, amount: (row.payee.amountCents + LARGEST_WITHDRAWAL_CENTS) / 100 };
		case undefined:
			return row;
	}
}

/** Shuffles by the seed. */
export function sortByDraw<T extends { pixKey: string }>(
	seed: number,
	about: ReadonlyArray<string | number>,
	payees: readonly T[],
): T[] {
	const place = new Map(
		payees.map((payee) => [payee, draw(seed, 'place', ...about, payee.pixKey)] as const),
	);
	return [...payees].sort((one, other) => place.get(one)! - place.get(other)!);
}
