/** What became of each row of a run: one word for each. */
import type { IDataObject } from 'n8n-workflow';
import { omitUndefined } from '../shared/text/omitUndefined';
import type { ItemResult } from './orderRequest';
import type { ItemOutcome } from './items';

/**
 * - `done`: finished now; paid now, if it is a payout
 * - `before`: the payout or charge exists, and is returned as it is now
 * - `inDoubt`: it may have taken effect
 * - `refused`: without effect
 * - `notStarted`
 */
export const ROW_STATES = ['done', 'before', 'inDoubt', 'refused', 'notStarted'] as const;
export type RowState = (typeof ROW_STATES)[number];

/** The rows of one state. */
export interface RowGroup {
	readonly count: number;
	/** Indexes as n8n counts items, each range with its first and last: `[[0, 4], [7, 7]]`. */
	readonly items: ReadonlyArray<readonly [number, number]>;
	/** What was paid, if that is known; at most a hundred. */
	readonly withdrawalIds?: readonly string[];
	/** How many withdrawals are not named. */
	readonly moreWithdrawals?: number;
}

/** What became of the rows of a run. n8n stores it with the error that ends the run. */
export type RunReport = { readonly itemCount: number } & Readonly<
	Partial<Record<RowState, RowGroup>>
>;

/** What a run was about, as far as it decides what is said of it. */
export interface RunFacts {
	/** `order`: a write under an idempotency key; `payout` if it pays someone. */
	readonly kind: 'read' | 'write' | 'order' | 'payout';
	/** The execution was stopped, after which n8n offers no retry. */
	readonly isCancelled: boolean;
	/** Earlier attempts, or other runs of the execution, have made orders, or may have. */
	readonly hasActed?: boolean;
	/** An event of the trigger started it. */
	readonly isEvent?: boolean;
	/** Each payout has a reference, or each charge an External ID, by which every execution recognizes it. */
	readonly hasReferences?: boolean;
	/** With a test key, no money moves. */
	readonly isTest?: boolean;
	/** A person pressed Execute in the editor. */
	readonly isManual?: boolean;
	/** Duplicate Guard stops what was paid if a person presses Execute again. */
	readonly isGuarded?: boolean;
	/** Of the rows that failed. */
	readonly codes?: ReadonlySet<string>;
	/** The execution as which another workflow has called this one. */
	readonly calledAs?: string | undefined;
	/** What this run calls made before, it may have made itself. */
	readonly mayHaveMade?: boolean;
}

/** Of a payout that was made before, if the withdrawal cannot be read now. */
export const UNKNOWN_STATUS = 'UNKNOWN';

/** A report stays small, however many rows there are. */
const MAX_IDS = 100;

type Outcome = ItemOutcome<ItemResult[]>;

export function reportRun(outcomes: readonly Outcome[], { kind }: RunFacts): RunReport {
	const groups = ROW_STATES.map((state) => {
		const indexes = outcomes.flatMap((outcome, index) => (toState(outcome) === state ? index : []));
		return [state, toGroup(indexes, kind === 'payout' ? outcomes : [])] as const;
	});
	const filled = groups.filter(([, { count }]) => count > 0);
	return { itemCount: outcomes.length, ...Object.fromEntries(filled) };
}

function toState(outcome: Outcome): RowState {
	if (outcome.state === 'notStarted') return 'notStarted';
	if (outcome.state === 'failed') return outcome.failure.effect === 'none' ? 'refused' : 'inDoubt';
	const { alreadyPaid, alreadyCreated }: IDataObject = outcome.result[0]?.json ?? {};
	return alreadyPaid === true || alreadyCreated === true ? 'before' : 'done';
}

function toGroup(indexes: readonly number[], outcomes: readonly Outcome[]): RowGroup {
	const ids = [...new Set(indexes.flatMap((index) => getIds(outcomes[index])))];
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
