/** Withdrawal > Check Batch with references. */
import { lowerFirst } from 'lodash';
import type { IDataObject } from 'n8n-workflow';
import type { Execution, JsonRow } from './execution';
import type { EngineHarness, RunSettings } from './harness';
import { payEach } from './payouts';

/** Judges the items in an execution and a workflow of its own, as a node that has never run before. */
export async function checkReferenced(
	bench: EngineHarness,
	items: IDataObject[],
	settings: RunSettings = {},
): Promise<Execution> {
	const run = await bench.run(
		{ ...payEach({}, { reference: '={{ $json.invoice }}' }), operation: 'checkBatch' },
		items,
		settings,
	);
	expect(run.error).toBeUndefined();
	return run;
}

export const wasPaidBefore = ({ json }: Execution): unknown[] =>
	json.map(({ paidBefore }) => paidBefore as unknown);

export const problemsOf = ({ json }: Execution): Array<Array<JsonRow>> =>
	json.map(({ problems }) => problems as JsonRow[]);

export const problemCodes = (execution: Execution): string[][] =>
	problemsOf(execution).map((problems) => problems.map(({ code }) => code as string));

/** What is said of all rows together. */
export const batchOf = ({ json: [row = {}] }: Execution): JsonRow =>
	Object.fromEntries(
		Object.entries(row).flatMap(([name, value]) =>
			name.startsWith('batch') ? [[lowerFirst(name.slice('batch'.length)), value as unknown]] : [],
		),
	);
