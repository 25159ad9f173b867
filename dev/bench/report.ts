import { cpus, totalmem } from 'node:os';
import type { Summary } from './measure/statistics';

/** One line of the table at the end. */
export interface Row {
	readonly measured: string;
	readonly ours: string;
	readonly compared: string;
	/** The ratio with its spread. */
	readonly ratio: string;
	/** One sentence. */
	readonly limitedBy: string;
}

const HEAD: Row = {
	measured: 'measured',
	ours: 'this package',
	compared: 'compared with',
	ratio: 'ratio',
	limitedBy: 'what limits it',
};

/** The table as Markdown, to be pasted into docs/speed.md. */
export function formatTable(rows: readonly Row[]): string {
	const lines = [HEAD, ...rows].map(
		({ measured, ours, compared, ratio, limitedBy }) =>
			`| ${[measured, ours, compared, ratio, limitedBy].map(cell).join(' | ')} |`,
	);
	return [lines[0], '| --- | --- | --- | --- | --- |', ...lines.slice(1)].join('\n');
}

const cell = (text: string) => text.replaceAll('|', '\\|');

/**
 * `1.23 (1.10 to 1.31)`: the median and the interquartile range.
 * @param digits after the decimal point
 */
export function spread(summary: Summary, digits = 2, unit = ''): string {
	const [median, lower, upper] = [summary.median, summary.lowerQuartile, summary.upperQuartile].map(
		(value) => value.toFixed(digits),
	);
	return `${median}${unit} (${lower} to ${upper})`;
}

/** The machine that the figures were taken on. */
export function describeMachine(): string {
	const [first] = cpus();
	const gibibytes = (totalmem() / 2 ** 30).toFixed(0);
	return `${first?.model.trim() ?? 'unknown processor'}, ${cpus().length} cores, ${gibibytes} GiB, Node.js ${process.version}, ${process.platform}`;
}
