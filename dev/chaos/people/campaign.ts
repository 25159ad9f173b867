import type { Options } from '../options';
import {
	formatAnnounced,
	formatLookedUp,
	formatBroken,
	formatDeeds,
	formatEpisode,
	formatOutcome,
	isKept,
	PROCEDURE,
} from './report';
import type { PeopleResult } from './run';
import { HTTP_REQUEST, WITHOUT_REFERENCES, WITH_REFERENCES, type Strategy } from './strategies';

/** Above so many lists, only those with something to say are printed. */
const PRINTED_LISTS = 12;

/** Strategies that share one n8n. */
export interface Group {
	/** What `--only` calls it, as in the campaign without people. */
	readonly only: string;
	readonly title: string;
	readonly strategies: readonly Strategy[];
}

const GROUPS: readonly Group[] = [
	{
		only: 'ours',
		title: 'BRL Payments, with references and without',
		strategies: [WITH_REFERENCES, WITHOUT_REFERENCES],
	},
	{ only: 'random-key', title: HTTP_REQUEST.title, strategies: [HTTP_REQUEST] },
];

const ON_WORKERS: Group = {
	only: 'ours',
	title: 'BRL Payments with references, on two workers with PostgreSQL and Redis',
	strategies: [WITH_REFERENCES],
};

/** What is to be run, in order. */
export function selectGroups({
	strategies,
	queue,
}: Pick<Options, 'strategies' | 'queue'>): Group[] {
	if (queue) return [ON_WORKERS];
	return GROUPS.filter(({ only }) => strategies.some(({ name }) => name === only));
}

/** Prints the outcome. @returns whether this package kept its promise */
export function presentPeople(
	options: Options,
	results: readonly PeopleResult[],
	useColour: boolean,
	print: (text: string) => void,
): boolean {
	print(`\n${formatDeeds(results, useColour)}`);
	print(`\n${formatOutcome(results, useColour)}`);
	print(`\n${PROCEDURE}`);
	const outcomes = results.flatMap(({ byStrategy }) => byStrategy);
	for (const outcome of outcomes) {
		if (outcome.episodes.length <= PRINTED_LISTS) {
			print(`\n${outcome.strategy.title}:`);
			print(outcome.episodes.map(formatEpisode).join('\n'));
		}
		if (outcome.reconciliation.announced > 0) {
			print(`\n${outcome.strategy.title}, paid again as the docs announce:`);
			print(formatAnnounced(outcome));
		}
		if (outcome.episodes.some(({ lookedUp }) => lookedUp.length > 0)) {
			print(`\n${outcome.strategy.title}, looked up at the service by hand:`);
			print(formatLookedUp(outcome));
		}
	}
	const { seed, payouts, kills, mutation, queue } = options;
	const groups = selectGroups(options);
	const names = groups.map(({ only }) => only).join(' ');
	const only = queue ? ' --queue' : groups.length < GROUPS.length ? ` --only ${names}` : '';
	const defect = mutation ? ` --mutation ${mutation.name}` : '';
	print(
		`\nRepeat it: npm run campaign -- --people --seed ${seed} --payouts ${payouts} --kills ${kills}${only}${defect}`,
	);
	const broken = outcomes.filter((outcome) => !isKept(outcome));
	for (const outcome of broken) {
		print(`\n${outcome.strategy.title} did not keep the promise:\n${formatBroken(outcome)}`);
	}
	return broken.length === 0;
}
