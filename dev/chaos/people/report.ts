import Table from 'cli-table3';

import { tableStyle } from '../../cli/tableStyle';
import { EDITS, EDIT_NAMES, START_NAMES, STARTS } from './deeds';
import type { Episode } from './person';
import { keepsPromise, type CausedEffect, type Repetition } from './reconcile';
import type { PeopleResult, StrategyResult } from './run';

const NUMBER = new Intl.NumberFormat('en-US');
const REAIS = new Intl.NumberFormat('en-US', {
	minimumFractionDigits: 2,
	maximumFractionDigits: 2,
});

/** No lines between rows. */
const DENSE = { mid: '', 'left-mid': '', 'mid-mid': '', 'right-mid': '' };

/** Lines of one kind that are shown. */
const SHOWN_LINES = 20;

/** The rules in words. */
export const PROCEDURE =
	'People edit the list and the workflow, start it by hand or in production, and retry it, as the seed draws. "Owed" is every payee of the final list, once. "Announced" is paid again by a new production execution without references, as the docs say in advance. The books of the service decide.';

const COLUMNS = [
	'owed',
	'effects',
	'double',
	'announced',
	'missing',
	'wrong payee or amount',
	'looked up by hand',
	'lists not finished',
	'executions',
	'paid too much (BRL)',
	'time (min)',
];

function formatTime(milliseconds: number): string {
	const seconds = Math.round(milliseconds / 1_000);
	return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
}

function unfinished(episodes: readonly Episode[]): Episode[] {
	return episodes.filter(({ isFinished }) => !isFinished);
}

export function isKept({ strategy, episodes, reconciliation }: StrategyResult): boolean {
	const pixKeys = unfinished(episodes).flatMap(({ list }) => list.pixKeys);
	return keepsPromise(reconciliation, new Set(pixKeys), strategy.promised);
}

/** The outcome of each strategy. */
export function formatOutcome(results: readonly PeopleResult[], useColour: boolean): string {
	const table = new Table({
		head: ['', ...COLUMNS],
		colAligns: ['left', ...COLUMNS.map(() => 'right' as const)],
		colWidths: [34, 8, 9, 8, 11, 9, 11, 11, 10, 12, 14, 8],
		wordWrap: true,
		chars: DENSE,
		style: tableStyle(useColour),
	});
	for (const { byStrategy, milliseconds } of results) {
		for (const { strategy, episodes, reconciliation } of byStrategy) {
			const { owed, effects, double, announced, missing, foreign } = reconciliation;
			const executions = episodes.reduce((sum, { steps }) => sum + steps.length, 0);
			const counts = [
				...[owed, effects, double, announced, missing.length, foreign.length],
				...[episodes.flatMap(({ lookedUp }) => lookedUp).length],
				...[unfinished(episodes).length, executions],
			];
			table.push([
				strategy.title,
				...counts.map((count) => NUMBER.format(count)),
				REAIS.format(reconciliation.overpaidCents / 100),
				formatTime(milliseconds),
			]);
		}
	}
	return table.toString();
}

/** How often people did what, and what the requests met meanwhile. */
export function formatDeeds(results: readonly PeopleResult[], useColour: boolean): string {
	const strategies = results.flatMap(({ byStrategy }) => byStrategy);
	const table = new Table({
		head: ['What people did', ...strategies.map(({ strategy }) => strategy.title)],
		colAligns: ['left', ...strategies.map(() => 'right' as const)],
		chars: DENSE,
		style: tableStyle(useColour),
	});
	const row = (label: string, getCount: (episode: Episode) => number) =>
		table.push([
			label,
			...strategies.map(({ episodes }) =>
				NUMBER.format(episodes.reduce((sum, episode) => sum + getCount(episode), 0)),
			),
		]);
	for (const edit of EDIT_NAMES) {
		row(EDITS[edit], ({ steps }) => steps.filter(({ edits }) => edits.includes(edit)).length);
	}
	for (const start of START_NAMES) {
		row(STARTS[start], ({ steps }) => steps.filter((step) => step.start === start).length);
	}
	row('executions that crashed', ({ steps }) => steps.filter(isCrashed).length);
	row('executions that hung and were stopped', ({ stops }) => stops);
	const lines = results.map(
		({ faultCounts: { struck, requests }, kills }) =>
			`${NUMBER.format(struck)} of ${NUMBER.format(requests)} requests met a fault; n8n was killed with -9 ${kills} times`,
	);
	return `${table.toString()}\n${lines.join('\n')}`;
}

function isCrashed({ status }: Episode['steps'][number]): boolean {
	return status === 'crashed';
}

