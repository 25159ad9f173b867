import { cleanText, refuseLostCharacters, withHyphens } from './cleanText';
import { InputError } from './inputError';

/** Money inside this package: a whole number of centavos. Reais exist only on the wire. */
export type Cents = number;

const PLAIN_INTEGER = /^\d+$/;
/** 1234,5 or 1234.56: one separator with one or two digits behind it can only be the decimal mark. */
const DECIMAL = /^(\d+)[.,](\d{1,2})$/;
/** 1.234,56: the last separator has two digits (or one) behind it and differs from the ones before. */
const BRAZILIAN = /^(\d{1,3}(?:\.\d{3})+),(\d{1,2})$/;
const ENGLISH = /^(\d{1,3}(?:,\d{3})+)\.(\d{1,2})$/;
/** 1.234.567 or 1,234,567: two equal separators can't both be decimal marks. */
const GROUPED = /^\d{1,3}(?:(?:\.\d{3}){2,}|(?:,\d{3}){2,})$/;
/** 1.234 and 1,234 mean 1234 to one reader and 1.234 to another. */
const AMBIGUOUS = /^\d{1,3}[.,]\d{3}$/;
/** 1234.560 or 10.0100, as programs write amounts; what is AMBIGUOUS has to be ruled out first. */
const LONG_DECIMAL = /^\d{1,12}\.\d{3,20}$/;

/**
 * Three decimals or more, as formulas (164.89000000000001) and databases (150.0000) write them: the
 * groups before them, if there are any, have another separator. What is AMBIGUOUS has to be ruled
 * out first.
 */
const MORE_DECIMALS =
	/^(\d{1,12}|\d{1,3}(?:\.\d{3})+(?=,)|\d{1,3}(?:,\d{3})+(?=\.))[.,](\d{3,20})$/;
/** -64,00, R$ -64,00, 64,00- or, as accountants write it, (64,00); 1.500,- has no centavos. */
const NEGATIVE = /^(?=.{0,60}$)(?:- ?(?:R\$ ?)?\d.*|\d[\d.,]*(?<!,) ?-|\(.*\d.*\))$/i;
/** What a calculation in binary numbers adds or loses, in reais; a real third decimal is far more. */
const NOISE = 1e-9;

const HOW_TO_ENTER = 'Enter the amount in reais, for example 1234.56 or R$ 1.234,56.';

/**
 * Reads an amount in reais as people and spreadsheets write it and returns centavos.
 *
 * Accepts a number (`1234.56`) or text (`"1234.56"`, `"1234,5"`, `"R$ 1.234,56"`, `"1,234.56"`),
 * also with zeros behind the centavos, or off a centavo by what a calculation in binary numbers adds.
 * @throws InputError when the value is empty, negative, has more than two decimals, or can be read
 * in two ways (`"1.234"`), because a wrong guess would pay a thousand times too much or too little.
 */
export function parseReais(value: unknown, label = 'Amount'): Cents {
	if (typeof value === 'number') return centsOfNumber(value, label);
	if (value === undefined || value === null) {
		throw new InputError(
			`${label} is missing`,
			'If it is an expression, check the name of its field. Otherwise enter the amount in reais, for example 1234.56 or R$ 1.234,56.',
		);
	}
	if (typeof value !== 'string') {
		throw new InputError(`${label} is not a number`, HOW_TO_ENTER);
	}
	return centsOfText(value, label);
}

function centsOfNumber(value: number, label: string): Cents {
	if (value < 0) throw negative(label);
	if (!Number.isFinite(value)) {
		throw new InputError(
			`${label} ${value} is not a valid amount`,
			'Enter a positive amount in reais.',
		);
	}
	const cents = nearestCents(value);
	if (cents === null) {
		throw new InputError(
			`${label} ${value} has more than two decimals`,
			'Round it first, for example with {{ $json.amount.round(2) }}.',
		);
	}
	return cents;
}

/** Whoever only drops the sign pays what is owed to them. */
function negative(label: string): InputError {
	return new InputError(
		`${label} is negative`,
		'If it is a credit or a discount, remove the row, and deduct it from what is paid to the same recipient. Do not only remove the sign.',
	);
}

