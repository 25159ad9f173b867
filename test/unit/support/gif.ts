interface GifFacts {
	width: number;
	height: number;
	/** One for each frame. */
	delaysMs: number[];
	repeatsForEver: boolean;
}

const EXTENSION = 0x21;
const GRAPHIC_CONTROL = 0xf9;
const APPLICATION = 0xff;
const IMAGE = 0x2c;
const TRAILER = 0x3b;

/** Bytes of a color table, from the byte that announces it. */
const tableSize = (flags: number): number => (flags & 0x80 ? 3 * 2 ** ((flags & 7) + 1) : 0);

/** Where the sub-blocks that begin here end. */
function skipBlocks(bytes: Uint8Array, start: number): number {
	let at = start;
	while (bytes[at] !== 0) at += bytes[at]! + 1;
	return at + 1;
}

/** What the blocks of a GIF say of its size and times. @throws where it is not whole */
export function readGif(bytes: Uint8Array): GifFacts {
	const buffer = Buffer.from(bytes);
	if (buffer.toString('latin1', 0, 6) !== 'GIF89a') throw new Error('Not an animated GIF');
	const facts: GifFacts = {
		width: buffer.readUInt16LE(6),
		height: buffer.readUInt16LE(8),
		delaysMs: [],
		repeatsForEver: false,
	};
	let at = 13 + tableSize(buffer[10]!);
	while (buffer[at] !== TRAILER) {
		if (buffer[at] === EXTENSION) {
			if (buffer[at + 1] === GRAPHIC_CONTROL) facts.delaysMs.push(buffer.readUInt16LE(at + 4) * 10);
			if (buffer[at + 1] === APPLICATION) facts.repeatsForEver = buffer.readUInt16LE(at + 16) === 0;
			at = skipBlocks(buffer, at + 2);
		} else if (buffer[at] === IMAGE) {
			at = skipBlocks(buffer, at + 11 + tableSize(buffer[at + 9]!));
		} else {
			throw new Error(`Unknown block at ${at}`);
		}
	}
	return facts;
}
