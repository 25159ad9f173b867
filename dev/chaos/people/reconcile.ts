import { groupBy, partition, sortBy, sumBy, uniq, uniqBy } from 'lodash';

import type { Start } from './deeds';
import { isCorrect, type Owed, type Payout } from './intent';
import type { Shown } from './screen';
import type { Promised } from './strategies';

/** One start of a workflow by the person: a new execution, or the retry of an earlier one. */
export interface Run {
	readonly list: number;
	readonly step: number;
	readonly start: Start;
	/** Epoch ms, just before the person pressed. */
	readonly pressedAt: number;
	/** The step whose execution this one retries, at the end of the chain; its own where it retries none. */
	readonly rootStep: number;
	readonly rootStart: Start;
}

/** A withdrawal in the books, failed ones excepted. Times in epoch ms. */
export interface BookedEffect {
	readonly id: string;
	/** The payout that its description names; undefined where it names none. */
	readonly payout: string | undefined;
	readonly pixKey: string;
	readonly amountCents: number;
	readonly idempotencyKey: string | null;
	readonly createdAt: number;
}

export interface WithdrawalRequest {
	readonly payout: string | undefined;
	readonly idempotencyKey: string | null;
	readonly receivedAt: number;
	/** Undefined where the connection was cut instead. */
	readonly status: number | undefined;
}

/** An effect and the run that asked for it; undefined where none did. */
export interface CausedEffect extends BookedEffect {
	readonly receivedAt: number;
	readonly run: Run | undefined;
}

/** What the screen showed of a row, in which run of the person, and when that was read, epoch ms. */
export interface Observation extends Shown {
	readonly run: Run;
	readonly readAt: number;
}

/** A payout with more effects than one, in the order of their requests. */
export interface Repetition {
	readonly payout: string;
	readonly amountCents: number;
	readonly effects: readonly CausedEffect[];
	/** Of the effects after the first, those that the docs announce, and the others. */
	readonly announced: readonly CausedEffect[];
	readonly double: readonly CausedEffect[];
}

/** Something that the screen showed and the books deny. */
export interface Falsehood {
	readonly observation: Observation;
	readonly what: string;
}

/** Sums over all lists of a strategy. Money in centavos. */
export interface Reconciliation {
	readonly owed: number;
	readonly effects: number;
	/** Effects after the first of a payout that nothing announces. */
	readonly double: number;
	/** Effects after the first that a new production execution makes, as the docs say in advance. */
	readonly announced: number;
	/** Payouts on a final list without any effect. */
	readonly missing: readonly Owed[];
	/** Payouts without any effect that n8n has shown as paid. */
	readonly missingWithSuccess: readonly string[];
	/** Rows shown with a withdrawal that is not their own. */
	readonly wrongIds: readonly Falsehood[];
	/** Payouts shown as not paid that were, as paid just now twice, or with an error that leaves it open. */
	readonly falseStatements: readonly Falsehood[];
	/** Effects that are of no payout, or of another amount or PIX key. */
	readonly foreign: readonly CausedEffect[];
	readonly repetitions: readonly Repetition[];
	readonly overpaidCents: number;
}

/**
 * Finds the run that asked for each effect: the last one of the payout's list that was started before
 * the request arrived. A person starts nothing while something of the same list still runs.
 *
 * @param runs of all lists, in any order
 * @param findList number of the list of a payout
 */
export function findCauses(
	effects: readonly BookedEffect[],
	requests: readonly WithdrawalRequest[],
	runs: readonly Run[],
	findList: (payout: string) => number | undefined,
): CausedEffect[] {
	const ordered = sortBy(runs, 'pressedAt');
	const toKey = ({ payout, idempotencyKey }: BookedEffect | WithdrawalRequest): string =>
		JSON.stringify([payout, idempotencyKey]);
	const requestsByKey = groupBy(sortBy(requests, 'receivedAt'), toKey);
	return effects.map((effect) => {
		// Of the requests under its key, the last one before it was booked. A 409 says that another request
		// was at work, so it made nothing.
		const request = requestsByKey[toKey(effect)]?.findLast(
			(each) => each.receivedAt <= effect.createdAt && each.status !== 409,
		);
		const receivedAt = request?.receivedAt ?? effect.createdAt;
		const list = effect.payout === undefined ? undefined : findList(effect.payout);
		const run = ordered.findLast((each) => each.list === list && each.pressedAt <= receivedAt);
		return { ...effect, receivedAt, run };
	});
}

