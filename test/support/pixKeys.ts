/** PIX keys as lists have them, for all tests of what is read and what is refused. */
import { isCpf } from '../../nodes/shared/brazil/checkDigits';
import type { PixKeyType } from '../../nodes/shared/input/pixKeyType';

/** What is entered, and the key and its type that it is read as. */
export const READ_KEYS: ReadonlyArray<readonly [unknown, string, PixKeyType]> = [
	['529.982.247-25', '52998224725', 'CPF'],
	[52998224725, '52998224725', 'CPF'],
	['12.abc.345/01de-35', '12ABC34501DE35', 'CNPJ'],
	[' Maria.Silva@Customer.Example ', 'maria.silva@customer.example', 'EMAIL'],
	[`${'x'.repeat(60)}@customer.example`, `${'x'.repeat(60)}@customer.example`, 'EMAIL'],
	['+5511987654321', '+5511987654321', 'PHONE'],
	['+55 (11) 98765-4321', '+5511987654321', 'PHONE'],
	['123E4567-E89B-42D3-A456-426614174000', '123e4567-e89b-42d3-a456-426614174000', 'RANDOM'],
	// The digits of these could be a phone number as well, if they were written otherwise.
	['011.387.600-99', '01138760099', 'CPF'],
	['05.511.900/0010-08', '05511900001008', 'CNPJ'],
	['00.551.138/7600-60', '00551138760060', 'CNPJ'],
	['+551138760099', '+551138760099', 'PHONE'],
	// No Brazilian phone number begins like these.
	['20987654012', '20987654012', 'CPF'],
	[55119000010160, '55119000010160', 'CNPJ'],
	// Invisible characters, and the dashes of text editors.
	['\u202a+55 41 99876-5432\u202c', '+5541998765432', 'PHONE'],
	['+55 41 99876\u22125432', '+5541998765432', 'PHONE'],
	['+55\u00a041\u202f99876\u20135432', '+5541998765432', 'PHONE'],
	['734.120.659\u201143', '73412065943', 'CPF'],
	[
		'9f3c2d1e\u20105b6a-4c7d-8e9f-0a1b2c3d4e5f\u200b',
		'9f3c2d1e-5b6a-4c7d-8e9f-0a1b2c3d4e5f',
		'RANDOM',
	],
	['\u200bfinanceiro@fornecedor.example', 'financeiro@fornecedor.example', 'EMAIL'],
	['financeiro\ufe0d@forne\u2060cedor.example', 'financeiro@fornecedor.example', 'EMAIL'],
	['mailto:Ana@Fornecedor.Example', 'ana@fornecedor.example', 'EMAIL'],
	['MAILTO: ana@fornecedor.example', 'ana@fornecedor.example', 'EMAIL'],
	["'ana@fornecedor.example", "'ana@fornecedor.example", 'EMAIL'],
	["o'neil+pix_{1}@sub.fornecedor.example", "o'neil+pix_{1}@sub.fornecedor.example", 'EMAIL'],
	['ana@fornecedor.xn--vermgensberatung-pwb', 'ana@fornecedor.xn--vermgensberatung-pwb', 'EMAIL'],
	// Phone numbers that can be nothing else.
	['(41) 99876-5432', '+5541998765432', 'PHONE'],
	['(41)99876-5432', '+5541998765432', 'PHONE'],
	['(41)998765432', '+5541998765432', 'PHONE'],
	['( 41 ) 9 9876 5432', '+5541998765432', 'PHONE'],
	['(041) 99876-5432', '+5541998765432', 'PHONE'],
	['(011) 3876-0099', '+551138760099', 'PHONE'],
	['(55) 99876-5432', '+5555998765432', 'PHONE'],
	['55 (41) 99876-5432', '+5541998765432', 'PHONE'],
	['41 99876-5432', '+5541998765432', 'PHONE'],
	['41\u00a099876\u20115432', '+5541998765432', 'PHONE'],
	['41 9 9876-5432', '+5541998765432', 'PHONE'],
	['41-99876-5432', '+5541998765432', 'PHONE'],
	['41 998765432', '+5541998765432', 'PHONE'],
	['4199876-5432', '+5541998765432', 'PHONE'],
	['041 99876-5432', '+5541998765432', 'PHONE'],
	['41 3234-5678', '+554132345678', 'PHONE'],
	['55 41 99876-5432', '+5541998765432', 'PHONE'],
	['5541 3234-5678', '+554132345678', 'PHONE'],
	['55 99876-5432', '+5555998765432', 'PHONE'],
	// In Brazil people dial a zero before the area code.
	['+55 041 99876-5432', '+5541998765432', 'PHONE'],
	['+55 (041) 3234-5678', '+554132345678', 'PHONE'],
	['+55 55 99876-5432', '+5555998765432', 'PHONE'],
	['+55 55 3234-5678', '+555532345678', 'PHONE'],
	// Nothing is known of numbers abroad but their length.
	['+1 202 555 0143', '+12025550143', 'PHONE'],
	['+351 912 345 678', '+351912345678', 'PHONE'],
	['+41 79 123 45 67', '+41791234567', 'PHONE'],
	// As spreadsheets and CSV files have them.
	[734120664, '00734120664', 'CPF'],
	['734120664', '00734120664', 'CPF'],
	[458731000185, '00458731000185', 'CNPJ'],
	['458731000185', '00458731000185', 'CNPJ'],
	['73412065943.0', '73412065943', 'CPF'],
	['73412065943,00', '73412065943', 'CPF'],
	['734120664.0', '00734120664', 'CPF'],
	['="00734120664"', '00734120664', 'CPF'],
	["'00734120664", '00734120664', 'CPF'],
	['="00.458.731/0001-85"', '00458731000185', 'CNPJ'],
	["'+5541998765432", '+5541998765432', 'PHONE'],
];

