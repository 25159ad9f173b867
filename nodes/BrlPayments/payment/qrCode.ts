/**
 * QR codes (ISO/IEC 18004) for texts such as PIX codes: up to 512 bytes, in byte mode, at error
 * correction level M, which reads with 15 % of the picture damaged.
 */

/** Dark modules are true; rows from the top. */
export type Modules = boolean[][];

/** By version, from 1: check bytes of each block, and number of blocks. */
const CHECK_BYTES = [
	10, 16, 26, 18, 24, 16, 18, 22, 22, 26, 30, 22, 22, 24, 24, 28, 28, 26, 26, 26,
];
const BLOCKS = [1, 1, 1, 2, 2, 4, 4, 4, 5, 5, 5, 8, 9, 9, 10, 10, 11, 13, 14, 16];

/**
 * The pattern that is laid over the data, so that no large area has one color: the first of eight. Which of
 * them reads best matters on paper, not on a screen.
 */
const isMasked = (x: number, y: number) => (x + y) % 2 === 0;

/** @throws RangeError for a text that is too long */
export function qrCode(text: string): Modules {
	const bytes = [...Buffer.from(text)];
	const version = CHECK_BYTES.findIndex((_, index) => bytes.length <= capacity(index + 1)) + 1;
	if (version === 0) throw new RangeError('Too long');
	return drawn(version, codewords(bytes, version));
}

const ofVersion = (list: readonly number[], version: number) => list[version - 1] as number;

/** Bytes of text that fit: what is not checks, mode (4 bits) and length (8 bits, or 16 from version 10). */
const capacity = (version: number) => dataBytes(version) - (version < 10 ? 2 : 3);

function dataBytes(version: number): number {
	return allBytes(version) - ofVersion(CHECK_BYTES, version) * ofVersion(BLOCKS, version);
}

/** Modules that carry data, in whole bytes: all but the patterns. */
function allBytes(version: number): number {
	const aligned = version < 2 ? 0 : Math.floor(version / 7) + 2;
	const alignment = version < 2 ? 0 : (25 * aligned - 10) * aligned - 55;
	return Math.floor(((16 * version + 128) * version + 64 - alignment - (version < 7 ? 0 : 36)) / 8);
}

/** Mode, length, text and padding, in blocks with their checks, interleaved. */
function codewords(bytes: readonly number[], version: number): number[] {
	const length = bytes.length.toString(2).padStart(version < 10 ? 8 : 16, '0');
	const text = bytes.map((byte) => byte.toString(2).padStart(8, '0')).join('');
	const bits = `0100${length}${text}0000`;
	const data = (bits.match(/.{8}/g) ?? []).map((byte) => parseInt(byte, 2));
	const total = dataBytes(version);
	for (let pad = 0xec; data.length < total; pad ^= 0xec ^ 0x11) data.push(pad);

	const count = ofVersion(BLOCKS, version);
	const divisor = generator(ofVersion(CHECK_BYTES, version));
	const short = Math.floor(total / count);
	const firstLong = count - (total % count);
	const starts = Array.from(
		{ length: count + 1 },
		(_, n) => n * short + Math.max(0, n - firstLong),
	);
	const blocks = starts.slice(1).map((end, n) => data.slice(starts[n], end));
	return [...interleaved(blocks), ...interleaved(blocks.map((block) => checks(block, divisor)))];
}

function interleaved(blocks: ReadonlyArray<readonly number[]>): number[] {
	const longest = Math.max(...blocks.map(({ length }) => length));
	return Array.from({ length: longest }, (_, at) =>
		blocks.flatMap((block) => block[at] ?? []),
	).flat();
}

/** Product in GF(2^8) modulo x^8 + x^4 + x^3 + x^2 + 1. */
function times(one: number, other: number): number {
	let product = 0;
	for (let bit = 7; bit >= 0; bit -= 1) {
		product = (product << 1) ^ ((product >> 7) * 0x11d) ^ (((other >> bit) & 1) * one);
	}
	return product;
}

/** Coefficients of the product of (x - 2^i) for i below the degree, without the leading 1. */
function generator(degree: number): number[] {
	let product = [1];
	for (let root = 1, i = 0; i < degree; i += 1, root = times(root, 2)) {
		product = [...product, 0].map((own, at) => own ^ times(product[at - 1] ?? 0, root));
	}
	return product.slice(1);
}

