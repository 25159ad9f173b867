import fc from 'fast-check';
import {
	cleanName,
	ENCODING_REMEDY,
	hasLostCharacters,
	hasLostDigits,
	refuseLostCharacters,
	withHyphens,
} from '../../../../../nodes/shared/input/cleanText';
import { getRefusal } from '../../../support/refusal';

const hex = (code: number) => `U+${code.toString(16).toUpperCase().padStart(4, '0')}`;

/** Every code point except halves of characters. */
const CODES = Array.from({ length: 0x110000 }, (_, code) => code).filter(
	(code) => code < 0xd800 || code > 0xdfff,
);

test.each<[string, string[]]>([
	['a TAB or a line break', ['\t', '\n', '\r', '\r\n', '\v', '\f', '\u0085', '\u2028', '\u2029']],
	['a protected blank', ['\u00a0', '\u202f', '\u2007']],
	['a blank of another width', ['\u2003', '\u2009', '\u3000', '\u1680', '\u205f', '\u2800']],
	['two blanks', ['  ', ' \u00a0']],
])('%s separates words as a blank does', (_, blanks) => {
	for (const blank of blanks) {
		expect([blank, cleanName(`NF${blank}1`)]).toEqual([blank, 'NF 1']);
		expect([blank, cleanName(`${blank}NF-1${blank}`)]).toEqual([blank, 'NF-1']);
	}
});

test.each([
	['case', 'NF-1', 'nf-1'],
	['width', 'NF-1', 'ＮＦ-1'],
	['a visible mark of format', '1', '\u06001'],
	['half of a character', 'NF', 'NF\ud83d'],
])('%s counts', (_, one, other) => {
	expect([cleanName(one), cleanName(other)]).toEqual([one, other]);
});

test('every dash and quote that Word writes is a plain one, and a degree sign stands for an ordinal', () => {
	expect(cleanName('Sol\u201012\u2013\u2212')).toBe('Sol-12--');
	expect(cleanName('D\u2019\u00c1vila \u201cA\u201d N\u00b0 12')).toBe(
		'D\'\u00c1vila "A" N\u00ba 12',
	);
});

test('accents are composed, also where a joiner keeps them apart', () => {
	expect(cleanName('marc\u0327o')).toBe('março');
	expect(cleanName('marc\u200d\u0327o')).toBe('março');
	expect(cleanName('e\u034f\u0301')).toBe('é');
});

test('nothing is left of what is invisible, at the ends or inside, whatever the character', () => {
	const left = CODES.filter((code) => {
		const mark = String.fromCodePoint(code);
		const isInvisible = /^[\p{Default_Ignorable_Code_Point}\p{Cc}\ufff9\ufffb]$/u.test(mark);
		return isInvisible && cleanName(` ${mark} a${mark}b ${mark}`).replace(' ', '') !== 'ab';
	});
	expect(left.map(hex)).toEqual([]);
});

test('what has a form of its own stays, whatever the character', () => {
	const dropped = CODES.filter((code) => {
		const character = String.fromCodePoint(code);
		const isVisible = /^[\p{L}\p{M}\p{N}\p{P}\p{S}]$/u.test(character);
		const isIgnorable = /^[\p{Default_Ignorable_Code_Point}\u2800]$/u.test(character);
		return isVisible && !isIgnorable && cleanName(`a ${character}`) === 'a';
	});
	expect(dropped.map(hex)).toEqual([]);
});

test('what was cleaned stays as it is', () => {
	const once = (text: string) => {
		expect(cleanName(cleanName(text))).toBe(cleanName(text));
	};
	fc.assert(fc.property(fc.string({ unit: 'binary' }), once));
	fc.assert(
		fc.property(
			fc.array(
				fc.constantFrom(
					'a',
					' ',
					'\u2011',
					'\u0301',
					'\u200d',
					'\u00a0',
					'\r',
					'\n',
					'\u1100',
					'\u1161',
				),
			),
			(parts) => once(parts.join('')),
		),
	);
});

test('every dash of a text editor is a hyphen', () => {
	expect(withHyphens('\u2010\u2011\u2012\u2013\u2014\u2015\u2212-')).toBe('--------');
});

test.each([
	['N\ufffd 1042', true],
	// A dash and a quotation mark in Windows-1252, read as Latin1.
	['NF \u0096 1', true],
	['N\u00c2\u00ba 1', true],
	['Concei\u00c3\u00a7\u00c3\u00a3o', true],
	['Nº 1042 – “João”', false],
	// An ellipsis.
	['Aluguel sala 3\u0085', true],
	['Compra \u00c3\u00a0 vista', true],
	['NF\u00c2\u00a01', true],
	['MANH\u00c3\u00a01', false],
	['', false],
])('whether %j has lost a character: %s', (text, isLost) => {
	expect(hasLostCharacters(text)).toBe(isLost);
	if (!isLost) return refuseLostCharacters(text, 'Reference');
	const { message, remedy } = getRefusal(() => refuseLostCharacters(text, 'Reference'));
	expect(message).toMatch(/^Reference has lost a character: .* wrong encoding$/);
	expect(remedy).toBe(ENCODING_REMEDY);
});

test.each([
	['1.2345678E+138', true],
	['4,5387E+13', true],
	['4E+15', true],
	['NF-3.5240612345678e+43', true],
	['12345678E00131', false],
	['1E10', false],
	['A+12', false],
])('whether %j is a number that has lost digits: %s', (text, isLost) => {
	expect(hasLostDigits(text)).toBe(isLost);
});
