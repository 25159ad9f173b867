const START = '000201';
const PIX = 'br.gov.bcb.pix';
/** Ids of the fields that may contain an account; which of them is that of PIX is left to the issuer. */
const isAccount = (id: string) => id >= '26' && id <= '51';
/** The bound of EMV on a whole code, in bytes. */
const MAX_BYTES = 512;

/** The first intact PIX code ("copia e cola") in a text; undefined where there is none. */
export function findBrCode(text: string): string | undefined {
	for (const [start, end] of brCodesIn(text)) {
		const code = text.slice(start, end);
		if (isIntact(code)) return code;
	}
	return undefined;
}

/** Where each text with the structure of a PIX code begins and ends, intact or not. */
export function* brCodesIn(text: string): Generator<readonly [start: number, end: number]> {
	let done = 0;
	for (let at = text.indexOf(START); at !== -1; at = text.indexOf(START, at + 1)) {
		const end = at < done ? null : endOfBrCode(text, at);
		if (end === null) continue;
		yield [at, end];
		done = end;
	}
}

/**
 * Walks the fields of a code (two digits of id, two of length, the value) up to the checksum. No
 * field may occur twice, which also bounds the walk.
 * @returns where it ends; null when it is not one, or no PIX code
 */
function endOfBrCode(text: string, start: number): number | null {
	const seen = new Set<string>();
	let isPix = false;
	for (let at = start; ;) {
		const [, id = '', length = ''] = /^(\d\d)(\d\d)$/.exec(text.slice(at, at + 4)) ?? [];
		const end = at + 4 + Number(length);
		if (id === '' || seen.has(id) || end > text.length) return null;
		seen.add(id);
		const value = text.slice(at + 4, end);
		if (isAccount(id)) isPix ||= value.toLowerCase().includes(PIX);
		if (id === '63') return isPix && /^[\dA-F]{4}$/i.test(value) ? end : null;
		at = end;
	}
}

/** Whether the checksum that closes a code (CRC-16/CCITT-FALSE) is that of the code. */
function isIntact(code: string): boolean {
	const bytes = Buffer.from(code.slice(0, -4));
	if (bytes.length + 4 > MAX_BYTES) return false;
	let sum = 0xffff;
	for (const byte of bytes) {
		sum ^= byte << 8;
		for (let bit = 0; bit < 8; bit += 1) {
			sum = ((sum << 1) ^ (sum & 0x8000 ? 0x1021 : 0)) & 0xffff;
		}
	}
	return sum === parseInt(code.slice(-4), 16);
}
