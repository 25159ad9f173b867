/** Area codes (DDD) that are in use, by their first digit. */
const AREA_CODE = '(?:1[1-9]|2[12478]|3[1-578]|4[1-9]|5[1345]|6[1-9]|7[134579]|8[1-9]|9[1-9])';
/** Behind the area code: a mobile number has nine digits, a landline number eight. */
const NUMBER = '(?:9\\d{8}|[2-5]\\d{7})';

const IN_USE = new RegExp(`^${AREA_CODE}`);
const NATIONAL = new RegExp(`^${AREA_CODE}${NUMBER}$`);

/**
 * Bare digits that a person may mean as a phone number: with the country code, with the area code,
 * or neither. The country code alone is enough: few documents begin with 55 after their leading
 * zeros, and a mistyped phone number is no document. Lists still have mobile numbers of eight digits, which
 * begin with 6 to 9.
 */
const POSSIBLE = new RegExp(`^(?:${AREA_CODE}?(?:9\\d{8}|[2-9]\\d{7})|55\\d{10,11})$`);

/**
 * A number within Brazil as people write it, and as no document is written: the area code in
 * parentheses or in front of a blank or hyphen, or a hyphen before the last four digits of a mobile
 * number. The country code without its +, or the trunk zero, may stand before it.
 */
const GAP = '[ -]{1,3}';
const LOCAL = `(?:\\d(?:${GAP})?)?\\d{4}(?:${GAP})?\\d{4}`;
const SHAPES = [
	`\\( ?0?\\d\\d ?\\)(?:${GAP})?${LOCAL}`,
	`0?\\d\\d${GAP}${LOCAL}`,
	`0?\\d\\d9\\d{4}-\\d{4}`,
];
const WRITTEN = new RegExp(`^(?:55(?:${GAP})?)?(?:${SHAPES.join('|')})$`);

/** Whether bare digits could be a phone number. */
export function couldBePhone(digits: string): boolean {
	return POSSIBLE.test(digits);
}

/** Whether a text without + is written as Brazilians write phone numbers, and as no document is. */
export function isWrittenAsPhone(text: string): boolean {
	return WRITTEN.test(text);
}

/**
 * The number within Brazil, with area code.
 * @param digits as written without +, which may begin with the country code or the trunk zero
 */
export function toNational(digits: string): string {
	return withoutTrunkZero(digits.length > 11 ? digits.replace(/^55/, '') : digits);
}

/** @param national digits behind the country code; in Brazil people dial a zero before the area code */
export function withoutTrunkZero(national: string): string {
	return national.replace(/^0(?=\d{10,11}$)/, '');
}

/**
 * Why a number cannot exist in Brazil, to follow "is a phone number": of eleven digits with area code
 * if mobile, of ten if landline.
 * @param national digits behind +55
 * @returns undefined if it can
 */
export function findPhoneFault(national: string): string | undefined {
	if (NATIONAL.test(national)) return undefined;
	const { length } = national;
	// Which of the two is too much nobody knows: +55 may have been put before it, or a digit typed twice.
	if (length > 11 && national.startsWith('55')) return 'with the country code 55 twice';
	if (length !== 10 && length !== 11) {
		return `with ${length} digits after +55, and ten or eleven are right: area code and number`;
	}
	if (!IN_USE.test(national)) {
		return `with the area code ${national.slice(0, 2)}, which does not exist in Brazil`;
	}
	if (length === 11) return 'with nine digits that do not begin with 9, as mobile numbers do';
	return 'with eight digits that do not begin with 2 to 5, as landline numbers do. In a mobile number, a 9 before them may be missing';
}
