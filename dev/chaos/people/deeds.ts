import { sortBy } from 'lodash';

import type { ExecutionStatus } from '../../n8n/rest/executionData';
import { draw } from '../random';

/** What the person changes before starting something, and how the report calls it. */
export const EDITS = {
	fixRows: 'fixes wrong rows',
	fillInDocument: 'fills in Recipient Document',
	changeDescription: 'changes the description',
	insertRow: 'inserts a row',
	removeRows: 'removes rows',
	putRowsBack: 'puts removed rows back',
	reorderRows: 'reorders the rows',
	replaceNode: 'replaces the paying node',
	copyWorkflow: 'copies the workflow',
	switchCredential: 'switches the credential',
	wireErrorOutput: 'wires the error output back',
	showEachError: 'lets every row show its own error',
	settle: 'looks payouts in doubt up and settles them',
	renameReference: 'looks stuck payouts up and gives their rows another reference',
	payTheRest: 'looks all payouts up and pays what is left in a new execution',
} as const;

/** What the person starts, and how the report calls it. */
export const STARTS = {
	execute: 'Execute workflow',
	runInProduction: 'runs it in production',
	retryOriginal: 'Retry with original workflow',
	retrySaved: 'Retry with saved workflow',
} as const;

export type Edit = keyof typeof EDITS;
export type Start = keyof typeof STARTS;

export const EDIT_NAMES = Object.keys(EDITS) as Edit[];
export const START_NAMES = Object.keys(STARTS) as Start[];

/** Steps in which the person changes things at random. After them the list is put right, then left alone. */
export const RESTLESS_STEPS = 5;

export const MAX_STEPS = 16;

/** Without these the list is not yet what the person wants. */
const MUST_HAPPEN: readonly Edit[] = [
	'fixRows',
	'fillInDocument',
	'insertRow',
	'putRowsBack',
	'showEachError',
	'settle',
	'renameReference',
	'payTheRest',
];

export interface Situation {
	readonly step: number;
	/** Of the last execution; undefined before the first. */
	readonly status: ExecutionStatus | undefined;
	/** Edits that have something to change. */
	readonly open: readonly Edit[];
	/** What was looked up as unpaid is left: only a new execution pays that, and nothing else. */
	readonly isRestOnly?: boolean;
	/** Whether a new production execution of the same list pays nobody again, as the docs promise. */
	readonly isProductionSafe: boolean;
}

export interface Deeds {
	readonly edits: readonly Edit[];
	readonly start: Start;
}

/** How often one who leaves the list alone retries an execution that failed; one that crashed, each time. */
export const MAX_RETRIES = 2;

/** What one who leaves the list alone does: runs it in production, and retries that. */
export function followProcedure(step: number): Deeds {
	return { edits: [], start: step === 0 ? 'runInProduction' : 'retryOriginal' };
}

/** Whether the person still has to change something, or wants to. */
export function isRestless({ step, open }: Pick<Situation, 'step' | 'open'>): boolean {
	return step < RESTLESS_STEPS || open.some((edit) => MUST_HAPPEN.includes(edit));
}

/** What the person does next. The same for the same arguments. */
export function chooseDeeds(
	seed: number,
	about: ReadonlyArray<string | number>,
	situation: Situation,
): Deeds {
	return {
		edits: chooseEdits(seed, about, situation),
		start: chooseStart(seed, about, situation),
	};
}

function chooseEdits(
	seed: number,
	about: ReadonlyArray<string | number>,
	{ step, open }: Situation,
): Edit[] {
	if (step === 0) return [];
	if (step >= RESTLESS_STEPS) return open.filter((edit) => MUST_HAPPEN.includes(edit));
	const count = Math.floor(draw(seed, 'edits', ...about, step) * 4);
	return sortBy(open, (edit) => draw(seed, 'edit', ...about, step, edit)).slice(0, count);
}

function chooseStart(
	seed: number,
	about: ReadonlyArray<string | number>,
	situation: Situation,
): Start {
	if (situation.isRestOnly) return 'execute';
	const weights = weigh(situation);
	const total = weights.reduce((sum, [, weight]) => sum + weight, 0);
	let left = draw(seed, 'start', ...about, situation.step) * total;
	for (const [start, weight] of weights) {
		left -= weight;
		if (left < 0) return start;
	}
	return 'execute';
}

/** How likely each start is. n8n retries neither what succeeded nor what was stopped by hand. */
function weigh({ step, status, isProductionSafe }: Situation): Array<[Start, number]> {
	const canRetry = status === 'error' || status === 'crashed';
	// Where a new production execution is a new order, people rarely start one on purpose, and not
	// once they only wait for the list to be done.
	const again = isProductionSafe ? 3 : step < RESTLESS_STEPS ? 0.4 : 0;
	return [
		['execute', 4],
		['runInProduction', status === undefined ? 4 : again],
		['retryOriginal', canRetry ? 2 : 0],
		['retrySaved', canRetry ? 3 : 0],
	];
}
