import type { Modules } from './qrCode';

/** The most that one stored block of deflate can contain. */
const MAX_BLOCK = 0xffff;

/**
 * A square PNG in black and white: the modules in the middle, each as large as fits, and at least
 * `margin` light modules around them.
 *
 * Stored, not compressed: at one bit a pixel it is small, and requires no library.
 * @throws RangeError if a module would be smaller than a pixel
 */
export function toPng(modules: Modules, size: number, margin: number): Buffer {
	const scale = Math.floor(size / (modules.length + 2 * margin));
	if (scale < 1) throw new RangeError('Too small');
	const border = Math.floor((size - scale * modules.length) / 2);
	const rowBytes = 1 + Math.ceil(size / 8);
	const pixels = Buffer.alloc(rowBytes * size, 0xff);
	for (let y = 0; y < size; y += 1) {
		// The filter of each row: none.
		pixels[y * rowBytes] = 0;
		const row = modules[Math.floor((y - border) / scale)] ?? [];
		for (let x = 0; x < size; x += 1) {
			if (row[Math.floor((x - border) / scale)] !== true) continue;
			const at = y * rowBytes + 1 + (x >> 3);
			pixels[at] = Number(pixels[at]) & ~(0x80 >> (x & 7));
		}
	}
	const header = Buffer.alloc(13);
	header.writeUInt32BE(size, 0);
	header.writeUInt32BE(size, 4);
	// One bit a pixel, shades of gray.
	header[8] = 1;
	return Buffer.concat([
		Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'),
		chunk('IHDR', header),
		chunk('IDAT', stored(pixels)),
		chunk('IEND', Buffer.alloc(0)),
	]);
}

function chunk(type: string, data: Buffer): Buffer {
	const body = Buffer.concat([Buffer.from(type), data]);
	return Buffer.concat([uint32(data.length), body, uint32(crc32(body))]);
}

/** In the format of zlib. */
function stored(data: Buffer): Buffer {
	const parts: Buffer[] = [Buffer.from([0x78, 0x01])];
	for (let at = 0; at < data.length; at += MAX_BLOCK) {
		const block = data.subarray(at, at + MAX_BLOCK);
		const head = Buffer.alloc(5);
		head[0] = at + MAX_BLOCK < data.length ? 0 : 1;
		head.writeUInt16LE(block.length, 1);
		head.writeUInt16LE(block.length ^ 0xffff, 3);
		parts.push(head, block);
	}
	return Buffer.concat([...parts, uint32(adler32(data))]);
}

function uint32(value: number): Buffer {
	const bytes = Buffer.alloc(4);
	bytes.writeUInt32BE(value >>> 0);
	return bytes;
}

function crc32(data: Buffer): number {
	let sum = -1;
	for (const byte of data) {
		sum ^= byte;
		for (let bit = 0; bit < 8; bit += 1) sum = (sum >>> 1) ^ (sum & 1 ? 0xedb88320 : 0);
	}
	return ~sum;
}

function adler32(data: Buffer): number {
	let [low, high] = [1, 0];
	for (const byte of data) {
		low = (low + byte) % 65521;
		high = (high + low) % 65521;
	}
	return (high << 16) | low;
}
