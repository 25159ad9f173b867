import type { Start } from './deeds';
import type { Owed } from './intent';
import type { Promised } from './strategies';

/** One start of a workflow by the person: a new execution, or the retry of an earlier one. */
export interface Run {
	readonly list: number;
	/** Step of the person, from 0. */
	readonly step: number;
	readonly start: Start;
	/** Epoch ms, just before the person pressed. */
	readonly pressedAt: number;
	/** The step whose execution this one retries, at the end of the chain; its own where it retries none. */
	readonly rootStep: number;
	/** How the first execution of the chain was started. */
	readonly rootStart: Start;
}

/** A withdrawal in the books. Times in epoch ms. */
export interface BookedEffect {
	readonly payee: string;
	readonly amountCents: number;
	readonly idempotencyKey: string | null;
	readonly createdAt: number;
}

/** A request for a withdrawal as it arrived at the service. */
export interface WithdrawalRequest {
	readonly payee: string;
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

/** A payee with more effects than one, in the order of their requests. */
export interface Repetition {
	readonly payee: string;
	readonly amountCents: number;
	readonly effects: readonly CausedEffect[];
	/** Of the effects after the first, those that the docs announce, and the others. */
	readonly announced: readonly CausedEffect[];
	readonly double: readonly CausedEffect[];
}

/** Sums over all lists of a strategy. Money in centavos. */
export interface Reconciliation {
	readonly owed: number;
	readonly effects: number;
	/** Effects after the first of a payee that nothing announces. */
	readonly double: number;
	/** Effects after the first that a new production execution makes, as the docs say in advance. */
	readonly announced: number;
	/** Payees on a final list without any effect. */
	readonly missing: readonly Owed[];
	/** Effects to nobody on a list, or of another amount. */
	readonly foreign: readonly CausedEffect[];
	readonly repetitions: readonly Repetition[];
	readonly overpaidCents: number;
}

/**
 * Finds the run that asked for each effect: the last one of the payee's list that was started before
 * the request arrived. A person starts nothing while something of the same list still runs.
 *
 * @param runs of all lists, in any order
 * @param findList number of the list of a PIX key
 */
export function findCauses(
	effects: readonly BookedEffect[],
	requests: readonly WithdrawalRequest[],
	runs: readonly Run[],
	findList: (payee: string) => number | undefined,
): CausedEffect[] {
	const ordered = [...runs].sort((one, other) => one.pressedAt - other.pressedAt);
	const toEffectKey = ({ payee, idempotencyKey }: BookedEffect | WithdrawalRequest): string =>
		JSON.stringify([payee, idempotencyKey]);
	const requestsByName = groupBy(requests, toEffectKey);
	return effects.map((effect) => {
		const request = findRequest(effect, requestsByName.get(toEffectKey(effect)) ?? []);
		const receivedAt = request?.receivedAt ?? effect.createdAt;
		const list = findList(effect.payee);
		const run = ordered.findLast((each) => each.list === list && each.pressedAt <= receivedAt);
		return { ...effect, receivedAt, run };
	});
}

/**
 * The request that made an effect: of those under its key, the last one before it was booked. A 409
 * says that another request was at work, so it made nothing.
 */
function findRequest(
	{ createdAt }: BookedEffect,
	requests: readonly WithdrawalRequest[],
): WithdrawalRequest | undefined {
	return requests
		.filter(({ receivedAt, status }) => receivedAt <= createdAt && status !== 409)
		.sort((one, other) => one.receivedAt - other.receivedAt)
		.at(-1);
}

/** Compares what is owed with what the books show. */
export function reconcile(
	owed: readonly Owed[],
	effects: readonly CausedEffect[],
	promised: Promised,
): Reconciliation {
	const amountByPayee = new Map(owed.map(({ payee }) => [payee.pixKey, payee.amountCents]));
	const isForeign = ({ payee, amountCents }: CausedEffect) =>
		amountByPayee.get(payee) !== amountCents;
	const ordered = effects
		.filter((effect) => !isForeign(effect))
		.sort((one, other) => one.receivedAt - other.receivedAt);
	const byPayee = groupBy(ordered, ({ payee }) => payee);
	const repetitions = [...byPayee.values()]
		.filter((theirs) => theirs.length > 1)
		.map((theirs) => judgeRepetition(theirs, promised));
	return {
		owed: owed.filter(({ least }) => least === 1).length,
		effects: effects.length,
		double: sum(repetitions, ({ double }) => double.length),
		announced: sum(repetitions, ({ announced }) => announced.length),
		missing: owed.filter(({ payee, least }) => least === 1 && !byPayee.has(payee.pixKey)),
		foreign: effects.filter(isForeign),
		repetitions,
		overpaidCents: sum(repetitions, (each) => each.amountCents * (each.effects.length - 1)),
	};
}

function groupBy<T>(values: readonly T[], toEffectKey: (value: T) => string): Map<string, T[]> {
	const groups = new Map<string, T[]>();
	for (const value of values) {
		const group = groups.get(toEffectKey(value));
		if (group) group.push(value);
		else groups.set(toEffectKey(value), [value]);
	}
	return groups;
}

/**
 * An effect after the first is announced only where nothing but a new production execution explains
 * it: no earlier effect of this payee comes from the same execution or its retries.
 */
function judgeRepetition(effects: readonly CausedEffect[], promised: Promised): Repetition {
	const isAnnounced = ({ run }: CausedEffect, index: number): boolean =>
		promised === 'oncePerProductionExecution' &&
		run?.rootStart === 'runInProduction' &&
		effects.slice(0, index).every((earlier) => earlier.run?.rootStep !== run.rootStep);
	const later = effects.map((effect, index) => ({
		effect,
		isAnnounced: isAnnounced(effect, index),
	}));
	const { payee, amountCents } = effects[0]!;
	return {
		payee,
		amountCents,
		effects,
		announced: later
			.slice(1)
			.filter((each) => each.isAnnounced)
			.map(({ effect }) => effect),
		double: later
			.slice(1)
			.filter((each) => !each.isAnnounced)
			.map(({ effect }) => effect),
	};
}

function sum<T>(values: readonly T[], getNumber: (value: T) => number): number {
	return values.reduce((total, value) => total + getNumber(value), 0);
}

/**
 * Whether a strategy did what it promises. With references, no list may require a look by a person.
 * Without, one may, if n8n says so, but no payee may be unpaid who is shown as paid.
 *
 * @param unfinished PIX keys of the lists that n8n does not show as paid completely
 */
export function keepsPromise(
	{ double, missing, foreign }: Reconciliation,
	unfinished: ReadonlySet<string>,
	promised: Promised,
): boolean {
	if (promised === 'nothing') return true;
	if (double > 0 || foreign.length > 0) return false;
	if (promised === 'once') return missing.length === 0 && unfinished.size === 0;
	return missing.every(({ payee }) => unfinished.has(payee.pixKey));
}
