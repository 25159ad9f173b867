import {
	findBoletoLine,
	findPaymentCodes,
	UNCHECKED_CODE,
} from '../../../../../nodes/BrlPayments/payment/codes';
import { boletoLine, brCode, digitableLine } from '../../../../../dev/sandbox/documents/codes';

describe('the codes of a payment', () => {
	const PIX = brCode(1_000, 'PAY1');
	const OTHER = brCode(2_000, 'PAY2');
	const LINE = boletoLine({ id: '123e4567-e89b-42d3-a456-426614174000', amountCents: 12_345 });
	const PRINTED = LINE.replace(
		/^(.{5})(.{5})(.{5})(.{6})(.{5})(.{6})(.)(.{14})$/,
		'$1.$2 $3.$4 $5.$6 $7 $8',
	);

	test.each([
		['in a field', { id: '1', qrCode: PIX }, { pixCode: PIX }],
		['in a list', { codes: [{ kind: 'png' }, { text: PIX }] }, { pixCode: PIX }],
		['in a text', { instructions: `Pague com ${PIX} até amanhã` }, { pixCode: PIX }],
		['as printed', { methodData: { line: PRINTED } }, { boletoLine: LINE }],
		['both', { boleto: { line: LINE, pix: PIX } }, { pixCode: PIX, boletoLine: LINE }],
	])('are found: %s', (_, payment, codes) => {
		expect(findPaymentCodes(payment)).toEqual(codes);
	});

	test.each([
		['metadata', { metadata: { previous: { code: OTHER } } }],
		['the description', { description: OTHER }],
		['the external ID', { externalId: OTHER }],
	])('are not what the merchant wrote into %s', (_, payment) => {
		expect(findPaymentCodes(payment)).toEqual({});
		expect(findPaymentCodes({ ...payment, qrCode: PIX }).pixCode).toBe(PIX);
	});

	test.each([
		['no code', { id: '1', methodData: { type: 'PIX' } }],
		['nothing', null],
		['a line as a number', { line: 12345 }],
		['what is nested without end', JSON.parse('['.repeat(100_000) + ']'.repeat(100_000))],
	])('are not found in %s', (_, payment) => {
		expect(findPaymentCodes(payment)).toEqual({});
	});
});

describe('a code that the service sends and that does not pass the check', () => {
	const PIX = brCode(1_000, 'PAY1');
	const BROKEN = `${PIX.slice(0, -4)}0000`;
	const warned = (payment: unknown) => {
		const warnings: string[] = [];
		return { codes: findPaymentCodes(payment, (text) => warnings.push(text)), warnings };
	};

	test.each([
		['a wrong checksum', BROKEN],
		['its name in capitals', BROKEN.replace('br.gov.bcb.pix', 'BR.GOV.BCB.PIX')],
		['blanks around it', ` ${BROKEN}\n`],
	])('is handed on as it is, with a hint: %s', (_, qrCode) => {
		expect(warned({ methodData: { qrCode } })).toEqual({
			codes: { pixCode: qrCode.trim() },
			warnings: [UNCHECKED_CODE],
		});
	});

	test('is left out where another one passes, and where the merchant wrote it', () => {
		expect(warned({ a: BROKEN, b: PIX })).toEqual({ codes: { pixCode: PIX }, warnings: [] });
		expect(warned({ description: BROKEN })).toEqual({ codes: {}, warnings: [] });
	});

	test('passes with lengths in bytes', () => {
		const pixCode =
			'00020126580014br.gov.bcb.pix01369f3c2d1e-5b6a-4c7d-8e9f-0a1b2c3d4e5f520400005303986540542.905802BR5914PADARIA AURORA6010São Paulo62070503***63040812';
		const found = { codes: { pixCode }, warnings: [] };
		expect(warned({ qrCode: `Pague: ${pixCode} obrigada` })).toEqual(found);
	});
});

describe('the line of a boleto', () => {
	/** Specimens that banks print, and that the tests of public libraries hold. */
	const BANCO_DO_BRASIL = '00190500954014481606906809350314337370000000100';
	const BRADESCO = '23793381286000782713695000063305975520000370000';
	const LINES = [BANCO_DO_BRASIL, BRADESCO];

	/** The same line with one digit that is the next one. */
	const changed = (line: string, place: number) =>
		`${line.slice(0, place)}${(Number(line[place]) + 1) % 10}${line.slice(place + 1)}`;

	const BLANKS = '23793.38128\u00a060007.827136\u00a095000.063305\u00a09\u00a075520000370000';
	test.each([
		...LINES.map((line) => [line, line]),
		['Linha: 00190.50095 40144.816069 06809.350314 3 37370000000100.', BANCO_DO_BRASIL],
		[`boleto 1042 ${BLANKS}`, BRADESCO],
		[`${changed(BRADESCO, 3)} ${BANCO_DO_BRASIL}`, BANCO_DO_BRASIL],
	])('may be printed in groups, among other text: %s', (text, line) => {
		expect(findBoletoLine(text)).toBe(line);
	});

	test.each(LINES)('is none with any one digit changed: %s', (line) => {
		const places = Array.from(line, (_, place) => place);
		expect(places.filter((place) => findBoletoLine(changed(line, place)))).toEqual([]);
	});

	test.each([
		['a digit too many', `${BANCO_DO_BRASIL}0`],
		['a utility bill', '836200000005667800481000180975657313001589636081'],
		['letters in between', BANCO_DO_BRASIL.replace(/^0019/, '0019x')],
	])('is not found in %s', (_, text) => {
		expect(findBoletoLine(text)).toBeUndefined();
	});

	test('has 1 as general check digit if modulo 11 leaves none, as some of these do', () => {
		const lines = Array.from({ length: 60 }, (_, n) =>
			digitableLine('0009', String(n).padStart(14, '0'), '0'.repeat(25)),
		);
		expect(lines.filter((line) => line[32] === '1').length).toBeGreaterThan(10);
		expect(lines.map(findBoletoLine)).toEqual(lines);
	});
});
