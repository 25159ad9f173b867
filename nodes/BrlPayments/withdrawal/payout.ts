import { parseReference, type Reference } from '../../shared/input/reference';
import { InputError } from '../../shared/input/inputError';
import { formatReais, parseReais, type Cents } from '../../shared/input/money';
import { readPixCode, type PixCode } from '../../shared/input/pixCode';
import { checkPixKeyType, parsePixKey, type PixKey } from '../../shared/input/pixKey';
import { parsePixKeyType, type PixKeyTypes } from '../../shared/input/pixKeyType';
import { parseTaxDocument, type TaxDocument } from '../../shared/input/taxDocument';
import { optionalText } from '../../shared/input/text';
import type { ItemCall } from '../item';
import { changesLater } from '../unfitNames';

/** Validation bounds of POST /v1/withdrawals (docs/api.md#limits), in centavos. The account's own are narrower. */
const LEAST_WITHDRAWAL = 1_000;
const LARGEST_WITHDRAWAL = 100_000_000;

/** One payout as the user entered it, checked and in canonical form. */
export interface Payout {
	/** What the recipient receives. */
	readonly amount: Cents;
	readonly pixKey: PixKey;
	readonly document: TaxDocument | undefined;
	/** The PIX code that was entered in place of a key. */
	readonly code?: PixCode | undefined;
}

/** A payout as read from the parameters of the node, unchecked. */
interface GivenPayout {
	readonly amount: unknown;
	readonly pixKey: unknown;
	/** As the list says it, for example `telefone`; see `parsePixKeyType`. Absent: read from the key. */
	readonly pixKeyType?: unknown;
	readonly recipientDocument: unknown;
}

/** What is wrong with one part, under the code that the server would refuse it with, if there is one. */
interface PayoutProblem {
	readonly code: string;
	readonly error: InputError;
}

/**
 * The reference that an item has for its payout.
 * @returns undefined if the field is empty
 * @throws InputError for an expression that returns nothing, and what is no reference
 */
export function readReference(call: ItemCall): Reference | undefined {
	const given = call.parameter('reference', '');
	call.enteredName(call.rawParameters.reference, given, 'Reference');
	const reference = parseReference(given, call.inputJson);
	if (reference && changesLater(call.rawParameters.reference)) call.hint(CHANGES_LATER);
	return reference;
}

const CHANGES_LATER =
	'This reference contains the time, the ID of the run, or several rows that Summarize has put together. A later run, such as one that finishes this list next month, does not recognize what was paid, and pays it again. Use only what is in the row, such as the invoice number, or a name and a column with the month.';

/** The payout that an item asks for, as it was entered. */
export function givenPayout(call: ItemCall): GivenPayout {
	return {
		amount: call.parameter('amount', ''),
		pixKey: call.parameter('pixKey'),
		// Not read as a choice: a column says it in words of its own.
		pixKeyType: call.evaluated('pixKeyType', ''),
		recipientDocument: call.parameter('recipientDocument', ''),
	};
}

/** Checks everything about a payout that needs no server, and finds all problems, not just the first. */
export function readPayout(
	given: GivenPayout,
): { payout: Payout } | { problems: [PayoutProblem, ...PayoutProblem[]] } {
	if (isEmpty(given.amount) && isEmpty(given.pixKey)) return { problems: [EMPTY_ROW] };
	const problems: PayoutProblem[] = [];
	const read = <T>(code: string, parse: () => T): T | undefined => {
		try {
			return parse();
		} catch (error) {
			problems.push({ code, error: asInputError(error) });
			return undefined;
		}
	};
	const code = read('INVALID_PIX_KEY', () => readPixCode(given.pixKey));
	const isUnreadableCode = problems.length > 0;
	const amount = read('INVALID_AMOUNT', () =>
		isUnreadableCode && isEmpty(given.amount) ? undefined : readAmount(given.amount, code),
	);
	if (amount !== undefined) problems.push(...problemsOfAmount(amount));
	const types = read('INVALID_PIX_KEY', () => parsePixKeyType(given.pixKeyType));
	const pixKey =
		isUnreadableCode || types === undefined
			? undefined
			: read('INVALID_PIX_KEY', () => readPixKey(given.pixKey, types, code));
	const document = read('INVALID_RECIPIENT_DOCUMENT', () => parseDocument(given.recipientDocument));
	if (pixKey && document && differs(pixKey, document)) problems.push(DOCUMENT_MISMATCH);

	const [first, ...others] = problems;
	if (first) return { problems: [first, ...others] };
	if (amount === undefined || pixKey === undefined) throw new TypeError('A part was not read');
	return { payout: { amount, pixKey, document, code } };
}

