import type { IDataObject, INodeProperties } from 'n8n-workflow';
import type { PaidContent } from '../orderRequest';
import { InputError } from '../../shared/input/inputError';
import { formatReais, parseReais, type Cents } from '../../shared/input/money';
import { readPixCode } from '../../shared/input/pixCode';
import { parsePixKey } from '../../shared/input/pixKey';
import { maskPixKey } from '../../shared/privacy/value';
import { omitUndefined } from '../../shared/text/omitUndefined';
import { textField } from '../editor/fields';

const LARGEST_AMOUNT = 'Largest Amount';
const LARGEST_TOTAL = 'Largest Total';
const ALLOWED_PIX_KEYS = 'Allowed PIX Keys';
const WHEN_OVER_LIMIT = 'When Over Limit';

const allowedPixKeys = textField(ALLOWED_PIX_KEYS, 'allowedPixKeys', {
	typeOptions: { rows: 4 },
	noDataExpression: true,
	placeholder: 'e.g. +5511987654321',
	description:
		'The only PIX keys that may be paid, one per line. A static PIX code (copia e cola) stands for its key. Takes no expressions, so neither the items nor an agent can change it.',
});

const largestAmount = textField(LARGEST_AMOUNT, 'largestAmount', {
	noDataExpression: true,
	placeholder: 'e.g. 1.000,00',
	description:
		'The largest amount of one payout, in reais. Takes no expressions, so neither the items nor an agent can increase it.',
});

const largestTotal = textField(LARGEST_TOTAL, 'largestTotal', {
	noDataExpression: true,
	placeholder: 'e.g. 10.000,00',
	description:
		'The largest total of all payouts of one execution, in reais and without fees. All rounds of a loop count together; each call of a called workflow counts alone. Takes no expressions, so neither the items nor an agent can increase it.',
});

/**
 * Limits that a person sets in the editor. They take no expressions: what an item or an agent says
 * must not increase them.
 */
export const payoutLimitOptions: INodeProperties[] = [
	allowedPixKeys,
	largestAmount,
	largestTotal,
	{
		displayName: WHEN_OVER_LIMIT,
		name: 'whenOverLimit',
		type: 'options',
		noDataExpression: true,
		default: 'refuseAll',
		description:
			"What to do when a payout exceeds 'Largest Amount' or 'Largest Total', or its PIX key is not in 'Allowed PIX Keys'",
		options: [
			{
				name: 'Refuse All',
				value: 'refuseAll',
				description: 'Send nothing in this run of the node',
			},
			{
				name: 'Refuse Item',
				value: 'refuseItem',
				description: 'Refuse only the items over a limit, and pay the others',
			},
		],
	},
];

const TOOL_LIMITS = [largestAmount, largestTotal, allowedPixKeys];

/** The same limits as separate fields, so that nobody who builds a tool for an agent overlooks them. */
export const toolLimitFields: INodeProperties[] = TOOL_LIMITS.map((field) => ({
	...field,
	displayOptions: { show: { '@tool': [true] } },
	hint: 'Empty means no limit',
}));

/** What the person who built the workflow allows. Absent limits allow everything. */
export interface PayoutLimits {
	/** Per payout. */
	readonly largestAmount?: Cents | undefined;
	/** All payouts of one execution. */
	readonly largestTotal?: Cents | undefined;
	/** In canonical form, see `PixKey`. */
	readonly allowedPixKeys?: ReadonlySet<string> | undefined;
	readonly refuses: 'all' | 'item';
}

/**
 * The limits of a node: those among its options, and the fields of a tool, where an empty field is
 * no limit. If both are set, both apply.
 *
 * @param parameters raw, as saved with the node
 * @throws InputError that names the limit
 */
export function parseNodeLimits(parameters: IDataObject): PayoutLimits {
	const fields = TOOL_LIMITS.map(({ name }) => [name, parameters[name]] as const);
	const filled = fields.filter(([, value]) => value !== undefined && value !== '');
	const options = parsePayoutLimits(parameters.options);
	const tool = parsePayoutLimits(Object.fromEntries(filled));
	return {
		largestAmount: smaller(options.largestAmount, tool.largestAmount),
		largestTotal: smaller(options.largestTotal, tool.largestTotal),
		allowedPixKeys: inBoth(options.allowedPixKeys, tool.allowedPixKeys),
		refuses: options.refuses,
	};
}

