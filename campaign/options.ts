import { randomInt } from 'node:crypto';

import { Command, InvalidArgumentError, Option } from 'commander';

import type { Plan } from './run';
import { CONTENDERS, type Contender } from './workflows';

const LARGEST_SEED = 2 ** 31 - 1;

export interface Options extends Plan {
	contenders: readonly Contender[];
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
	const names = CONTENDERS.map(({ name }) => name);
	const only = new Option('--only <contender...>', 'run these alone').choices(names);
	const {
		seed,
		payouts,
		kills,
		only: chosen,
	} = program
		.name('npm run campaign --')
		.description(
			'Tries to make n8n pay twice: faults, lost answers, kill -9. Compares this package with the HTTP Request node. No money is real.',
		)
		.option('--seed <number>', 'repeats the run of that seed', wholeNumber(0, LARGEST_SEED))
		.option('--payouts <count>', 'withdrawals to make', wholeNumber(1, 50_000), 2_000)
		.option('--kills <count>', 'how often n8n is killed', wholeNumber(0, 50), 6)
		.addOption(only)
		.allowExcessArguments(false)
		.parse([...args], { from: 'user' })
		.opts<{ seed?: number; payouts: number; kills: number; only?: string[] }>();
	return {
		seed: seed ?? randomInt(1_000_000),
		payouts,
		kills,
		contenders: CONTENDERS.filter(({ name }) => chosen === undefined || chosen.includes(name)),
	};
}
