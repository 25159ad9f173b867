import fc from 'fast-check';
import { InputError } from '../../../../../nodes/shared/validation/inputError';
import {
	centsOfAnswer,
	formatReais,
	parseReais,
	toReais,
} from '../../../../../nodes/shared/validation/money';
import { getRefusal } from '../../../support/refusal';

/** One billion reais, in centavos: a thousand times what one withdrawal can be. */
const MANY_CENTS = 100_000_000_000;
const anyCents = fc.integer({ min: 0, max: MANY_CENTS });

describe('parseReais', () => {
	test.each<[unknown, number]>([
		[1234.56, 123456],
		[10, 1000],
		[0.1, 10],
		[0, 0],
		// 0.29 * 100 and 1.15 * 100 are not whole numbers in floating point.
		[0.29, 29],
		[1.15, 115],
		[1_000_000, 100_000_000],
	])('reads the number %o as %i centavos', (value, cents) => {
		expect(parseReais(value)).toBe(cents);
	});

	test.each<[string, number]>([
		['1234.56', 123456],
		['1234,56', 123456],
		['R$ 1.234,56', 123456],
		['R$1.234,56', 123456],
		['r$ 1.234,56', 123456],
		['R$\u00a01.234,56', 123456],
		['\u00a01.234,56\u00a0', 123456],
		['1,234.56', 123456],
		['12,5', 1250],
		['12.5', 1250],
		['  12,50 ', 1250],
		['12', 1200],
		['1000', 100000],
		['1.234.567', 123456700],
		['1,234,567', 123456700],
		['1.234.567,8', 123456780],
		['1234567', 123456700],
		['12.345.678', 1234567800],
		['123,456,789', 12345678900],
		['123,456.78', 12345678],
		['1,234,567.89', 123456789],
		['0,01', 1],
		['007', 700],
	])('reads %o as %i centavos', (value, cents) => {
		expect(parseReais(value)).toBe(cents);
	});

	test.each([
		['1.234', 'Write 1.234,00 or 1,23,'],
		['1,234', 'Write 1.234,00 or 1,23,'],
		['R$ 12.500', 'Write 12.500,00 or 12,50,'],
		['0.500', 'Write 500,00 or 0,50,'],
		['12,500', 'Write 12.500,00 or 12,50,'],
	])('refuses %o, which can be read in two ways', (value, unambiguous) => {
		const refused = getRefusal(() => parseReais(value));

		expect(refused.message).toContain('is ambiguous');
		expect(refused.remedy).toContain(unambiguous);
	});

	test.each([undefined, null])('says that %o is missing', (value) => {
		const { message, remedy } = getRefusal(() => parseReais(value));
		expect(message).toBe('Amount is missing');
		expect(remedy).toContain('check the name of its field');
	});

	test.each(['', '   ', '\u00a0', 'R$', 'R$ '])('says that %o is empty', (value) => {
		const { message, remedy } = getRefusal(() => parseReais(value));
		expect(message).toBe('Amount is empty');
		expect(remedy).toContain('for example 1234.56');
	});

	test.each<[unknown, string, string]>([
		[true, 'Amount is not a number', 'for example 1234.56'],
		[-1, 'Amount -1 is not a valid amount', 'Enter a positive amount'],
		[10.005, 'Amount 10.005 has more than two decimals', 'Round it first'],
		['x', 'Amount "x" is not an amount of money with at most two decimals', 'R$ 1.234,56'],
	])('says what is wrong with %o and what to do', (value, message, remedy) => {
		const refused = getRefusal(() => parseReais(value));
		expect(refused.message).toBe(message);
		expect(refused.remedy).toContain(remedy);
	});

	test.each([
		'-5',
		'-R$ 5,00',
		'R$ -5,00',
		'+5',
		'12.345.6',
		'1.2345',
		'1.234.5678',
		'10.005',
		'1.234,567',
		'1,234.567',
		'1.234.56',
		'12.34,56',
		'1234.567,89',
		'1.2,345.67',
		'1,234,56',
		'1.234,5.6',
		',50',
		'12,',
		'12.',
		'1 234,56',
		'1\u00a0234,56',
		'1e3',
		'0x10',
		'12 reais',
		'12R$ 5',
		'x1,234.56',
		'x1.234.567',
		'1.234.567x',
		'US$ 12',
		'$12',
		'NaN',
		'Infinity',
		'١٢',
		'99999999999999999',
		...[-0.01, 10.005, 0.1 + 0.2, 1.999, 1e-7, Number.MAX_SAFE_INTEGER, 1e300],
		...[Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY],
		...[undefined, null, true, {}, [], [12], new Date(0), 12n],
	])('refuses %o', (value) => {
		expect(() => parseReais(value)).toThrow(InputError);
	});

	test('names the field in its message', () => {
		expect(getRefusal(() => parseReais('x', 'Min Amount')).message).toMatch(/^Min Amount /);
	});

	test('reads back every amount that formatReais writes', () => {
		fc.assert(
			fc.property(anyCents, (cents) => {
				expect(parseReais(formatReais(cents))).toBe(cents);
			}),
		);
	});

	test('reads back every amount that toReais makes, as number and as text', () => {
		fc.assert(
			fc.property(anyCents, (cents) => {
				expect(parseReais(toReais(cents))).toBe(cents);
				expect(parseReais((cents / 100).toFixed(2))).toBe(cents);
				expect(parseReais((cents / 100).toFixed(2).replace('.', ','))).toBe(cents);
			}),
		);
	});

	test('reads a text with a comma and one with a point as the same amount, or refuses both', () => {
		const read = (text: string) => {
			try {
				return parseReais(text);
			} catch {
				return 'refused';
			}
		};
		fc.assert(
			fc.property(fc.stringMatching(/^\d{1,9}[.,]\d{1,4}$/), (text) => {
				expect(read(text.replace(',', '.'))).toBe(read(text.replace('.', ',')));
			}),
		);
	});
});

