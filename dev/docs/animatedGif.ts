import { GIFEncoder, nearestColorIndex, quantize, type Colour } from 'gifenc';
import type { PNG } from 'pngjs';

/** A picture and how long it stays. */
export interface Frame {
	image: PNG;
	ms: number;
}

/** A GIF has 256 colors; the last of them says that a pixel stays as it was. */
const COLOURS = 255;
const UNCHANGED = COLOURS;
const EXACT_COLOURS = 128;

/** Joins frames that follow each other and look the same. */
export function mergeEqualFrames(frames: readonly Frame[]): Frame[] {
	const merged: Frame[] = [];
	for (const frame of frames) {
		const last = merged.at(-1);
		if (last?.image.data.equals(frame.image.data)) last.ms += frame.ms;
		else merged.push({ ...frame });
	}
	return merged;
}

/** The colors of a picture, each as one number. */
function getColours({ data }: PNG): number[] {
	return Array.from({ length: data.length / 4 }, (_value, index) => data.readUIntBE(index * 4, 3));
}

const toColour = (colour: number): Colour => [colour >> 16, (colour >> 8) & 255, colour & 255];

/**
 * The colors of large surfaces stay exactly as they are, so that none changes from one frame to the
 * next; all others share what is left of the palette, however small their surface.
 */
function toPalette(pictures: readonly number[][]): Colour[] {
	const counts = new Map<number, number>();
	for (const picture of pictures) {
		for (const colour of picture) counts.set(colour, (counts.get(colour) ?? 0) + 1);
	}
	const sorted = [...counts].sort(([, one], [, other]) => other - one);
	const colours = sorted.map(([colour]) => toColour(colour));
	const rare = colours.slice(EXACT_COLOURS).flatMap((colour) => [...colour, 255]);
	const shared = rare.length > 0 ? quantize(Uint8Array.from(rare), COLOURS - EXACT_COLOURS) : [];
	return [...colours.slice(0, EXACT_COLOURS), ...shared];
}

/** Gives the place in the palette that is nearest to a color. */
function nearestIn(palette: Colour[]): (colour: number) => number {
	const known = new Map<number, number>();
	return (colour) => {
		const index = known.get(colour) ?? nearestColorIndex(palette, toColour(colour));
		known.set(colour, index);
		return index;
	};
}

/** What is new in a picture: long runs of the same number are what a GIF compresses best. */
function changedPixels(pixels: Uint8Array, previous: Uint8Array | undefined): Uint8Array {
	if (!previous) return pixels;
	return pixels.map((pixel, index) => (pixel === previous[index] ? UNCHANGED : pixel));
}

/** A GIF that repeats forever, of frames of the same size. */
export function encodeGif(frames: readonly Frame[]): Uint8Array {
	const merged = mergeEqualFrames(frames);
	const pictures = merged.map(({ image }) => getColours(image));
	const palette = toPalette(pictures);
	const nearest = nearestIn(palette);
	const unused = Array.from({ length: COLOURS + 1 - palette.length }, () => toColour(0));
	const encoder = GIFEncoder();
	let previous: Uint8Array | undefined;
	for (const [index, { image, ms }] of merged.entries()) {
		const pixels = Uint8Array.from(pictures[index]!, nearest);
		encoder.writeFrame(changedPixels(pixels, previous), image.width, image.height, {
			...(index === 0
				? { palette: [...palette, ...unused] }
				: { transparent: true, transparentIndex: UNCHANGED }),
			delay: ms,
			dispose: 1,
		});
		previous = pixels;
	}
	encoder.finish();
	return encoder.bytes();
}
