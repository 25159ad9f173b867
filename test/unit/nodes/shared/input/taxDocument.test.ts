import { parseTaxDocument, readTaxDocument } from '../../../../../nodes/shared/input/taxDocument';
import { expectRefusals } from '../../../support/refusal';

const CPF = '52998224725';
const CNPJ = '11222333000181';
const WITH_LETTERS = '12ABC34501DE35';

test.each([
	['bare', CPF, CNPJ, WITH_LETTERS],
	['with its marks', '529.982.247-25', '11.222.333/0001-81', '12.abc.345/01de-35'],
	['with blanks', ' 529 982 247 25 ', '11 222 333 0001 81', '12 ABC 345 01DE 35'],
	['with both', '529. 982. 247 - 25', '11.222.333 / 0001 - 81', '12.ABC.345 / 01DE - 35'],
	['with another mark', '529-982-247/25', '11-222-333-0001.81', '12-ABC-345-01DE/35'],
	['in two or three groups', '529982247-25', '11222333/0001-81', '12abc345/01de-35'],
])('a document is read %s', (_, cpf, cnpj, withLetters) => {
	expect(readTaxDocument(cpf)).toEqual({ value: CPF, type: 'CPF' });
	expect(readTaxDocument(cnpj)).toEqual({ value: CNPJ, type: 'CNPJ' });
	expect(readTaxDocument(withLetters)).toEqual({ value: WITH_LETTERS, type: 'CNPJ' });
});

test.each([
	['of another length', ['', '191', '5299822472', '529982247250', '1122233300018']],
	['of equal digits', ['11111111111', '00000000000000']],
	['with a letter where digits stand', ['5299822472A', '12ABC34501DE3A']],
	['with other characters', ['12ÁBC34501DE35', '12_ABC_345_01DE_35', '٥٢٩٩٨٢٢٤٧٢٥']],
	['with a mark where none stands', ['52.998.224-725', '-529.982.247-25', '112.22.333/0001-81']],
	['with a mark in a group of letters', ['12A.BC3.45/01DE-35']],
])('a document is refused %s', (_, texts) => {
	for (const text of texts) expect([text, readTaxDocument(text)]).toEqual([text, null]);
});

// For these documents no single change can hide behind a check digit that stands for two remainders.
test.each([CPF, CNPJ, WITH_LETTERS])('%s is refused with any single digit changed', (document) => {
	const changed = [...document].flatMap((character, index) =>
		[...(/\d/.test(character) ? '0123456789' : '')]
			.filter((digit) => digit !== character)
			.map((digit) => `${document.slice(0, index)}${digit}${document.slice(index + 1)}`),
	);

	expect(changed).toHaveLength(9 * document.replace(/\D/g, '').length);
	expect(changed.filter((text) => readTaxDocument(text) !== null)).toEqual([]);
});

test.each([
	[CPF, ['11', '9-2', '3-3-3-2']],
	[CNPJ, ['14', '12-2', '8-4-2', '2-3-3-4-2']],
])('%s with marks or blanks in it is read in these groups only: %j', (document, groupings) => {
	for (const mark of ['.', '-', '/', ' ']) {
		let texts = [''];
		for (const digit of document) {
			texts = texts.flatMap((text) => [text + digit, ...(text ? [text + mark + digit] : [])]);
		}
		const read = texts.filter((text) => readTaxDocument(text) !== null);
		const lengths = read.map((text) => text.split(mark).map((group) => group.length));
		expect(lengths.map((one) => one.join('-'))).toEqual(groupings);
	}
});

test.each([
	[191, '00000000191', 'CPF'],
	[1234567000195, '01234567000195', 'CNPJ'],
	['734120664', '00734120664', 'CPF'],
	['734120664.0', '00734120664', 'CPF'],
	// Filled up to the length of a CNPJ.
	['00052998224725', '52998224725', 'CPF'],
])('the leading zeros that a spreadsheet dropped are put back: %o', (given, value, type) => {
	expect(parseTaxDocument(given, 'Recipient Document')).toEqual({ value, type });
});

test.each([
	['as a column with decimals shows it', ['73412065943.0', '73412065943,0', '73412065943,00']],
	['as CSV files protect it', ['="73412065943"', "'73412065943", '="734.120.659-43"']],
	['with what is invisible', ['\u200b734.120.659-43', '734\u00ad12065943', '734.120.659-43\u202c']],
	['with another dash', ['734.120.659\u201043', '734.120.659\u201143', '734.120.659\u221243']],
	['with another blank', ['\u00a073412065943', '734\u202f120\u00a0659 43']],
])('a document is read %s', (_, texts) => {
	for (const text of texts) {
		const read = parseTaxDocument(text, 'Recipient Document');
		expect([text, read]).toEqual([text, { value: '73412065943', type: 'CPF' }]);
	}
});

test.each<[string, string, unknown[]]>([
	['has lost a character: the list was read with the wrong encoding', 'CSV UTF-8', ['734\ufffd']],
	[
		'is a long number that has lost digits on the way',
		'Format the column as text',
		['1.2345678E+138', 1.2345678e138, '4,5387E+13'],
	],
])('a document that %s', (fault, advice, values) => {
	const parse = (value: unknown) => parseTaxDocument(value, 'Recipient Document');
	expectRefusals(values, parse, `Recipient Document ${fault}`, advice);
});

test.each<[string, unknown[]]>([
	['is a CPF with wrong check digits', [192, '529.982.247-24', '73412065944.0']],
	['is a CNPJ with wrong check digits', ['11222333000182']],
	['is not a valid CPF or CNPJ', [undefined, null, '', 'abc', -191, 1.5, {}]],
	// Shorter text is rather something else, and whoever drops zeros drops all of them.
	['is not a valid CPF or CNPJ', ['191', '0734120664', '734120665', '73412065943.5']],
])('what cannot be a document %s', (fault, values) => {
	const parse = (value: unknown) => parseTaxDocument(value, 'Recipient Document');
	expectRefusals(values, parse, `Recipient Document ${fault}`, 'the last two are check digits');
});
