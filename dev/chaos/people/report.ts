import Table from 'cli-table3';
import { countBy, filter, reject, sumBy } from 'lodash';

import { tableStyle } from '../../cli/tableStyle';
import { EDITS, EDIT_NAMES, MAX_RETRIES, START_NAMES, STARTS } from './deeds';
import type { Episode } from './person';
import { keepsPromise, type CausedEffect, type Falsehood, type Repetition } from './reconcile';
import type { PeopleResult, Progress, StrategyResult } from './run';

const NUMBER = new Intl.NumberFormat('en-US');
const formatNumber = (value: number) => NUMBER.format(value);
const REAIS = new Intl.NumberFormat('en-US', {
	minimumFractionDigits: 2,
	maximumFractionDigits: 2,
});

/** No lines between rows. */
const DENSE = { mid: '', 'left-mid': '', 'mid-mid': '', 'right-mid': '' };

const SHOWN_LINES = 20;

export const PROCEDURE =
	'People edit the list and the workflow, start it by hand or in production, and retry it, as the seed draws; then they do what the errors say. Almost all payouts look alike, and other tools pay the same: only the description says which one an effect in the books is. "Owed" is every payout of the final list, once. "Announced" is paid again by a new production execution without references, as the docs say in advance. "Wrong ID": a row was shown with a withdrawal that is not its own. "False statement": shown as not paid although it was, as paid just now twice, or with an error that does not say. "In doubt": an error left it to a person. The books of the service decide.';

export const PROCEDURE_WITHOUT_PEOPLE = `Each list is one production execution. Retry On Fail: 3 tries, 1 s apart. An execution that failed is retried with "Retry execution", ${MAX_RETRIES} times at most; one that crashed with n8n is retried each time; one that hangs is stopped, and counts as failed. Nothing else is done. What is then not paid is left to a person.`;

