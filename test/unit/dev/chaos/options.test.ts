import { Command } from 'commander';

import { parseOptions } from '../../../../dev/chaos/options';

const parse = (...args: string[]) =>
	parseOptions(
		args,
		new Command().exitOverride().configureOutput({ writeErr: () => {}, writeOut: () => {} }),
	);

it('runs everyone with 2,000 payouts and 6 kills, from a drawn seed', () => {
	expect(parse()).toMatchObject({
		...{ payouts: 2_000, kills: 6, people: false, queue: false },
		...{ only: ['ours', 'random-key'], mutation: undefined, lists: undefined },
	});
	const seeds = new Set(Array.from({ length: 20 }, () => parse().seed));
	expect(seeds.size).toBeGreaterThan(1);
});

it('takes what the pages name', () => {
	expect(parse('--payouts', '200', '--kills', '2', '--only', 'ours')).toMatchObject({
		...{ payouts: 200, kills: 2, only: ['ours'] },
	});
	expect(parse('--people', '--queue')).toMatchObject({ people: true, queue: true });
	const repeated = parse('--people', '--seed', '0', '--lists', '7', '16', '--mutation', 'no-guard');
	expect(repeated).toMatchObject({ seed: 0, lists: [7, 16], mutation: { name: 'no-guard' } });
});

it.each([
	['--seed', 'x'],
	['--seed', '1.5'],
	['--payouts', '0'],
	['--kills', '51'],
	['--only', 'theirs'],
	['surplus'],
	['--queue'],
	['--mutation', 'no-guard'],
	['--people', '--queue', '--mutation', 'no-guard'],
])('refuses %s %s', (...args) => {
	expect(() => parse(...args)).toThrow(
		/Must be a whole number|Allowed choices|too many arguments|needs '--people'/,
	);
});
