import { findBrCode, looksLikeBrCode } from '../../shared/brazil/brCode';
import { isText } from '../../shared/input/text';
import { omitUndefined } from '../../shared/text/omitUndefined';

/** What a customer pays with outside of a checkout page. */
interface PaymentCodes {
	readonly pixCode?: string;
	readonly boletoLine?: string;
}

/** What the merchant wrote: a code in it may be that of another payment. */
const WRITTEN_BY_MERCHANT: ReadonlySet<string> = new Set(['metadata', 'description', 'externalId']);

/** For people: the code was handed on as the service sent it. */
export const UNCHECKED_CODE =
	'The PIX code of at least one payment does not pass the check of its lengths and checksum. It is shown as the service sent it. Pay a small charge with it in the app of a bank before you send such codes to customers.';

/**
 * Finds the PIX code and the boleto line of a payment by their form and their check digits, in any
 * field: the API does not show their names. A code that only looks like one is better than none: it comes
 * from the service, and the bank of the payer decides.
 * @param warn is called with `UNCHECKED_CODE` for such a code
 */
export function findPaymentCodes(
	payment: unknown,
	warn: (message: string) => void = () => undefined,
): PaymentCodes {
	const texts = [...textsIn(payment)];
	const intact = texts.map(findBrCode).find(isText);
	const pixCode = intact ?? texts.map((text) => text.trim()).find(looksLikeBrCode);
	if (intact === undefined && pixCode !== undefined) warn(UNCHECKED_CODE);
	const boletoLine = texts.map(findBoletoLine).find(isText);
	return omitUndefined({ pixCode, boletoLine });
}

/** Deeper is no code, and a response that is nested without end must not end in an error. */
const MAX_DEPTH = 20;

function* textsIn(value: unknown, depth = 0): Generator<string> {
	if (typeof value === 'string') yield value;
	if (typeof value !== 'object' || value === null || depth > MAX_DEPTH) return;
	for (const [name, entry] of Object.entries(value)) {
		if (!WRITTEN_BY_MERCHANT.has(name)) yield* textsIn(entry, depth + 1);
	}
}

/** 47 digits, with what may be between two of them, as lines are printed. */
const LINE = /(?<!\d)\d(?:[ .\u00a0-]{0,3}\d){46}(?!\d)/g;

/**
 * The first digitable line of a bank's boleto in a text whose check digits are all correct; undefined
 * if there is none.
 * @returns digits only, which every bank accepts
 */
export function findBoletoLine(text: string): string | undefined {
	const search = new RegExp(LINE);
	for (let match = search.exec(text); match; match = search.exec(text)) {
		const line = match[0].replace(/\D/g, '');
		if (isBankLine(line)) return line;
		// A number in front of a line must not hide it.
		search.lastIndex = match.index + 1;
	}
	return undefined;
}

function isBankLine(line: string): boolean {
	const fields = [line.slice(0, 10), line.slice(10, 21), line.slice(21, 32)];
	if (!fields.every((field) => field.endsWith(modulo10(field.slice(0, -1))))) return false;
	const [first = '', second = '', third = ''] = fields.map((field) => field.slice(0, -1));
	const rest = sumOf11(first.slice(0, 4) + line.slice(33) + first.slice(4) + second + third) % 11;
	return line[32] === String(rest < 2 ? 1 : 11 - rest);
}

/** Weights 2 and 1 from the right; of a product with two digits, both are added. */
function modulo10(digits: string): string {
	const sum = fromRight(digits).reduce((total, digit, index) => {
		const product = digit * (index % 2 === 0 ? 2 : 1);
		return total + (product > 9 ? product - 9 : product);
	}, 0);
	return String((10 - (sum % 10)) % 10);
}

/** Weights 2 to 9 from the right, again and again. */
function sumOf11(digits: string): number {
	return fromRight(digits).reduce((total, digit, index) => total + digit * (2 + (index % 8)), 0);
}

function fromRight(digits: string): number[] {
	return [...digits].reverse().map(Number);
}
