import { randomInt } from 'node:crypto';

import { Command, InvalidArgumentError, Option } from 'commander';

import { MUTATIONS, type Mutation } from './people/mutations';
import type { Plan } from './run';
import { STRATEGIES, type PaymentStrategy } from './workflows';

const LARGEST_SEED = 2 ** 31 - 1;

/** The strategies that people work with. */
const WITH_PEOPLE: readonly string[] = ['ours', 'random-key'];

export interface Options extends Plan {
	strategies: readonly PaymentStrategy[];
	/** Whether people edit, repeat and retry by hand, instead of the fixed procedure. */
	people: boolean;
	/** A defect to write into the installed package. */
	mutation: Mutation | undefined;
	/** Whether n8n runs on two workers, with PostgreSQL and Redis. */
	queue: boolean;
	/** Numbers of the lists that people pay; undefined for all. */
	lists: readonly number[] | undefined;
}

function wholeNumber(minimum: number, maximum: number) {
	return (text: string): number => {
		const value = Number(text);
		if (/^\d+$/.test(text) && value >= minimum && value <= maximum) return value;
		throw new InvalidArgumentError(`Must be a whole number from ${minimum} to ${maximum}.`);
	};
}

/**
 * Reads the arguments after the name of the script.
 * @param program for tests: one that throws instead of ending the process
 */
export function parseOptions(args: readonly string[], program = new Command()): Options {
	const names = STRATEGIES.map(({ name }) => name);
	const only = new Option('--only <strategy...>', 'run only these').choices(names);
	const mutation = new Option(
		'--mutation <name>',
		'with --people: break the installed package this way; the run must then fail',
	).choices(MUTATIONS.map(({ name }) => name));
	program
		.name('npm run campaign --')
		.description(
			'Tries to make n8n pay twice: faults, lost responses, kill -9. Compares this package with the HTTP Request node. No money is real.',
		)
		.option('--seed <number>', 'repeats the run with that seed', wholeNumber(0, LARGEST_SEED))
		.option('--payouts <count>', 'withdrawals to make', wholeNumber(1, 50_000), 2_000)
		.option('--kills <count>', 'how often n8n is killed', wholeNumber(0, 50), 6)
		.option(
			'--people',
			'simulate people who edit, repeat and retry: with references, without, and with HTTP Request',
			false,
		)
		.option(
			'--queue',
			'with --people: references on two workers; kills a worker, Redis and PostgreSQL in turn',
			false,
		)
		.option('--lists <numbers...>', 'with --people: repeat only these lists')
		.addOption(only)
		.addOption(mutation)
		.allowExcessArguments(false)
		.parse([...args], { from: 'user' });
	const given = program.opts<{
		seed?: number;
		payouts: number;
		kills: number;
		people: boolean;
		queue: boolean;
		only?: string[];
		mutation?: string;
		lists?: string[];
	}>();
	if (given.mutation !== undefined && !given.people) {
		program.error("error: option '--mutation <name>' needs '--people'");
	}
	if (given.queue && (!given.people || given.mutation !== undefined)) {
		program.error("error: option '--queue' needs '--people', and takes no '--mutation'");
	}
	const strategies = STRATEGIES.filter(({ name }) => given.only?.includes(name) ?? true);
	if (given.people && !strategies.some(({ name }) => WITH_PEOPLE.includes(name))) {
		program.error(`error: with '--people', '--only' takes ${WITH_PEOPLE.join(' and ')}`);
	}
	return {
		seed: given.seed ?? randomInt(1_000_000),
		payouts: given.payouts,
		kills: given.kills,
		strategies,
		people: given.people,
		queue: given.queue,
		lists: given.lists?.map(wholeNumber(0, 50_000)),
		mutation: MUTATIONS.find(({ name }) => name === given.mutation),
	};
}
