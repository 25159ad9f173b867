import { cutIntoSlices } from '../../../../../dev/bench/load/slices';

const SAMPLES = [
	{ at: 3, processorMs: 100, memory: 5 },
	{ at: 400, processorMs: 110, memory: 9 },
	{ at: 900, processorMs: 130, memory: 7 },
	{ at: 1_500, processorMs: 200, memory: 8 },
	{ at: 2_000, processorMs: 230, memory: 6 },
	{ at: 2_500, processorMs: 999, memory: 99 },
];

test('each part has what was used in it and the most memory of it', () => {
	expect(cutIntoSlices(SAMPLES, 2_000, 2)).toEqual([
		{ processorMs: 30, memory: 9 },
		{ processorMs: 100, memory: 8 },
	]);
});

test('a part without a sample is no result', () => {
	expect(() => cutIntoSlices(SAMPLES, 2_000, 20)).toThrow('too few samples');
});
