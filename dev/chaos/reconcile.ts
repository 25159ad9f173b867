import { groupBy, keyBy, partition, sortBy, sumBy, uniqBy } from 'lodash';

import { isCorrect, type Payout } from './lists';
import type { Shown } from './screen';
import type { Strategy } from './workflows';

type Promised = Strategy['promised'];

/** One start of a workflow by the person: a new execution, or the retry of an earlier one. */
export interface Run {
	readonly strategy: Strategy;
	readonly list: number;
	readonly step: number;
	/** Epoch ms, just before the person pressed. */
	readonly pressedAt: number;
	/** The step whose execution this one retries, at the end of the chain; its own where it retries none. */
	readonly rootStep: number;
}

/** A withdrawal in the books, failed ones excepted. Times in epoch ms. */
export interface Effect {
	readonly id: string;
	/** The payout that its description names; undefined where it names none. */
	readonly payout: string | undefined;
	readonly pixKey: string;
	readonly amountCents: number;
	readonly createdAt: number;
	/** When it was requested first, under its idempotency key. */
	readonly requestedAt: number;
	/** That asked for it first; undefined where none did. */
	readonly run: Run | undefined;
}

/** What the screen showed of a row, in which run of the person, and when that was read, epoch ms. */
export interface Observation extends Shown {
	readonly run: Run;
	readonly readAt: number;
}

/** Something that the screen showed and the books deny. */
interface Falsehood {
	readonly observation: Observation;
	readonly what: string;
}

/** Of all lists of a strategy. */
export type Reconciliation = ReturnType<typeof reconcile>;

/** Compares what is owed, and what was shown, with what the books say. */
export function reconcile(
	owed: readonly Payout[],
	effects: readonly Effect[],
	observations: readonly Observation[],
	promised: Promised,
) {
	const owedById = keyBy(owed, 'id');
	const [foreign, ours] = partition(effects, ({ payout, pixKey, amountCents }) => {
		const wanted = owedById[payout ?? ''];
		return wanted?.pixKey !== pixKey || wanted.amountCents !== amountCents;
	});
	const byPayout = groupBy(sortBy(ours, 'requestedAt'), 'payout');
	const repetitions = Object.values(byPayout).filter(({ length }) => length > 1);
	const later = repetitions.flatMap((theirs) => theirs.slice(1));

	// n8n shows what a run of the node said once more in each retry of its execution.
	const seen = uniqBy(sortBy(observations, 'readAt'), ({ id, nodeRun }) => `${id} ${nodeRun}`);
	const unowned = seen.filter(
		({ id, withdrawalId }) =>
			withdrawalId !== undefined && !byPayout[id]?.some((effect) => effect.id === withdrawalId),
	);
	const isShownAsPaid = (id: string) => seen.some((each) => each.id === id && each.said === 'paid');
	// Only one run can have made a withdrawal just now. A new order makes another one, and says so.
	const justNow = seen.filter(({ alreadyPaid }) => alreadyPaid === false);
	const firsts = Object.values(groupBy(justNow, ({ id, withdrawalId }) => `${id} ${withdrawalId}`));
	const toFalsehoods = (what: string, those: readonly Observation[]): Falsehood[] =>
		those.map((observation) => ({ observation, what }));
	const missing = owed.map(({ id }) => id).filter((id) => !byPayout[id]);
	return {
		owed: owed.length,
		effects: effects.length,
		/** Payouts with more effects than one, each with its effects in the order of their requests. */
		repetitions,
		/** Effects after the first of a payout. */
		double: later.length,
		/** IDs of payouts without any effect. */
		missing,
		missingWithSuccess: missing.filter(isShownAsPaid),
		/** Effects that are of no payout, or of another amount or PIX key. */
		foreign,
		/** Once for each withdrawal that a row was given. */
		wrongIds: toFalsehoods(
			'shown with a withdrawal that is not its own',
			uniqBy(unowned, ({ id, withdrawalId }) => `${id} ${withdrawalId}`),
		),
		falseStatements: [
			...toFalsehoods(
				'shown as not paid, although it was',
				seen.filter((each) => isFalseDenial(each, owedById[each.id], byPayout[each.id], promised)),
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
		overpaidCents: sumBy(later, 'amountCents'),
	};
}

/**
 * Shown as without effect, although it had one by then. Without references, a new execution is a new
 * order: only its own effects make it false. A row that was given wrong is not what was paid.
 */
function isFalseDenial(
	{ said, given, endedAt, readAt, run }: Observation,
	payout: Payout | undefined,
	effects: readonly Effect[] = [],
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
 * Whether a strategy did what it promises: nobody is paid twice, and all that was shown is true. With
 * references, every list is finished and paid. Without, a person may have to look, if n8n says so.
 *
 * @param unfinished IDs of the payouts of the lists that n8n does not show as paid completely
 */
export function keepsPromise(
	{ double, missing, missingWithSuccess, wrongIds, falseStatements, foreign }: Reconciliation,
	unfinished: ReadonlySet<string>,
	promised: Promised,
): boolean {
	if (promised === 'nothing') return true;
	const broken = [missingWithSuccess, wrongIds, falseStatements, foreign];
	if (double > 0 || broken.some(({ length }) => length > 0)) return false;
	if (promised === 'once') return missing.length === 0 && unfinished.size === 0;
	return missing.every((id) => unfinished.has(id));
}
