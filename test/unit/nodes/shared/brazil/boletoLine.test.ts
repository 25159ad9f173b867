import { findBoletoLine } from '../../../../../nodes/shared/brazil/paymentCodes';
import { digitableLine } from '../../../../../dev/sandbox/documents/boletoLine';

/** Specimens that banks print, and that the tests of public libraries hold. */
const BANCO_DO_BRASIL = '00190500954014481606906809350314337370000000100';
const BRADESCO = '23793381286000782713695000063305975520000370000';
/** A bill of a utility, modulo 10, and others, modulo 11. */
const UTILITY_10 = '836200000005667800481000180975657313001589636081';
const UTILITY_11 = '848900000002404201622015806051904292586034111220';
const TAX_11 = '858900004609524601791605607593050865831483000010';

/** The same line with one digit that is the next one. */
function changed(line: string, place: number): string {
	return `${line.slice(0, place)}${(Number(line[place]) + 1) % 10}${line.slice(place + 1)}`;
}

test.each([
	['of a bank', BANCO_DO_BRASIL],
	['of another bank', BRADESCO],
	['of the emulated service', digitableLine('0009', '0123456789012345678901234', '00000000012345')],
	['of a utility, modulo 10', UTILITY_10],
	['of a utility, modulo 11', UTILITY_11],
	['of a tax, modulo 11', TAX_11],
])('a line is found: %s', (_, line) => {
	expect(findBoletoLine(line)).toBe(line);
});

test.each([
	['00190.50095 40144.816069 06809.350314 3 37370000000100', BANCO_DO_BRASIL],
	['Linha: 23793.38128 60007.827136 95000.063305 9 75520000370000.', BRADESCO],
	[
		'boleto 1042 23793.38128\u00a060007.827136\u00a095000.063305\u00a09\u00a075520000370000',
		BRADESCO,
	],
	['23793381286000782713695000063305975520000370000 1', BRADESCO],
	['836200000005 667800481000 180975657313 001589636081', UTILITY_10],
	['85890000460-9 52460179160-5 60759305086-5 83148300001-0', TAX_11],
	[`${changed(BRADESCO, 3)} ${BANCO_DO_BRASIL}`, BANCO_DO_BRASIL],
])('it may be printed in groups, among other text: %s', (text, line) => {
	expect(findBoletoLine(text)).toBe(line);
});

test.each(Array.from({ length: 47 }, (_, place) => place))(
	'a bank line with digit %i changed is none',
	(place) => {
		expect(findBoletoLine(changed(BANCO_DO_BRASIL, place))).toBeUndefined();
		expect(findBoletoLine(changed(BRADESCO, place))).toBeUndefined();
	},
);

test.each(Array.from({ length: 48 }, (_, place) => place))(
	'a line of a utility with digit %i changed is none',
	(place) => {
		for (const line of [UTILITY_10, UTILITY_11, TAX_11]) {
			expect(findBoletoLine(changed(line, place))).toBeUndefined();
		}
	},
);

test.each([
	['nothing', ''],
	['a digit too many', `${BANCO_DO_BRASIL}0`],
	['a digit too few', BANCO_DO_BRASIL.slice(1)],
	['within a longer number', `9${UTILITY_10}`],
	['a kind of value that does not exist', UTILITY_10.replace(/^836/, '835')],
	['letters in between', BANCO_DO_BRASIL.replace(/^0019/, '0019x')],
])('no line is found: %s', (_, text) => {
	expect(findBoletoLine(text)).toBeUndefined();
});

test('general check digits that modulo 11 leaves no digit for are 1 at banks and 0 at utilities', () => {
	// Of all values, some lead there.
	const lines = Array.from({ length: 60 }, (_, n) =>
		digitableLine('0009', '0'.repeat(25), String(n).padStart(14, '0')),
	);
	expect(lines.filter((line) => line[32] === '1').length).toBeGreaterThan(10);
	for (const line of lines) expect(findBoletoLine(line)).toBe(line);
});
