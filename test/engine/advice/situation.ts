/** Each error, and what a person does who follows it word for word. */
import type { IDataObject, Workflow } from 'n8n-workflow';
import type { Execution } from '../support/execution';
import type { EngineHarness, RunSettings } from '../support/harness';
import { namedTime, type PayoutBench } from '../support/money';

/** What was brought about, and how a person follows the error. */
export interface Scene {
	/** The execution with the error. */
	readonly failed: Execution;
	/** Does what the error says. @returns the execution that is to end well; none where nothing is left to run */
	readonly follow: () => Promise<Execution | undefined>;
}

export const scene = (failed: Execution, follow: Scene['follow']): Scene => ({ failed, follow });

/** The workflow runs into an error; the person does something about it, and runs it again. */
export async function runInto(
	bench: EngineHarness,
	workflow: Workflow,
	items: IDataObject[],
	fix: (failed: Execution) => unknown = () => undefined,
	again: IDataObject[] = items,
	settings: RunSettings = {},
): Promise<Scene> {
	const failed = await bench.start(workflow, items, settings);
	return scene(failed, async () => {
		await fix(failed);
		return await bench.start(workflow, again, settings);
	});
}

/** Waits until the time that the first error names. */
export function waitAsTold({ clock }: EngineHarness, { errors }: Execution): void {
	const time = namedTime(errors[0]);
	if (time === undefined) throw new Error('The error names no time');
	clock.advance(time + 1 - clock.now());
}

export interface Situation {
	/** The code of the error. */
	readonly code: string;
	/** The line of the tables in docs/never-paid-twice.md that it belongs to. */
	readonly line?: string;
	readonly when: string;
	/** Sentences of the error that the person follows, word for word. */
	readonly says: readonly string[];
	/** What the error must not say here. */
	readonly saysNot?: readonly string[];
	bringAbout(bench: PayoutBench): Promise<Scene>;
	/** Centavos of all withdrawals that really happened, failed ones included, sorted. */
	readonly paid?: readonly number[];
	/** What else is true in the end; `last` without errors is checked for all. */
	check?(bench: PayoutBench, last: Execution | undefined): void;
	/** Rows that rightly still fail in the end, by code. */
	readonly stillFails?: ReadonlyArray<string | undefined>;
}

interface Shown {
	readonly codes: ReadonlyArray<string | undefined>;
	readonly text: string;
}

/** What the person reads: of the items, or of the error that has ended the run. */
function readErrors(execution: Execution): Shown {
	// In a later round of a loop, it is the execution that shows the error.
	const error = execution.error ?? execution.data.resultData.error;
	if (error === undefined) {
		const errors = execution.errors.filter((one) => one !== undefined);
		return {
			codes: errors.map(({ code }) => code),
			text: errors.map(({ message, description }) => `${message}. ${description}`).join('\n'),
		};
	}
	const { message, description } = error;
	return {
		codes: [codeOf(error as unknown as IDataObject)],
		text: `${message}. ${description ?? ''}`.replaceAll(/(<br>)+/g, ' '),
	};
}

/** n8n keeps the code of an error by its API; one that is decided before has none. */
function codeOf({ name, errorResponse }: IDataObject): string | undefined {
	if (name !== 'NodeApiError') return undefined;
	return (errorResponse as IDataObject | undefined)?.code as string | undefined;
}

/** Runs every situation of a table. */
export function tellAll(bench: PayoutBench, situations: readonly Situation[]): void {
	it.each(situations)('$code: $when', async (situation) => {
		const { failed, follow } = await situation.bringAbout(bench);
		const { codes, text } = readErrors(failed);

		if (codes[0] !== undefined) expect(codes).toContain(situation.code);
		expect(codes.length).toBeGreaterThan(0);
		for (const sentence of situation.says) expect(text).toContain(sentence);
		for (const sentence of situation.saysNot ?? []) expect(text).not.toContain(sentence);
		expect(text).not.toMatch(/\.\.(?!\.)|undefined|\[object|\s{2}/);

		const last = await follow();

		const { stillFails } = situation;
		if (last !== undefined && stillFails === undefined) {
			expect(last.error?.description).toBeUndefined();
			expect(last.errors.filter((error) => error !== undefined)).toEqual([]);
			expect(last.json).not.toEqual([]);
		} else if (last !== undefined) {
			expect(last.errors.map((error) => error?.code)).toEqual(stillFails);
		}
		if (situation.paid) expect(bench.paid).toEqual(situation.paid);
		situation.check?.(bench, last);
	});
}
