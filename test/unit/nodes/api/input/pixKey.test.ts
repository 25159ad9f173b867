import { InputError } from '../../../../../nodes/api/input/inputError';
import { parsePixKey } from '../../../../../nodes/api/input/pixKey';
import { refusalOf } from '../../../support/refusal';

test.each<[unknown, string, string]>([
	['529.982.247-25', '52998224725', 'CPF'],
	[52998224725, '52998224725', 'CPF'],
	[191, '00000000191', 'CPF'],
	['11.222.333/0001-81', '11222333000181', 'CNPJ'],
	['12.abc.345/01de-35', '12ABC34501DE35', 'CNPJ'],
	['Maria.Silva@Customer.Example', 'maria.silva@customer.example', 'EMAIL'],
	[' maria@customer.example ', 'maria@customer.example', 'EMAIL'],
	['+5511987654321', '+5511987654321', 'PHONE'],
	['+55 (11) 98765-4321', '+5511987654321', 'PHONE'],
	['+551133334444', '+551133334444', 'PHONE'],
	['123E4567-E89B-42D3-A456-426614174000', '123e4567-e89b-42d3-a456-426614174000', 'RANDOM'],
])('reads %p as %s, a %s key', (given, value, type) => {
	expect(parsePixKey(given)).toEqual({ value, type });
});

test.each([
	['nothing', undefined],
	['empty text', '  '],
	['a phone without country code', '11987654321'],
	['a phone without country code, as a number', 11987654321],
	['a phone without country code, with punctuation', '(11) 98765-4321'],
	['a phone with country code but without plus', '5511987654321'],
	['a phone with two pluses', '++5511987654321'],
	['a phone whose country code begins with zero', '+0511987654321'],
	['a phone that is too short', '+551198765'],
	['a phone that is too long', '+5511987654321000'],
	['a phone with letters', '+55 11 9ABCD-4321'],
	['a CPF with a wrong check digit', '52998224724'],
	['a CNPJ with a wrong check digit', '11222333000180'],
	['an e-mail without domain', 'maria@'],
	['an e-mail without dot in the domain', 'maria@customer'],
	['an e-mail with a blank', 'maria silva@customer.example'],
	['an e-mail with two at signs', 'maria@@customer.example'],
	['an e-mail of 78 characters', `${'x'.repeat(61)}@customer.example`],
	['a random key without hyphens', '123e4567e89b42d3a456426614174000'],
	['a random key with a character too few', '123e4567-e89b-42d3-a456-42661417400'],
	['a random key with a wrong character', '123e4567-e89b-42d3-a456-42661417400g'],
	['a name', 'Maria Silva'],
	['an object', {}],
])('refuses %s', (_, given) => {
	expect(() => parsePixKey(given)).toThrow(InputError);
});

// The digits of each are a valid CPF or CNPJ as well, as they are of one phone number in a hundred.
test.each([
	'11 98765-4021',
	'11 98765 4021',
	'11 9 8765-4021',
	'11 9 8765 4021',
	'11 987654021',
	'11-98765-4021',
	'11.98765.4021',
	'11/98765-4021',
	'11- 98765- 4021',
	'(11) 98765-4021',
	'(11)98765-4021',
	'(11) 987654021',
	'1198765-4021',
	'1198765 4021',
	'11987 654 021',
	'11 987 654 021',
	'011 3876-0099',
	'011 38760099',
	'(011) 3876-0099',
	'01138760099 ramal 2',
	'0800 123 0007',
	'0800-123-0007',
	'0800 1230007',
	'00 55 11 3876-0060',
	'0055 11 3876-0060',
	'0055 (11) 3876 0060',
])('refuses the phone number %s, which has no +55 before it', (phone) => {
	const { message, remedy } = refusalOf(() => parsePixKey(phone));
	expect(message).toContain('is not a valid CPF, CNPJ, e-mail, phone number or random key');
	expect(message).not.toContain(phone);
	expect(remedy).toContain('a phone number with country code like +5511987654321');
});

test('takes eleven bare digits with valid check digits for a CPF, which nothing tells from a phone', () => {
	expect(parsePixKey('11987654021')).toEqual({ value: '11987654021', type: 'CPF' });
});

test('accepts an e-mail of 77 characters', () => {
	expect(parsePixKey(`${'x'.repeat(60)}@customer.example`).type).toBe('EMAIL');
});

test('says how a phone number is written', () => {
	expect(refusalOf(() => parsePixKey('+55 1')).remedy).toContain('+5511987654321');
	expect(refusalOf(() => parsePixKey('11987654321')).remedy).toContain('country code');
});