/** What is left of the division: the check bytes of Reed and Solomon. */
function checks(block: readonly number[], divisor: readonly number[]): number[] {
	return block.reduce<number[]>(
		(rest, byte) => {
			const factor = byte ^ (rest[0] as number);
			return divisor.map((own, at) => (rest[at + 1] ?? 0) ^ times(own, factor));
		},
		divisor.map(() => 0),
	);
}

function drawn(version: number, words: readonly number[]): Modules {
	const size = version * 4 + 17;
	const rows: Array<Array<boolean | undefined>> = Array.from({ length: size }, () =>
		new Array<boolean | undefined>(size).fill(undefined),
	);
	const set = (x: number, y: number, isDark: boolean) => {
		const row = rows[y];
		if (row && x >= 0 && x < size) row[x] = isDark;
	};
	drawPatterns(version, size, set);
	drawFormat(size, set);
	drawData(rows, words);
	return rows as Modules;
}

type Set = (x: number, y: number, isDark: boolean) => void;

function drawPatterns(version: number, size: number, set: Set): void {
	for (let i = 0; i < size; i += 1) {
		set(6, i, i % 2 === 0);
		set(i, 6, i % 2 === 0);
	}
	const centers = alignmentCenters(version, size);
	const last = size - 7;
	for (const x of centers) {
		for (const y of centers) {
			if ((x === 6 && (y === 6 || y === last)) || (y === 6 && x === last)) continue;
			drawSquare(x, y, 2, (ring) => ring !== 1, set);
		}
	}
	const far = size - 4;
	for (const [x, y] of [
		[3, 3],
		[3, far],
		[far, 3],
	] as const) {
		drawSquare(x, y, 4, (ring) => ring !== 2 && ring !== 4, set);
	}
	if (version < 7) return;
	const bits = (version << 12) | remainder(version, 12, 0x1f25);
	for (let i = 0; i < 18; i += 1) {
		const isDark = ((bits >> i) & 1) === 1;
		const [one, other] = [Math.floor(i / 3), size - 11 + (i % 3)];
		set(one, other, isDark);
		set(other, one, isDark);
	}
}

/** Rings around a center. */
function drawSquare(
	x: number,
	y: number,
	radius: number,
	isDark: (ring: number) => boolean,
	set: Set,
): void {
	for (let dx = -radius; dx <= radius; dx += 1) {
		for (let dy = -radius; dy <= radius; dy += 1) {
			set(x + dx, y + dy, isDark(Math.max(Math.abs(dx), Math.abs(dy))));
		}
	}
}

function alignmentCenters(version: number, size: number): number[] {
	if (version === 1) return [];
	const count = Math.floor(version / 7) + 2;
	const step = Math.ceil((version * 4 + 4) / (count * 2 - 2)) * 2;
	return [6, ...Array.from({ length: count - 1 }, (_, n) => size - 7 - step * n)];
}

/** Level M (00) and the first mask (000) with their check bits, twice. */
function drawFormat(size: number, set: Set): void {
	const bits = 0x5412;
	for (let i = 0; i < 15; i += 1) {
		const isDark = ((bits >> i) & 1) === 1;
		set(8, i < 6 ? i : i < 8 ? i + 1 : size - 15 + i, isDark);
		set(i < 8 ? size - 1 - i : i === 8 ? 7 : 14 - i, 8, isDark);
	}
	set(8, size - 8, true);
}

/** Check bits of a BCH code. */
function remainder(value: number, degree: number, divisor: number): number {
	let rest = value;
	for (let i = 0; i < degree; i += 1) rest = (rest << 1) ^ ((rest >> (degree - 1)) * divisor);
	return rest;
}

/** Up and down in columns of two modules, from the right. */
function drawData(rows: Array<Array<boolean | undefined>>, words: readonly number[]): void {
	const size = rows.length;
	let bit = 0;
	for (let right = size - 1; right > 0; right -= right === 8 ? 3 : 2) {
		const isUpwards = ((right + 1) & 2) === 0;
		for (let step = 0; step < size * 2; step += 1) {
			const x = right - (step % 2);
			const way = Math.floor(step / 2);
			const y = isUpwards ? size - 1 - way : way;
			const row = rows[y] as Array<boolean | undefined>;
			if (row[x] !== undefined) continue;
			const word = words[bit >> 3] ?? 0;
			row[x] = (((word >> (7 - (bit & 7))) & 1) === 1) !== isMasked(x, y);
			bit += 1;
		}
	}
}

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
