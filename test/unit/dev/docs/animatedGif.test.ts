import { PNG } from 'pngjs';

import { encodeGif, mergeEqualFrames, type Frame } from '../../../../dev/docs/animatedGif';
import { readGif } from '../../support/gif';

const RED = [255, 0, 0, 255];
const BLUE = [0, 0, 255, 255];

const frame = (colour: number[], ms: number): Frame => {
	const image = new PNG({ width: 4, height: 2 });
	image.data.set(Array.from({ length: 8 }, () => colour).flat());
	return { image, ms };
};

describe('mergeEqualFrames', () => {
	it('adds up the time of frames that follow each other and look the same', () => {
		const merged = mergeEqualFrames([frame(RED, 100), frame(RED, 200), frame(BLUE, 300)]);
		expect(merged.map(({ ms }) => ms)).toEqual([300, 300]);
	});

	it('keeps a frame that comes back later', () => {
		expect(mergeEqualFrames([frame(RED, 1), frame(BLUE, 2), frame(RED, 3)])).toHaveLength(3);
	});

	it('leaves the given frames as they are', () => {
		const given = [frame(RED, 100), frame(RED, 200)];
		mergeEqualFrames(given);
		expect(given.map(({ ms }) => ms)).toEqual([100, 200]);
	});
});

describe('encodeGif', () => {
	it('writes each different frame with its time, forever', () => {
		const gif = readGif(encodeGif([frame(RED, 500), frame(BLUE, 1500)]));
		expect(gif).toEqual({ width: 4, height: 2, delaysMs: [500, 1500], repeatsForEver: true });
	});

	it('takes more colours than a GIF has', () => {
		const image = new PNG({ width: 32, height: 32 });
		for (let index = 0; index < 1024; index += 1) {
			image.data.set([index >> 2, (index * 7) & 255, index & 255, 255], index * 4);
		}
		expect(readGif(encodeGif([{ image, ms: 100 }])).delaysMs).toEqual([100]);
	});
});
