import { cutIntoSlices } from '../../../../../dev/bench/load/slices';

const SAMPLES = [
	{ answered: 0, processorMs: 100, memory: 5 },
	{ answered: 4, processorMs: 110, memory: 9 },
	{ answered: 11, processorMs: 210, memory: 7 },
	{ answered: 15, processorMs: 250, memory: 8 },
	{ answered: 20, processorMs: 390, memory: 6 },
];

test('each part has what a delivery took in it and the most memory of it', () => {
	expect(cutIntoSlices(SAMPLES, 2)).toEqual([
		{ processorMs: 10, memory: 9 },
		{ processorMs: 20, memory: 8 },
	]);
});

test('what is used after the last delivery counts for none', () => {
	const later = { answered: 20, processorMs: 999, memory: 99 };

	expect(cutIntoSlices([...SAMPLES, later], 2)).toEqual(cutIntoSlices(SAMPLES, 2));
});

test('a part without a sample is no result', () => {
	expect(() => cutIntoSlices(SAMPLES, 20)).toThrow('too few samples');
});
