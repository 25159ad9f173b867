import { readStatus, residentMemory } from '../../../../../dev/bench/measure/residentMemory';

test('is read from what Linux reports of a process', () => {
	expect(readStatus('Name:\tnode\nVmHWM:\t  2000 kB\nVmRSS:\t  1500 kB\nThreads:\t1\n')).toBe(
		1_536_000,
	);
});

test('is unknown where the system reports nothing', () => {
	expect(readStatus('Name:\tnode\n')).toBeUndefined();
	expect(residentMemory(-1)).toBeUndefined();
});