function smaller(one: Cents | undefined, other: Cents | undefined): Cents | undefined {
	return one === undefined || other === undefined ? (one ?? other) : Math.min(one, other);
}

type Keys = PayoutLimits['allowedPixKeys'];

function inBoth(one: Keys, other: Keys): Keys {
	if (one === undefined || other === undefined) return one ?? other;
	return new Set([...one].filter((key) => other.has(key)));
}

/**
 * Reads the limits once for a run. Each limit that is present must be readable: one that was
 * entered and cannot be read never counts as absent.
 *
 * @param options raw, as saved with the node (`getNode().parameters.options`): amounts in reais
 * @throws InputError that names the option
 */
export function parsePayoutLimits(options: unknown): PayoutLimits {
	if (options === undefined) return { refuses: 'all' };
	if (typeof options !== 'object' || options === null || Array.isArray(options)) {
		throw new InputError(
			'Options cannot be read, so it is not known which limits apply',
			'Remove the Options of this node and add them again.',
		);
	}
	const given = options as Record<string, unknown>;
	const read = <T>(name: string, label: string, parse: (value: unknown, label: string) => T) => {
		const value = given[name];
		if (value === undefined) return undefined;
		if (!isExpression(value)) return parse(value, label);
		throw new InputError(
			`${label} is an expression, and limits take none`,
			`Items and agents must not be able to change a limit. Enter a fixed value in ${label}, or remove the limit.`,
		);
	};
	return omitUndefined({
		largestAmount: read('largestAmount', LARGEST_AMOUNT, parseAmount),
		largestTotal: read('largestTotal', LARGEST_TOTAL, parseAmount),
		allowedPixKeys: read('allowedPixKeys', ALLOWED_PIX_KEYS, parseKeys),
		refuses: parseRefuses(given.whenOverLimit),
	});
}

/** As entered, or without the `=` that n8n strips from fields that take no expressions. */
function isExpression(value: unknown): boolean {
	return typeof value === 'string' && (value.startsWith('=') || value.includes('{{'));
}

function parseAmount(value: unknown, label: string): Cents {
	const cents = tryParse(() => parseReais(value, label));
	if (!(cents instanceof InputError)) return cents;
	throw new InputError(
		cents.message,
		`${label} is a limit, so nothing is sent until it can be read. Enter an amount in reais, for example 1.000,00, or remove the limit.`,
	);
}

function parseKeys(value: unknown): ReadonlySet<string> {
	if (typeof value !== 'string') {
		throw new InputError(
			`${ALLOWED_PIX_KEYS} is not text`,
			`Enter the PIX keys in ${ALLOWED_PIX_KEYS}, one per line, or remove the limit.`,
		);
	}
	const keys = value
		.split(LINE_BREAK)
		.map((line, index) => ({ line: line.trim(), number: index + 1 }))
		.filter(({ line }) => line !== '')
		.map(({ line, number }) => parseKey(line, number));
	if (keys.length === 0) {
		throw new InputError(
			`${ALLOWED_PIX_KEYS} is empty`,
			`Enter the PIX keys in ${ALLOWED_PIX_KEYS}, one per line, or remove the limit to allow every key.`,
		);
	}
	return new Set(keys);
}

const LINE_BREAK = /\r\n|[\n\r\u2028\u2029]/;

/** @param number of the line, from 1 as editors count */
function parseKey(line: string, number: number): string {
	const key = tryParse(() => readPixCode(line)?.pixKey ?? parsePixKey(line));
	if (!(key instanceof InputError)) return key.value;
	throw new InputError(
		`${ALLOWED_PIX_KEYS}, line ${number}: ${key.message}`,
		`Enter one PIX key per line in ${ALLOWED_PIX_KEYS}. ${key.remedy}`,
	);
}

