import type { IDataObject } from 'n8n-workflow';
import { omitUndefined } from '../../shared/text/omitUndefined';
import type { ItemOutcome } from './itemLoop';
import type { ItemResult } from './draft';

/** What a run was about, as far as it decides how to continue after it failed. */
export interface RunFacts {
	/**
	 * - `read`: items of it only "finished"
	 * - `repeatable`: a write that has the same effect when it is done twice
	 * - `order`: a write under an idempotency key; `payout` if it pays someone
	 */
	readonly kind: 'read' | 'repeatable' | 'order' | 'payout';
	/** The execution was stopped, after which n8n offers no retry. */
	readonly isCancelled: boolean;
	/** An earlier attempt may have sent some. */
	readonly isRepetition?: boolean;
	/** What the execution remembers took effect, or may have; or it does not remember all attempts. */
	readonly hasActed?: boolean;
	/** How many it remembers, also those of earlier rounds of a loop. */
	readonly paidCount?: number;
	/** A delivery started it: its rows are in no list that could be corrected. */
	readonly isDelivered?: boolean;
	/** Each payout has a reference, or each charge an External ID, by which every execution recognizes it. */
	readonly hasReferences?: boolean;
	/** At least one item cannot be right, so none was sent. */
	readonly isRefusedWhole?: boolean;
	/** Outcomes are unknown that no retry shows: the errors of these items say what to do. */
	readonly needsPerson?: boolean;
	/** A person pressed Execute in the editor. */
	readonly isManual?: boolean;
	/** Duplicate Guard stops what was paid if a person presses Execute again. */
	readonly isGuarded?: boolean;
	/** This run has sent something: what it calls paid before may be what it has paid. */
	readonly hasSent?: boolean;
}

/**
 * What happened to an item in a run:
 * - `done`: finished now; paid now, if it is a payout
 * - `paidBefore`: the payout or charge was made before, and is returned as it is now
 * - `recorded`: the payout was made before, and what became of it could not be read
 * - `duplicates`: not paid, because Duplicate Guard found payouts of the same
 * - `doneEarlier`: an earlier attempt took effect, and this one failed without being sent
 * - `unknown`: it may have taken effect
 * - `failed`: without effect
 * - `notStarted`
 * - `notStartedAgain`: not started by this run, but perhaps done by an earlier attempt
 */
export type ItemState =
	| 'done'
	| 'paidBefore'
	| 'recorded'
	| 'duplicates'
	| 'doneEarlier'
	| 'unknown'
	| 'failed'
	| 'notStarted'
	| 'notStartedAgain';

/** The items of one state. */
export interface ItemGroup {
	readonly count: number;
	/** Indexes as n8n counts items, each range with its first and last: `[[0, 4], [7, 7]]`. */
	readonly items: ReadonlyArray<readonly [number, number]>;
	/** What was paid, if that is known; at most a hundred. */
	readonly withdrawalIds?: readonly string[];
	/** How many withdrawals are not named. */
	readonly moreWithdrawals?: number;
}

/** The outcome of each item of a run. n8n stores it with the error that ends the run. */
export type RunSummary = { readonly itemCount: number } & Readonly<
	Partial<Record<ItemState, ItemGroup>>
>;

/** Of a payout that was made before, if the withdrawal cannot be read now. */
export const UNKNOWN_STATUS = 'UNKNOWN';

/** A summary stays small, however many items there are. */
const MAX_IDS = 100;

type Outcome = ItemOutcome<ItemResult[]>;

export function summarizeRun(outcomes: readonly Outcome[], run: RunFacts): RunSummary {
	const indexesByState = new Map<ItemState, number[]>();
	for (const [index, outcome] of outcomes.entries()) {
		const state = toState(outcome, run);
		const indexes = indexesByState.get(state);
		if (indexes) indexes.push(index);
		else indexesByState.set(state, [index]);
	}
	const groups = [...indexesByState].map(([state, indexes]) => [
		state,
		toGroup(indexes, outcomes, run),
	]);
	return { itemCount: outcomes.length, ...Object.fromEntries(groups) } as RunSummary;
}

/** How many items ended in one of these states. */
export function countItems(summary: RunSummary, states: readonly ItemState[]): number {
	return states.reduce((sum, state) => sum + (summary[state]?.count ?? 0), 0);
}

export function toState(outcome: Outcome, { kind, isRepetition, hasActed }: RunFacts): ItemState {
	switch (outcome.state) {
		case 'notStarted':
			return kind !== 'read' && isRepetition && hasActed ? 'notStartedAgain' : 'notStarted';
		case 'done':
			return toDoneState(outcome.result[0]?.json);
		case 'failed': {
			const { code, effect } = outcome.failure;
			if (effect === 'unknown') return 'unknown';
			if (effect === 'done') return 'doneEarlier';
			return code === 'POSSIBLE_DUPLICATE' ? 'duplicates' : 'failed';
		}
	}
}

function toDoneState({ alreadyPaid, alreadyCreated, status }: IDataObject = {}): ItemState {
	if (alreadyPaid !== true && alreadyCreated !== true) return 'done';
	return status === UNKNOWN_STATUS ? 'recorded' : 'paidBefore';
}

function toGroup(
	indexes: readonly number[],
	outcomes: readonly Outcome[],
	{ kind }: RunFacts,
): ItemGroup {
	const found = kind === 'payout' ? indexes.flatMap((index) => getIds(outcomes[index])) : [];
	const ids = [...new Set(found)];
	return {
		count: indexes.length,
		items: toRanges(indexes),
		...omitUndefined({
			withdrawalIds: ids.length > 0 ? ids.slice(0, MAX_IDS) : undefined,
			moreWithdrawals: ids.length > MAX_IDS ? ids.length - MAX_IDS : undefined,
		}),
	};
}

function getIds(outcome: Outcome | undefined): readonly string[] {
	if (outcome?.state === 'failed') return outcome.failure.withdrawalIds ?? [];
	const id = outcome?.state === 'done' ? outcome.result[0]?.json.id : undefined;
	return typeof id === 'string' ? [id] : [];
}

function toRanges(indexes: readonly number[]): Array<[number, number]> {
	const ranges: Array<[number, number]> = [];
	for (const index of indexes) {
		const last = ranges.at(-1);
		if (last?.[1] === index - 1) last[1] = index;
		else ranges.push([index, index]);
	}
	return ranges;
}
