import { formatReais, type Cents } from '../../../shared/validation/money';
import type { Payout } from '../../payouts/payout';

/** What payouts are judged by, read once for the whole batch. All amounts in centavos. */
export interface BatchBounds {
	readonly fee: Cents;
	/** Compared with the amount alone. */
	readonly minAmount: Cents;
	/** Compared with amount plus fee, as are all that follow; null where the account has none. */
	readonly perTransactionLimit: Cents | null;
	/** What the current daily or nightly window still allows. */
	readonly remainingLimit: Cents;
	/** null for a test key, whose balance is always shown as zero. */
	readonly availableBalance: Cents | null;
}

export interface Problem {
	readonly code: string;
	readonly message: string;
	/** Of a row that repeats an earlier one: the index of that one, counted from 0 as n8n counts items. */
	readonly duplicateOf?: number;
}

/** One row of the batch: a payout, or what is wrong with how it was entered. */
export type BatchRow = { payout: Payout } | { problems: readonly Problem[] };

export interface Verdict {
	readonly ok: boolean;
	readonly problems: Problem[];
}

export interface BatchVerdict {
	readonly rows: Verdict[];
	/** The rows that are in order, taken together. */
	readonly batch: Verdict & {
		okCount: number;
		sumAmount: Cents;
		sumFees: Cents;
		sumTotal: Cents;
	};
}

/**
 * Judges payouts before any money moves (docs/api.md#withdrawal-limits-object).
 *
 * Each row is judged on its own, except that a second payout of the same amount to the same PIX key
 * is a problem: most of the time, it is a copied row. The batch is judged by the sum of the rows
 * that are in order.
 */
export function judgeBatch(
	rows: readonly BatchRow[],
	bounds: BatchBounds,
	allowDuplicates: boolean,
): BatchVerdict {
	const firstByName = new Map<string, number>();
	const verdicts = rows.map((row, index): Verdict => {
		if ('problems' in row) return { ok: false, problems: [...row.problems] };
		const problems = judgePayout(row.payout, bounds);
		const fingerprint = `${row.payout.amount} ${row.payout.pixKey.value}`;
		const first = firstByName.get(fingerprint);
		if (first === undefined) firstByName.set(fingerprint, index);
		else if (!allowDuplicates) problems.push(toDuplicateProblem(first));
		return { ok: problems.length === 0, problems };
	});

	const payable = rows.flatMap((row, index) =>
		'payout' in row && verdicts[index]?.ok ? [row.payout.amount] : [],
	);
	const sumAmount = payable.reduce((sum, amount) => sum + amount, 0);
	const sumFees = payable.length * bounds.fee;
	const problems = judgeSum(sumAmount + sumFees, bounds);
	return {
		rows: verdicts,
		batch: {
			ok: problems.length === 0,
			problems,
			okCount: payable.length,
			sumAmount,
			sumFees,
			sumTotal: sumAmount + sumFees,
		},
	};
}

function judgePayout({ amount }: Payout, bounds: BatchBounds): Problem[] {
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
	return [...problems, ...judgeSum(total, bounds)];
}

function judgeSum(total: Cents, bounds: BatchBounds): Problem[] {
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

function toDuplicateProblem(first: number): Problem {
	return {
		code: 'DUPLICATE_IN_BATCH',
		message: `Same PIX key and amount as item ${first} of this check (the first item is 0). If both are intended, turn on Options > Allow Duplicates.`,
		duplicateOf: first,
	};
}
