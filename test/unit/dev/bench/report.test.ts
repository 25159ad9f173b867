import { spread, formatTable } from '../../../../dev/bench/report';

const row = (measured: string) => ({
	measured,
	ours: '1 ms',
	compared: '2 ms',
	ratio: '0.50',
	limitedBy: 'Nothing.',
});

test('a table has a head and one line for each row', () => {
	expect(formatTable([row('one'), row('other')]).split('\n')).toEqual([
		'| measured | this package | compared with | ratio | what limits it |',
		'| --- | --- | --- | --- | --- |',
		'| one | 1 ms | 2 ms | 0.50 | Nothing. |',
		'| other | 1 ms | 2 ms | 0.50 | Nothing. |',
	]);
});

test('a bar in a text ends no cell', () => {
	expect(formatTable([row('a|b')])).toContain('| a\\|b |');
});

test('a spread names the median and the interquartile range', () => {
	const summary = { median: 1.234, lowerQuartile: 1, upperQuartile: 2.345, count: 5 };

	expect(spread(summary)).toBe('1.23 (1.00 to 2.35)');
	expect(spread(summary, 0, ' ms')).toBe('1 ms (1 to 2)');
});