const COLUMNS = [
	'owed',
	'effects',
	'double',
	'announced',
	'missing',
	'missing with success',
	'wrong ID',
	'false statements',
	'wrong payee or amount',
	'in doubt',
	'settled',
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

export function formatProgress(
	{ paid, payouts, lists, kills, effects }: Progress,
	elapsedMs: number,
): string {
	return [
		`${NUMBER.format(paid)} of ${NUMBER.format(payouts)} payouts have an effect`,
		`${NUMBER.format(effects)} effects`,
		`${lists.done} of ${lists.all} lists ended`,
		`${kills.done} of ${kills.all} kills`,
		`${formatTime(elapsedMs)} min`,
	].join(', ');
}

function unfinished(episodes: readonly Episode[]): Episode[] {
	return reject(episodes, 'isFinished');
}

export function isKept({ strategy, episodes, reconciliation }: StrategyResult): boolean {
	const ids = unfinished(episodes).flatMap(({ list }) => list.ids);
	return keepsPromise(reconciliation, new Set(ids), strategy.promised);
}

export function formatOutcome(results: readonly PeopleResult[], useColour: boolean): string {
	const table = new Table({
		head: ['', ...COLUMNS],
		colAligns: ['left', ...COLUMNS.map(() => 'right' as const)],
		colWidths: [22, 7, 9, 8, 11, 9, 9, 7, 12, 9, 7, 9, 8, 10, 12, 14, 7],
		wordWrap: true,
		chars: DENSE,
		style: tableStyle(useColour),
	});
	for (const { byStrategy, milliseconds } of results) {
		for (const { strategy, episodes, reconciliation } of byStrategy) {
			const { owed, effects, double, announced, missing, foreign } = reconciliation;
			const { missingWithSuccess, wrongIds, falseStatements } = reconciliation;
			const counts = [
				...[owed, effects, double, announced, missing.length, missingWithSuccess.length],
				...[wrongIds.length, falseStatements.length, foreign.length],
				...[sumBy(episodes, 'inDoubt.length'), sumBy(episodes, 'settled.length')],
				...[sumBy(episodes, 'lookedUp.length'), unfinished(episodes).length],
				sumBy(episodes, 'steps.length'),
			];
			table.push([
				strategy.title,
				...counts.map(formatNumber),
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
	const row = (label: string, getCount: (episode: Episode) => number) => {
		const counts = strategies.map(({ episodes }) => sumBy(episodes, getCount));
		if (counts.some((count) => count > 0)) table.push([label, ...counts.map(formatNumber)]);
	};
	for (const edit of EDIT_NAMES) {
		row(EDITS[edit], ({ steps }) => steps.filter(({ edits }) => edits.includes(edit)).length);
	}
	for (const start of START_NAMES) {
		row(STARTS[start], ({ steps }) => filter(steps, { start }).length);
	}
	row('executions that crashed', ({ steps }) => filter(steps, { status: 'crashed' }).length);
	row('waits that errors asked for', ({ waits }) => waits);
	row('executions that hung and were stopped', ({ stops }) => stops);
	const lines = results.map(
		({ faultCounts: { struck, requests }, byOthers, victims }) =>
			`${NUMBER.format(struck)} of ${NUMBER.format(requests)} requests met a fault; other tools paid ${NUMBER.format(byOthers)} times; killed with -9: ${formatVictims(victims)}`,
	);
	return `${table.toString()}\n${lines.join('\n')}`;
}

function formatVictims(victims: readonly string[]): string {
	const times = Object.entries(countBy(victims));
	return times.map(([name, count]) => `${name} ${count} times`).join(', ') || 'nothing';
}

/** One line for each list: what was done, and how each execution ended. */
export function formatEpisode(episode: Episode): string {
	const { list, steps, isFinished, explanations, refusals } = episode;
	const done = steps.map(({ edits, start, status, shownAsPaid, errors }) => {
		const shown = [...errors].map(([name, count]) => `, ${count} × ${name}`).join('');
		const changed = edits.map((edit) => `${EDITS[edit]}, `).join('');
		return `${changed}${STARTS[start]} (${status}, ${shownAsPaid} shown as paid${shown})`;
	});
	const said = [...explanations, ...refusals].map((text) => `\n  - ${text}`).join('');
	const end = isFinished ? '' : ` NOT FINISHED.${said}`;
	return `List ${list.number} (${list.shape}${list.isRetriedByN8n ? ', Retry On Fail' : ''}): ${done.join('; ')}.${end}`;
}

/** Everything that is not as promised, with what led to it. */
export function formatBroken({ episodes, reconciliation }: StrategyResult): string {
	const { repetitions, missing, foreign, missingWithSuccess } = reconciliation;
	const falsehoods = [...reconciliation.wrongIds, ...reconciliation.falseStatements];
	const doubles = repetitions.filter(({ double }) => double.length > 0);
	const lines = [
		...shorten(
			groupByCause(doubles, formatCauses),
			([causes, ids]) => `- ${formatIds(ids)}: paid ${causes}`,
		),
		...shorten(missing, ({ payout }) => `- ${payout.id} was not paid`),
		...shorten(missingWithSuccess, (id) => `- ${id} was not paid, and was shown as paid`),
		...shorten(falsehoods, formatFalsehood),
		...shorten(
			foreign,
			(effect) =>
				`- ${effect.payout ?? 'A payout without a description'}: ${effect.pixKey} got BRL ${REAIS.format(effect.amountCents / 100)}, which is not owed: ${formatRun(effect)}`,
		),
	];
	const lists = new Set([
		...[...doubles.flatMap(({ effects }) => effects), ...foreign].map(({ run }) => run?.list),
		...unfinished(episodes).map(({ list }) => list.number),
		...missing.map(({ payout }) => findList(episodes, payout.id)),
		...falsehoods.map(({ observation }) => observation.run.list),
	]);
	const involved = episodes.filter(({ list }) => lists.has(list.number));
	return [...lines, ...involved.map(formatEpisode)].join('\n');
}

function findList(episodes: readonly Episode[], id: string): number | undefined {
	return episodes.find(({ list }) => list.ids.includes(id))?.list.number;
}

function formatFalsehood({ observation, what }: Falsehood): string {
	const { id, run, error } = observation;
	const words = error ? `: ${[error.code, error.text].filter(Boolean).join(' | ')}` : '';
	return `- ${id}, in list ${run.list}, step ${run.step + 1} (${STARTS[run.start]}): ${what}${words}`;
}

function groupByCause(
	repetitions: readonly Repetition[],
	getCauses: (repetition: Repetition) => readonly string[],
): Array<[cause: string, ids: string[]]> {
	const idsByCause = new Map<string, string[]>();
	for (const repetition of repetitions) {
		for (const cause of getCauses(repetition)) {
			idsByCause.set(cause, [...(idsByCause.get(cause) ?? []), repetition.payout]);
		}
	}
	return [...idsByCause].sort(([one], [other]) =>
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

/** Names every payout that was made again as announced, under the deed that caused it. */
export function formatAnnounced({ reconciliation }: StrategyResult): string {
	const groups = groupByCause(reconciliation.repetitions, ({ announced }) => [
		...new Set(announced.map(formatRun)),
	]);
	return groups.map(([cause, ids]) => `- ${cause}: ${formatIds(ids)}`).join('\n');
}

/** Names every payout that the person had to look up at the service, with what led to it. */
export function formatLookedUp({ episodes }: StrategyResult): string {
	return episodes
		.filter(({ lookedUp }) => lookedUp.length > 0)
		.map((episode) => `- ${formatIds(episode.lookedUp)}. ${formatEpisode(episode)}`)
		.join('\n');
}

/** `name-00001`, `name-00002` -> `name-00001, 00002` */
function formatIds(ids: readonly string[]): string {
	const names = [...ids].sort();
	const [first = ''] = names;
	const prefix = first.slice(0, first.lastIndexOf('-') + 1);
	const short = names.map((name, index) =>
		index > 0 && name.startsWith(prefix) ? name.slice(prefix.length) : name,
	);
	return short.join(', ');
}
