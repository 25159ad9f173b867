import { sum } from 'lodash';
import type { Failure } from '../../shared/failures/failure';
import { formatReais, type Cents } from '../../shared/input/money';
import { omitUndefined } from '../../shared/text/omitUndefined';
import type { Earlier } from './paidBefore';
import type { Payout } from './payout';

/** What payouts are judged by, read once for the whole batch. All amounts in centavos. */
export interface BatchBounds {
	readonly fee: Cents;
	/** Compared with the amount alone. */
	readonly minAmount: Cents;
	/** Compared with amount plus fee, as are all that follow; null if the account has none. */
	readonly perTransactionLimit: Cents | null;
	/** What the current daily or nightly window still allows. */
	readonly remainingLimit: Cents;
	/** null for a test key, whose balance is always shown as zero. */
	readonly availableBalance: Cents | null;
}

export interface Problem {
	readonly code: string;
	readonly message: string;
	/** Of a row that repeats another one: the index of that one, counted from 0 as n8n counts items; people read it from 1. */
	readonly duplicateOf?: number;
	/** Withdrawals that a person has to look at. */
	readonly withdrawalIds?: readonly string[];
}

/** One row of the batch: a payout, or what is wrong with how it was entered. */
export type BatchRow = {
	/** As it is compared. */
	readonly reference?: string;
	/** Of a payout with a reference; `unknown`: the memory of references cannot be read. */
	readonly known?: Earlier | { readonly state: 'unknown' } | undefined;
	/** If it can be read, also of a row with problems. */
	readonly amount?: Cents;
} & ({ readonly payout: Payout } | { readonly problems: readonly Problem[] });

export interface Assessment {
	readonly ok: boolean;
	readonly problems: Problem[];
}

export interface BatchAssessment {
	readonly rows: Assessment[];
	/** The rows that are in order, taken together. The sums are those of the rows that are still to be paid. */
	readonly batch: Assessment & {
		newCount: number;
		paidBeforeCount: number;
		sumPaidBefore: Cents;
		sumAmount: Cents;
		sumFees: Cents;
		sumTotal: Cents;
	};
}

/**
 * Judges payouts before any money moves (docs/api.md#withdrawal-limits-object).
 *
 * Each row is judged on its own, except that a second payout of the same amount to the same PIX key
 * is a problem: most of the time, it is a copied row. The batch is judged by the sum of the rows that are in order. What
 * was paid before costs nothing: it is compared with no bound.
 *
 * @param ofAll what else is wrong with the batch as a whole
 */
export function assessBatch(
	rows: readonly BatchRow[],
	bounds: BatchBounds,
	allowDuplicates: boolean,
	ofAll: readonly Problem[] = [],
): BatchAssessment {
	const shared = findSharedReferences(rows);
	const firstByName = new Map<string, number>();
	const assessments = rows.map((row, index): Assessment => {
		const problems = [...(shared[index] ?? [])];
		if ('problems' in row) return { ok: false, problems: [...row.problems, ...problems] };
		if (isPaid(row)) return { ok: problems.length === 0, problems };
		if (row.known?.state === 'refused') problems.unshift(toProblem(row.known.failure));
		problems.push(...assessPayout(row.payout, bounds));
		const name = payoutName(row.payout);
		const first = firstByName.get(name);
		if (first === undefined) firstByName.set(name, index);
		else if (!allowDuplicates && problems.every(({ duplicateOf }) => duplicateOf === undefined)) {
			const remedy = "If both are intended, turn on 'Options > Allow Duplicates'.";
			problems.push(toDuplicate('PIX key and amount', first, remedy));
		}
		return { ok: problems.length === 0, problems };
	});

	const amountsOf = (wasPaid: boolean) =>
		rows.flatMap((row, index) =>
			'payout' in row && assessments[index]?.ok && isPaid(row) === wasPaid
				? [row.payout.amount]
				: [],
		);
	const [payable, paid] = [amountsOf(false), amountsOf(true)];
	const sumAmount = sum(payable);
	const sumFees = payable.length * bounds.fee;
	const problems = [...ofAll, ...assessSum(sumAmount + sumFees, bounds)];
	return {
		rows: assessments,
		batch: {
			ok: problems.length === 0,
			problems,
			newCount: payable.length,
			paidBeforeCount: paid.length,
			sumPaidBefore: sum(paid),
			sumAmount,
			sumFees,
			sumTotal: sumAmount + sumFees,
		},
	};
}

