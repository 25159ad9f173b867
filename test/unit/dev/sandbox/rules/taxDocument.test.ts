import fc from 'fast-check';
import { isCnpj, isCpf, parseTaxDocument } from '../../../../../dev/sandbox/rules/taxDocument';

describe('CPF', () => {
	test.each(['52998224725', '11144477735', '00000000191'])('%s is valid', (cpf) => {
		expect(isCpf(cpf)).toBe(true);
	});

	test.each(['52998224724', '52998224735', '11111111111', '5299822472', '529982247255', ''])(
		'%s is not',
		(cpf) => expect(isCpf(cpf)).toBe(false),
	);

	test('changing any one digit breaks it', () => {
		fc.assert(
			fc.property(fc.nat(10), fc.integer({ min: 1, max: 9 }), (at, by) => {
				const digits = [...'52998224725'];
				digits[at] = String((Number(digits[at]) + by) % 10);
				return !isCpf(digits.join(''));
			}),
		);
	});
});

describe('CNPJ', () => {
	test.each(['11222333000181', '00000000000191', '12ABC34501DE35'])('%s is valid', (cnpj) => {
		expect(isCnpj(cnpj)).toBe(true);
	});

	test.each([
		'11222333000180',
		'12ABC34501DE53',
		'12abc34501de35',
		'12ABC34501DE3A',
		'00000000000000',
		'1122233300018',
	])('%s is not', (cnpj) => expect(isCnpj(cnpj)).toBe(false));
});

test('punctuation and lower case are allowed where a document is given as such', () => {
	expect(parseTaxDocument('529.982.247-25')).toEqual({ type: 'CPF', value: '52998224725' });
	expect(parseTaxDocument('12.abc.345/01de-35')).toEqual({ type: 'CNPJ', value: '12ABC34501DE35' });
	expect(parseTaxDocument('529.982.247-26')).toBeNull();
	expect(parseTaxDocument('')).toBeNull();
});