const COUNTRY_CODE = /^Write it with country code and area code, like \+5511987654321\.$/;
const OR_TYPE =
	/^Write it with country code and area code, like \+5511987654321\. Or set 'PIX Key Type' to Phone\.$/;
const ASK_FOR_PHONE =
	/^Ask the recipient for the number again, and write it like \+5511987654321\.$/;
const LOOK_AGAIN = /^Ask the recipient for the key again: at least one digit is wrong\.$/;
const ASK = /^Ask the recipient for the key\. Phone numbers .* like \+5511987654321; random keys/;

/** What is wrong, what helps, and the keys of which that is said. */
export const REFUSED_KEYS: ReadonlyArray<readonly [string, RegExp, readonly unknown[]]> = [
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
			...['ana;bia@fornecedor.example', 'ana@fornecedor.example, bia@fornecedor.example'],
			...['ana(1)@fornecedor.example', '"ana"@fornecedor.example', 'ana%b@fornecedor.example'],
			...['ana@-fornecedor.example', 'ana@fornecedor..example', '@fornecedor.example'],
			...[`ana@${'x'.repeat(64)}.example`, 'mailto:ana@fornecedor.example?subject=pix'],
		],
	],
	[
		'is an e-mail address with a character that no PIX key has, such as an accent',
		ASK,
		// The last one is the sign of Kelvin, whose lower case is a plain k.
		[
			'josé@fornecedor.example',
			'ana@fornecedor.exámple',
			'ana@forne‑cedor.example',
			'\u212a@a.example',
		],
	],
	[
		'has lost a character: the list was read with the wrong encoding',
		/^Save the list as CSV UTF-8/,
		['jos\ufffd@fornecedor.example', '\ufffd734.120.659-43', '+55 41 99876\u00965432'],
	],
	[
		'is a long number that has lost digits on the way',
		/^Format the column as text/,
		['1.2345678E+138', 1.2345678e138, '4,5387E+13', '="4,5387E+13"', 1e21],
	],
	[
		'is not a valid phone number',
		COUNTRY_CODE,
		['++5511987654321', '+0511987654321', '+1 202 555', '+1234567890123456', '+55 11 9ABCD-4321'],
	],
	[
		'is a phone number with the country code 55 twice',
		ASK_FOR_PHONE,
		['+555541998765432', '+55 55 41 3234-5678', '+55+5541998765432'.replace('+55+', '+55 ')],
	],
	[
		'is a phone number with the area code 20, which does not exist in Brazil',
		ASK_FOR_PHONE,
		['+55 20 99876-5432', '(20) 99876-5432', '20 3234-5678', '+55 020 99876-5432'],
	],
	[
		'is a phone number with the area code 00, which does not exist in Brazil',
		ASK_FOR_PHONE,
		['+55 00 00000-0000'],
	],
	[
		'is a phone number with nine digits that do not begin with 9, as mobile numbers do',
		ASK_FOR_PHONE,
		['+55 41 89876-5432', '(41) 89876-5432', '41 3 9876-5432'],
	],
	[
		'is a phone number with eight digits that do not begin with 2 to 5, as landline numbers do. In a mobile number, a 9 before them may be missing',
		ASK_FOR_PHONE,
		['+55 41 9876-5432', '+55 41 99876-543', '(41) 9876-5432', '41 1234-5678', '+55 41 6123-4567'],
	],
	[
		'is a phone number with 7 digits after +55, and ten or eleven are right: area code and number',
		ASK_FOR_PHONE,
		['+551198765', '+55 1198765'],
	],
	[
		'is a phone number with 14 digits after +55, and ten or eleven are right: area code and number',
		ASK_FOR_PHONE,
		['+5511987654321000', '+55 0 15 41 99876-5432'],
	],
	['is a CPF with wrong check digits', LOOK_AGAIN, ['529.982.247-24', 52998224724]],
	['is a CNPJ with wrong check digits', LOOK_AGAIN, ['11222333000180', '12ABC34501DE34']],
	[
		'is a phone number without +55, or a CPF with wrong check digits',
		OR_TYPE,
		['11987654321', 11987654321],
	],
	[
		'is a phone number without the +',
		OR_TYPE,
		['5511987654321', 5541998765432, '5541998765432.0', '551132345678'],
	],
	['is a phone number without area code', COUNTRY_CODE, ['99876-5432', '998765432', '3234-5678']],
	// Its digits are a valid CPF, as are those of one phone number in a hundred.
	['is a phone number without +55', OR_TYPE, ['11987 654 021', '(11)-(98765)-4021', '4132345678']],
	[
		'is not a valid CPF, CNPJ, e-mail, phone number or random key',
		ASK,
		[
			...['Maria Silva', {}, '123e4567e89b42d3a456426614174000'],
			...['11/98765-4021', '01138760099 ramal 2', '0800 123 0007', '41.998765432'],
			...['00 55 11 3876-0060', '0055 (11) 3876 0060', '(41) 99876-5432 ramal 2'],
			// Zeros are put back where a document comes out, and where all of them were dropped.
			...['734120665', '0734120664', '458731000186', '7341206', '073412066'],
			...['9f3c2d1e–5b6a–4c7d–8e9f', '73412065943.5', '="Maria"'],
		],
	],
];

