const CARD_FIELDS = [
	'card',
	'deviceInfo',
	'remoteIp',
	'holderInfo',
	'authorizeOnly',
	'creditCard',
	'creditCardHolderInfo',
	'creditCardToken',
	'installmentCount',
	'installmentValue',
	'totalValue',
] as const;

export const HOSTED_CARD_MINIMUM_CENTS = 500;

function isObject(value: unknown): value is Record<string, unknown> {
	return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** True when the body names a field that belonged to card payments by API, with any value. */
export function carriesCardFields(body: unknown): boolean {
	return isObject(body) && CARD_FIELDS.some((field) => Object.hasOwn(body, field));
}

/** Card rule 2 of POST /v1/payments: card data, or CARD in headless mode (also when omitted). */
export function breaksCardRules(body: unknown): boolean {
	if (carriesCardFields(body)) return true;
	if (!isObject(body) || !Array.isArray(body.methods) || !body.methods.includes('CARD'))
		return false;
	return body.mode === undefined || body.mode === null || body.mode === 'headless';
}
