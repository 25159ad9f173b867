/** A PIX code, with the checksum that belongs to its other fields (CRC-16/CCITT-FALSE). */
export function closeBrCode(open: string): string {
	let sum = 0xffff;
	for (const byte of Buffer.from(open)) {
		sum ^= byte << 8;
		for (let bit = 0; bit < 8; bit += 1) sum = ((sum << 1) ^ (sum & 0x8000 ? 0x1021 : 0)) & 0xffff;
	}
	return open + sum.toString(16).toUpperCase().padStart(4, '0');
}
