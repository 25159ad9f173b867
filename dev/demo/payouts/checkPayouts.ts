import { union } from 'lodash';

import type { Withdrawal } from '../../sandbox';
import { barePixKey, toCents, type PayoutRow } from './payoutList';

export interface PayoutResult {
	invoice: string;
	result: string;
	reason: string;
	pixKeyType: string;
	withdrawalId: string;
}

type BookedPayout = Pick<Withdrawal, 'id' | 'amountCents' | 'pixKey' | 'description'>;

interface Expectation {
	rows: readonly PayoutRow[];
	/** Invoice -> what the reason must say, for the rows to be refused; all others have to be paid. */
	refused: Readonly<Record<string, RegExp>>;
}

function invoiceOf({ description }: BookedPayout): string {
	return description?.split(':')[0] ?? '';
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
	const toInvoices = (those: ReadonlyArray<{ invoice: string }>) =>
		those.map(({ invoice }) => invoice);
	const invoices = union(toInvoices(rows), toInvoices(results), books.map(invoiceOf));
	return invoices.flatMap((invoice) => {
		const row = rows.find((each) => each.invoice === invoice);
		const reason = refused[invoice];
		const said = results.filter((each) => each.invoice === invoice);
		const booked = books.filter((each) => invoiceOf(each) === invoice);
		if (row && agree(row, reason, said, booked)) return [];
		const due = row
			? `${toCents(row.amount)} centavos to ${row.pixKey}`
			: 'nothing: it is not in the list';
		const seen = said.map(
			({ result, reason, withdrawalId }) => `"${result}" ${reason}${withdrawalId}`,
		);
		const paid = booked.map(
			(each) => `${each.amountCents} centavos to ${each.pixKey} (${each.id})`,
		);
		return [
			`${invoice}: due is ${reason ? `a refusal (${reason.source})` : due}; the workflow says ${seen.join(' and ') || 'nothing'}; the books show ${paid.join(' and ') || 'nothing'}.`,
		];
	});
}

function agree(
	row: PayoutRow,
	reason: RegExp | undefined,
	[said, ...saidMore]: readonly PayoutResult[],
	[booked, ...bookedMore]: readonly BookedPayout[],
): boolean {
	if (!said || saidMore.length > 0 || bookedMore.length > 0) return false;
	if (reason) return !booked && said.result === 'refused' && reason.test(said.reason);
	return (
		booked?.amountCents === toCents(row.amount) &&
		barePixKey(booked.pixKey) === barePixKey(row.pixKey) &&
		said.result === 'paid' &&
		said.withdrawalId === booked.id
	);
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