/** What `parse` makes of a value, or why it refuses the value. */
function tryParse<T>(parse: () => T): T | InputError {
	try {
		return parse();
	} catch (error) {
		if (error instanceof InputError) return error;
		return new InputError('A limit cannot be read', 'Enter it again.');
	}
}

function parseRefuses(value: unknown): PayoutLimits['refuses'] {
	if (value === undefined || value === 'refuseAll') return 'all';
	if (value === 'refuseItem') return 'item';
	throw new InputError(
		`${WHEN_OVER_LIMIT} must be Refuse All or Refuse Item`,
		`Choose one of them in ${WHEN_OVER_LIMIT}, or remove the limit.`,
	);
}

/** A payout that is to be sent, and the row that it comes from, counted from 1. */
export interface LimitedPayout extends PaidContent {
	readonly row: number;
}

/**
 * Which payouts the limits stop, before any of them is sent. They count in order: one that does not fit is left
 * out, and a later one may fit again. If all are refused, those over a limit say why, and the others name the
 * first of them.
 *
 * @param alreadyCents what this execution has sent before
 * @returns for each payout the error that stops it, or undefined
 */
export function checkLimits(
	payouts: readonly LimitedPayout[],
	limits: PayoutLimits,
	alreadyCents: Cents,
): Array<InputError | undefined> {
	let total = alreadyCents;
	const errors = payouts.map((payout) => {
		const error = checkAlone(payout, limits) ?? checkTotal(payout, limits, total);
		if (error === undefined) total += payout.cents;
		return error;
	});
	const over = payouts.filter((_, index) => errors[index] !== undefined);
	if (limits.refuses === 'item' || over.length === 0) return errors;
	return payouts.map((payout, index) => errors[index] ?? notSentFor(over, payout));
}

function checkAlone({ cents, pixKey }: PaidContent, limits: PayoutLimits) {
	const { largestAmount, allowedPixKeys } = limits;
	if (largestAmount !== undefined && !(cents <= largestAmount)) {
		return new InputError(
			`The amount of ${formatReais(cents)} exceeds ${LARGEST_AMOUNT}, which is ${formatReais(largestAmount)}`,
			`Correct the amount. If it is right, ask the person who set ${LARGEST_AMOUNT} to increase it.`,
		);
	}
	if (allowedPixKeys !== undefined && !allowedPixKeys.has(pixKey.value)) {
		const count = allowedPixKeys.size === 1 ? '1 key' : `${allowedPixKeys.size} keys`;
		return new InputError(
			`The PIX key "${maskPixKey(pixKey.value)}" of this payout of ${formatReais(cents)} is not in ${ALLOWED_PIX_KEYS} (${count})`,
			`Correct the PIX key. If it is right, ask the person who set ${ALLOWED_PIX_KEYS} to add it.`,
		);
	}
	return undefined;
}

function checkTotal({ cents }: PaidContent, { largestTotal }: PayoutLimits, alreadyCents: Cents) {
	const total = alreadyCents + cents;
	if (largestTotal === undefined || total <= largestTotal) return undefined;
	return new InputError(
		`This payout of ${formatReais(cents)} would bring the total of this execution to ${formatReais(total)}, which exceeds ${LARGEST_TOTAL} (${formatReais(largestTotal)})`,
		`Check the amounts, or pay fewer items in one execution. If all are right, ask the person who set ${LARGEST_TOTAL} to increase it.`,
	);
}

/** @param over those over a limit, at least one */
function notSentFor(over: readonly LimitedPayout[], { cents }: PaidContent): InputError {
	const row = `row ${over[0]?.row}`;
	const which =
		over.length === 1
			? `${row} is over a limit`
			: `${row} and ${over.length - 1} more are over a limit`;
	return new InputError(
		`This payout of ${formatReais(cents)} was not sent, because ${which}`,
		`Read the message of ${row}, and correct the row. To still pay the rows that are within the limits, choose Refuse Item in ${WHEN_OVER_LIMIT}.`,
	);
}
