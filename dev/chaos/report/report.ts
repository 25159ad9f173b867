import Table from 'cli-table3';

import { tableStyle } from '../../cli/tableStyle';
import { FAULT_PROFILES, USUAL_FAULTS } from '../faults/faultProfiles';
import type { Judgement } from './reconcile';
import type { Shape } from '../load';
import type { Progress, Result } from '../run';

const NUMBER = new Intl.NumberFormat('en-US');
const REAIS = new Intl.NumberFormat('en-US', {
	minimumFractionDigits: 2,
	maximumFractionDigits: 2,
});

function formatTime(milliseconds: number): string {
	const seconds = Math.round(milliseconds / 1_000);
	return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
}

function share(part: number, whole: number): string {
	return whole === 0 ? '-' : `${((part / whole) * 100).toFixed(1)} %`;
}

const SHAPE_TITLES: Record<Shape, string> = {
	oneGo: '  all at once, stop at an error',
	loop: '  loop over tens, stop at an error',
	continue: '  all at once, On Error > Continue',
};

const COLUMNS = [
	'payouts',
	'effects',
	'double',
	'missing',
	'needing a person',
	'false statement',
	'error unclear about money',
	'paid, not reported',
	'money at risk (BRL)',
	'time (min)',
];

function cells(judgement: Judgement, time: string): string[] {
	const { payouts, effects, double, missing, needPerson } = judgement;
	const { falseStatements, unexplained, unreported, atRiskCents } = judgement;
	const counts = [
		payouts,
		effects,
		double,
		missing,
		needPerson,
		falseStatements,
		unexplained,
		unreported,
	];
	return [...counts.map((count) => NUMBER.format(count)), REAIS.format(atRiskCents / 100), time];
}

/** What each strategy did with the money, by the shape of the workflow as well. */
export function formatResults(results: readonly Result[], useColour: boolean): string {
	const table = new Table({
		head: ['', ...COLUMNS],
		colAligns: ['left', ...COLUMNS.map(() => 'right' as const)],
		colWidths: [36, 9, 9, 9, 9, 9, 11, 13, 10, 16, 8],
		wordWrap: true,
		chars: DENSE,
		style: tableStyle(useColour),
	});
	for (const { strategy, total, byShape, milliseconds } of results) {
		table.push([strategy.title, ...cells(total, formatTime(milliseconds))]);
		for (const [shape, judgement] of byShape) {
			if (judgement.payouts > 0) table.push([SHAPE_TITLES[shape], ...cells(judgement, '')]);
		}
	}
	return table.toString();
}

/** No lines between rows. */
const DENSE = { mid: '', 'left-mid': '', 'mid-mid': '', 'right-mid': '' };

/** What the requests of each strategy met. */
export function formatFaultCounts(results: readonly Result[], useColour: boolean): string {
	const table = new Table({
		head: ['Requests that met', ...results.map(({ strategy }) => strategy.title)],
		colAligns: ['left', ...results.map(() => 'right' as const)],
		chars: DENSE,
		style: tableStyle(useColour),
	});
	const row = (label: string, cell: (result: Result) => string) =>
		table.push([label, ...results.map(cell)]);
	for (const fault of USUAL_FAULTS) {
		row(FAULT_PROFILES[fault].label, ({ faultCounts }) =>
			NUMBER.format(faultCounts.byFault.get(fault) ?? 0),
		);
	}
	row('409, as an earlier attempt is in flight', ({ faultCounts }) =>
		NUMBER.format(faultCounts.conflicts),
	);
	row(
		'any of these',
		({ faultCounts: { struck, requests } }) =>
			`${NUMBER.format(struck)} of ${NUMBER.format(requests)} (${share(struck, requests)})`,
	);
	row('n8n killed with -9', ({ kills }) => NUMBER.format(kills));
	row('"Retry execution"', ({ effort }) => NUMBER.format(effort.retries));
	row('executions that hung and were stopped', ({ effort }) => NUMBER.format(effort.stops));
	row('proxy closed (connections refused, uncounted)', ({ faultCounts }) =>
		NUMBER.format(faultCounts.closures),
	);
	return table.toString();
}

export function formatProgress(
	{ paid, payouts, batches, kills, effects }: Progress,
	elapsedMs: number,
): string {
	const parts = [
		`${NUMBER.format(paid)} of ${NUMBER.format(payouts)} payouts have an effect`,
		`${NUMBER.format(effects)} effects`,
		`${batches.done} of ${batches.all} batches ended`,
		`${kills.done} of ${kills.all} kills`,
		`${formatTime(elapsedMs)} min`,
	];
	return parts.join(', ');
}

const SHOWN_FAULTS = 10;

/** The first payouts with which something is wrong, one in each line. */
export function formatFaults({ total }: Result): string {
	const shown = total.faults
		.slice(0, SHOWN_FAULTS)
		.map(
			({ payout, effects, statement }) =>
				`- ${payout.payee}, BRL ${REAIS.format(payout.amountCents / 100)}: ${effects} effects, n8n says "${statement}"`,
		);
	const more = total.faults.length - shown.length;
	return [...shown, ...(more > 0 ? [`- and ${NUMBER.format(more)} more`] : [])].join('\n');
}
