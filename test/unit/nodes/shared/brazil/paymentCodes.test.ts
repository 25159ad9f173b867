import { findPaymentCodes } from '../../../../../nodes/shared/brazil/paymentCodes';
import { boletoLine } from '../../../../../dev/sandbox/documents/boletoLine';
import { brCode } from '../../../../../dev/sandbox/documents/brCode';

const PIX = brCode(1_000, 'PAY1');
const OTHER = brCode(2_000, 'PAY2');
const LINE = boletoLine({ id: '123e4567-e89b-42d3-a456-426614174000', amountCents: 12_345 });

test.each([
	['in a field of the payment', { id: '1', qrCode: PIX }],
	['in a nested one', { methodData: { type: 'PIX', pix: { copyPaste: PIX } } }],
	['in a list', { codes: [{ kind: 'png' }, { kind: 'text', text: PIX }] }],
	['in a text', { instructions: `Pague com ${PIX} até amanhã` }],
])('the PIX code is found %s', (_, payment) => {
	expect(findPaymentCodes(payment)).toEqual({ pixCode: PIX });
});

test('the line of a boleto is found, in digits only', () => {
	const printed = LINE.replace(
		/^(.{5})(.{5})(.{5})(.{6})(.{5})(.{6})(.)(.{14})$/,
		'$1.$2 $3.$4 $5.$6 $7 $8',
	);
	expect(findPaymentCodes({ methodData: { line: printed } })).toEqual({ boletoLine: LINE });
});

test('both are found where a boleto can be paid by PIX too', () => {
	expect(findPaymentCodes({ boleto: { line: LINE, pix: PIX } })).toEqual({
		pixCode: PIX,
		boletoLine: LINE,
	});
});

test('of several the first counts, in the order of the response', () => {
	expect(findPaymentCodes({ a: [{ b: PIX }], c: OTHER }).pixCode).toBe(PIX);
	expect(findPaymentCodes({ c: OTHER, a: [{ b: PIX }] }).pixCode).toBe(OTHER);
});

test.each([
	['metadata', { metadata: { previous: { code: OTHER } } }],
	['the description', { description: OTHER }],
	['the external ID', { externalId: OTHER }],
])('what the merchant wrote into %s is not taken for it', (_, payment) => {
	expect(findPaymentCodes(payment)).toEqual({});
	expect(findPaymentCodes({ ...payment, qrCode: PIX }).pixCode).toBe(PIX);
});

test.each([
	['no code', { id: '1', methodData: { type: 'PIX' } }],
	['a broken code', { qrCode: `${PIX.slice(0, -4)}0000` }],
	['nothing', null],
	['a line as a number', { line: 12345 }],
])('nothing is found in %s', (_, payment) => {
	expect(findPaymentCodes(payment)).toEqual({});
});
