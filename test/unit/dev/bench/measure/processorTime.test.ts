import { processorTime, readStat } from '../../../../../dev/bench/measure/processorTime';

const STAT =
	'4711 (node) S 1 4711 4711 0 -1 4194560 81000 0 12 0 345 67 8 9 20 0 11 0 123456 1200000000 50000';

test('user and system time, in milliseconds', () => {
	expect(readStat(STAT)).toBe((345 + 67) * 10);
});

test('a name with blanks and brackets shifts nothing', () => {
	expect(readStat(STAT.replace('(node)', '(no) 1 2 de)'))).toBe((345 + 67) * 10);
});

test('what cannot be read is unknown', () => {
	expect(readStat('4711 (node) S 1')).toBeUndefined();
	// No process has this id: it is above what Linux gives out, and elsewhere there is no such file.
	expect(processorTime(2 ** 31)).toBeUndefined();
});
