import {
	documentText,
	parseTaxDocument,
	readTaxDocument,
} from '../../../../../nodes/shared/validation/taxDocument';
import { getRefusal } from '../../../support/refusal';

describe('readTaxDocument', () => {
	test.each([
		['52998224725', '52998224725', 'CPF'],
		['529.982.247-25', '52998224725', 'CPF'],
		[' 529 982 247 25 ', '52998224725', 'CPF'],
		['529982247-25', '52998224725', 'CPF'],
		['529982247 25', '52998224725', 'CPF'],
		['529.982.247/25', '52998224725', 'CPF'],
		['529-982-247-25', '52998224725', 'CPF'],
		['529. 982. 247 - 25', '52998224725', 'CPF'],
		['529\u00a0982\u00a0247\u00a025', '52998224725', 'CPF'],
		['00000000191', '00000000191', 'CPF'],
		['11222333000181', '11222333000181', 'CNPJ'],
		['11.222.333/0001-81', '11222333000181', 'CNPJ'],
		['11 222 333 0001 81', '11222333000181', 'CNPJ'],
		['11222333/0001-81', '11222333000181', 'CNPJ'],
		['11222333 0001 81', '11222333000181', 'CNPJ'],
		['112223330001-81', '11222333000181', 'CNPJ'],
		['11.222.333 / 0001 - 81', '11222333000181', 'CNPJ'],
		['12ABC34501DE35', '12ABC34501DE35', 'CNPJ'],
		['12abc345/01de-35', '12ABC34501DE35', 'CNPJ'],
		['12ABC34501DE-35', '12ABC34501DE35', 'CNPJ'],
		['12.ABC.345/01DE-35', '12ABC34501DE35', 'CNPJ'],
		['12.abc.345/01de-35', '12ABC34501DE35', 'CNPJ'],
	])('reads %o', (text, value, type) => {
		expect(readTaxDocument(text)).toEqual({ value, type });
	});

	test.each([
		['empty', ''],
		['a CPF without its leading zeros', '191'],
		['a CPF of ten digits', '5299822472'],
		['a CPF of twelve digits', '529982247250'],
		['a CPF with a letter', '5299822472A'],
		['a CPF of equal digits', '11111111111'],
		['a CNPJ of equal digits', '00000000000000'],
		['a CNPJ of thirteen digits', '1122233300018'],
		['a CNPJ with a letter among the check digits', '12ABC34501DE3A'],
		['a CNPJ with an accented letter', '12ÁBC34501DE35'],
		['a CNPJ with punctuation of another kind', '12_ABC_345_01DE_35'],
		['a CPF with a mark where none stands', '52.998.224-725'],
		['a CPF with its last mark missing', '529.982.24725'],
		['a CPF with its first mark missing', '529982.247-25'],
		['a CPF with four marks in one place', '529.982.247----25'],
		['a CPF with a mark before it', '-529.982.247-25'],
		['a CNPJ with a mark where none stands', '112.22.333/0001-81'],
		['a CNPJ with one mark missing', '11.222.3330001-81'],
		['a CNPJ with letters and a mark where none stands', '12A.BC3.45/01DE-35'],
		['digits of another script', '٥٢٩٩٨٢٢٤٧٢٥'],
	])('refuses %s', (_, text) => {
		expect(readTaxDocument(text)).toBeNull();
	});

	// For these documents no single change can hide behind a check digit that stands for two remainders.
	test.each(['52998224725', '11222333000181', '12ABC34501DE35'])(
		'refuses %s with any single digit changed',
		(document) => {
			let changes = 0;
			[...document].forEach((character, index) => {
				if (!/\d/.test(character)) return;
				for (const digit of '0123456789') {
					if (digit === character) continue;
					changes += 1;
					const changed = `${document.slice(0, index)}${digit}${document.slice(index + 1)}`;
					expect({ changed, read: readTaxDocument(changed) }).toEqual({ changed, read: null });
				}
			});
			expect(changes).toBe(9 * document.replace(/\D/g, '').length);
		},
	);
});

test('a CPF with marks or blanks in it is one only where it is grouped 3-3-3-2 or 9-2', () => {
	const digits = [...'52998224725'];
	const groupings = 2 ** (digits.length - 1);
	for (const mark of ['.', '-', '/', ' ']) {
		const usual = [`529${mark}982${mark}247${mark}25`, `529982247${mark}25`];
		for (let grouping = 1; grouping < groupings; grouping += 1) {
			const isMarked = (index: number) => index > 0 && (grouping & (1 << (index - 1))) !== 0;
			const text = digits
				.map((digit, index) => (isMarked(index) ? `${mark}${digit}` : digit))
				.join('');
			const isRead = readTaxDocument(text) !== null;
			expect({ text, isRead }).toEqual({ text, isRead: usual.includes(text) });
		}
	}
});

describe('parseTaxDocument', () => {
	test.each([
		[191, '00000000191', 'CPF'],
		[1234567000195, '01234567000195', 'CNPJ'],
		[11222333000181, '11222333000181', 'CNPJ'],
	])('puts back the leading zeros that a spreadsheet dropped: %o', (given, value, type) => {
		expect(parseTaxDocument(given, 'Recipient Document')).toEqual({ value, type });
	});

	test('refuses a number whose check digits are wrong even with zeros', () => {
		expect(getRefusal(() => parseTaxDocument(192, 'Recipient Document')).message).toBe(
			'Recipient Document is a CPF with wrong check digits',
		);
	});

	test.each([undefined, null, '', 'abc', 0, -191, 1.5, {}])('refuses %o', (value) => {
		expect(getRefusal(() => parseTaxDocument(value, 'Recipient Document')).remedy).toContain(
			'check digits',
		);
	});
});

test('documentText leaves text as it is, apart from blanks around it', () => {
	expect(documentText(' 191 ')).toBe('191');
	expect(documentText(null)).toBe('');
});
