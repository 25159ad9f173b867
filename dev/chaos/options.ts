import { randomInt } from 'node:crypto';

import { Command, Option } from 'commander';

import { wholeNumber } from '../cli/command';
import { MUTATIONS } from './people/mutations';
import type { Plan } from './people/run';

const LARGEST_SEED = 2 ** 31 - 1;

/** This package, and n8n's HTTP Request node. */
const GROUPS = ['ours', 'random-key'] as const;
export type GroupName = (typeof GROUPS)[number];

export interface Options extends Plan {
	readonly only: readonly GroupName[];
}

/**
 * Reads the arguments after the name of the script.
 * @param program for tests: one that throws instead of ending the process
 */
export function parseOptions(args: readonly string[], program = new Command()): Options {
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
		.option('--people', 'simulate people who edit, repeat and retry, also with references', false)
		.option(
			'--queue',
			'with --people: on two workers; kills a worker, Redis and PostgreSQL in turn',
			false,
		)
		.addOption(new Option('--only <names...>', 'run only these').choices(GROUPS).default(GROUPS))
		.addOption(mutation)
		.allowExcessArguments(false)
		.parse([...args], { from: 'user' });
	const given = program.opts<
		Omit<Options, 'seed' | 'mutation'> & { seed?: number; mutation?: string }
	>();
	if (given.mutation !== undefined && !given.people) {
		program.error("error: option '--mutation <name>' needs '--people'");
	}
	if (given.queue && (!given.people || given.mutation !== undefined)) {
		program.error("error: option '--queue' needs '--people', and takes no '--mutation'");
	}
	return {
		...given,
		seed: given.seed ?? randomInt(1_000_000),
		mutation: MUTATIONS.find(({ name }) => name === given.mutation),
	};
}