/** One line for each list: what was done, and how each execution ended. */
export function formatEpisode({ list, steps, isFinished, explanations }: Episode): string {
	const done = steps.map(({ edits, start, status, shownAsPaid, errors }) => {
		const shown = [...errors].map(([name, count]) => `, ${count} × ${name}`).join('');
		const changed = edits.map((edit) => `${EDITS[edit]}, `).join('');
		return `${changed}${STARTS[start]} (${status}, ${shownAsPaid} shown as paid${shown})`;
	});
	const said = explanations.map((text) => `\n  - ${text}`).join('');
	const end = isFinished ? '' : ` NOT FINISHED.${said}`;
	return `List ${list.number} (${list.shape}${list.isRetriedByN8n ? ', Retry On Fail' : ''}): ${done.join('; ')}.${end}`;
}

/** Everything that is not as promised, with what led to it. */
export function formatBroken({ episodes, reconciliation }: StrategyResult): string {
	const { repetitions, missing, foreign } = reconciliation;
	const doubles = repetitions.filter(({ double }) => double.length > 0);
	const lines = [
		...shorten(
			groupByCause(doubles, formatCauses),
			([causes, payees]) => `- ${formatPayees(payees)}: paid ${causes}`,
		),
		...shorten(missing, ({ payee }) => `- ${payee.pixKey} was not paid`),
		...shorten(
			foreign,
			(effect) =>
				`- ${effect.payee} got BRL ${REAIS.format(effect.amountCents / 100)}, which is not owed: ${formatRun(effect)}`,
		),
	];
	const lists = new Set([
		...[...doubles.flatMap(({ effects }) => effects), ...foreign].map(({ run }) => run?.list),
		...unfinished(episodes).map(({ list }) => list.number),
		...missing.map(({ payee }) => findList(episodes, payee.pixKey)),
	]);
	const involved = episodes.filter(({ list }) => lists.has(list.number));
	return [...lines, ...involved.map(formatEpisode)].join('\n');
}

function findList(episodes: readonly Episode[], pixKey: string): number | undefined {
	return episodes.find(({ list }) => list.pixKeys.includes(pixKey))?.list.number;
}

/** Payees by the deeds that paid them. */
function groupByCause(
	repetitions: readonly Repetition[],
	getCauses: (repetition: Repetition) => readonly string[],
): Array<[cause: string, payees: string[]]> {
	const payeesByCause = new Map<string, string[]>();
	for (const repetition of repetitions) {
		for (const cause of getCauses(repetition)) {
			payeesByCause.set(cause, [...(payeesByCause.get(cause) ?? []), repetition.payee]);
		}
	}
	return [...payeesByCause].sort(([one], [other]) =>
		one.localeCompare(other, 'en', { numeric: true }),
	);
}

function formatCauses({ effects }: Repetition): [string] {
	return [effects.map(formatRun).join('; then ')];
}

function formatRun({ run }: CausedEffect): string {
	if (!run) return 'by nobody';
	const retried =
		run.rootStep === run.step ? '' : ` of step ${run.rootStep + 1} (${STARTS[run.rootStart]})`;
	return `in list ${run.list}, step ${run.step + 1}: ${STARTS[run.start]}${retried}`;
}

function shorten<T>(values: readonly T[], format: (value: T) => string): string[] {
	const shown = values.slice(0, SHOWN_LINES).map(format);
	const more = values.length - shown.length;
	return more > 0 ? [...shown, `- and ${NUMBER.format(more)} more`] : shown;
}

/** Names every payee that was paid again as announced, under the deed that caused it. */
export function formatAnnounced({ reconciliation }: StrategyResult): string {
	const groups = groupByCause(reconciliation.repetitions, ({ announced }) => [
		...new Set(announced.map(formatRun)),
	]);
	return groups.map(([cause, payees]) => `- ${cause}: ${formatPayees(payees)}`).join('\n');
}

/** Names every payee whom the person had to look up at the service, with what led to it. */
export function formatLookedUp({ episodes }: StrategyResult): string {
	return episodes
		.filter(({ lookedUp }) => lookedUp.length > 0)
		.map((episode) => `- ${formatPayees(episode.lookedUp)}. ${formatEpisode(episode)}`)
		.join('\n');
}

/** `name-00001@…`, `name-00002@…` -> `name-00001, 00002` */
function formatPayees(payees: readonly string[]): string {
	const names = [...payees].sort().map((payee) => payee.split('@')[0]!);
	const [first = ''] = names;
	const prefix = first.slice(0, first.lastIndexOf('-') + 1);
	const short = names.map((name, index) =>
		index > 0 && name.startsWith(prefix) ? name.slice(prefix.length) : name,
	);
	return short.join(', ');
}