/** Compares what is owed, and what was shown, with what the books say. */
export function reconcile(
	owed: readonly Owed[],
	effects: readonly CausedEffect[],
	observations: readonly Observation[],
	promised: Promised,
): Reconciliation {
	const owedById = new Map(owed.map((each) => [each.payout.id, each.payout]));
	const [foreign, ours] = partition(effects, ({ payout, pixKey, amountCents }) => {
		const wanted = owedById.get(payout ?? '');
		return wanted?.pixKey !== pixKey || wanted.amountCents !== amountCents;
	});
	const byPayout = groupBy(sortBy(ours, 'receivedAt'), 'payout');
	const repetitions = Object.values(byPayout)
		.filter((theirs) => theirs.length > 1)
		.map((theirs) => judgeRepetition(theirs, promised));

	// n8n shows what a run of the node said once more in each retry of its execution.
	const seen = uniqBy(sortBy(observations, 'readAt'), ({ id, nodeRun }) =>
		JSON.stringify([id, nodeRun]),
	);
	const unowned = seen.filter(
		({ id, withdrawalId }) =>
			withdrawalId !== undefined && !byPayout[id]?.some((effect) => effect.id === withdrawalId),
	);
	// Only one run can have made a withdrawal just now. A new order makes another one, and says so.
	const firsts = Object.values(
		groupBy(
			seen.filter(({ alreadyPaid }) => alreadyPaid === false),
			({ id, withdrawalId }) => JSON.stringify([id, withdrawalId]),
		),
	);
	const toFalsehoods = (what: string, those: readonly Observation[]): Falsehood[] =>
		those.map((observation) => ({ observation, what }));
	return {
		owed: owed.filter(({ least }) => least === 1).length,
		effects: effects.length,
		double: sumBy(repetitions, ({ double }) => double.length),
		announced: sumBy(repetitions, ({ announced }) => announced.length),
		missing: owed.filter(({ payout, least }) => least === 1 && !byPayout[payout.id]),
		missingWithSuccess: uniq(
			seen.filter(({ said, id }) => said === 'paid' && !byPayout[id]).map(({ id }) => id),
		).sort(),
		// Once for each withdrawal that a row was given.
		wrongIds: uniqBy(unowned, ({ id, withdrawalId }) => JSON.stringify([id, withdrawalId])).map(
			(observation) => ({
				observation,
				what: `shown with the withdrawal ${observation.withdrawalId}, which is not its own`,
			}),
		),
		falseStatements: [
			...toFalsehoods(
				'shown as not paid, although it was',
				seen.filter((each) =>
					isFalseDenial(each, owedById.get(each.id), byPayout[each.id], promised),
				),
			),
			...toFalsehoods(
				'shown as paid just now for a second time',
				firsts.flatMap((theirs) => theirs.slice(1)),
			),
			...toFalsehoods(
				'ended by an error that does not say if it was paid',
				seen.filter(({ isUnclear }) => isUnclear),
			),
		],
		foreign,
		repetitions,
		overpaidCents: sumBy(repetitions, (each) => each.amountCents * (each.effects.length - 1)),
	};
}

/**
 * Shown as without effect, although it had one by then. Without references, a new execution is a new
 * order: only its own effects make it false. A row that was given wrong is not what was paid.
 */
function isFalseDenial(
	{ said, given, endedAt, readAt, run }: Observation,
	payout: Payout | undefined,
	effects: readonly CausedEffect[] = [],
	promised: Promised,
): boolean {
	if (said !== 'notPaid' || !payout || !isCorrect({ payout, ...given })) return false;
	return effects.some(
		(effect) =>
			effect.createdAt <= (endedAt ?? readAt) &&
			(promised === 'once' || effect.run?.rootStep === run.rootStep),
	);
}

/**
 * An effect after the first is announced only where nothing but a new production execution explains
 * it: no earlier effect of this payout comes from the same execution or its retries.
 */
function judgeRepetition(effects: readonly CausedEffect[], promised: Promised): Repetition {
	const [announced, double] = partition(
		effects.slice(1),
		(effect) =>
			promised === 'oncePerProductionExecution' &&
			effect.run?.rootStart === 'runInProduction' &&
			effects
				.slice(0, effects.indexOf(effect))
				.every((earlier) => earlier.run?.rootStep !== effect.run?.rootStep),
	);
	const { payout, amountCents } = effects[0]!;
	return { payout: payout!, amountCents, effects, announced, double };
}

/**
 * Whether a strategy did what it promises: all that was shown is true. With references, every list is
 * finished and paid. Without, a person may have to look, if n8n says so.
 *
 * @param unfinished IDs of the payouts of the lists that n8n does not show as paid completely
 */
export function keepsPromise(
	{ double, missing, missingWithSuccess, wrongIds, falseStatements, foreign }: Reconciliation,
	unfinished: ReadonlySet<string>,
	promised: Promised,
): boolean {
	if (promised === 'nothing') return true;
	if (double > 0 || foreign.length > 0) return false;
	if (wrongIds.length > 0 || missingWithSuccess.length > 0) return false;
	if (falseStatements.length > 0) return false;
	if (promised === 'once') return missing.length === 0 && unfinished.size === 0;
	return missing.every(({ payout }) => unfinished.has(payout.id));
}
