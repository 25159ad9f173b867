/** 10 MB, the most that a product image may have (docs/api.md#limits). */
export const MAX_IMAGE_BYTES = 10 * 1024 * 1024;

const PNG = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
const JPEG = Buffer.from([0xff, 0xd8, 0xff]);

/** The media type that the first bytes prove, or null when it is neither PNG nor JPEG. */
export function imageType(bytes: Buffer): 'image/png' | 'image/jpeg' | null {
	if (bytes.subarray(0, PNG.length).equals(PNG)) return 'image/png';
	if (bytes.subarray(0, JPEG.length).equals(JPEG)) return 'image/jpeg';
	return null;
}
