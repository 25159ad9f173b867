import { createHash } from 'node:crypto';
import { crc32, deflateSync } from 'node:zlib';

function chunk(type: string, data: Buffer): Buffer {
	const length = Buffer.alloc(4);
	length.writeUInt32BE(data.length);
	const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
	const sum = Buffer.alloc(4);
	sum.writeUInt32BE(crc32(body));
	return Buffer.concat([length, body, sum]);
}

/** `size` bytes that look random and are the same for the same seed. */
function noise(seed: string, size: number): Buffer {
	const parts: Buffer[] = [];
	for (let index = 0; index * 32 < size; index++) {
		parts.push(createHash('sha256').update(`${seed} ${index}`).digest());
	}
	return Buffer.concat(parts).subarray(0, size);
}

/**
 * A real PNG of one pixel, with a private chunk of `size` bytes of every value: nothing that takes it
 * for text, or cuts it off, gets it through unchanged.
 */
export function makePng(seed: string, size = 100_000): Buffer {
	const header = Buffer.from([0, 0, 0, 1, 0, 0, 0, 1, 8, 2, 0, 0, 0]);
	return Buffer.concat([
		Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'),
		chunk('IHDR', header),
		chunk('prVt', noise(seed, size)),
		chunk('IDAT', deflateSync(Buffer.from([0, 255, 0, 0]))),
		chunk('IEND', Buffer.alloc(0)),
	]);
}
