import fc from 'fast-check';
import { isCpf } from '../../../../../nodes/shared/brazil/checkDigits';
import { InputError } from '../../../../../nodes/shared/validation/inputError';
import { parsePixKey, unambiguousForm } from '../../../../../nodes/shared/validation/pixKey';
import { getRefusal } from '../../../support/refusal';

/** The CPF that begins with these nine digits. */
function cpfFrom(first: string): string {
	for (let pair = 0; pair < 100; pair += 1) {
		const cpf = `${first}${String(pair).padStart(2, '0')}`;
		if (isCpf(cpf)) return cpf;
	}
	return `${first}00`;
}

/** The key that is read, or undefined where it is refused. */
function parsesAs(given: unknown): string | undefined {
	try {
		return parsePixKey(given).value;
	} catch {
		return undefined;
	}
}

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
	[`${'x'.repeat(60)}@customer.example`, `${'x'.repeat(60)}@customer.example`, 'EMAIL'],
	['123E4567-E89B-42D3-A456-426614174000', '123e4567-e89b-42d3-a456-426614174000', 'RANDOM'],
])('reads %o as %s, a %s key', (given, value, type) => {
	expect(parsePixKey(given)).toEqual({ value, type });
});

test.each([
	['nothing', undefined],
	['empty text', '  '],
	['a phone without country code, as a number', 11987654321],
	['a phone with country code but without plus, whose digits a CNPJ has', '5511900001008'],
	['a phone with two pluses', '++5511987654321'],
	['a phone whose country code begins with zero', '+0511987654321'],
	['a phone that is too short', '+551198765'],
	['a phone that is too long', '+5511987654321000'],
	['a phone with letters', '+55 11 9ABCD-4321'],
	['a CPF with a wrong check digit', '52998224724'],
	['an e-mail without domain', 'maria@'],
	['an e-mail with a blank', 'maria silva@customer.example'],
	['an e-mail with two at signs', 'maria@@customer.example'],
	['an e-mail with another at sign behind', 'maria@customer.example@'],
	['an e-mail with a name behind', 'maria@customer.example silva'],
	['an e-mail with the rest of a PIX code', 'maria@customer.example52040000'],
	['an e-mail of 78 characters', `${'x'.repeat(61)}@customer.example`],
	['a random key without hyphens', '123e4567e89b42d3a456426614174000'],
	['a random key with a character too few', '123e4567-e89b-42d3-a456-42661417400'],
	['a random key with a wrong character', '123e4567-e89b-42d3-a456-42661417400g'],
	['an object', {}],
])('refuses %s', (_, given) => {
	expect(() => parsePixKey(given)).toThrow(InputError);
});

test.each<[unknown, string]>([
	['529.982.247-24', 'The PIX key is a CPF with wrong check digits'],
	[52998224724, 'The PIX key is a CPF with wrong check digits'],
	['11222333000180', 'The PIX key is a CNPJ with wrong check digits'],
	['12ABC34501DE34', 'The PIX key is a CNPJ with wrong check digits'],
	['(11) 98765-4321', 'The PIX key is a phone number without +55'],
	['11987654321', 'The PIX key is a phone number without +55, or a CPF with wrong check digits'],
	['5511987654321', 'The PIX key is a phone number without the +'],
	['Maria Silva', 'The PIX key is not a valid CPF, CNPJ, e-mail, phone number or random key'],
	['', 'The PIX key is empty'],
	['maria@customer', 'The PIX key is not a valid e-mail address'],
	['+55 1', 'The PIX key is not a valid phone number'],
])('says of %o what is wrong with it', (given, message) => {
	expect(getRefusal(() => parsePixKey(given)).message).toBe(message);
});

test.each([
	['529.982.247-24', 'Ask the recipient for the key again: at least one digit is wrong.'],
	['(11) 98765-4321', 'Write it with country code and area code, like +5511987654321.'],
	['+55 1', 'Write it with country code and area code, like +5511987654321.'],
])('says what to do about %s, and nothing else', (given, remedy) => {
	expect(getRefusal(() => parsePixKey(given)).remedy).toBe(remedy);
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
	const { message, remedy } = getRefusal(() => parsePixKey(phone));
	expect(message).toMatch(
		/is (?:a phone number without|not a valid CPF, CNPJ, e-mail, phone number)/,
	);
	expect(message).not.toContain(phone);
	expect(remedy).toContain('like +5511987654321');
});

