import fc from 'fast-check';
import {
	hidesContent,
	isFailed,
	isLiving,
	isSamePayout,
	looksLike,
	looksLikeOneOf,
	pixKeysShown,
	searchList,
	toContent,
} from '../../../../../nodes/BrlPayments/payouts/samePayout';
import type { Excerpt, Reading } from '../../../../../nodes/BrlPayments/ledger/accountHistory';
import type { ApiRecord } from '../../../../../nodes/shared/transport/schemas';
import { parsePixKey, type PixKey } from '../../../../../nodes/shared/validation/pixKey';

const SALT = 'instance-1';
const MARIA: PixKey = { value: 'maria@customer.example', type: 'EMAIL' };
const JOAO: PixKey = { value: 'joao@customer.example', type: 'EMAIL' };
const CENTS = 10_050;

/** A withdrawal that pays R$ 100,50 to Maria; tests change one aspect. */
const ROW: ApiRecord = {
	id: 'withdrawal-1',
	netAmount: 100.5,
	grossAmount: 102,
	pixKey: 'maria@customer.example',
	status: 'PENDING',
	createdAt: '2026-11-21T11:00:00.000Z',
};

describe('a row of the list, and a payout', () => {
	/** Of the payout itself, and of its name alone, which is all that the table keeps. */
	const look = (changed: ApiRecord) => {
		const row = { ...ROW, ...changed };
		return {
			isSame: isSamePayout(row, { cents: CENTS, pixKey: MARIA }),
			byName: looksLikeOneOf(new Set([toContent(CENTS, MARIA.value, SALT)]), SALT)(row),
		};
	};

	test.each<[string, ApiRecord]>([
		['with its amount and PIX key', {}],
		['with its PIX key in another case', { pixKey: 'Maria@CUSTOMER.example' }],
		['in another state', { status: 'FAILED' }],
		['without a PIX key', { pixKey: null }],
		['with a masked PIX key', { pixKey: 'm***@customer.example' }],
		['with its amount as text', { netAmount: '100.50' }],
		['without an amount', { netAmount: undefined }],
		['with an amount of null', { netAmount: null }],
		['with an amount that can be read in two ways', { netAmount: '100.500' }],
		['with neither amount nor PIX key', { netAmount: undefined, pixKey: undefined }],
	])('%s is the payout, or may be', (_, changed) => {
		expect(look(changed)).toEqual({ isSame: true, byName: true });
		expect(looksLike(CENTS, MARIA)({ ...ROW, ...changed })).toBe(true);
	});

	test.each<[string, ApiRecord]>([
		['with another amount', { netAmount: 100.51 }],
		['with another amount as text', { netAmount: '100.51' }],
		['with this amount only with its fee', { netAmount: 99, grossAmount: 100.5 }],
		['with another PIX key', { pixKey: 'joao@customer.example' }],
		['with another amount and no PIX key', { netAmount: 100.51, pixKey: null }],
		['with a PIX key that is none', { pixKey: 'somebody' }],
	])('%s is not', (_, changed) => {
		expect(look(changed)).toEqual({ isSame: false, byName: false });
		expect(looksLike(CENTS, MARIA)({ ...ROW, ...changed })).toBe(false);
	});

	test('without an amount, but with another PIX key, may be any payout by its name alone', () => {
		const changed = { netAmount: undefined, pixKey: JOAO.value };

		expect(look(changed)).toEqual({ isSame: false, byName: true });
		expect(looksLike(CENTS, MARIA)({ ...ROW, ...changed })).toBe(false);
	});

	test.each<[string, boolean, ApiRecord]>([
		['amount and PIX key', false, {}],
		['its amount as text', false, { netAmount: '100.50' }],
		['a key that is none', false, { pixKey: 'somebody' }],
		['no amount', true, { netAmount: null }],
		['no PIX key', true, { pixKey: undefined }],
		['a PIX key of blanks', true, { pixKey: ' ' }],
		['digits that may be a document or a phone number', true, { pixKey: '11987654021' }],
	])('that shows %s hides its content: %o', (_, hides, changed) => {
		expect(hidesContent({ ...ROW, ...changed })).toBe(hides);
	});
});

