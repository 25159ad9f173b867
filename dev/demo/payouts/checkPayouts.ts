import { union } from 'lodash';

import type { Withdrawal } from '../../sandbox';
import { barePixKey, readPayouts, REFUSED_ON_PURPOSE, toCents, type PayoutRow } from './payoutList';

export interface PayoutResult {
	invoice: string;
	result: string;
	reason: string;
	withdrawalId: string;
}

type BookedPayout = Pick<Withdrawal, 'id' | 'amountCents' | 'pixKey' | 'description'>;

/**
 * Compares the sample list, what the workflow says that it paid of it, and what the service really paid: each row
 * once, except those that are refused on purpose.
 *
 * @param paidAs what the workflow has to call a row that is paid
 * @returns one sentence for each disagreement
 */
export function checkPayouts(
	paidAs: 'paid' | 'paid before',
	results: readonly PayoutResult[],
	books: readonly BookedPayout[],
): string[] {
	const rows = readPayouts();
	const invoiceOf = ({ description }: BookedPayout) => description?.split(':')[0] ?? '';
	const toInvoices = (those: ReadonlyArray<{ invoice: string }>) =>
		those.map(({ invoice }) => invoice);
	const invoices = union(toInvoices(rows), toInvoices(results), books.map(invoiceOf));
	return invoices.flatMap((invoice) => {
		const listed = rows.find((each) => each.invoice === invoice);
		const said = results.filter((each) => each.invoice === invoice);
		const booked = books.filter((each) => invoiceOf(each) === invoice);
		const [result, ...more] = said;
		const isRight = listed && result && more.length === 0 && agree(listed, paidAs, result, booked);
		if (isRight) return [];
		return [
			`${invoice}: in the list ${JSON.stringify(listed)}, in the workflow ${JSON.stringify(said)}, in the books ${JSON.stringify(booked)}`,
		];
	});
}

function agree(
	row: PayoutRow,
	paidAs: string,
	{ result, reason, withdrawalId }: PayoutResult,
	[booked, ...bookedMore]: readonly BookedPayout[],
): boolean {
	const refusal = REFUSED_ON_PURPOSE[row.invoice];
	if (refusal) return !booked && result === 'refused' && refusal.test(reason);
	return (
		bookedMore.length === 0 &&
		booked?.amountCents === toCents(row.amount) &&
		barePixKey(booked.pixKey) === barePixKey(row.pixKey) &&
		result === paidAs &&
		withdrawalId === booked.id
	);
}
