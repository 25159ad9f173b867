import { checkImage } from '../../../../../nodes/BrlPayments/product/image';
import { getRefusal } from '../../../support/refusal';

const PNG = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
const JPEG = Buffer.from([0xff, 0xd8, 0xff]);
const TEN_MEGABYTES = 10 * 1024 * 1024;

/** An image of this many bytes that begins like the given format. */
const createImage = (signature: Buffer, length = 100) =>
	Buffer.concat([signature, Buffer.alloc(length - signature.length)]);

test('recognizes PNG and JPEG by their first bytes', () => {
	expect(checkImage(createImage(PNG))).toBe('image/png');
	expect(checkImage(createImage(JPEG))).toBe('image/jpeg');
});

test.each([
	['an empty file', Buffer.alloc(0)],
	['a GIF', Buffer.from('GIF89a example')],
	['an SVG', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>')],
	['a PNG that is cut off in its signature', PNG.subarray(0, 7)],
	['a PNG read as text', Buffer.from(PNG.toString('base64'))],
	['a PNG behind another byte', Buffer.concat([Buffer.from([0]), PNG])],
])('refuses %s', (_, content) => {
	const { message, remedy } = getRefusal(() => checkImage(content));

	expect(message).toContain('neither a PNG nor a JPEG');
	expect(remedy).toContain('Convert the image');
});

test('accepts 10 MB and refuses one byte more', () => {
	expect(checkImage(createImage(PNG, TEN_MEGABYTES))).toBe('image/png');
	const { message, remedy } = getRefusal(() => checkImage(createImage(JPEG, TEN_MEGABYTES + 1)));
	expect(message).toBe('The image is 10.0 MB, and at most 10 MB are allowed');
	expect(remedy).toContain('Resize it');
});
