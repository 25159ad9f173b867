import { randomInt } from 'node:crypto';

import { Command, Option } from 'commander';

import { wholeNumber } from '../cli/command';
import { MUTATIONS } from './mutations';

const LARGEST_SEED = 2 ** 31 - 1;

/** This package, and n8n's HTTP Request node. */
const GROUPS = ['ours', 'random-key'] as const;

export interface Options {
	readonly seed: number;
	readonly payouts: number;
	readonly kills: number;
	/** Whether people do what the errors say, instead of a fixed procedure. */
	readonly people: boolean;
	/** Whether on two workers with PostgreSQL and Redis, which are killed in turn. */
	readonly queue: boolean;
	readonly only: ReadonlyArray<(typeof GROUPS)[number]>;
	/** Name of a defect to write into the installed package, to see whether it is caught. */
	readonly mutation?: string;
}

/**
 * Reads the arguments after the name of the script.
 * @param program for tests: one that throws instead of ending the process
 */
export function parseOptions(args: readonly string[], program = new Command()): Options {
	const mutation = new Option(
		'--mutation <name>',
		'break the installed package this way; the run must then fail',
	);
	program
		.name('npm run campaign --')
		.description(
			'Tries to make n8n pay twice: faults, lost responses, kill -9. Compares this package with the HTTP Request node. No money is real.',
		)
		.option('--seed <number>', 'repeats the run with that seed', wholeNumber(0, LARGEST_SEED))
		.option('--payouts <count>', 'withdrawals to make', wholeNumber(1, 50_000), 2_000)
		.option('--kills <count>', 'how often n8n is killed', wholeNumber(0, 50), 6)
		.option('--people', 'simulate people who do what the errors say, also with references', false)
		.option('--queue', 'on two workers; kills a worker, Redis and PostgreSQL in turn', false)
		.addOption(new Option('--only <names...>', 'run only these').choices(GROUPS).default(GROUPS))
		.addOption(mutation.choices(Object.keys(MUTATIONS)).conflicts('queue'))
		.allowExcessArguments(false)
		.parse([...args], { from: 'user' });
	const given = program.opts<Omit<Options, 'seed'> & { seed?: number }>();
	return { ...given, seed: given.seed ?? randomInt(1_000_000) };
}