/**
 * One payout that is about to be made.
 * @throws InputError with the first problem, for what the server would certainly refuse
 */
export function parsePayout(given: GivenPayout): Payout {
	const reading = readPayout(given);
	if ('problems' in reading) throw reading.problems[0].error;
	return reading.payout;
}

/** The recipient as the PIX code names it, for the output. */
export function recipientOfCode({ code }: Payout): {
	recipientName?: string;
	recipientCity?: string;
} {
	return code === undefined
		? {}
		: { recipientName: code.recipientName, recipientCity: code.recipientCity };
}

/** The document as far as it adds anything: one that repeats a CPF or CNPJ key does not. */
export function documentOfPayout({ pixKey, document }: Payout): string | undefined {
	return document?.value === pixKey.value ? undefined : document?.value;
}

/** A PIX code may contain the amount; one that is entered beside it must agree. */
function readAmount(given: unknown, code: PixCode | undefined): Cents {
	if (code !== undefined && isEmpty(given)) {
		if (code.amount !== undefined) return code.amount;
		throw new InputError(
			'Amount is empty, and the PIX code in PIX Key contains no amount',
			'Ask the recipient how much to pay, and enter it in Amount.',
		);
	}
	if (code?.amount === undefined) return parseReais(given);
	const entered = parseReais(given);
	if (entered === code.amount) return entered;
	throw new InputError(
		`Amount is ${formatReais(entered)}, but the PIX code in PIX Key is for ${formatReais(code.amount)}`,
		'Leave Amount empty to pay what the code says. To pay another amount, ask the recipient for the PIX key.',
	);
}

function readPixKey(given: unknown, types: PixKeyTypes, code: PixCode | undefined): PixKey {
	if (code === undefined) return parsePixKey(given, types);
	checkPixKeyType(code.pixKey, types);
	return code.pixKey;
}

function problemsOfAmount(amount: Cents): PayoutProblem[] {
	if (amount >= LEAST_WITHDRAWAL && amount <= LARGEST_WITHDRAWAL) return [];
	const isBelow = amount < LEAST_WITHDRAWAL;
	return [
		{
			// The upper bound is one of validation (docs/api.md#limits), no limit of the account.
			code: isBelow ? 'WITHDRAWAL_BELOW_MINIMUM' : 'VALIDATION_ERROR',
			error: new InputError(
				`Amount ${formatReais(amount)} is ${isBelow ? 'below' : 'above'} what a withdrawal can be`,
				`Enter an amount from ${formatReais(LEAST_WITHDRAWAL)} to ${formatReais(LARGEST_WITHDRAWAL)}.`,
			),
		},
	];
}

function parseDocument(value: unknown): TaxDocument | undefined {
	return optionalText(value, 'Recipient Document') === undefined
		? undefined
		: parseTaxDocument(value, 'Recipient Document');
}

/**
 * Neither a document nor the key says whose the key is: the service then uses the document of the
 * account that pays (docs/api.md#create-a-withdrawal).
 */
export function lacksDocument({ pixKey, document }: Payout): boolean {
	return document === undefined && !isDocument(pixKey);
}

function isDocument({ type }: PixKey): boolean {
	return type === 'CPF' || type === 'CNPJ';
}

function differs(pixKey: PixKey, document: TaxDocument): boolean {
	return isDocument(pixKey) && document.value !== pixKey.value;
}

const DOCUMENT_MISMATCH: PayoutProblem = {
	code: 'RECIPIENT_DOCUMENT_MISMATCH',
	error: new InputError(
		'Recipient Document differs from the CPF or CNPJ that is the PIX key',
		"Leave 'Recipient Document' empty when the PIX key is itself a CPF or CNPJ, or correct the one that is wrong.",
	),
};

function isEmpty(value: unknown): boolean {
	return value === undefined || value === null || (typeof value === 'string' && !value.trim());
}

const EMPTY_ROW: PayoutProblem = {
	code: 'INVALID_AMOUNT',
	error: new InputError(
		'This row has neither an amount nor a PIX key',
		'If somebody is to be paid by it, fill in both, or check which columns the fields Amount and PIX Key read. Otherwise remove the row.',
	),
};

function asInputError(error: unknown): InputError {
	if (error instanceof InputError) return error;
	return new InputError(
		error instanceof Error ? error.message : 'This value cannot be read',
		'Check the expression that provides it.',
	);
}
