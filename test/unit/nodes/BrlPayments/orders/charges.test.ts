import { EXTERNAL_ID, parseReference } from '../../../../../nodes/shared/input/reference';
import { CHARGE } from '../../../../../nodes/BrlPayments/orders/charges';

const PRODUCT = '3fa85f64-5717-4562-b3fc-2c963f66afa6';
const charge = (more: object = {}) => ({
	...{ path: '/v1/payments', body: {}, identity: {}, read: () => undefined },
	reference: parseReference('PED-1', {}, EXTERNAL_ID),
	charge: { externalId: 'PED-1', cents: 5002, productId: undefined, ...more },
});
const ofProduct = charge({ cents: undefined, productId: PRODUCT });
const row = (more: object = {}) => ({ id: 'p-1', status: 'NEW', amount: 50.02, ...more });
const contents = (...wanted: Array<ReturnType<typeof charge>>) =>
	new Set(wanted.map((one) => CHARGE.contentOf(one, '')));

it.each([
	['CANCELLED', 'PIX', true],
	['EXPIRED', 'PIX', true],
	['EXPIRED', 'CARD', true],
	// It may be paid late.
	['EXPIRED', 'BOLETO', false],
	['EXPIRED', undefined, false],
	['NEW', 'PIX', false],
	['REFUNDED', 'PIX', false],
])('a charge that is %s by %s is over: %s', (status, paymentMethod, isOver) => {
	expect(CHARGE.isOver({ id: 'p-1', status, paymentMethod })).toBe(isOver);
});

describe('a row of the list looks like the charge', () => {
	const looks = (more: object, wanted = charge()) =>
		CHARGE.looksLike(contents(wanted), wanted, '')(row(more));

	it.each([
		['with its amount', {}, true],
		['with another amount', { amount: 50.03 }, false],
		['with the fee on top', { amount: 51.02, payerFeeAmount: 1 }, true],
		['without an amount', { amount: undefined }, true],
		['if it is cancelled', { status: 'CANCELLED' }, false],
		['with its External ID and another amount', { externalId: 'PED-1', amount: 1 }, true],
		['with its External ID, written otherwise', { externalId: ' PED-1 ' }, true],
		['with another External ID', { externalId: 'PED-2' }, false],
		['without an External ID', { externalId: null }, true],
	])('%s: %s', (_, more, isAlike) => {
		expect(looks(more)).toBe(isAlike);
	});

	it('if one of two has its amount, or the price of a product', () => {
		const alike = (more: object, ...wanted: Parameters<typeof contents>) =>
			CHARGE.looksLike(contents(...wanted), charge(), '')(row(more));

		expect(alike({ amount: 1 }, charge(), ofProduct)).toBe(true);
		expect(alike({}, charge(), charge({ cents: 1 }))).toBe(true);
		expect(alike({ amount: 2 }, charge(), charge({ cents: 1 }))).toBe(false);
	});

	it('whatever its amount, if the price is that of a product', () => {
		expect(looks({ amount: 1 }, ofProduct)).toBe(true);
		expect(looks({ amount: 1, externalId: 'PED-2' }, ofProduct)).toBe(false);
	});
});

it('two charges are the same by amount, or by product', () => {
	const other = charge({ cents: undefined, productId: PRODUCT.replace('3', '4') });
	expect(contents(charge(), charge({ cents: 5003 }), ofProduct, other).size).toBe(4);
	expect(contents(charge(), charge()).size).toBe(1);
	// The ID of a product may be written without hyphens.
	const bare = charge({ cents: undefined, productId: PRODUCT.replaceAll('-', '') });
	expect(contents(ofProduct, bare).size).toBe(1);
});

it('the table shows its amount in reais, if it is known', () => {
	expect(CHARGE.cellsOf(charge())).toEqual({ amount: 50.02, pixKey: null });
	expect(CHARGE.cellsOf(ofProduct)).toEqual({ amount: null, pixKey: null });
});

describe('a payment is what is asked for', () => {
	it.each([
		['with its amount', {}, true],
		['with the fee on top', { amount: 51.02, payerFeeAmount: 1 }, true],
		['with another amount', { amount: 50.03 }, false],
	])('%s: %s', (_, more, isSame) => {
		expect(CHARGE.isSame(row(more), charge(), true)).toBe(isSame);
	});

	it.each([true, false])('by what the ledger says, if it is a product: %s', (isRecorded) => {
		expect(CHARGE.isSame(row(), ofProduct, isRecorded)).toBe(isRecorded);
	});
});

describe('its item', () => {
	const PIX = { pixCode: '000201', status: 'NEW' };

	it.each([
		['new', PIX, true, {}, { ...PIX, alreadyCreated: false }],
		// Later responses do not show what the customer pays with.
		['known', { status: 'NEW' }, false, { pixCode: '000201' }, { ...PIX, alreadyCreated: true }],
		[
			'known and changed',
			{ status: 'PAID' },
			false,
			PIX,
			{ ...PIX, status: 'PAID', alreadyCreated: true },
		],
	])('of a charge that is %s shows what can be paid', (_, record, isNew, kept, shown) => {
		// The service need not show the External ID.
		const item = CHARGE.toOutput({ ...record, externalId: null }, charge(), isNew, kept);
		expect(item).toEqual({ ...shown, externalId: 'PED-1' });
	});

	it('keeps links and codes as text, and nothing else', () => {
		const record = row({ pixCode: '000201', checkoutUrl: null, boletoLine: 7, payer: 'Ana' });
		expect(CHARGE.shows(record)).toEqual({ pixCode: '000201' });
		const all = { checkoutUrl: 'https://pay.example/1', pixCode: '000201', boletoLine: '34191' };
		expect(CHARGE.shows(row(all))).toEqual(all);
	});

	it.each([
		['NEW', 'PIX', undefined],
		['EXPIRED', 'BOLETO', 'its boleto may still be paid'],
		['EXPIRED', undefined, 'the service does not show its method'],
	])('is none for a charge that is %s by %s: %s', (status, paymentMethod, why) => {
		const failure = CHARGE.objection?.(row({ status, paymentMethod }), charge())?.failure;
		expect(failure?.code).toBe(why && 'CHARGE_EXPIRED');
		expect(failure?.message ?? '').toContain(why ?? '');
	});
});