test.each<[string, boolean, ApiRecord]>([
	['is the first one', true, {}],
	['is the second one', true, { netAmount: 70, pixKey: JOAO.value }],
	['has the amount of one and the PIX key of the other', false, { netAmount: 70 }],
	['has the amount of one, and shows no PIX key', true, { netAmount: 70, pixKey: null }],
	['has the amount of none, and shows no PIX key', false, { netAmount: 71, pixKey: null }],
])('a row that %s looks like one of two payouts by their names: %o', (_, expected, changed) => {
	const names = [toContent(CENTS, MARIA.value, SALT), toContent(7_000, JOAO.value, SALT)];

	expect(looksLikeOneOf(new Set(names), SALT)({ ...ROW, ...changed })).toBe(expected);
	expect(looksLikeOneOf(new Set(), SALT)({ ...ROW, ...changed })).toBe(false);
});

test.each([
	['PENDING', true],
	['PROCESSING', true],
	['COMPLETED', true],
	['HELD', true],
	[undefined, true],
	['FAILED', false],
	['CANCELLED', false],
])('with status %o the recipient receives the money: %o', (status, isMoneyOut) => {
	expect(isLiving({ ...ROW, status })).toBe(isMoneyOut);
	expect(isFailed({ ...ROW, status })).toBe(!isMoneyOut);
});

describe('a key that is shown as digits only', () => {
	// Either is a valid key, and both have the digits 11987654021.
	const CPF = '119.876.540-21';
	const PHONE = '+5511987654021';
	const isFound = (wanted: string, shown: unknown, pixKeyType?: string) =>
		isSamePayout(
			{ ...ROW, pixKey: shown, pixKeyType },
			{
				cents: CENTS,
				pixKey: parsePixKey(wanted),
			},
		);

	test.each<[string, unknown, string?]>([
		[CPF, '11987654021'],
		[CPF, '11987654021', 'CPF'],
		[CPF, '11987654021', 'PHONE'],
		[CPF, '11987654021', 'EVP'],
		[CPF, 11987654021, 'CPF'],
		[CPF, '119.876.540-21'],
		[PHONE, '11987654021'],
		[PHONE, '11987654021', 'PHONE'],
		[PHONE, '5511987654021'],
		[PHONE, '(11) 98765-4021'],
		[PHONE, '+55 11 98765-4021'],
		['011.387.600-99', 1138760099, 'CPF'],
		['011.387.600-99', '1138760099'],
		['05.511.900/0010-08', 5511900001008],
		['11987654-0000-4000-8000-000000000021', '11987654000040008000000000000021'],
		['abcdef54-0000-4000-8000-0000000000ff', 'ABCDEF540000400080000000000000FF', 'EVP'],
	])('is found for %s: %o of type %o', (wanted, shown, type) => {
		expect(isFound(wanted, shown, type)).toBe(true);
		expect(pixKeysShown({ ...ROW, pixKey: shown })).toContain(parsePixKey(wanted).value);
	});

	test.each<[string, unknown, string?]>([
		[CPF, '11987654102'],
		[CPF, '5511987654021'],
		[CPF, '+5511987654021'],
		[PHONE, '11987654322', 'PHONE'],
		[PHONE, '119.876.540-21'],
		['5511987654021@customer.example', '5511987654021'],
	])('is not found for %s: %o of type %o', (wanted, shown, type) => {
		expect(isFound(wanted, shown, type)).toBe(false);
	});
});

test('a list that shows keys in any form misses by their names no payout that it shows', () => {
	const keys = fc.constantFrom(
		...['529.982.247-25', '011.387.600-99', '119.876.540-21', '05.511.900/0010-08'],
		...['11.222.333/0001-81', '+5511987654021', '+55 11 98765-4321', '+5521912345678'],
		...['Ana@Shop.example', 'abcdef54-0000-4000-8000-0000000000ff'],
	);
	const forms: ReadonlyArray<(key: string) => unknown> = [
		(key) => key,
		(key) => key.toUpperCase(),
		(key) => ` ${key} `,
		(key) => key.replace(/\D/g, ''),
		(key) => Number(key.replace(/\D/g, '')),
		(key) => key.replace(/\D/g, '').replace(/^55/, ''),
		(key) => key.replace(/\D/g, '').replace(/^0+/, ''),
		(key) => key.replaceAll('-', ''),
		(key) => `${key.slice(0, 3)}***`,
		() => undefined,
	];
	const types = fc.constantFrom(undefined, 'CPF', 'CNPJ', 'PHONE', 'EMAIL', 'EVP');
	fc.assert(
		fc.property(keys, keys, fc.constantFrom(...forms), types, (asked, shown, form, pixKeyType) => {
			const pixKey = parsePixKey(asked);
			const row = { ...ROW, pixKey: form(shown), pixKeyType };
			fc.pre(looksLike(CENTS, pixKey)(row));
			const names = new Set([toContent(CENTS, pixKey.value, SALT)]);
			expect(looksLikeOneOf(names, SALT)(row)).toBe(true);
		}),
		{ numRuns: 2_000 },
	);
});

