import type { Payout } from '../load';

/**
 * What n8n finally says of one payout.
 * - `paid`: the node returned its withdrawal
 * - `unknown`: an error says that it is not known whether it was paid
 * - `notPaid`: an error says that it was not paid
 * - `notStarted`: an error says that it was not started
 * - `notReached`: the workflow stopped, at an error or by hand, and did not pass this item to the
 *   paying node
 * - `failed`: an error names the item, and does not say whether it was paid
 * - `nothing`: the execution failed or crashed, and nothing is said of this item
 */
export type Statement =
	'paid' | 'unknown' | 'notPaid' | 'notStarted' | 'notReached' | 'failed' | 'nothing';

/** One booked withdrawal. */
export interface Effect {
	payee: string;
	amountCents: number;
}

export interface Verdict {
	payout: Payout;
	effects: number;
	statement: Statement;
}

/** Sums over all payouts. Money in centavos. */
export interface Judgement {
	payouts: number;
	effects: number;
	/** Effects beyond one for each payout. */
	double: number;
	/** Without effect, and n8n says that it was paid, or says nothing of it. */
	missing: number;
	/** An error says that a person has to look: unknown, not paid, not started, not reached, failed. */
	needPerson: number;
	/** Said to be not paid or not started, in the end or on the way, although the books showed it. */
	falseStatements: number;
	/** An error names it, and does not say whether it was paid. */
	unexplained: number;
	/** The books show it, and n8n says nothing of it: no one knows that it was paid. */
	unreported: number;
	/** Effects that are no payout of the list, or have another amount. */
	foreign: number;
	atRiskCents: number;
	/** What is wrong, for the report. */
	faults: Verdict[];
}

const NEEDS_PERSON: ReadonlySet<Statement> = new Set<Statement>([
	'unknown',
	'notPaid',
	'notStarted',
	'notReached',
	'failed',
]);

const SAYS_NOT_PAID: ReadonlySet<Statement> = new Set<Statement>(['notPaid', 'notStarted']);

/** Whether a statement denies an effect, of those that the books show when it is made. */
export function isFalse(statement: Statement, effects: number): boolean {
	return effects > 0 && SAYS_NOT_PAID.has(statement);
}

/**
 * Compares what was to be paid with what was paid and with what n8n says of it.
 *
 * @param statements by payee, at the end
 * @param deniedBefore payees of which an execution before the last one made a false statement
 */
export function judge(
	payouts: readonly Payout[],
	effects: readonly Effect[],
	statements: ReadonlyMap<string, Statement>,
	deniedBefore: ReadonlySet<string> = new Set(),
): Judgement {
	const bookedByPayee = new Map<string, number>();
	for (const { payee } of effects) bookedByPayee.set(payee, (bookedByPayee.get(payee) ?? 0) + 1);
	const amountByPayee = new Map(payouts.map(({ payee, amountCents }) => [payee, amountCents]));

	const sums: Judgement = {
		payouts: payouts.length,
		effects: effects.length,
		double: 0,
		missing: 0,
		needPerson: 0,
		falseStatements: 0,
		unexplained: 0,
		unreported: 0,
		foreign: effects.filter(({ payee, amountCents }) => amountByPayee.get(payee) !== amountCents)
			.length,
		atRiskCents: 0,
		faults: [],
	};
	for (const payout of payouts) {
		const booked = bookedByPayee.get(payout.payee) ?? 0;
		const statement = statements.get(payout.payee) ?? 'nothing';
		const extra = Math.max(0, booked - 1);
		const isMissing = booked === 0 && (statement === 'paid' || statement === 'nothing');
		const isDenied = isFalse(statement, booked) || deniedBefore.has(payout.payee);
		const isUnexplained = statement === 'failed';
		const isUnreported = booked > 0 && (statement === 'nothing' || statement === 'notReached');
		sums.double += extra;
		if (isMissing) sums.missing += 1;
		if (isDenied) sums.falseStatements += 1;
		if (isUnexplained) sums.unexplained += 1;
		if (isUnreported) sums.unreported += 1;
		if (NEEDS_PERSON.has(statement)) sums.needPerson += 1;
		sums.atRiskCents += payout.amountCents * (extra + (isMissing ? 1 : 0));
		if (extra > 0 || isMissing || isDenied || isUnexplained || isUnreported) {
			sums.faults.push({ payout, effects: booked, statement });
		}
	}
	return sums;
}

/** Whether a judgement is what this package promises. */
export function keepsPromise(judgement: Judgement): boolean {
	const { double, missing, falseStatements, unexplained, foreign } = judgement;
	return [double, missing, falseStatements, unexplained, foreign].every((count) => count === 0);
}
