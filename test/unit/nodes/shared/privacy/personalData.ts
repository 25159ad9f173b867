import fc from 'fast-check';
import { isCnpj, isCpf } from '../../../../../nodes/shared/brazil/checkDigits';

/** The two last places of a document, found by trying, so that the code under test is not asked how. */
function completed(head: string, isValid: (text: string) => boolean): string | undefined {
	for (let digits = 0; digits < 100; digits += 1) {
		const candidate = head + String(digits).padStart(2, '0');
		if (isValid(candidate)) return candidate;
	}
	return undefined;
}

const isText = (text: string | undefined): text is string => text !== undefined;
const LETTERS_AND_DIGITS = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ';
const chain = (characters: string, length: number) =>
	fc.string({ unit: fc.constantFrom(...characters), minLength: length, maxLength: length });
const digits = (length: number) => chain('0123456789', length);
const base36 = (length: number) => chain(LETTERS_AND_DIGITS, length);

/** A document as it is kept, and as it is written. */
interface Written {
	readonly bare: string;
	readonly text: string;
}

const cpf: fc.Arbitrary<Written> = fc
	.tuple(
		digits(9)
			.map((head) => completed(head, isCpf))
			.filter(isText),
		fc.constantFrom('$1$2$3$4', '$1.$2.$3-$4'),
	)
	.map(([bare, form]) => ({
		bare,
		text: bare.replace(/^(...)(...)(...)(..)$/, form),
	}));

const cnpj: fc.Arbitrary<Written> = fc
	.tuple(
		fc
			.oneof(digits(12), base36(12))
			.map((head) => completed(head, isCnpj))
			.filter(isText),
		fc.constantFrom('$1$2$3$4$5', '$1.$2.$3/$4-$5'),
		fc.boolean(),
	)
	.map(([bare, form, isLower]) => {
		const text = bare.replace(/^(..)(...)(...)(....)(..)$/, form);
		return { bare, text: isLower ? text.toLowerCase() : text };
	});

const email: fc.Arbitrary<Written> = fc
	.emailAddress()
	// What is all asterisks looks masked, and stays.
	.filter((address) => /^(?!\*+@)[\w.!#$%'*+^`{|}~-]{2,}@/.test(address))
	.map((address) => ({ bare: address, text: address }));

/** A valid CPF, CNPJ or e-mail address, written in one of the usual ways. */
export const personal = fc.oneof(cpf, cnpj, email);

/** Ids, codes and amounts, as the service and this package write them. */
export const identifier: fc.Arbitrary<string> = fc.oneof(
	fc.uuid(),
	chain('0123456789ABCDEF', 32).map((text) => `PAY${text}`),
	fc
		.tuple(fc.date({ noInvalidDate: true, min: new Date(1.5e12), max: new Date(2e12) }), base36(5))
		.map(([date, tail]) => `WIT${date.getTime()}${tail}`),
	fc.tuple(digits(20), base36(11)).map((parts) => `E${parts.join('')}`),
	base36(14).map((text) => `cus_${text.toLowerCase()}`),
	chain(`${LETTERS_AND_DIGITS}-_`, 43).map((text) => `n8n-${text}`),
	chain(`${LETTERS_AND_DIGITS}-_`, 16).map((text) => `auto-${text}`),
	fc
		.date({ noInvalidDate: true, min: new Date(0), max: new Date(4e12) })
		.map((date) => date.toISOString()),
	fc.nat({ max: 1e11 }).map((cents) => (cents / 100).toFixed(2)),
	digits(47),
	fc
		.tuple(digits(5), digits(5), digits(5), digits(6), digits(5), digits(6), digits(1), digits(14))
		.map(([a, b, c, d, e, f, g, h]) => `${a}.${b} ${c}.${d} ${e}.${f} ${g} ${h}`),
);

/** Text that can stand around any of these without becoming a part of it. */
export const around = fc.constantFrom(
	...['', ' ', 'CPF: ', '<td>', '</td>', '\n', 'pago por ', '"', ', ', ';', '(ção) '],
);
