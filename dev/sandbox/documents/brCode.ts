/** CRC-16/CCITT-FALSE, the checksum that closes a BR Code. */
function crc16(text: string): string {
	let crc = 0xffff;
	for (const byte of Buffer.from(text)) {
		crc ^= byte << 8;
		for (let bit = 0; bit < 8; bit++) {
			crc = (crc & 0x8000) !== 0 ? ((crc << 1) ^ 0x1021) & 0xffff : (crc << 1) & 0xffff;
		}
	}
	return crc.toString(16).toUpperCase().padStart(4, '0');
}

function field(id: string, value: string): string {
	return `${id}${String(value.length).padStart(2, '0')}${value}`;
}

/**
 * A well-formed PIX "copia e cola" text that no bank can pay: its key is on a reserved domain.
 * `amountCents` in centavos; of the txId the 25 characters that the format holds.
 */
export function brCode(amountCents: number, txId: string): string {
	const body = [
		field('00', '01'),
		field('26', field('00', 'br.gov.bcb.pix') + field('01', 'emulator@sandbox.example')),
		field('52', '0000'),
		field('53', '986'),
		field('54', (amountCents / 100).toFixed(2)),
		field('58', 'BR'),
		field('59', 'EMULATOR NO REAL MONEY'),
		field('60', 'SAO PAULO'),
		field('62', field('05', txId.slice(0, 25))),
		'6304',
	].join('');
	return body + crc16(body);
}
