/**
 * How personal data is shown: enough for a person to recognize it, too little to use it. Each form
 * masked again stays as it is, so it does not matter how often a text is masked on its way.
 */

/** What counts as a place of a document: stars too, since a payer's bank may have masked a part. */
const NO_PLACE = /[^\p{L}\p{N}*]/gu;
const LETTER_OR_DIGIT = /[\p{L}\p{N}]/gu;

/**
 * A CPF as Brazilian public bodies show it, `***.456.789-**`, and a CNPJ as `**.***.678/0001-**`:
 * more of it could be completed by trying, as the last two digits follow from the others. Of
 * anything that is neither by its length, only length and punctuation stay.
 */
export function maskDocument(text: string): string {
	const places = Array.from(text.replace(NO_PLACE, ''));
	const show = (from: number, to: number) => places.slice(from, to).join('');
	if (places.length === 11) return `***.${show(3, 6)}.${show(6, 9)}-**`;
	if (places.length === 14) return `**.***.${show(5, 8)}/${show(8, 12)}-**`;
	return text.replace(LETTER_OR_DIGIT, '*');
}

/** `m***@example.com`; of a text without `@`, the first character. */
export function maskEmail(address: string): string {
	const at = address.lastIndexOf('@');
	const local = at === -1 ? address : address.slice(0, at);
	return maskLocalPart(local) + address.slice(local.length);
}

/** The part before the `@`. A single character is not shown, for it is all there is. */
export function maskLocalPart(local: string): string {
	const first = String.fromCodePoint(local.codePointAt(0) ?? 0);
	return local.length <= first.length || first === '*' ? '***' : `${first}***`;
}

/** `+55*******4321`: the country code, if there is one, and the last four digits. */
export function maskPhone(text: string): string {
	const total = text.match(/[\d*]/g)?.length ?? 0;
	const least = text.trimStart().startsWith('+') ? 2 : 0;
	const most = total < 8 ? total : total - 4;
	let place = 0;
	return text.replace(/[\d*]/g, (digit) => {
		place += 1;
		return place > least && place <= most ? '*' : digit;
	});
}
