import { countBy, filter, reject, sumBy } from 'lodash';

import type { Options } from './options';
import { MAX_RETRIES, type Person } from './person';
import { keepsPromise, type Effect } from './reconcile';
import type { Result, StrategyResult } from './run';

const formatReais = (cents: number): string => (cents / 100).toFixed(2);

/** Above so many lists, only those with something to say are printed. */
const PRINTED_LISTS = 12;

const PROCEDURE =
	'People start their list by hand or in production, retry it, run it again, correct rows and copy the workflow, as the seed draws; then they do what the errors say. Almost all payouts look alike, and other tools pay the same: only the description says which one an effect in the books is. "Owed" is every payout of the list, once. "Wrong ID": a row was shown with a withdrawal that is not its own. "False statement": shown as not paid although it was, as paid just now twice, or with an error that does not say. "In doubt": an error left it to a person. The books of the service decide.';

const PROCEDURE_WITHOUT_PEOPLE = `Each list is one production execution. Retry On Fail: 3 tries, 1 s apart. An execution that failed is retried with "Retry execution", ${MAX_RETRIES} times at most; one that crashed with n8n is retried each time; one that hangs is stopped, and counts as failed. Nothing else is done. What is then not paid is left to a person.`;

/** Prints the outcome. @returns whether this package kept its promise */
export function present(options: Options, results: readonly Result[]): boolean {
	const { seed, payouts, kills, people, queue, only, mutation } = options;
	console.log(`\n${people ? PROCEDURE : PROCEDURE_WITHOUT_PEOPLE}`);
	let isKept = true;
	for (const result of results) {
		console.log(`\n${formatRun(result)}`);
		for (const outcome of result.byStrategy) {
			const { strategy, people: those, reconciliation } = outcome;
			console.log(`\n${strategy.title}\n${formatCounts(outcome)}`);
			if (those.length <= PRINTED_LISTS) console.log(those.map(formatList).join('\n'));
			const unfinished = reject(those, 'isFinished').flatMap(({ list }) => list.ids);
			if (keepsPromise(reconciliation, new Set(unfinished), strategy.promised)) continue;
			isKept = false;
			console.log(`This did not keep the promise:\n${formatBroken(outcome)}`);
		}
	}
	const flags = [
		...[...(people ? ['--people'] : []), ...(queue ? ['--queue'] : [])],
		...[`--seed ${seed} --payouts ${payouts} --kills ${kills} --only ${only.join(' ')}`],
		...(mutation ? [`--mutation ${mutation}`] : []),
	];
	console.log(`\nRepeat it: npm run campaign -- ${flags.join(' ')}`);
	return isKept;
}

/** What the requests met meanwhile. */
function formatRun({ requests, struck, byOthers, victims, milliseconds, byStrategy }: Result) {
	const people = byStrategy.flatMap((each) => each.people);
	const crashed = sumBy(people, ({ steps }) => filter(steps, { status: 'crashed' }).length);
	const killed = Object.entries(countBy(victims)).map(([name, count]) => `${name} ${count} times`);
	return `${struck} of ${requests} requests met a fault; other tools paid ${byOthers} times; killed with -9: ${killed.join(', ') || 'nothing'}; ${crashed} executions crashed, ${sumBy(people, 'stops')} hung and were stopped; ${Math.round(milliseconds / 60_000)} minutes.`;
}

function formatCounts({ people, reconciliation }: StrategyResult): string {
	const { owed, effects, double, missing, foreign, overpaidCents } = reconciliation;
	const { missingWithSuccess, wrongIds, falseStatements } = reconciliation;
	const counts = {
		...{ owed, effects, double, missing: missing.length },
		'missing with success': missingWithSuccess.length,
		'wrong ID': wrongIds.length,
		'false statements': falseStatements.length,
		'wrong payee or amount': foreign.length,
		'in doubt': sumBy(people, 'inDoubt.size'),
		'lists not finished': reject(people, 'isFinished').length,
		executions: sumBy(people, 'steps.length'),
		'paid too much (BRL)': formatReais(overpaidCents),
	};
	return Object.entries(counts)
		.map(([name, count]) => `${name.padEnd(22)} ${count}`)
		.join('\n');
}

/** One line for each list: what was done, and how each execution ended. */
function formatList({ list, steps, isFinished, explanations }: Person): string {
	const done = steps.map(({ edits, start, status, errors }) => {
		const shown = Object.entries(errors).map(([name, count]) => `, ${count} × ${name}`);
		return `${[...edits, start].join(', ')} (${status}${shown.join('')})`;
	});
	const said = explanations.map((text) => `\n  - ${text}`).join('');
	const end = isFinished ? '' : ` NOT FINISHED.${said}`;
	return `List ${list.number} (${list.shape}${list.isRetriedByN8n ? ', Retry On Fail' : ''}): ${done.join('; ')}.${end}`;
}

/** Everything that is not as promised, with what led to it. */
function formatBroken({ people, reconciliation }: StrategyResult): string {
	const { repetitions, missing, foreign, missingWithSuccess } = reconciliation;
	const falsehoods = [...reconciliation.wrongIds, ...reconciliation.falseStatements];
	const lines = [
		...repetitions.map(
			(effects) => `${effects[0]?.payout}: paid ${effects.map(by).join('; then ')}`,
		),
		...missing.map((id) => `${id} was not paid`),
		...missingWithSuccess.map((id) => `${id} was not paid, and was shown as paid`),
		...falsehoods.map(
			({ observation: { id, run, error }, what }) =>
				`${id}, ${by({ run })}: ${what}${error ? `: ${error.code} | ${error.text}` : ''}`,
		),
		...foreign.map(
			(effect) =>
				`${effect.payout ?? 'A payout without a description'}: ${effect.pixKey} got BRL ${formatReais(effect.amountCents)}, which is not owed: ${by(effect)}`,
		),
	];
	const lists = new Set([
		...[...repetitions.flat(), ...foreign].map(({ run }) => run?.list),
		...falsehoods.map(({ observation }) => observation.run.list),
	]);
	const involved = people.filter(
		({ list, isFinished }) =>
			!isFinished || lists.has(list.number) || list.ids.some((id) => missing.includes(id)),
	);
	return [...lines.map((line) => `- ${line}`), ...involved.map(formatList)].join('\n');
}

function by({ run }: Pick<Effect, 'run'>): string {
	return run ? `in list ${run.list}, step ${run.step + 1}` : 'by nobody';
}
