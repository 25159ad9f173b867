/**
 * What a person reads off the screen of n8n. It decides only what the person does next; what was paid
 * is decided by the books alone, which also show whether the screen told the truth.
 */
import { countBy } from 'lodash';

import type { RowState, RunReport } from '../../nodes/BrlPayments/report';
import { getRuns, type Execution, type Item, type NodeRun } from '../n8n/rest/executionData';
import { PAY } from './workflows';

/** What one run of the paying node shows of one row. */
export interface Shown extends SaidOfRow {
	readonly id: string;
	/** PIX key and amount of the row as the node was given it. */
	readonly given: { readonly pixKey: unknown; readonly amount: unknown };
	/** Names the run of the node: n8n copies earlier runs of a loop into the retry of an execution. */
	readonly nodeRun: string;
	/** Epoch ms; undefined where n8n does not say. */
	readonly endedAt: number | undefined;
}

interface SaidOfRow {
	/**
	 * - `paid`: now or before, by the withdrawal that it shows
	 * - `notPaid`: it had no effect
	 * - `unknown`: it may have taken effect
	 * - `nothing`, also where it was not sent because others look like it
	 */
	readonly said: 'paid' | 'notPaid' | 'unknown' | 'nothing';
	/** The withdrawal that it calls this row's own. */
	readonly withdrawalId?: string;
	/** What the output says: whether another attempt than this one made it. */
	readonly alreadyPaid?: boolean;
	readonly error?: ShownError;
	/** An error ended this row, and does not say whether it was paid, or what to do. */
	readonly isUnclear?: boolean;
}

interface ShownError {
	readonly code: string | undefined;
	readonly text: string;
}

/** Everything that the paying node shows of rows, in the order of its runs. */
export function readScreen(execution: Execution): Shown[] {
	return getRuns(execution, PAY).flatMap((run, index) => {
		const { startTime, executionTime = 0 } = run as NodeRun & { startTime?: number };
		const nodeRun = `${startTime ?? `execution ${execution.id}`}, run ${index}`;
		const endedAt = startTime === undefined ? undefined : startTime + executionTime;
		const input = getInput(execution, run);
		const toShown = (row: number, said: SaidOfRow): Shown[] => {
			const { id, pixKey, amount } = input[row] ?? {};
			if (typeof id !== 'string') return [];
			return [{ id, given: { pixKey, amount }, nodeRun, endedAt, ...said }];
		};
		if (run.error) {
			const said = readRunError(run.error, input.length);
			return said.flatMap((each, row) => toShown(row, each));
		}
		return allItems(run).flatMap((item) => toShown(pairedIndex(item) ?? -1, readItem(item)));
	});
}

/** How often the paying node shows which error: the code where it has one, else its first words. */
export function errorsShown(execution: Execution): Record<string, number> {
	return countBy(findErrors(execution, PAY).map(({ code, text }) => code ?? text.slice(0, 60)));
}

/** What a node says where it failed, as a whole or for an item, each text once. */
export function explanationsShown(execution: Execution, node = PAY): string[] {
	const texts = findErrors(execution, node).map(({ code = '', text }) => `${code} | ${text}`);
	return [...new Set(texts)];
}

function findErrors(execution: Execution, node: string): ShownError[] {
	const runs = getRuns(execution, node);
	const errors = [
		execution.data.resultData.error,
		...runs.map(({ error }) => error),
		...runs.flatMap(allItems).map(({ json, error }) => json.error ?? error),
	];
	return errors.filter(Boolean).map(toShownError);
}

/** The withdrawals that the error of each item of a node names, by the index of the item that it had as input. */
export function idsNamedByItem(execution: Execution, node: string): string[][] {
	const named: string[][] = [];
	for (const item of getRuns(execution, node).flatMap(allItems)) {
		const error = item.json.error ?? item.error;
		const index = pairedIndex(item);
		if (error && index !== undefined) named[index] = toShownError(error).text.match(UUID) ?? [];
	}
	return named;
}

/** What the words of an error ask the person to do. */
export type Advice =
	/** Run it again after this moment, epoch ms. */
	| { readonly do: 'wait'; readonly until: number }
	/**
	 * Look it up at the service, and tell Withdrawal > Settle Reference, with the automatic name if there is one.
	 * Guarded: if it is another payout, set Duplicate Guard to Never.
	 */
	| {
			readonly do: 'settle';
			readonly isGuarded: boolean;
			readonly automaticName: string | undefined;
			readonly named: readonly string[];
	  }
	/** Look it up at the service, and if it was not paid, give the row another reference. */
	| { readonly do: 'otherReference' }
	/** Look it up at the service, and if it was not paid, pay it in a new execution. */
	| { readonly do: 'lookUp' };

/** Codes of the package that leave a row to the decision of a person. */
const IN_DOUBT: ReadonlySet<unknown> = new Set([
	'PAYOUT_IN_DOUBT',
	'POSSIBLE_DUPLICATE',
	'REFERENCE_MISMATCH',
	'IDEMPOTENCY_PAYLOAD_MISMATCH',
]);

const UUID = /[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}/g;