const isPaid = ({ known }: BatchRow): boolean => known?.state === 'paid';

/** Equal for payouts of one amount to one PIX key. */
export const payoutName = ({ amount, pixKey }: Payout): string => `${amount} ${pixKey.value}`;

/** Of each row: a reference stands for one payout, and Withdrawal > Create sends the first of its rows. */
function findSharedReferences(rows: readonly BatchRow[]): Problem[][] {
	const firsts = new Map<string, number>();
	return rows.map((row, index) => {
		const { reference, known } = row;
		const first = reference === undefined ? undefined : firsts.get(reference);
		if (first === undefined) {
			if (reference !== undefined) firsts.set(reference, index);
			return [];
		}
		if (isSameContent(row, rows[first])) {
			return [toDuplicate('reference, PIX key and amount', first, 'Remove one of the two rows.')];
		}
		// The one that was paid is right, and of one that is refused, that is said already.
		if (known?.state === 'paid' || known?.state === 'refused') return [];
		return [
			{
				code: 'REFERENCE_MISMATCH',
				message: `Row ${first + 1} has the same reference. A reference stands for one payout: give each payout its own.`,
			},
		];
	});
}

function isSameContent(one: BatchRow, other: BatchRow | undefined): boolean {
	if (!('payout' in one) || !other || !('payout' in other)) return false;
	return payoutName(one.payout) === payoutName(other.payout);
}

function assessPayout({ amount }: Payout, bounds: BatchBounds): Problem[] {
	const total = amount + bounds.fee;
	const problems: Problem[] = [];
	if (amount < bounds.minAmount) {
		problems.push({
			code: 'WITHDRAWAL_BELOW_MINIMUM',
			message: `${formatReais(amount)} is below the minimum of ${formatReais(bounds.minAmount)}`,
		});
	}
	if (bounds.perTransactionLimit !== null && total > bounds.perTransactionLimit) {
		problems.push({
			code: 'WITHDRAWAL_LIMIT_EXCEEDED',
			message: `${formatReais(total)} with the fee exceeds the limit of ${formatReais(bounds.perTransactionLimit)} per withdrawal`,
		});
	}
	return [...problems, ...assessSum(total, bounds)];
}

function assessSum(total: Cents, bounds: BatchBounds): Problem[] {
	const problems: Problem[] = [];
	if (total > bounds.remainingLimit) {
		problems.push({
			code: 'WITHDRAWAL_LIMIT_EXCEEDED',
			message: `${formatReais(total)} with fees exceeds what the daily or nightly limit still allows, ${formatReais(bounds.remainingLimit)}`,
		});
	}
	if (bounds.availableBalance !== null && total > bounds.availableBalance) {
		problems.push({
			code: 'INSUFFICIENT_BALANCE',
			message: `${formatReais(total)} with fees exceeds the available balance of ${formatReais(bounds.availableBalance)}`,
		});
	}
	return problems;
}

function toDuplicate(what: string, duplicateOf: number, remedy: string): Problem {
	return {
		code: 'DUPLICATE_IN_BATCH',
		message: `Same ${what} as row ${duplicateOf + 1}. ${remedy}`,
		duplicateOf,
	};
}

export function toProblem({ code, message, description, withdrawalIds }: Failure): Problem {
	return { code, message: `${message}. ${description}`, ...omitUndefined({ withdrawalIds }) };
}
