import { cpus, totalmem } from 'node:os';
import { quantile, ratios } from './statistics';

export interface SuiteOptions {
	/** How often each thing is run, without the run that warms up. */
	readonly runs: number;
	/** How many withdrawals, deliveries or rows a run has; absent: as many as in the published figures. */
	readonly items?: number | undefined;
	readonly onProgress: (text: string) => void;
}

/** One subject that can be measured on its own. @throws when what was measured did not work correctly */
export type Suite = (options: SuiteOptions) => Promise<Row[]>;

export interface Row {
	readonly measured: string;
	readonly ours: string;
	readonly compared: string;
	readonly ratio?: string;
	/** Whether an aim was reached, or what else took time. */
	readonly note?: string;
}

const HEAD: Row = {
	measured: 'measured',
	ours: 'this package',
	compared: 'compared with',
	ratio: 'ratio',
	note: 'note',
};

/** The table as Markdown, to be pasted into docs/speed.md. */
export function formatTable(rows: readonly Row[]): string {
	const lines = [HEAD, ...rows].map(({ measured, ours, compared, ratio = '', note = '' }) => {
		const cells = [measured, ours, compared, ratio, note];
		return `| ${cells.join(' | ')} |`;
	});
	return [lines[0], '| --- | --- | --- | --- | --- |', ...lines.slice(1)].join('\n');
}

/**
 * `1.23 (1.10 to 1.31)`: the median and the interquartile range.
 * @param digits after the decimal point
 */
export function spread(samples: readonly number[], digits = 2, unit = ''): string {
	const [median, lower, upper] = [0.5, 0.25, 0.75].map((share) =>
		quantile(samples, share).toFixed(digits),
	);
	return `${median}${unit} (${lower} to ${upper})`;
}

/** `1.23 (1.10 to 1.31) times as fast`: samples are times, the longer the slower. */
export const timesAsFast = (ours: readonly number[], compared: readonly number[]): string =>
	`${spread(ratios(compared, ours))} times as fast`;

export function describeMachine(): string {
	const [first] = cpus();
	const gibibytes = (totalmem() / 2 ** 30).toFixed(0);
	return `${first?.model.trim() ?? 'unknown processor'}, ${cpus().length} cores, ${gibibytes} GiB, Node.js ${process.version}, ${process.platform}`;
}
