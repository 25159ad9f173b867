import {
	namesOfTypes,
	parsePixKeyType,
	PIX_KEY_TYPES,
	type PixKeyType,
} from '../../../../../nodes/shared/input/pixKeyType';
import { expectRefusals } from '../../../support/refusal';

test.each<[PixKeyType[], unknown[]]>([
	[[], ['', '  ', undefined, null, 'automatic', 'Automático', '\u200b']],
	[['CPF'], ['CPF', 'cpf', ' C.P.F. ', 'chave pix CPF']],
	[['CNPJ'], ['CNPJ', 'Chave CNPJ']],
	[
		['CPF', 'CNPJ'],
		['CPF/CNPJ', 'cpf ou cnpj', 'CNPJ/CPF', 'Documento'],
	],
	[['EMAIL'], ['EMAIL', 'E-mail', 'e\u2011mail', 'email', 'Correio eletrônico']],
	[['PHONE'], ['PHONE', 'telefone', 'Celular', 'Celular/Telefone', 'tel.', 'cel', 'fone']],
	[['PHONE'], ['Número de telefone celular', 'Numero de celular', 'Chave telefone']],
	[['RANDOM'], ['Random Key', 'ALEATÓRIA', 'EVP', 'Chave Aleatória (EVP)', 'aleato\u0301ria']],
])('%j is said in many ways', (types, words) => {
	expect(words.map((word) => [word, parsePixKeyType(word)])).toEqual(
		words.map((word) => [word, types]),
	);
});

test('every choice of the editor is read as itself', () => {
	for (const [type, name] of Object.entries(PIX_KEY_TYPES)) {
		expect([parsePixKeyType(type), parsePixKeyType(name)]).toEqual([[type], [type]]);
	}
});

test('other words are refused with those that are known', () => {
	const words = ['conta', 'CPF do titular', 'phones', '03', 1, true, {}, '-', 'chave', 'chavepix'];
	const known = /Automatic.*CPF.*CNPJ.*email.*telefone.*celular.*aleatória.*EVP/;
	expectRefusals(words, parsePixKeyType, /^PIX Key Type is ".*", which is not known$/, known);
});

test('a word that has lost its accent names the encoding', () => {
	expectRefusals(['aleat\ufffdria'], parsePixKeyType, /wrong encoding/, 'CSV UTF-8');
});

test('types are named as in the editor', () => {
	expect(namesOfTypes(['CPF', 'CNPJ'])).toBe('CPF or CNPJ');
	expect(namesOfTypes(['RANDOM'])).toBe('Random Key');
});