/** Numbers without area code that are the end of a CPF with leading zeros. */
const findLocal = (first: number) => {
	const numbers = Array.from({ length: 1000 }, (_, index) => String(first + index));
	return numbers.find((digits) => isCpf(digits.padStart(11, '0'))) ?? '';
};
export const LOCAL_MOBILE = findLocal(998_765_432);
export const LOCAL_LANDLINE = findLocal(32_345_678);

/** What is entered with its type, and the key that it is read as. */
export const TYPED_KEYS: ReadonlyArray<readonly [unknown, PixKeyType, string]> = [
	// Bare digits that could be both.
	[1138760099, 'CPF', '01138760099'],
	['1138760099', 'PHONE', '+551138760099'],
	['1138760099', 'CPF', '01138760099'],
	[5511900001008, 'CNPJ', '05511900001008'],
	['41998765432', 'PHONE', '+5541998765432'],
	['4132345678', 'PHONE', '+554132345678'],
	['041998765432', 'PHONE', '+5541998765432'],
	['5541998765432', 'PHONE', '+5541998765432'],
	[5541998765432, 'PHONE', '+5541998765432'],
	['41998765432.0', 'PHONE', '+5541998765432'],
	['55998765432', 'PHONE', '+5555998765432'],
	[LOCAL_MOBILE, 'CPF', LOCAL_MOBILE.padStart(11, '0')],
	// What is clear without it.
	['(41) 99876-5432', 'PHONE', '+5541998765432'],
	['+5541998765432', 'PHONE', '+5541998765432'],
	['734.120.659-43', 'CPF', '73412065943'],
	['00458731000185', 'CNPJ', '00458731000185'],
	['ana@fornecedor.example', 'EMAIL', 'ana@fornecedor.example'],
	['9F3C2D1E-5b6a-4c7d-8e9f-0a1b2c3d4e5f', 'RANDOM', '9f3c2d1e-5b6a-4c7d-8e9f-0a1b2c3d4e5f'],
];
