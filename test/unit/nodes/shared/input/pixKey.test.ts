import { parsePixKey, unambiguousForm } from '../../../../../nodes/shared/input/pixKey';
import type { PixKeyType } from '../../../../../nodes/shared/input/pixKeyType';
import { readPixKey } from '../../../../../dev/sandbox/rules/pixKey';
import {
	LOCAL_LANDLINE,
	LOCAL_MOBILE,
	READ_KEYS,
	REFUSED_KEYS,
	TYPED_KEYS,
} from '../../../../support/pixKeys';
import { expectRefusals } from '../../../support/refusal';

test.each(READ_KEYS)('reads %o as %s, a %s key', (given, value, type) => {
	expect(parsePixKey(given)).toEqual({ value, type });
});

test('the emulated service takes every key that the node accepts for the same', () => {
	const values = [...READ_KEYS, ...TYPED_KEYS.map(([, type, value]) => ['', value, type] as const)];
	for (const [, value, type] of values) {
		expect([value, readPixKey(value)?.type]).toEqual([value, type]);
	}
});

test.each(REFUSED_KEYS)('says that it %s', (fault, remedy, keys) => {
	expectRefusals(keys, (key) => parsePixKey(key), `The PIX key ${fault}`, remedy);
});

// All pass the check digits of the document that is named, some with leading zeros put back.
test.each<[string, string, unknown]>([
	['a mobile number', 'CPF', ' 11987654021 '],
	['a mobile number, as a number', 'CPF', 11987654021],
	['a landline number, as a number', 'CPF', 1138760099],
	['a mobile number with country code', 'CNPJ', 5511900001008],
	['a landline number with country code', 'CNPJ', 551138760060],
	['a landline number', 'CPF', '1138760099'],
	// As mobile numbers were before 2016, or with a digit missing.
	['a mobile number of eight digits', 'CPF', '4199870024'],
	['a mobile number of eight digits, as a number', 'CPF', 6193528415],
	['a landline number with country code, as text', 'CNPJ', '551138760060'],
	['a mobile number, as a column with decimals shows it', 'CPF', '11987654021.0'],
	['a mobile number without area code', 'CPF', LOCAL_MOBILE],
	['a mobile number without area code, as a number', 'CPF', Number(LOCAL_MOBILE)],
	['a landline number without area code', 'CPF', LOCAL_LANDLINE],
])('digits that could be %s or a %s are asked for in an unambiguous form', (_, document, given) => {
	const message = `The PIX key could be a ${document} or a phone number`;
	const form = document === 'CPF' ? '000.000.000-00' : '00.000.000/0000-00';
	for (const remedy of [`(${form})`, '(+5511987654321)', 'PIX Key Type']) {
		expectRefusals([given], (key) => parsePixKey(key), message, remedy);
	}
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

describe('where the list says the type', () => {
	test.each(TYPED_KEYS)('%o, %s, is %s', (given, type, value) => {
		expect(parsePixKey(given, [type])).toEqual({ value, type });
	});

	test('one of two types is enough', () => {
		expect(parsePixKey('11987654021', ['CPF', 'CNPJ'])).toEqual({
			value: '11987654021',
			type: 'CPF',
		});
		expect(parsePixKey('00458731000185', ['CPF', 'CNPJ']).type).toBe('CNPJ');
	});

	const OF_EACH: ReadonlyArray<readonly [PixKeyType, string, string]> = [
		['CPF', '734.120.659-43', 'a CPF'],
		// Its digits are no phone number.
		['CPF', '73412065943', 'a CPF'],
		['CNPJ', '00458731000185', 'a CNPJ'],
		['EMAIL', 'ana@fornecedor.example', 'an e-mail address'],
		['PHONE', '+5541998765432', 'a phone number'],
		['PHONE', '(41) 99876-5432', 'a phone number'],
		['RANDOM', '9f3c2d1e-5b6a-4c7d-8e9f-0a1b2c3d4e5f', 'a random key'],
	];
	const ALL: PixKeyType[] = ['CPF', 'CNPJ', 'EMAIL', 'PHONE', 'RANDOM'];
	const NAMES = { CPF: 'CPF', CNPJ: 'CNPJ', EMAIL: 'E-mail', PHONE: 'Phone', RANDOM: 'Random Key' };

	test.each(OF_EACH)('a key of type %s is refused as any other: %s', (own, key, named) => {
		for (const type of ALL.filter((one) => one !== own)) {
			const message = `PIX Key Type is ${NAMES[type]}, but the PIX key is ${named}`;
			expectRefusals([key], (given) => parsePixKey(given, [type]), message);
		}
		expect(parsePixKey(key, [own]).type).toBe(own);
	});

	test.each<[PixKeyType, string, RegExp]>([
		['PHONE', '41898765432', /^The PIX key is a phone number with nine digits that do not/],
		['PHONE', '998765432', /^The PIX key is a phone number with 9 digits after \+55/],
		// With zeros put back it is the CPF of a stranger.
		['PHONE', '998760005', /^The PIX key is a phone number with 9 digits after \+55/],
		// Not: set the type to Phone.
		[
			'PHONE',
			'(11) 98765-432',
			/^PIX Key Type is Phone, but the PIX key is no phone number in Brazil$/,
		],
		['PHONE', 'Maria', /^PIX Key Type is Phone, but the PIX key is not a valid CPF/],
		['CPF', '41998765432', /^PIX Key Type is CPF, but the PIX key is a phone number without \+55/],
		['CPF', '73412065944', /^The PIX key is a CPF with wrong check digits/],
		['RANDOM', '41998765432', /^PIX Key Type is Random Key, but the PIX key is a phone number/],
	])('%s: %s is no such key', (type, key, message) => {
		expectRefusals([key], (given) => parsePixKey(given, [type]), message);
	});
});
