import { generatePixPayload, isValidBoleto } from '@brazilian-utils/brazilian-utils';
import { codBarras2LinhaDigitavel } from '@mrmgomes/boleto-utils';
import type { Payment } from '../store/rows';

// Libraries make the codes: a mistake that this package shared with its own emulator would pass every test.

/**
 * A well-formed PIX "copia e cola" text that no bank can pay: its key is on a reserved domain.
 * `amountCents` in centavos; of the txId the 25 letters and digits that the format holds.
 */
export function brCode(amountCents: number, txId: string): string {
	const code = generatePixPayload({
		key: 'emulator@sandbox.example',
		merchantName: 'EMULATOR NO REAL MONEY',
		merchantCity: 'SAO PAULO',
		amount: amountCents / 100,
		txid: txId.replace(/[^A-Za-z0-9]/g, '').slice(0, 25),
	});
	if (code === null) throw new Error(`No PIX code of ${amountCents} centavos for ${txId}`);
	return code;
}

/**
 * The 47 digits ("linha digitável") of a bar code: `head` is bank and currency (4 digits), `value` the
 * due factor and centavos (14), `free` the bank's own field (25).
 */
export function digitableLine(head: string, value: string, free: string): string {
	const lines = [...'123456789'].map((checkDigit) =>
		codBarras2LinhaDigitavel(head + checkDigit + value + free, false),
	);
	// The first library gets this check digit wrong where it is 1, so the second one chooses it.
	const line = lines.find(isValidBoleto);
	if (line === undefined) throw new Error(`No boleto line of ${head} ${value} ${free}`);
	return line;
}

/**
 * The line of a payment, made from the payment alone so that it never changes. The bank is 000, which
 * does not exist: nobody can pay it by mistake.
 */
export function boletoLine(payment: Pick<Payment, 'id' | 'amountCents'>): string {
	const free = BigInt(`0x${payment.id.replace(/-/g, '')}`)
		.toString()
		.padStart(25, '0')
		.slice(-25);
	// A due factor of zero means that the bar code states no due date.
	const value = `0000${String(payment.amountCents).padStart(10, '0').slice(-10)}`;
	return digitableLine('0009', value, free);
}
