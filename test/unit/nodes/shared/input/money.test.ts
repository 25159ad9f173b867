import fc from 'fast-check';
import {
	centsOfAnswer,
	formatReais,
	parseReais,
	toReais,
} from '../../../../../nodes/shared/input/money';
import { expectRefusals } from '../../../support/refusal';

/** Up to one billion reais, in centavos: a thousand times what one withdrawal can be. */
const anyCents = fc.integer({ min: 0, max: 100_000_000_000 });

describe('parseReais', () => {
	test.each<[unknown, number]>([
		[0, 0],
		// 0.29 * 100 and 1.15 * 100 are not whole numbers in floating point.
		[0.29, 29],
		[1.15, 115],
		['R$1.234,56', 123456],
		['\u00a0 12,50 ', 1250],
		['12.5', 1250],
		['007', 700],
		['123,456,789', 12345678900],
		['1.234.567,8', 123456780],
		['123,456,789.5', 12345678950],
		// Calculations in binary numbers, as formulas pass them on.
		[149.9 * 1.1, 16489],
		[0.1 + 0.2, 30],
		[434.99999999999994, 43500],
		['164,89000000000001', 16489],
		['R$ 434,99999999999994', 43500],
		['1,164.89000000000001', 116489],
		['999999.9900000001', 99999999],
		// As databases export them.
		['150,0000', 15000],
		['1500.000', 150000],
		['1.234,500', 123450],
		['\u200b150,00\u202c', 15000],
		['R$\u202f1.234,56', 123456],
	])('reads %o as %i centavos', (value, cents) => {
		expect(parseReais(value)).toBe(cents);
	});

	test('reads back every amount that is written for people or for the service', () => {
		fc.assert(
			fc.property(anyCents, (cents) => {
				const text = (cents / 100).toFixed(2);
				for (const written of [formatReais(cents), toReais(cents), text, text.replace('.', ',')]) {
					expect(parseReais(written)).toBe(cents);
				}
			}),
		);
	});

	test.each([
		['1.234', 'Write 1.234,00 or 1,23,'],
		['1,234', 'Write 1.234,00 or 1,23,'],
		['0.500', 'Write 500,00 or 0,50,'],
	])('refuses %o, which can be read in two ways', (value, unambiguous) => {
		expectRefusals([value], (one) => parseReais(one), /is ambiguous/, unambiguous);
	});

	test.each<[unknown, string, string]>([
		[undefined, 'is missing', 'check the name of its field'],
		[null, 'is missing', 'check the name of its field'],
		['R$ ', 'is empty', 'for example 1234.56'],
		[true, 'is not a number', 'for example 1234.56'],
		['(1.234,56)', 'is negative', 'Do not only remove the sign'],
		['64,00-', 'is negative', 'Do not only remove the sign'],
		[Infinity, 'Infinity is not a valid amount', 'Enter a positive amount'],
		[33.333333, '33.333333 has more than two decimals', 'Round it first'],
		[10.00000001, '10.00000001 has more than two decimals', 'Round it first'],
		['33,333333', '"33,333333" has more than two decimals', 'Round it to two decimals'],
		['1.234,567', '"1.234,567" has more than two decimals', 'Round it to two decimals'],
		[
			'R$\ufffd150,00',
			'has lost a character: the list was read with the wrong encoding',
			'Save the list as CSV UTF-8',
		],
		['1.500,-', '"1.500,-" is not an amount of money with at most two decimals', 'R$ 1.234,56'],
		['x', '"x" is not an amount of money with at most two decimals', 'R$ 1.234,56'],
	])('says what is wrong with %o and what to do', (value, fault, remedy) => {
		expectRefusals([value], (one) => parseReais(one, 'Min Amount'), `Min Amount ${fault}`, remedy);
		expectRefusals([value], (one) => parseReais(one), `Amount ${fault}`);
	});

	test.each<[string, unknown[]]>([
		['a sign', ['-5', '+5', 'R$ -5,00', '-R$ 5,00', -0.01, '\u22125,00', 'R$ \u20135,00']],
		['other words around it', ['US$ 12', '12R$ 5', '12 reais', 'x1,234.56', 'x1.234.567']],
		[
			'groups that are not of three',
			['12.345.6', '1.234.56', '12.34,56', '1,234,56', '1.234.5678'],
		],
		['groups in a part of it', ['1234.567,89', '1 234,56', '1\u00a0234,56', '1.234.567x']],
		['other decimals than one or two', ['1.234,567', '1,234.567', '1.2345', ',50', '12,', 1e-7]],
		[
			'the result of a division',
			[100 / 3, 200 / 3, '66.66666666666667', Number.NaN, Infinity, 'NaN', 'Infinity'],
		],
		['more than can be counted', ['99999999999999999', Number.MAX_SAFE_INTEGER, 1e300]],
		['digits of another kind', ['1e3', '0x10', '١٢', 12n]],
		['no number', [{}, [], [12], new Date(0)]],
	])('refuses %s', (_, values) => {
		expectRefusals(values, (value) => parseReais(value), /^Amount /);
	});
});

test.each([
	[5, 'R$ 0,05'],
	[99900, 'R$ 999,00'],
	[123456789, 'R$ 1.234.567,89'],
	[-123456, '-R$ 1.234,56'],
])('formatReais writes %i centavos as %s', (cents, text) => {
	expect(formatReais(cents)).toBe(text);
});

describe('centsOfAnswer', () => {
	test.each<[unknown, number]>([
		[1234.56, 123456],
		[0.1 + 0.2, 30],
		[-5, -500],
		['10.01', 1001],
		['10.01\n', 1001],
		['-5.00', -500],
		['-0', 0],
		['R$10,00', 1000],
		['R$  10,00', 1000],
		['1234.560', 123456],
		['10.0150', 1002],
	])('reads %o as %i', (value, cents) => {
		expect(centsOfAnswer(value)).toBe(cents);
	});

	test.each<[string, unknown[]]>([
		['1234 reais in Brazil, 1.23 for a program', ['1.234', '1,234']],
		['no amount', ['', '-', 'ten', '1e3', { amount: 10 }, null, undefined, Number.NaN]],
		['something around it', ['x10.01', 'x10.0150', '10.0150x', '10.01\n5']],
		['more than can be counted', ['99999999999999999']],
	])('cannot read %s', (_, values) => {
		expect(values.map(centsOfAnswer)).toEqual(values.map(() => null));
	});
});
