import { isCnpj, isCpf } from '../../../../../nodes/shared/brazil/checkDigits';

test.each([
	['52998224725', true],
	['00000000191', true],
	['52998224726', false],
	['52998224735', false],
	['529982247250', false],
	['052998224725', false],
	['5299822472', false],
	['529.982.247-25', false],
	['5299822472A', false],
	['', false],
	// Both check digits of these are right.
	['00000000000', false],
	['11111111111', false],
	['99999999999', false],
	// One character twice in a row is no reason to refuse.
	['11144477735', true],
	['12345670088', true],
])('%o is a CPF: %o', (text, expected) => {
	expect(isCpf(text)).toBe(expected);
});

test.each([
	['11222333000181', true],
	['12ABC34501DE35', true],
	['11222333000182', false],
	['11222333000191', false],
	['112223330001811', false],
	['011222333000181', false],
	['1122233300018', false],
	['12abc34501de35', false],
	['12ABC34501DE3F', false],
	['11.222.333/0001-81', false],
	['', false],
	['00000000000000', false],
])('%o is a CNPJ: %o', (text, expected) => {
	expect(isCnpj(text)).toBe(expected);
});
