import { isCpf } from '../../../../../nodes/shared/brazil/checkDigits';
import { parsePixKey, unambiguousForm } from '../../../../../nodes/shared/validation/pixKey';
import { getRefusal } from '../../../support/refusal';

test.each<[unknown, string, string]>([
	['529.982.247-25', '52998224725', 'CPF'],
	[52998224725, '52998224725', 'CPF'],
	['12.abc.345/01de-35', '12ABC34501DE35', 'CNPJ'],
	[' Maria.Silva@Customer.Example ', 'maria.silva@customer.example', 'EMAIL'],
	[`${'x'.repeat(60)}@customer.example`, `${'x'.repeat(60)}@customer.example`, 'EMAIL'],
	['+5511987654321', '+5511987654321', 'PHONE'],
	['+55 (11) 98765-4321', '+5511987654321', 'PHONE'],
	['123E4567-E89B-42D3-A456-426614174000', '123e4567-e89b-42d3-a456-426614174000', 'RANDOM'],
	// The digits of these could be a phone number as well, if they were written otherwise.
	['119.876.540-21', '11987654021', 'CPF'],
	['119 876 540 21', '11987654021', 'CPF'],
	['011.387.600-99', '01138760099', 'CPF'],
	['05.511.900/0010-08', '05511900001008', 'CNPJ'],
	['00.551.138/7600-60', '00551138760060', 'CNPJ'],
	['+55 11 98765-4021', '+5511987654021', 'PHONE'],
	['+551138760099', '+551138760099', 'PHONE'],
	// No Brazilian phone number begins like these.
	['20987654012', '20987654012', 'CPF'],
	[1198765402, '01198765402', 'CPF'],
	[55119000010160, '55119000010160', 'CNPJ'],
])('reads %o as %s, a %s key', (given, value, type) => {
	expect(parsePixKey(given)).toEqual({ value, type });
});

const COUNTRY_CODE = /^Write it with country code and area code, like \+5511987654321\.$/;
const LOOK_AGAIN = /^Ask the recipient for the key again: at least one digit is wrong\.$/;
const ASK = /^Ask the recipient for the key\. Phone numbers .* like \+5511987654321; random keys/;

test.each<[string, RegExp, unknown[]]>([
	['is empty', /check the name of its field/, [undefined, null, '', '  ']],
	[
		'is not a valid e-mail address',
		ASK,
		[
			'maria@',
			'maria@customer',
			'maria silva@customer.example',
			'maria@@customer.example',
			'maria@customer.example@',
			'maria@customer.example silva',
			'maria@customer.example52040000',
			`${'x'.repeat(61)}@customer.example`,
		],
	],
	[
		'is not a valid phone number',
		COUNTRY_CODE,
		['++5511987654321', '+0511987654321', '+551198765', '+5511987654321000', '+55 11 9ABCD-4321'],
	],
	['is a CPF with wrong check digits', LOOK_AGAIN, ['529.982.247-24', 52998224724]],
	['is a CNPJ with wrong check digits', LOOK_AGAIN, ['11222333000180', '12ABC34501DE34']],
	[
		'is a phone number without +55, or a CPF with wrong check digits',
		COUNTRY_CODE,
		['11987654321', 11987654321],
	],
	['is a phone number without the +', COUNTRY_CODE, ['5511987654321']],
	// The digits of the rest are a valid CPF or CNPJ, as are those of one phone number in a hundred.
	[
		'is a phone number without +55',
		COUNTRY_CODE,
		['11 98765-4021', '(11) 98765-4021', '11- 98765- 4021', '11987 654 021'],
	],
	[
		'is not a valid CPF, CNPJ, e-mail, phone number or random key',
		ASK,
		[
			...['Maria Silva', {}, '123e4567e89b42d3a456426614174000'],
			...['11/98765-4021', '(011) 3876-0099', '01138760099 ramal 2', '0800 123 0007'],
			...['00 55 11 3876-0060', '0055 (11) 3876 0060'],
		],
	],
])('says that it %s', (fault, remedy, keys) => {
	for (const key of keys) {
		const refusal = getRefusal(() => parsePixKey(key));
		expect([key, refusal.message]).toEqual([key, `The PIX key ${fault}`]);
		expect(refusal.remedy).toMatch(remedy);
	}
});

// All pass the check digits of the document that is named, some with leading zeros put back.
test.each<[string, string, unknown]>([
	['a mobile number', 'CPF', ' 11987654021 '],
	['a mobile number, as a number', 'CPF', 11987654021],
	['a landline number, as a number', 'CPF', 1138760099],
	['a mobile number with country code', 'CNPJ', 5511900001008],
	['a landline number with country code', 'CNPJ', 551138760060],
])('digits that could be %s or a %s are asked for in an unambiguous form', (_, document, given) => {
	const { message, remedy } = getRefusal(() => parsePixKey(given));

	expect(message).toBe(`The PIX key could be a ${document} or a phone number`);
	expect(remedy).toContain(document === 'CPF' ? '(000.000.000-00)' : '(00.000.000/0000-00)');
	expect(remedy).toContain('(+5511987654321)');
});

test('knows the 67 area codes that are in use', () => {
	const pairs = Array.from({ length: 100 }, (_, pair) => String(pair).padStart(2, '0'));
	/** Whether the CPF that begins like a mobile number with this area code is refused. */
	const isAmbiguous = (code: string) => {
		const cpf = pairs.map((pair) => `${code}9876540${pair}`).find(isCpf);
		try {
			return parsePixKey(cpf).value !== cpf;
		} catch {
			return true;
		}
	};
	const codes = pairs.filter(isAmbiguous);

	expect(codes).toHaveLength(67);
	expect(codes).toEqual(expect.arrayContaining(['11', '21', '38', '55', '71', '99']));
	expect(codes).not.toContain('20');
});

test.each([
	['119.876.540-21', '119.876.540-21'],
	['529.982.247-25', '52998224725'],
	['05.511.900/0010-08', '05511900001008'],
	['+55 11 98765-4021', '+5511987654021'],
])('the unambiguous form of %s is %s, which reads back as the same key', (given, form) => {
	const key = parsePixKey(given);

	expect(unambiguousForm(key)).toBe(form);
	expect(parsePixKey(form)).toEqual(key);
});
