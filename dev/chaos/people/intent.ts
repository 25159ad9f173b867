/**
 * What a person wants to be paid, apart from what any program does about it. The list on the screen
 * changes (rows are fixed, inserted, removed, reordered); what is owed follows from the final list.
 * Everything here is pure: no n8n, no service, no time.
 */

/**
 * A person or company to be paid once. The PIX key is unique, so an effect in the books names its
 * payee.
 */
export interface Payee {
	readonly pixKey: string;
	readonly amountCents: number;
	/** CPF or CNPJ of the holder of the PIX key. */
	readonly document: string;
	/** Such as an invoice number. */
	readonly reference: string;
}

/** One row of the list, as written: key and amount may be wrong until the person fixes them. */
export interface Row {
	readonly payee: Payee;
	readonly pixKey: string;
	/** Reais, as a number or as text that cannot be read as an amount. */
	readonly amount: number | string;
	/** The reference that the person gave it instead of the payee's, after looking it up. */
	readonly newReference?: string;
}

/** The list now, and who was on it before. */
export interface Intent {
	readonly list: readonly Row[];
	/** Payees that were removed and are not on the list now. */
	readonly removed: readonly Payee[];
}

/** How many effects a payee may have at the end, and of which amount. */
export interface Owed {
	readonly payee: Payee;
	/** 1: is on the final list. 0: was removed, perhaps after it was paid. */
	readonly least: 0 | 1;
}

/** The row as it has to be for its payee to get what is owed. */
export function correctRow(payee: Payee): Row {
	return { payee, pixKey: payee.pixKey, amount: payee.amountCents / 100 };
}

export function isCorrect(row: Row): boolean {
	return row.pixKey === row.payee.pixKey && row.amount === row.payee.amountCents / 100;
}

/** Corrects what is wrong in the row of this payee. */
export function fixRow(intent: Intent, pixKey: string): Intent {
	const list = intent.list.map((row) => (hasPixKey(row, pixKey) ? correctRow(row.payee) : row));
	return { ...intent, list };
}

/** Gives the row of this payee another reference: the first one is stuck, and has not paid. */
export function renameReference(intent: Intent, pixKey: string): Intent {
	const list = intent.list.map((row) =>
		hasPixKey(row, pixKey) ? { ...row, newReference: `${row.payee.reference} again` } : row,
	);
	return { ...intent, list };
}

/** Adds a row before the row at `index`; at the end where there is none. */
export function insertRow({ list, removed }: Intent, row: Row, index: number): Intent {
	if (list.some((other) => hasPixKey(other, row.payee.pixKey))) {
		throw new Error(`${row.payee.pixKey} is on the list already: it would be owed twice.`);
	}
	return {
		list: [...list.slice(0, index), row, ...list.slice(index)],
		removed: removed.filter(({ pixKey }) => pixKey !== row.payee.pixKey),
	};
}

export function removeRow({ list, removed }: Intent, pixKey: string): Intent {
	const gone = list.filter((row) => hasPixKey(row, pixKey)).map(({ payee }) => payee);
	return { list: list.filter((row) => !hasPixKey(row, pixKey)), removed: [...removed, ...gone] };
}

/** Sorts the list by a number for each payee. */
export function reorderRows(intent: Intent, getPlace: (pixKey: string) => number): Intent {
	const list = [...intent.list].sort(
		(one, other) => getPlace(one.payee.pixKey) - getPlace(other.payee.pixKey),
	);
	return { ...intent, list };
}

/**
 * What the books must show in the end: each payee of the list exactly one payout of its amount, each
 * payee that was removed one at most.
 */
export function owedBy({ list, removed }: Intent): Owed[] {
	return [
		...list.map(({ payee }): Owed => ({ payee, least: 1 })),
		...removed.map((payee): Owed => ({ payee, least: 0 })),
	];
}

function hasPixKey(row: Row, pixKey: string): boolean {
	return row.payee.pixKey === pixKey;
}