/** @returns undefined where the error asks for nothing but another run */
export function readAdvice({ code, text }: ShownError): Advice | undefined {
	const until = readTime(text);
	if (until !== undefined) return { do: 'wait', until };
	if (!IN_DOUBT.has(code)) return undefined;
	if (/Settle Reference/i.test(text)) {
		const [, automaticName] = /"(auto-[^"]+)"/.exec(text) ?? [];
		const named = text.match(UUID) ?? [];
		return { do: 'settle', isGuarded: code === 'POSSIBLE_DUPLICATE', automaticName, named };
	}
	if (/another reference|its own reference/i.test(text)) return { do: 'otherReference' };
	return { do: 'lookUp' };
}

/** The time after which to go on: `after 2026-03-18 14:07 (Brasília time)` -> epoch ms */
export function readTime(text: string): number | undefined {
	const [, day, time] = / after (\d{4}-\d\d-\d\d) (\d\d:\d\d) \(Brasília time\)/.exec(text) ?? [];
	return day === undefined ? undefined : Date.parse(`${day}T${time}:00-03:00`);
}

function getInput(execution: Execution, run: NodeRun): Array<Record<string, unknown>> {
	const source = run.source?.[0];
	if (!source) return [];
	const { previousNode, previousNodeRun = 0, previousNodeOutput = 0 } = source;
	const items = getRuns(execution, previousNode)[previousNodeRun]?.data?.main?.[previousNodeOutput];
	return (items ?? []).map(({ json }) => json);
}

function allItems(run: NodeRun): Item[] {
	return (run.data?.main ?? []).flatMap((output) => output ?? []);
}

function pairedIndex({ pairedItem }: Item): number | undefined {
	const paired = Array.isArray(pairedItem) ? pairedItem[0] : pairedItem;
	return typeof paired === 'number' ? paired : paired?.item;
}

const SAID_OF_STATE: Readonly<Record<RowState, Shown['said']>> = {
	done: 'paid',
	before: 'paid',
	refused: 'notPaid',
	inDoubt: 'unknown',
	notStarted: 'nothing',
};

/** What an error that ended a run says of each of its items. That of a crash is n8n's, and says nothing. */
function readRunError(error: NonNullable<NodeRun['error']>, count: number): SaidOfRow[] {
	const summary = error.summary as Partial<RunReport> | undefined;
	const rows = Array.from({ length: count }, (): SaidOfRow => ({
		said: 'nothing',
		...(summary && { isUnclear: true }),
	}));
	for (const [state, said] of Object.entries(SAID_OF_STATE)) {
		for (const [first, last] of summary?.[state as RowState]?.items ?? []) {
			rows.fill({ said }, first, last + 1);
		}
	}
	// This package's error says it itself, n8n's own nodes in its context.
	const { itemIndex, context } = error as {
		itemIndex?: number;
		context?: { itemIndex?: number };
	};
	const index = itemIndex ?? context?.itemIndex ?? -1;
	const named = rows[index];
	if (named) rows[index] = { ...named, error: toShownError(error), ...findUnclear(error) };
	return rows;
}

/** An error has to say whether the row was paid, and what to do. */
function findUnclear(error: unknown): Pick<SaidOfRow, 'isUnclear'> {
	const { description, effect } = error as { description?: unknown; effect?: unknown };
	return description && typeof effect === 'string' ? {} : { isUnclear: true };
}

/** Of these, an ID says which withdrawals look like the row, or which order has not come up again, not which one is its own. */
const NAMES_OTHERS: ReadonlySet<unknown> = new Set([
	'POSSIBLE_DUPLICATE',
	'PAYOUT_IN_DOUBT',
	'ROWS_CHANGED',
]);

function readItem({ json, error }: Item): SaidOfRow {
	const reported = json.error ?? error;
	if (reported === undefined || reported === null) {
		// The package's node returns the withdrawal itself, the HTTP Request node the whole body.
		const { id } = (json.withdrawal ?? json) as { id?: unknown };
		if (typeof id !== 'string') return { said: 'nothing' };
		const { alreadyPaid } = json;
		const before = typeof alreadyPaid === 'boolean' ? { alreadyPaid } : {};
		return { said: 'paid', withdrawalId: id, ...before };
	}
	const { code, effect, withdrawalIds } = (typeof reported === 'object' ? reported : {}) as Record<
		string,
		unknown
	>;
	const shown = { error: toShownError(reported), ...findUnclear(reported) };
	if (code === 'POSSIBLE_DUPLICATE') return { said: 'nothing', ...shown };
	const ids = Array.isArray(withdrawalIds) && !NAMES_OTHERS.has(code) ? withdrawalIds : [];
	// An error that names the withdrawal of the row does not deny it.
	if (effect === 'none' && ids.length === 0) return { said: 'notPaid', ...shown };
	const own = typeof ids[0] === 'string' && ids.length === 1 ? { withdrawalId: ids[0] } : {};
	return { said: 'unknown', ...own, ...shown };
}

function toShownError(error: unknown): ShownError {
	if (typeof error === 'string') return { code: undefined, text: error };
	const { code, message, description } = error as Record<string, unknown>;
	const words = [message, description].filter((text) => typeof text === 'string');
	return { code: typeof code === 'string' ? code : undefined, text: words.join(' ') };
}
