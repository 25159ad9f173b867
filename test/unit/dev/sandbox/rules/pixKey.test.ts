import { readPixKey } from '../../../../../dev/sandbox/rules/pixKey';

test.each([
	['52998224725', 'CPF'],
	['529.982.247-25', 'CPF'],
	['11222333000181', 'CNPJ'],
	['12ABC34501DE35', 'CNPJ'],
	['maria@customer.example', 'EMAIL'],
	['+5511987654321', 'PHONE'],
	['+551133334444', 'PHONE'],
	['123e4567-e89b-42d3-a456-426614174000', 'RANDOM'],
])('%s is a %s key', (text, type) => {
	expect(readPixKey(text)?.type).toBe(type);
});

test.each([
	'',
	'52998224724',
	'11222333000180',
	'11987654321',
	'+1 555 0100',
	'+55119876543210',
	'maria@',
	'maria@customer',
	'maria silva@customer.example',
	`${'x'.repeat(65)}@customer.example`,
	'123e4567e89b42d3a456426614174000',
	' 52998224725',
])('%o is no key', (text) => {
	expect(readPixKey(text)).toBeNull();
});

test('a CPF or CNPJ key supplies the recipient document, others do not', () => {
	expect(readPixKey('529.982.247-25')?.document).toBe('52998224725');
	expect(readPixKey('maria@customer.example')?.document).toBeNull();
});
