import { isCnpj, isCpf } from '../../../../../nodes/shared/brazil/checkDigits';

test.each(['052998224725', '529982247250', '529.982.247-25', '', '11111111111'])(
	'%o is no CPF',
	(text) => {
		expect(isCpf('52998224725')).toBe(true);
		expect(isCpf(text)).toBe(false);
	},
);

test.each(['011222333000181', '112223330001811', '12abc34501de35', '', '00000000000000'])(
	'%o is no CNPJ',
	(text) => {
		expect([isCnpj('11222333000181'), isCnpj('12ABC34501DE35')]).toEqual([true, true]);
		expect(isCnpj(text)).toBe(false);
	},
);