/**
 * A spreadsheet shows 164,89 and passes on 164.89000000000001. Other decimals are not rounded: that
 * is the user's decision.
 * @returns null for what is not a centavo
 */
function nearestCents(value: number): Cents | null {
	const cents = Math.round(value * 100);
	return Number.isSafeInteger(cents) && Math.abs(value - cents / 100) <= NOISE ? cents : null;
}

function centsOfText(value: string, label: string): Cents {
	refuseLostCharacters(value, label);
	const text = withHyphens(cleanText(value));
	const bare = text.replace(/^R\$\s*/i, '');
	if (bare === '') {
		throw new InputError(`${label} is empty`, HOW_TO_ENTER);
	}
	if (NEGATIVE.test(bare)) throw negative(label);
	if (AMBIGUOUS.test(bare)) {
		const thousands = formatReais(Number(digitsOnly(bare)) * 100);
		const decimals = formatReais(Math.trunc(Number(digitsOnly(bare)) / 10));
		throw new InputError(
			`${label} "${text}" is ambiguous: it may be ${thousands}, or ${decimals} with one digit too many`,
			`Write ${thousands.slice(3)} or ${decimals.slice(3)}, whichever you mean.`,
		);
	}
	const calculated = MORE_DECIMALS.exec(bare);
	if (calculated) {
		const [, whole = '', decimals = ''] = calculated;
		const cents = nearestCents(Number(`${digitsOnly(whole)}.${decimals}`));
		if (cents !== null) return cents;
		throw new InputError(
			`${label} "${text}" has more than two decimals`,
			'Round it to two decimals where the list comes from, for example with ARRED (ROUND) in the spreadsheet.',
		);
	}
	const cents = readCents(bare);
	if (cents === null) {
		throw new InputError(
			`${label} "${text}" is not an amount of money with at most two decimals`,
			'Write it like 1234.56, 1.234,56 or R$ 1.234,56.',
		);
	}
	return cents;
}

/** @returns null for what is not an amount; does not check whether the amount is ambiguous */
function readCents(bare: string): Cents | null {
	const decimal = DECIMAL.exec(bare) ?? BRAZILIAN.exec(bare) ?? ENGLISH.exec(bare);
	const cents = decimal
		? Number(`${digitsOnly(decimal[1] ?? '')}${(decimal[2] ?? '').padEnd(2, '0')}`)
		: PLAIN_INTEGER.test(bare) || GROUPED.test(bare)
			? Number(`${digitsOnly(bare)}00`)
			: Number.NaN;
	return Number.isSafeInteger(cents) ? cents : null;
}

function digitsOnly(text: string): string {
	return text.replace(/\D/g, '');
}

/**
 * Centavos of an amount in reais that the server sent: a JSON number, or text (`"10.01"`). Rounds,
 * because the server's arithmetic is not ours to refuse.
 * @returns null if the server sent none, or one that can be read in two ways (`"1.234"`)
 */
export function centsOfAnswer(value: unknown): Cents | null {
	if (typeof value === 'number') return Number.isFinite(value) ? Math.round(value * 100) : null;
	if (typeof value !== 'string') return null;
	const [, sign = '', amount = ''] = /^(-?)(?:R\$\s*)?(.*)$/.exec(value.trim()) ?? [];
	if (AMBIGUOUS.test(amount)) return null;
	const cents = LONG_DECIMAL.test(amount) ? Math.round(Number(amount) * 100) : readCents(amount);
	return cents !== null && sign === '-' ? 0 - cents : cents;
}

/** The JSON number in reais that the API expects (docs/api.md#money). */
export function toReais(cents: Cents): number {
	return cents / 100;
}

/** For people: `R$ 1.234,56`. */
export function formatReais(cents: Cents): string {
	const [whole = '', fraction = ''] = (Math.abs(cents) / 100).toFixed(2).split('.');
	const grouped = whole.replace(/\B(?=(\d{3})+$)/g, '.');
	return `${cents < 0 ? '-' : ''}R$ ${grouped},${fraction}`;
}
