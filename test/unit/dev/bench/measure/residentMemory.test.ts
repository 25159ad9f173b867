import {
	peakMemory,
	readStatus,
	residentMemory,
} from '../../../../../dev/bench/measure/residentMemory';

const STATUS = 'Name:\tnode\nVmHWM:\t  2000 kB\nVmRSS:\t  1500 kB\nThreads:\t1\n';

test('is read from what Linux reports of a process', () => {
	expect(readStatus(STATUS, 'VmRSS')).toBe(1_536_000);
	expect(readStatus(STATUS, 'VmHWM')).toBe(2_048_000);
});

test('is unknown where the system reports nothing', () => {
	expect(readStatus('Name:\tnode\n', 'VmRSS')).toBeUndefined();
	expect(residentMemory(-1)).toBeUndefined();
	expect(peakMemory(-1)).toBeUndefined();
});
