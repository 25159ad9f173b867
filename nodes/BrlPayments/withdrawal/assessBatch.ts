import { formatReais, type Cents } from '../../shared/input/money';
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

/** What is known of a payout with a reference. */
export type Known =
	/** `open`: an earlier attempt got no answer. `unknown`: the memory of references cannot be read. */
	| { readonly state: 'new' | 'open' | 'unknown' }
	| Extract<Earlier, { state: 'paid' }>
	/** It would be refused: the reference is in doubt, or was paid with other content. */
	| { readonly state: 'refused'; readonly problem: Problem };

/** One row of the batch: a payout, or what is wrong with how it was entered. */
export type BatchRow = {
	/** As it is compared. */
	readonly reference?: string;
	/** For a payout with a reference. */
	readonly known?: Known;
	/** If it can be read, also of a row with problems. */
	readonly amount?: Cents;
} & ({ readonly payout: Payout } | { readonly problems: readonly Problem[] });

export interface Judgment {
	readonly ok: boolean;
	readonly problems: Problem[];
}

export interface BatchJudgment {
	readonly rows: Judgment[];
	/** The rows that are in order, taken together. The sums are those of the rows that are still to be paid. */
	readonly batch: Judgment & {
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
): BatchJudgment {
	const shared = findSharedReferences(rows);
	const firstByName = new Map<string, number>();
	const judgments = rows.map((row, index): Judgment => {
		const problems = [...(shared.get(index) ?? [])];
		if ('problems' in row) return { ok: false, problems: [...row.problems, ...problems] };
		if (isPaid(row)) return { ok: problems.length === 0, problems };
		if (row.known?.state === 'refused') problems.unshift(row.known.problem);
		problems.push(...assessPayout(row.payout, bounds));
		const name = payoutName(row.payout);
		const first = firstByName.get(name);
		if (first === undefined) firstByName.set(name, index);
		else if (!allowDuplicates && problems.every(({ duplicateOf }) => duplicateOf === undefined)) {
			problems.push(toDuplicateProblem(first));
		}
		return { ok: problems.length === 0, problems };
	});

	const amountsOf = (wasPaid: boolean) =>
		rows.flatMap((row, index) =>
			'payout' in row && judgments[index]?.ok && isPaid(row) === wasPaid ? [row.payout.amount] : [],
		);
	const [payable, paid] = [amountsOf(false), amountsOf(true)];
	const sumAmount = sum(payable);
	const sumFees = payable.length * bounds.fee;
	const problems = [...ofAll, ...assessSum(sumAmount + sumFees, bounds)];
	return {
		rows: judgments,
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

const payoutName = ({ amount, pixKey }: Payout): string => `${amount} ${pixKey.value}`;

const sum = (amounts: readonly Cents[]): Cents =>
	amounts.reduce((total, amount) => total + amount, 0);

/**
 * A reference stands for one payout: Withdrawal > Create sends the first of its rows.
 */
function findSharedReferences(rows: readonly BatchRow[]): Map<number, Problem[]> {
	const firsts = new Map<string, number>();
	const found = new Map<number, Problem[]>();
	const add = (index: number, problem: Problem) => {
		const { state } = rows[index]?.known ?? {};
		// The one that was paid is right, and of the other one that is said already.
		if (problem.duplicateOf === undefined && (state === 'paid' || state === 'refused')) return;
		if (!found.has(index)) found.set(index, [problem]);
	};
	for (const [index, row] of rows.entries()) {
		if (row.reference === undefined) continue;
		const first = firsts.get(row.reference);
		const other = first === undefined ? undefined : rows[first];
		if (first === undefined || other === undefined) firsts.set(row.reference, index);
		else if (isSameContent(row, other)) add(index, toRepeatedRow(first));
		else {
			add(index, toSharedReference(first));
		}
	}
	return found;
}

function isSameContent(one: BatchRow, other: BatchRow): boolean {
	if (!('payout' in one) || !('payout' in other)) return false;
	const isSameKey = one.payout.pixKey.value === other.payout.pixKey.value;
	return isSameKey && one.payout.amount === other.payout.amount;
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

function toRepeatedRow(first: number): Problem {
	return {
		code: 'DUPLICATE_IN_BATCH',
		message: `Same reference, PIX key and amount as row ${first + 1}. Remove one of the two rows.`,
		duplicateOf: first,
	};
}

function toSharedReference(other: number): Problem {
	return {
		code: 'REFERENCE_MISMATCH',
		message: `Row ${other + 1} has the same reference. A reference stands for one payout: give each payout its own.`,
	};
}

function toDuplicateProblem(first: number): Problem {
	return {
		code: 'DUPLICATE_IN_BATCH',
		message: `Same PIX key and amount as row ${first + 1}. If both are intended, turn on 'Options > Allow Duplicates'.`,
		duplicateOf: first,
	};
}
