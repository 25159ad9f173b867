import { Command } from 'commander';

import { parseOptions } from '../../../../dev/chaos/options';

const parse = (...args: string[]) =>
	parseOptions(
		args,
		new Command().exitOverride().configureOutput({ writeErr: () => {}, writeOut: () => {} }),
	);
const getNames = ({ strategies }: ReturnType<typeof parse>) => strategies.map(({ name }) => name);

it('runs everyone with 2,000 payouts and 6 kills, from a drawn seed', () => {
	const options = parse();
	expect(options).toMatchObject({ payouts: 2_000, kills: 6 });
	expect(Number.isInteger(options.seed)).toBe(true);
	expect(getNames(options)).toEqual(['ours', 'random-key', 'no-key', 'no-key-accepted']);
	const seeds = new Set(Array.from({ length: 20 }, () => parse().seed));
	expect(seeds.size).toBeGreaterThan(1);
});

it('takes seed, payouts and kills', () => {
	expect(parse('--seed', '7', '--payouts', '200', '--kills', '0')).toMatchObject({
		seed: 7,
		payouts: 200,
		kills: 0,
	});
	expect(parse('--seed', '0').seed).toBe(0);
});

it('repeats some lists alone', () => {
	expect(parse().lists).toBeUndefined();
	expect(parse('--people', '--lists', '7', '16').lists).toEqual([7, 16]);
});

it('runs some alone, in their usual order', () => {
	expect(getNames(parse('--only', 'ours'))).toEqual(['ours']);
	expect(getNames(parse('--only', 'no-key', 'ours'))).toEqual(['ours', 'no-key']);
});

it.each([
	['--seed', 'x'],
	['--seed', '-1'],
	['--seed', '1.5'],
	['--payouts', '0'],
	['--payouts', '50001'],
	['--kills', '51'],
	['--only', 'theirs'],
	['surplus'],
])('refuses %s %s', (...args) => {
	expect(() => parse(...args)).toThrow(/Must be a whole number|Allowed choices|too many arguments/);
});

it('simulates people where asked for', () => {
	expect(parse()).toMatchObject({ people: false, mutation: undefined });
	expect(parse('--people', '--payouts', '80')).toMatchObject({ people: true, payouts: 80 });
});

it('lets people use two workers, without a defect in the package', () => {
	expect(parse('--people').queue).toBe(false);
	expect(parse('--people', '--queue').queue).toBe(true);
	expect(() => parse('--queue')).toThrow("needs '--people'");
	expect(() => parse('--people', '--queue', '--mutation', 'no-guard')).toThrow("no '--mutation'");
});

it('lets people work only with what they are simulated for', () => {
	expect(getNames(parse('--people', '--only', 'ours'))).toEqual(['ours']);
	expect(() => parse('--people', '--only', 'no-key')).toThrow("with '--people'");
});
