import fc from 'fast-check';
import {
	looksLike,
	looksLikeOneOf,
	searchList,
	toContent,
} from '../../../../../nodes/BrlPayments/payouts/samePayout';
import type { Excerpt, Reading } from '../../../../../nodes/BrlPayments/ledger/accountList';
import type { ApiRecord } from '../../../../../nodes/shared/transport/schemas';
import { parsePixKey } from '../../../../../nodes/shared/validation/pixKey';

const SALT = 'instance-1';
const MARIA = parsePixKey('maria@customer.example');
const JOAO = parsePixKey('joao@customer.example');
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

describe('what a list says about a payout', () => {
	const reading = (rows: readonly ApiRecord[], changed: Partial<Excerpt> = {}): Reading => ({
		rows,
		isComplete: true,
		isTooLong: false,
		...changed,
	});
	const search = (given: Reading, others: readonly string[] = []) =>
		searchList(given, looksLike(CENTS, MARIA), (id) => others.includes(id));

	test('is that it is absent, where a complete list shows none that looks alike', () => {
		expect(search(reading([{ ...ROW, netAmount: 100.51 }]))).toEqual({ state: 'absent' });
		expect(search(reading([]))).toEqual({ state: 'absent' });
	});

	test('names those that look alike, and says of none that it is the one', () => {
		const rows = [ROW, { ...ROW, id: 'withdrawal-2', pixKey: null }, { ...ROW, netAmount: 7 }];

		expect(search(reading(rows))).toEqual({
			state: 'candidates',
			ids: ['withdrawal-1', 'withdrawal-2'],
		});
	});

	test('counts one whose ID is no text', () => {
		const id = { toString: {} };

		expect(search(reading([{ ...ROW, id }]))).toEqual({
			state: 'candidates',
			ids: ['{"toString":{}}'],
		});
	});

	test.each(['FAILED', 'CANCELLED'])('does not count one with status %s', (status) => {
		expect(search(reading([{ ...ROW, status }]))).toEqual({ state: 'absent' });
	});

	test('does not count one that surely belongs to another order', () => {
		expect(search(reading([ROW]), ['withdrawal-1'])).toEqual({ state: 'absent' });
		expect(search(reading([ROW, { ...ROW, id: 'withdrawal-2' }]), ['withdrawal-1'])).toEqual({
			state: 'candidates',
			ids: ['withdrawal-2'],
		});
	});

	test.each<[string, Partial<Excerpt>, boolean, string]>([
		['has gaps', { isComplete: false }, true, 'fewer rows than it counts'],
		['is too long', { isComplete: false, isTooLong: true }, false, 'newest 20,000 rows'],
	])('is nothing where it %s', (_, changed, retryable, why) => {
		expect(search(reading([], changed))).toEqual({
			state: 'unreadable',
			reason: expect.stringContaining(why) as string,
			retryable,
		});
	});

	test.each([true, false])('is nothing where it cannot be read; retryable: %o', (retryable) => {
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

describe('a row', () => {
	/** By amount and PIX key, and by their name alone: both must see the same. */
	const looks = (row: ApiRecord) => {
		const byName = looksLikeOneOf(new Set([toContent(CENTS, MARIA.value, SALT)]), SALT);
		expect(byName(row)).toBe(looksLike(CENTS, MARIA)(row));
		return byName(row);
	};

	test.each<[string, ApiRecord]>([
		['with its amount and PIX key', {}],
		['with its PIX key in another case', { pixKey: 'Maria@CUSTOMER.example' }],
		['with its amount as text', { netAmount: '100.50' }],
		['that shows no PIX key', { pixKey: null }],
		['that shows a masked PIX key', { pixKey: 'm***@customer.example' }],
		['in any state', { status: 'FAILED' }],
	])('%s looks like the payout', (_, changed) => {
		expect(looks({ ...ROW, ...changed })).toBe(true);
	});

	test.each<[string, ApiRecord]>([
		['with another amount', { netAmount: 100.51 }],
		['that has this amount only with its fee', { netAmount: 99, grossAmount: 100.5 }],
		['with another PIX key', { pixKey: 'joao@customer.example' }],
		['with another amount and no PIX key', { netAmount: 100.51, pixKey: null }],
		['with a PIX key that is none', { pixKey: 'somebody' }],
	])('%s does not', (_, changed) => {
		expect(looks({ ...ROW, ...changed })).toBe(false);
	});

	test('that shows no amount looks like it by PIX key, and by name like any payout', () => {
		const row = { ...ROW, netAmount: null };
		const byName = looksLikeOneOf(new Set([toContent(CENTS, JOAO.value, SALT)]), SALT);

		expect(looksLike(CENTS, MARIA)(row)).toBe(true);
		expect(looksLike(CENTS, JOAO)(row)).toBe(false);
		expect(byName(row)).toBe(true);
	});
});

describe('a row, compared with several payouts of which only the names are known', () => {
	const looks = looksLikeOneOf(
		new Set([toContent(CENTS, MARIA.value, SALT), toContent(7_000, JOAO.value, SALT)]),
		SALT,
	);

	test.each<[boolean, string, ApiRecord]>([
		[true, 'is the first one', {}],
		[true, 'is the second one', { netAmount: 70, pixKey: JOAO.value }],
		[false, 'has the amount of one and the PIX key of the other', { netAmount: 70 }],
		[true, 'has the amount of one, and shows no PIX key', { netAmount: 70, pixKey: null }],
		[false, 'has the amount of none, and shows no PIX key', { netAmount: 71, pixKey: null }],
	])('looks like one of them (%o) where it %s', (expected, _, changed) => {
		expect(looks({ ...ROW, ...changed })).toBe(expected);
	});

	test('looks like none where there are none', () => {
		expect(looksLikeOneOf(new Set(), SALT)(ROW)).toBe(false);
	});
});

test('a list that shows keys in any form misses by their names no payout that it shows', () => {
	const cpf = fc.constantFrom('529.982.247-25', '011.387.600-99', '119.876.540-21');
	const cnpj = fc.constantFrom('05.511.900/0010-08', '11.222.333/0001-81');
	const phone = fc.constantFrom('+5511987654021', '+55 11 98765-4321', '+5521912345678');
	const other = fc.constantFrom('Ana@Shop.example', 'abcdef54-0000-4000-8000-0000000000ff');
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
	const types = [undefined, 'CPF', 'CNPJ', 'PHONE', 'EMAIL', 'EVP'];
	const key = fc.oneof(cpf, cnpj, phone, other);
	fc.assert(
		fc.property(
			...[key, key],
			fc.constantFrom(...forms),
			fc.constantFrom(...types),
			(asked, shown, form, pixKeyType) => {
				const pixKey = parsePixKey(asked);
				const row = { ...ROW, pixKey: form(shown), pixKeyType };
				fc.pre(looksLike(CENTS, pixKey)(row));
				const names = new Set([toContent(CENTS, pixKey.value, SALT)]);
				expect(looksLikeOneOf(names, SALT)(row)).toBe(true);
			},
		),
		{ numRuns: 2_000 },
	);
});

describe('the name of a content', () => {
	const name = toContent(CENTS, MARIA.value, SALT);

	test('does not show the PIX key, and is the same each time', () => {
		expect(name).toMatch(/^10050-[\w-]{16}-[\w-]{4}$/);
		expect(toContent(CENTS, MARIA.value, SALT)).toBe(name);
	});

	test.each([
		['amount', toContent(CENTS + 1, MARIA.value, SALT)],
		['PIX key', toContent(CENTS, JOAO.value, SALT)],
		['n8n: nobody else can try all keys', toContent(CENTS, MARIA.value, 'instance-2')],
	])('is another one for another %s', (_, other) => {
		expect(other).not.toBe(name);
	});
});

describe('a content that cannot be compared', () => {
	test.each([
		['unknown, as where a person emptied the cell', '', true],
		[
			'named by an n8n with another ID, of the same amount',
			toContent(CENTS, JOAO.value, 'other'),
			true,
		],
		[
			'named by an n8n with another ID, of another amount',
			toContent(1, MARIA.value, 'other'),
			false,
		],
	])('looks like what it may be: %s', (_, content, isAlike) => {
		expect(looksLikeOneOf(new Set([content]), SALT)(ROW)).toBe(isAlike);
	});
});
