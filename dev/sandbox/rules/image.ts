/** 10 MB, the most that a product image may have (docs/api.md#limits). */
export const MAX_IMAGE_BYTES = 10 * 1024 * 1024;

const PNG = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
const JPEG = Buffer.from([0xff, 0xd8, 0xff]);

/** Whether the first bytes are those of a PNG or JPEG. */
export function isImage(bytes: Buffer): boolean {
	return [PNG, JPEG].some((start) => bytes.subarray(0, start.length).equals(start));
}
