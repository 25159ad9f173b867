import { walkJson } from '../text/walkJson';
import { findBrCode, looksLikeBrCode } from './brCode';
import { omitUndefined } from '../text/omitUndefined';

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
	const texts: string[] = [];
	walkJson(payment, true, {
		enter: (isOwn, field) => isOwn && !WRITTEN_BY_MERCHANT.has(field),
		name: (field) => field,
		leaf: (value, isOwn) => isOwn && typeof value === 'string' && texts.push(value),
	});
	// `walkJson` visits the last one first.
	texts.reverse();
	const unchecked = () => texts.map((text) => text.trim()).find(looksLikeBrCode);
	const intact = findFirst(texts, findBrCode);
	const pixCode = intact ?? unchecked();
	if (intact === undefined && pixCode !== undefined) warn(UNCHECKED_CODE);
	const boletoLine = findFirst(texts, findBoletoLine);
	return omitUndefined({ pixCode, boletoLine });
}

function findFirst(
	texts: readonly string[],
	find: (text: string) => string | undefined,
): string | undefined {
	for (const text of texts) {
		const found = find(text);
		if (found !== undefined) return found;
	}
	return undefined;
}

/** What may be between two digits, as lines are printed. */
const GAP = '[ .\\u00a0-]{0,3}';
/** Of banks, and of utilities and taxes ("arrecadação"), which begin with an 8. */
const FORMS = [`\\d(?:${GAP}\\d){46}`, `8(?:${GAP}\\d){47}`];
/** How the check digits of a utility line are computed, by its third digit. */
const CHECK_DIGITS: Record<string, ((digits: string) => string) | undefined> = {
	6: modulo10,
	7: modulo10,
	8: modulo11,
	9: modulo11,
};

/**
 * The first digitable line of a boleto in a text whose check digits are all correct: 47 digits, or
 * 48 on utility bills; undefined if there is none.
 * @returns digits only, which every bank accepts
 */
export function findBoletoLine(text: string): string | undefined {
	for (const form of FORMS) {
		const search = new RegExp(`(?<!\\d)${form}(?!\\d)`, 'g');
		for (let match = search.exec(text); match; match = search.exec(text)) {
			const line = match[0].replace(/\D/g, '');
			if (line.length === 47 ? isBankLine(line) : isUtilityLine(line)) return line;
			// A number in front of a line must not hide it.
			search.lastIndex = match.index + 1;
		}
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

function isUtilityLine(line: string): boolean {
	const checkDigit = CHECK_DIGITS[line.charAt(2)];
	if (checkDigit === undefined) return false;
	const blocks = line.match(/.{12}/g) ?? [];
	if (!blocks.every((block) => block.endsWith(checkDigit(block.slice(0, -1))))) return false;
	const code = blocks.map((block) => block.slice(0, -1)).join('');
	return code[3] === checkDigit(code.slice(0, 3) + code.slice(4));
}

/** Weights 2 and 1 from the right; of a product with two digits, both are added. */
function modulo10(digits: string): string {
	const sum = fromRight(digits).reduce((total, digit, index) => {
		const product = digit * (index % 2 === 0 ? 2 : 1);
		return total + (product > 9 ? product - 9 : product);
	}, 0);
	return String((10 - (sum % 10)) % 10);
}

function modulo11(digits: string): string {
	const rest = sumOf11(digits) % 11;
	return String(rest < 2 ? 0 : 11 - rest);
}

/** Weights 2 to 9 from the right, again and again. */
function sumOf11(digits: string): number {
	return fromRight(digits).reduce((total, digit, index) => total + digit * (2 + (index % 8)), 0);
}

function fromRight(digits: string): number[] {
	return [...digits].reverse().map(Number);
}
