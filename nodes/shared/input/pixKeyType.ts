import { cleanText, refuseLostCharacters } from './cleanText';
import { InputError } from './inputError';
import { toText } from './text';

export type PixKeyType = 'CPF' | 'CNPJ' | 'EMAIL' | 'PHONE' | 'RANDOM';

/** The types that a key may have; none of them: any. */
export type PixKeyTypes = readonly PixKeyType[];

/** The names in the editor. */
export const PIX_KEY_TYPES: Readonly<Record<PixKeyType, string>> = {
	CPF: 'CPF',
	CNPJ: 'CNPJ',
	EMAIL: 'E-mail',
	PHONE: 'Phone',
	RANDOM: 'Random Key',
};
export const AUTOMATIC = 'automatic';

/** What lists say, in letters alone, without accents and without "chave" or "chave PIX" before it. */
const WORDS: ReadonlyArray<readonly [PixKeyTypes, string]> = [
	[[], 'automatic automatico automatica auto'],
	[['CPF'], 'cpf'],
	[['CNPJ'], 'cnpj'],
	[['CPF', 'CNPJ'], 'cpfcnpj cnpjcpf cpfoucnpj cnpjoucpf documento document'],
	[['EMAIL'], 'email mail correioeletronico enderecodeemail'],
	[
		['PHONE'],
		'telefone celular fone tel cel phone mobile whatsapp telefonecelular celulartelefone telefonefixo numerodetelefone numerodecelular numerodetelefonecelular phonenumber',
	],
	[
		['RANDOM'],
		'aleatoria aleatorio evp random randomkey uuid aleatoriaevp evpaleatoria codigoaleatorio chavealeatoria',
	],
];
const TYPES = new Map(
	WORDS.flatMap(([types, words]) => words.split(' ').map((word) => [word, types] as const)),
);

/**
 * Reads PIX Key Type: a choice of the editor, or the word of a cell, in Portuguese or English.
 * @returns none for *Automatic* and for an empty cell
 * @throws InputError for a word that is not known: a guess would send money to a stranger
 */
export function parsePixKeyType(value: unknown): PixKeyTypes {
	const given = toText(value);
	refuseLostCharacters(given, 'PIX Key Type');
	const text = cleanText(given);
	const word = text
		.normalize('NFD')
		.toLowerCase()
		.replace(/[^a-z\d]/g, '');
	const types = word === '' ? [] : (TYPES.get(word) ?? TYPES.get(word.replace(/^chave(pix)?/, '')));
	// Signs alone are no empty cell.
	if (types !== undefined && (word !== '' || text === '')) return types;
	throw new InputError(
		`PIX Key Type is "${text.slice(0, 50)}", which is not known`,
		'Use one of these: Automatic, CPF, CNPJ, E-mail (email), Phone (telefone, celular), Random Key (aleatória, EVP). Empty means Automatic.',
	);
}

/** For messages: `CPF or CNPJ`. */
export function namesOfTypes(types: PixKeyTypes): string {
	return types.map((type) => PIX_KEY_TYPES[type]).join(' or ');
}
