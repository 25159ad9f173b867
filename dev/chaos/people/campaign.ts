import type { GroupName, Options } from '../options';
import {
	formatAnnounced,
	formatLookedUp,
	formatBroken,
	formatDeeds,
	formatEpisode,
	formatOutcome,
	isKept,
	PROCEDURE,
	PROCEDURE_WITHOUT_PEOPLE,
} from './report';
import type { PeopleResult } from './run';
import { HTTP_REQUEST, WITHOUT_REFERENCES, WITH_REFERENCES, type Strategy } from './strategies';

/** Above so many lists, only those with something to say are printed. */
const PRINTED_LISTS = 12;

interface Group {
	readonly name: GroupName;
	readonly title: string;
	readonly strategies: readonly Strategy[];
}

export function selectGroups({
	only,
	people,
	queue,
}: Pick<Options, 'only' | 'people' | 'queue'>): Group[] {
	const title = 'BRL Payments on two workers with PostgreSQL and Redis';
	if (queue) return [{ name: 'ours', title, strategies: [WITH_REFERENCES, WITHOUT_REFERENCES] }];
	const groups: Group[] = [
		{
			name: 'ours',
			title: `BRL Payments, ${people ? 'with references and without' : 'without references'}`,
			// Without people, references have nothing to show: nobody runs a list again.
			strategies: people ? [WITH_REFERENCES, WITHOUT_REFERENCES] : [WITHOUT_REFERENCES],
		},
		{ name: 'random-key', title: HTTP_REQUEST.title, strategies: [HTTP_REQUEST] },
	];
	return groups.filter(({ name }) => only.includes(name));
}

/** Prints the outcome. @returns whether this package kept its promise */
export function present(
	options: Options,
	results: readonly PeopleResult[],
	useColour: boolean,
	print: (text: string) => void,
): boolean {
	const { seed, payouts, kills, mutation, people, queue, only } = options;
	print(`\n${formatDeeds(results, useColour)}`);
	print(`\n${formatOutcome(results, useColour)}`);
	print(`\n${people ? PROCEDURE : PROCEDURE_WITHOUT_PEOPLE}`);
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
	const flags = [
		...(people ? [' --people'] : []),
		...(queue ? [' --queue'] : []),
		` --seed ${seed} --payouts ${payouts} --kills ${kills} --only ${only.join(' ')}`,
		...(mutation ? [` --mutation ${mutation.name}`] : []),
	];
	print(`\nRepeat it: npm run campaign --${flags.join('')}`);
	const broken = outcomes.filter((outcome) => !isKept(outcome));
	for (const outcome of broken) {
		print(`\n${outcome.strategy.title} did not keep the promise:\n${formatBroken(outcome)}`);
	}
	return broken.length === 0;
}