describe('toReais', () => {
	test.each([
		[1, '0.01'],
		[10, '0.1'],
		[115, '1.15'],
		[123456, '1234.56'],
		[100000, '1000'],
	])('makes %i centavos the JSON number %s', (cents, json) => {
		expect(JSON.stringify(toReais(cents))).toBe(json);
	});

	test('never has more than two decimals on the wire', () => {
		fc.assert(
			fc.property(anyCents, (cents) => {
				const json = JSON.stringify(toReais(cents));
				expect(json).toMatch(/^\d+(\.\d{1,2})?$/);
				const [whole = '', fraction = ''] = json.split('.');
				expect(Number(whole) * 100 + Number(fraction.padEnd(2, '0'))).toBe(cents);
			}),
		);
	});
});

describe('formatReais', () => {
	test.each([
		[0, 'R$ 0,00'],
		[5, 'R$ 0,05'],
		[123456, 'R$ 1.234,56'],
		[99900, 'R$ 999,00'],
		[123456789, 'R$ 1.234.567,89'],
		[-123456, '-R$ 1.234,56'],
	])('writes %i centavos as %s', (cents, text) => {
		expect(formatReais(cents)).toBe(text);
	});
});

describe('centsOfAnswer', () => {
	test.each<[unknown, number | null]>([
		[1234.56, 123456],
		[0.1 + 0.2, 30],
		[-5, -500],
		[0, 0],
		['10.01', 1001],
		['-5.00', -500],
		['-0', 0],
		[' 12,5 ', 1250],
		['R$ 1.234,56', 123456],
		['1234', 123400],
		['1234.560', 123456],
		['10.0150', 1002],
		// 1234 reais in Brazil, 1.23 for a program.
		['1.234', null],
		['1,234', null],
		['', null],
		['-', null],
		['ten', null],
		['x10.01', null],
		['x10.0150', null],
		['10.0150x', null],
		['10.01\n', 1001],
		['10.01\n5', null],
		['R$  10,00', 1000],
		['R$10,00', 1000],
		['1e3', null],
		['99999999999999999', null],
		[{ amount: 10 }, null],
		[null, null],
		[undefined, null],
		[Number.NaN, null],
	])('reads %o as %o', (value, cents) => {
		expect(centsOfAnswer(value)).toBe(cents);
	});
});
