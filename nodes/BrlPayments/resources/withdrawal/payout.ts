import { InputError } from '../../../api/input/inputError';
import { formatReais, parseReais, type Cents } from '../../../api/input/money';
import { parsePixKey, type PixKey } from '../../../api/input/pixKey';
import { parseTaxDocument, type TaxDocument } from '../../../api/input/taxDocument';
import { optionalText } from '../../../api/input/text';

/** Validation bounds of POST /v1/withdrawals ("Limits"), in centavos. The account's own are narrower. */
export const LEAST_WITHDRAWAL = 1_000;
export const LARGEST_WITHDRAWAL = 100_000_000;

/** One payout as the user entered it, checked and in canonical form. */
export interface Payout {
	/** What the recipient receives. */
	readonly amount: Cents;
	readonly pixKey: PixKey;
	readonly document: TaxDocument | undefined;
}

/**
 * Checks the parts of a payout that need no server.
 * @throws InputError for what the server would surely refuse
 */
export function parsePayout(given: {
	amount: unknown;
	pixKey: unknown;
	recipientDocument: unknown;
}): Payout {
	const amount = parseReais(given.amount);
	if (amount < LEAST_WITHDRAWAL || amount > LARGEST_WITHDRAWAL) {
		throw new InputError(
			`Amount ${formatReais(amount)} is ${amount < LEAST_WITHDRAWAL ? 'below' : 'above'} what a withdrawal can be`,
			`Enter an amount from ${formatReais(LEAST_WITHDRAWAL)} to ${formatReais(LARGEST_WITHDRAWAL)}.`,
		);
	}
	const pixKey = parsePixKey(given.pixKey);
	const document =
		optionalText(given.recipientDocument, 'Recipient Document') === undefined
			? undefined
			: parseTaxDocument(given.recipientDocument, 'Recipient Document');
	const isDocument = pixKey.type === 'CPF' || pixKey.type === 'CNPJ';
	if (isDocument && document !== undefined && document.value !== pixKey.value) {
		throw new InputError(
			'Recipient Document differs from the CPF or CNPJ that is the PIX key',
			'Leave Recipient Document empty when the PIX key is itself a CPF or CNPJ, or correct the one that is wrong.',
		);
	}
	return { amount, pixKey, document };
}
