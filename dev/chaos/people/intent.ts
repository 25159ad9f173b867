/**
 * What a person wants to be paid, apart from what any program does about it. The list on the screen
 * changes (rows are fixed, inserted, removed, reordered); what is owed follows from the final list.
 * Everything here is pure: no n8n, no service, no time.
 */

import { sortBy } from 'lodash';

/**
 * What somebody is to be paid once. Many payouts have the same PIX key and amount: only its ID, which
 * begins its description, says which one an effect in the books is.
 */
export interface Payout {
	readonly id: string;
	readonly pixKey: string;
	readonly amountCents: number;
	/** CPF or CNPJ of the holder of the PIX key. */
	readonly document: string;
	/** Such as an invoice number. */
	readonly reference: string;
}

/** One row of the list, as written: key and amount may be wrong until the person fixes them. */
export interface Row {
	readonly payout: Payout;
	readonly pixKey: string;
	/** Reais, as a number or as text that cannot be read as an amount. */
	readonly amount: number | string;
	/** The reference that the person gave it instead of its own, after looking it up. */
	readonly newReference?: string;
}

/** The list now, and what was on it before. */
export interface Intent {
	readonly list: readonly Row[];
	/** Payouts that were removed and are not on the list now. */
	readonly removed: readonly Payout[];
}

export interface Owed {
	readonly payout: Payout;
	/** 1: is on the final list. 0: was removed, perhaps after it was paid. */
	readonly least: 0 | 1;
}

export function correctRow(payout: Payout): Row {
	return { payout, pixKey: payout.pixKey, amount: payout.amountCents / 100 };
}

/** @param row as it is written, or as a node was given it */
export function isCorrect(row: { payout: Payout; pixKey: unknown; amount: unknown }): boolean {
	return row.pixKey === row.payout.pixKey && row.amount === row.payout.amountCents / 100;
}

export function fixRow(intent: Intent, id: string): Intent {
	const list = intent.list.map((row) => (hasId(row, id) ? correctRow(row.payout) : row));
	return { ...intent, list };
}

/** Gives the row of this payout another reference: the first one is stuck, and has not paid. */
export function renameReference(intent: Intent, id: string): Intent {
	const list = intent.list.map((row) =>
		hasId(row, id) ? { ...row, newReference: `${row.payout.reference} again` } : row,
	);
	return { ...intent, list };
}

/** Adds a row before the row at `index`; at the end where there is none. */
export function insertRow({ list, removed }: Intent, row: Row, index: number): Intent {
	if (list.some((other) => hasId(other, row.payout.id))) {
		throw new Error(`${row.payout.id} is on the list already: it would be owed twice.`);
	}
	return {
		list: [...list.slice(0, index), row, ...list.slice(index)],
		removed: removed.filter(({ id }) => id !== row.payout.id),
	};
}

export function removeRow({ list, removed }: Intent, id: string): Intent {
	const gone = list.filter((row) => hasId(row, id)).map(({ payout }) => payout);
	return { list: list.filter((row) => !hasId(row, id)), removed: [...removed, ...gone] };
}

export function reorderRows(intent: Intent, getPlace: (id: string) => number): Intent {
	return { ...intent, list: sortBy(intent.list, ({ payout }) => getPlace(payout.id)) };
}

/**
 * What the books must show in the end: each payout of the list exactly once, each one that was removed
 * once at most.
 */
export function owedBy({ list, removed }: Intent): Owed[] {
	return [
		...list.map(({ payout }): Owed => ({ payout, least: 1 })),
		...removed.map((payout): Owed => ({ payout, least: 0 })),
	];
}

function hasId(row: Row, id: string): boolean {
	return row.payout.id === id;
}
