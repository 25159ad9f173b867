import { barePixKey, toCents, type PayoutRow } from './payoutList';

/** What the workflow says of one row. */
export interface PayoutResult {
	invoice: string;
	result: string;
	reason: string;
	pixKeyType: string;
	withdrawalId: string;
}

/** What the service has really done. */
export interface BookedPayout {
	id: string;
	amountCents: number;
	pixKey: string;
	description: string | null;
}

interface Expectation {
	rows: readonly PayoutRow[];
	/** Invoice -> what the reason must say, for the rows to be refused; all others have to be paid. */
	refused: Readonly<Record<string, RegExp>>;
}

function matchesBooking(row: PayoutRow, booked: BookedPayout): boolean {
	return booked.description?.startsWith(`${row.invoice}:`) === true;
}

function checkBooking(row: PayoutRow, bookings: readonly BookedPayout[]): string[] {
	const { invoice } = row;
	if (bookings.length !== 1) {
		return [`${invoice}: has to be paid once, the books show it ${bookings.length} times.`];
	}
	const faults: string[] = [];
	const [{ amountCents, pixKey }] = bookings as [BookedPayout];
	const cents = toCents(row.amount);
	if (amountCents !== cents) {
		faults.push(`${invoice}: ${cents} centavos are due, the books show ${amountCents}.`);
	}
	if (barePixKey(pixKey) !== barePixKey(row.pixKey)) {
		faults.push(`${invoice}: was paid to ${pixKey} instead of ${row.pixKey}.`);
	}
	return faults;
}

function checkRow(
	row: PayoutRow,
	reason: RegExp | undefined,
	results: readonly PayoutResult[],
	bookings: readonly BookedPayout[],
): string[] {
	const { invoice } = row;
	const [said] = results;
	if (said === undefined || results.length > 1) {
		return [`${invoice}: the workflow reports ${results.length} results instead of one.`];
	}
	if (reason === undefined) {
		const faults = checkBooking(row, bookings);
		if (said.result !== 'paid') {
			faults.push(`${invoice}: has to be paid, the workflow says "${said.result}": ${said.reason}`);
		} else if (bookings.length === 1 && said.withdrawalId !== bookings[0]!.id) {
			faults.push(`${invoice}: the workflow names another withdrawal than the books.`);
		}
		return faults;
	}
	const faults: string[] = [];
	if (bookings.length > 0) {
		faults.push(`${invoice}: has to be refused, the books show it ${bookings.length} times.`);
	}
	if (said.result !== 'refused') {
		faults.push(`${invoice}: has to be refused, the workflow says "${said.result}".`);
	} else if (!reason.test(said.reason)) {
		faults.push(`${invoice}: was refused for another reason: ${said.reason}`);
	}
	return faults;
}

/**
 * Compares what was to be paid, what the workflow says it paid and what the service really paid.
 * Returns one sentence for each disagreement; none means that all three agree.
 */
export function checkPayouts(
	{ rows, refused }: Expectation,
	results: readonly PayoutResult[],
	books: readonly BookedPayout[],
): string[] {
	const faults = rows.flatMap((row) =>
		checkRow(
			row,
			refused[row.invoice],
			results.filter(({ invoice }) => invoice === row.invoice),
			books.filter((booked) => matchesBooking(row, booked)),
		),
	);
	for (const booked of books) {
		if (!rows.some((row) => matchesBooking(row, booked))) {
			faults.push(`${booked.id}: is in the books, but belongs to no row of the list.`);
		}
	}
	for (const { invoice } of results) {
		if (!rows.some((row) => row.invoice === invoice)) {
			faults.push(`${invoice}: the workflow reports a result, but it is not in the list.`);
		}
	}
	return faults;
}

/**
 * Compares a second run of the same list with the first one: each payout made is named as paid
 * before, with the same withdrawal, and no one is paid again.
 *
 * @returns one sentence for each disagreement
 */
export function checkRepetition(
	first: readonly PayoutResult[],
	second: readonly PayoutResult[],
	books: readonly BookedPayout[],
): string[] {
	const paid = first.filter(({ result }) => result === 'paid');
	const faults = paid.flatMap(({ invoice, withdrawalId }) => {
		const said = second.find((each) => each.invoice === invoice);
		if (said?.result !== 'paid before') {
			return [`${invoice}: was paid before, the second run says "${said?.result ?? 'nothing'}".`];
		}
		if (said.withdrawalId === withdrawalId) return [];
		return [`${invoice}: the second run names another withdrawal than the first.`];
	});
	if (books.length > paid.length) {
		faults.push(`${paid.length} payouts are due, the books show ${books.length} after two runs.`);
	}
	return faults;
}