describe('the name of a content', () => {
	const toName = (cents = CENTS, pixKey = MARIA, salt = SALT) =>
		toContent(cents, pixKey.value, salt);

	test('does not show the PIX key, and is another one for anything else', () => {
		expect(toName()).toMatch(/^10050-[\w-]{16}-[\w-]{4}$/);
		expect(toName()).toBe(toName());
		expect(toName(CENTS + 1)).not.toBe(toName());
		expect(toName(CENTS, JOAO)).not.toBe(toName());
		// Nobody else can try all keys.
		expect(toName(CENTS, MARIA, 'instance-2')).not.toBe(toName());
	});

	test.each<[string, () => string, boolean]>([
		['unknown, as if a person emptied the cell', () => '', true],
		['of another n8n, and the same amount', () => toName(CENTS, JOAO, 'other'), true],
		['of another n8n, and another amount', () => toName(1, MARIA, 'other'), false],
	])('that cannot be compared looks like what it may be: %s', (_, name, isAlike) => {
		expect(looksLikeOneOf(new Set([name()]), SALT)(ROW)).toBe(isAlike);
	});
});

describe('what a list says about a payout', () => {
	const reading = (rows: readonly ApiRecord[], changed: Partial<Excerpt> = {}): Reading => ({
		rows,
		isComplete: true,
		isTooLong: false,
		...changed,
	});
	const search = (given: Reading, others: readonly string[] = []) =>
		searchList(given, looksLike(CENTS, MARIA), (id) => others.includes(id));
	const SECOND = { ...ROW, id: 'withdrawal-2' };

	test.each<[string, ApiRecord[], string[], others?: string[]]>([
		['an empty one', [], []],
		['one with another amount', [{ ...ROW, netAmount: 100.51 }], []],
		['one that failed', [{ ...ROW, status: 'FAILED' }], []],
		['one that was cancelled', [{ ...ROW, status: 'CANCELLED' }], []],
		['one that certainly belongs to another order', [ROW], [], ['withdrawal-1']],
		['a second one', [ROW, SECOND], ['withdrawal-2'], ['withdrawal-1']],
		[
			'two that look alike',
			[ROW, { ...SECOND, pixKey: null }, { ...ROW, netAmount: 7 }],
			['withdrawal-1', 'withdrawal-2'],
		],
		['an ID that is no text', [{ ...ROW, id: { toString: {} } }], ['{"toString":{}}']],
	])('that shows %s', (_, rows, ids, others) => {
		const expected = ids.length === 0 ? { state: 'absent' } : { state: 'candidates', ids };
		expect(search(reading(rows), others)).toEqual(expected);
	});

	test.each<[string, Partial<Excerpt>, boolean, string]>([
		['has gaps', { isComplete: false }, true, 'fewer rows than it counts'],
		['is too long', { isComplete: false, isTooLong: true }, false, 'newest 20,000 rows'],
	])('is nothing if it %s', (_, changed, retryable, why) => {
		expect(search(reading([], changed))).toEqual({
			state: 'unreadable',
			reason: expect.stringContaining(why) as string,
			retryable,
		});
	});

	test.each([true, false])('is nothing if it cannot be read; retryable: %o', (retryable) => {
		const failure = {
			code: 'FORBIDDEN',
			message: 'The API key lacks a scope',
			description: 'Give it the scope withdrawals:read.',
			httpStatus: 403,
			retryable,
			effect: 'none',
		} as const;

		expect(search({ failure })).toEqual({
			state: 'unreadable',
			reason:
				'The list of withdrawals cannot be read: The API key lacks a scope. Give it the scope withdrawals:read.',
			retryable,
		});
	});
});
