import { Command } from 'commander';

import { parseOptions } from '../../../../dev/chaos/options';

const SILENT = { writeErr: () => {}, writeOut: () => {} };
const parse = (...args: string[]) =>
	parseOptions(args, new Command().exitOverride().configureOutput(SILENT));

it('runs everyone with 2,000 payouts and 6 kills, from a drawn seed', () => {
	const only = ['ours', 'random-key'];
	const usual = { payouts: 2_000, kills: 6, people: false, queue: false, only };
	expect(parse()).toMatchObject({ ...usual, mutation: undefined });
	expect(new Set(Array.from({ length: 20 }, () => parse().seed)).size).toBeGreaterThan(1);
});

it.each([
	['--payouts 200 --kills 2 --only ours', { payouts: 200, kills: 2, only: ['ours'] }],
	['--people --queue', { people: true, queue: true }],
	['--people --seed 0 --mutation no-guard', { seed: 0, mutation: { name: 'no-guard' } }],
])('takes what the pages name: %s', (args, options) => {
	expect(parse(...args.split(' '))).toMatchObject(options);
});

it.each([
	...['--seed x', '--seed 1.5', '--payouts 0', '--kills 51', '--only theirs', 'surplus', '--queue'],
	...['--mutation no-guard', '--people --queue --mutation no-guard'],
])('refuses %s', (args) => {
	expect(() => parse(...args.split(' '))).toThrow(
		/Must be a whole number|Allowed choices|too many arguments|needs '--people'/,
	);
});
