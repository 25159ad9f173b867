import { walkJson } from '../text/walkJson';
import { findBoletoLine } from './boletoLine';
import { findBrCode } from './brCode';
import { omitUndefined } from '../text/omitUndefined';

/** What a customer pays with outside of a checkout page. */
export interface PaymentCodes {
	readonly pixCode?: string;
	readonly boletoLine?: string;
}

/** What the merchant wrote: a code in it may be that of another payment. */
const WRITTEN_BY_MERCHANT: ReadonlySet<string> = new Set(['metadata', 'description', 'externalId']);

/**
 * Finds the PIX code and the boleto line of a payment by their form and their check digits, in any
 * field: the API does not show their names.
 */
export function findPaymentCodes(payment: unknown): PaymentCodes {
	const texts: string[] = [];
	walkJson(payment, true, {
		enter: (isOwn, field) => isOwn && !WRITTEN_BY_MERCHANT.has(field),
		name: (field) => field,
		leaf: (value, isOwn) => isOwn && typeof value === 'string' && texts.push(value),
	});
	// `walkJson` visits the last one first.
	texts.reverse();
	const pixCode = findFirst(texts, findBrCode);
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
