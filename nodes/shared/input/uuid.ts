import { InputError } from './inputError';
import { toText } from './text';

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** Of a payment or a withdrawal (docs/api.md#identifiers). */
const TX_ID = /^(?:PAY|WIT)[0-9A-F]{8,}$/i;

export function isUuid(text: string): boolean {
	return UUID.test(text);
}

/** Whether it is the number of a withdrawal (docs/api.md#identifiers). */
export const isWithdrawalTxId = (txId: unknown): boolean => toText(txId).startsWith('WIT');

/**
 * Checks an id that the API defines as a UUID (docs/api.md#identifiers).
 * @param label what the field is called in the editor, for example "Payment ID"
 */
export function parseUuid(value: unknown, label: string): string {
	const text = toText(value).trim();
	if (TX_ID.test(text)) {
		throw new InputError(
			`${label} "${text}" is a TxID`,
			label === 'Payment ID'
				? 'Choose By TxID in this field.'
				: 'Take the ID from the field "id" of an earlier step.',
		);
	}
	if (!isUuid(text)) {
		throw new InputError(
			text === '' ? `${label} is empty` : `${label} "${text}" is not a valid ID`,
			`${label} looks like 3fa85f64-5717-4562-b3fc-2c963f66afa6. Take it from the field "id" of an earlier step.`,
		);
	}
	return text.toLowerCase();
}

/** The ID of what was created (docs/api.md#identifiers); undefined if a response shows none. */
export function idOfAnswer(body: unknown): string | undefined {
	const id = typeof body === 'object' && body !== null && 'id' in body ? body.id : undefined;
	return typeof id === 'string' && isUuid(id) ? id : undefined;
}