// All pass the check digits of the document that is named, some with leading zeros put back.
test.each<[string, string, unknown]>([
	['a mobile number', 'CPF', '11987654021'],
	['a mobile number with blanks around it', 'CPF', ' 11987654021 '],
	['a mobile number, as a number', 'CPF', 11987654021],
	['a landline number, as a number', 'CPF', 1138760099],
	['a mobile number with country code, as a number', 'CNPJ', 5511900001008],
	['a landline number with country code, as a number', 'CNPJ', 551138760060],
])('digits that could be %s or a %s are asked for in an unambiguous form', (_, document, given) => {
	const { message, remedy } = getRefusal(() => parsePixKey(given));

	expect(message).toBe(`The PIX key could be a ${document} or a phone number`);
	expect(remedy).toContain(document === 'CPF' ? '(000.000.000-00)' : '(00.000.000/0000-00)');
	expect(remedy).toContain('(+5511987654321)');
});

test.each<[string, unknown, string]>([
	['a CPF with punctuation', '119.876.540-21', '11987654021'],
	['a CPF with a hyphen', '119876540-21', '11987654021'],
	['a CPF with blanks', '119 876 540 21', '11987654021'],
	['a CPF with its leading zero', '011.387.600-99', '01138760099'],
	['a CNPJ with punctuation', '05.511.900/0010-08', '05511900001008'],
	['a CNPJ with both leading zeros', '00.551.138/7600-60', '00551138760060'],
	['a mobile number with country code', '+55 11 98765-4021', '+5511987654021'],
	['a landline number with country code', '+551138760099', '+551138760099'],
	// No Brazilian phone number begins like this.
	['a CPF whose first digits are no area code', '20987654012', '20987654012'],
	['a CPF whose third digit is not 9', '52998224725', '52998224725'],
	['a number whose third digit is not 2 to 5', 1198765402, '01198765402'],
	['a CNPJ of 14 digits that begins with 55', 55119000010160, '55119000010160'],
])('accepts %s', (_, given, value) => {
	expect(parsePixKey(given).value).toBe(value);
});

test('knows the 67 area codes that are in use', () => {
	const ambiguous = Array.from({ length: 100 }, (_, code) => String(code).padStart(2, '0')).filter(
		(code) => {
			const cpf = cpfFrom(`${code}9876540`);
			return parsesAs(cpf) === undefined;
		},
	);
	expect(ambiguous).toHaveLength(67);
	expect(ambiguous).toEqual(expect.arrayContaining(['11', '21', '38', '55', '71', '99']));
	expect(ambiguous).not.toEqual(expect.arrayContaining(['20']));
});

test('asks about a CPF exactly where punctuation changes nothing but the ambiguity', () => {
	fc.assert(
		fc.property(fc.stringMatching(/^\d{9}$/), (first) => {
			const cpf = cpfFrom(first);
			fc.pre(!/^(.)\1+$/.test(cpf));
			const punctuated = cpf.replace(/^(...)(...)(...)(..)$/, '$1.$2.$3-$4');
			expect(parsePixKey(punctuated)).toEqual({ value: cpf, type: 'CPF' });
			expect([undefined, cpf]).toContain(parsesAs(cpf));
		}),
	);
});

describe('unambiguousForm', () => {
	test.each([
		['119.876.540-21', '119.876.540-21'],
		['529.982.247-25', '52998224725'],
		['05.511.900/0010-08', '05511900001008'],
		['+55 11 98765-4021', '+5511987654021'],
		['Maria@Customer.example', 'maria@customer.example'],
	])('writes %s as %s, which reads back as the same key', (given, form) => {
		const key = parsePixKey(given);
		expect(unambiguousForm(key)).toBe(form);
		expect(parsePixKey(form)).toEqual(key);
	});
});
