import { applyPalette, GIFEncoder, quantize } from 'gifenc';
import type { PNG } from 'pngjs';

export interface Frame {
	image: PNG;
	ms: number;
}

/** A GIF has 256 colors; the last of them says that a pixel stays as it was. */
const UNCHANGED = 255;

function mergeEqualFrames(frames: readonly Frame[]): Frame[] {
	const merged: Frame[] = [];
	for (const frame of frames) {
		const last = merged.at(-1);
		if (last?.image.data.equals(frame.image.data)) last.ms += frame.ms;
		else merged.push({ ...frame });
	}
	return merged;
}

/** A GIF that repeats forever, of frames of the same size. */
export function encodeGif(frames: readonly Frame[]): Uint8Array {
	const merged = mergeEqualFrames(frames);
	// One for all frames, so that no color changes from one to the next.
	const palette = quantize(Buffer.concat(merged.map(({ image }) => image.data)), UNCHANGED);
	const encoder = GIFEncoder();
	let previous: Uint8Array | undefined;
	for (const { image, ms } of merged) {
		const pixels = applyPalette(image.data, palette);
		// Long runs of the same number are what a GIF compresses best.
		const changed = pixels.map((pixel, index) => (pixel === previous?.[index] ? UNCHANGED : pixel));
		encoder.writeFrame(changed, image.width, image.height, {
			...(previous ? { transparent: true, transparentIndex: UNCHANGED } : { palette }),
			delay: ms,
			dispose: 1,
		});
		previous = pixels;
	}
	encoder.finish();
	return encoder.bytes();
}
