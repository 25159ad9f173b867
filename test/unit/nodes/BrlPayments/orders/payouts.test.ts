import fc from 'fast-check';
import {
	amountsOf,
	contentOf,
	contentsShown,
	hasStatus,
	isFailed,
	isSamePayout,
	looksLikeOneOf,
	PAYOUT,
	pixKeysShown,
	showsPixKey,
} from '../../../../../nodes/BrlPayments/orders/payouts';
import { parseReference } from '../../../../../nodes/shared/input/reference';
import type { ApiRecord } from '../../../../../nodes/shared/transport/schemas';
import { parsePixKey, type PixKey } from '../../../../../nodes/shared/input/pixKey';

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
	/** Of the payout itself, and of its content alone, which is all that the table keeps. */
	const look = (changed: ApiRecord) => {
		const row = { ...ROW, ...changed };
		return {
			isSame: isSamePayout(row, { cents: CENTS, pixKey: MARIA }),
			byContent: looksLikeOneOf(new Set([contentOf(CENTS, MARIA.value, SALT)]), SALT)(row),
		};
	};

	test.each<[string, ApiRecord]>([
		['with its amount and PIX key', {}],
		['with a masked PIX key', { pixKey: 'm***@customer.example' }],
		['with its amount as text', { netAmount: '100.50' }],
		['without an amount', { netAmount: undefined }],
		['with an amount that can be read in two ways', { netAmount: '100.500' }],
	])('%s is the payout, or may be', (_, changed) => {
		expect(look(changed)).toEqual({ isSame: true, byContent: true });
	});

	test.each<[string, ApiRecord]>([
		['with another amount as text', { netAmount: '100.51' }],
		['with this amount only with its fee', { netAmount: 99, grossAmount: 100.5 }],
		['with another PIX key', { pixKey: 'joao@customer.example' }],
		['with a PIX key that is none', { pixKey: 'somebody' }],
	])('%s is not', (_, changed) => {
		expect(look(changed)).toEqual({ isSame: false, byContent: false });
	});

	test('without an amount, but with another PIX key, may be any payout by its name alone', () => {
		expect(look({ netAmount: undefined, pixKey: JOAO.value })).toEqual({
			isSame: false,
			byContent: true,
		});
	});
});

test.each<[string, boolean, ApiRecord]>([
	['is the second one', true, { netAmount: 70, pixKey: JOAO.value }],
	['has the amount of one and the PIX key of the other', false, { netAmount: 70 }],
	['has the amount of one, and shows no PIX key', true, { netAmount: 70, pixKey: null }],
])('a row that %s looks like one of two payouts by their contents: %o', (_, expected, changed) => {
	const contents = [contentOf(CENTS, MARIA.value, SALT), contentOf(7_000, JOAO.value, SALT)];

	expect(looksLikeOneOf(new Set(contents), SALT)({ ...ROW, ...changed })).toBe(expected);
	expect(looksLikeOneOf(new Set(), SALT)({ ...ROW, ...changed })).toBe(false);
});

test.each([
	['PENDING', true],
	['COMPLETED', true],
	['HELD', true],
	[undefined, true],
	['FAILED', false],
	['CANCELLED', false],
])('with status %o the recipient receives the money: %o', (status, isMoneyOut) => {
	expect(isFailed({ ...ROW, status })).toBe(!isMoneyOut);
	const contents = new Set([contentOf(CENTS, MARIA.value, SALT)]);
	expect(looksLikeOneOf(contents, SALT)({ ...ROW, status })).toBe(isMoneyOut);
});

test.each([
	['CANCELLED', true],
	['completed', true],
	['HELD', false],
	[undefined, false],
])('%o is a status: %o', (status, isOne) => {
	expect(hasStatus({ status })).toBe(isOne);
});

test.each<[unknown, boolean]>([
	['maria@customer.example', true],
	[11987654021, true],
	['m***@customer.example', false],
	['  ', false],
	[null, false],
])('%o shows which PIX key was paid: %o', (pixKey, isShown) => {
	expect(showsPixKey({ pixKey })).toBe(isShown);
});

test.each<[string, unknown, string[]]>([
	['no PIX key', ' Somebody ', ['somebody']],
	['more than one random key', `x${'0'.repeat(32)}`, [`x${'0'.repeat(32)}`]],
	['digits of a document', '00-1.2/3', ['00000000123', '00000000000123', '+123', '+55123']],
])('%s stands for itself: %o', (_, pixKey, values) => {
	expect(pixKeysShown({ pixKey })).toEqual(values);
});

test('a row has the contents of each PIX key that it may show, and none without an amount', () => {
	const keys = pixKeysShown({ pixKey: '123' });
	const contents = keys.map((key) => contentOf(CENTS, key, SALT));

	expect(contentsShown({ ...ROW, pixKey: '123' }, SALT)).toEqual(contents);
	expect(contentsShown({ ...ROW, netAmount: null }, SALT)).toEqual([]);
});

test('its amounts have the names of Check Batch', () => {
	const row = { netAmount: 100.5, feeAmount: 1.5, grossAmount: 102 };
	expect(amountsOf(row)).toEqual({ amount: 100.5, fee: 1.5, total: 102 });
	expect(amountsOf({ netAmount: 100.5 })).toEqual({ amount: 100.5 });
});

describe('a key that is shown as digits only', () => {
	// Either is a valid key, and both have the digits 11987654021.
	const CPF = '119.876.540-21';
	const PHONE = '+5511987654021';
	const isFound = (wanted: string, pixKey: unknown, pixKeyType?: string) =>
		isSamePayout({ ...ROW, pixKey, pixKeyType }, { cents: CENTS, pixKey: parsePixKey(wanted) });

	test.each<[string, unknown, string?]>([
		[CPF, '11987654021'],
		[CPF, 11987654021, 'CPF'],
		[CPF, '119.876.540-21'],
		[PHONE, '11987654021'],
		[PHONE, '5511987654021'],
		[PHONE, '(11) 98765-4021'],
		['011.387.600-99', 1138760099, 'CPF'],
		['05.511.900/0010-08', 5511900001008],
		['abcdef54-0000-4000-8000-0000000000ff', 'ABCDEF540000400080000000000000FF', 'EVP'],
	])('is found for %s: %o of type %o', (wanted, shown, type) => {
		expect(isFound(wanted, shown, type)).toBe(true);
		expect(pixKeysShown({ ...ROW, pixKey: shown })).toContain(parsePixKey(wanted).value);
	});

	test.each<[string, unknown, string?]>([
		[CPF, '+5511987654021'],
		[PHONE, '11987654322', 'PHONE'],
		[PHONE, '119.876.540-21'],
		['5511987654021@customer.example', '5511987654021'],
	])('is not found for %s: %o of type %o', (wanted, shown, type) => {
		expect(isFound(wanted, shown, type)).toBe(false);
	});
});

test('a list that shows keys in any form misses by their contents no payout that it shows', () => {
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
			fc.pre(isSamePayout(row, { cents: CENTS, pixKey }));
			const contents = new Set([contentOf(CENTS, pixKey.value, SALT)]);
			expect(looksLikeOneOf(contents, SALT)(row)).toBe(true);
		}),
		{ numRuns: 2_000 },
	);
});

describe('the content of a payout', () => {
	const toContent = (cents = CENTS, pixKey = MARIA, salt = SALT) =>
		contentOf(cents, pixKey.value, salt);

	test('does not show the PIX key, and is another one for anything else', () => {
		expect(toContent()).toMatch(/^10050-[\w-]{16}-[\w-]{4}$/);
		expect(toContent()).toBe(toContent());
		expect(toContent(CENTS + 1)).not.toBe(toContent());
		expect(toContent(CENTS, JOAO)).not.toBe(toContent());
		// Nobody else can try all keys.
		expect(toContent(CENTS, MARIA, 'instance-2')).not.toBe(toContent());
	});

	test.each<[string, () => string, boolean]>([
		['unknown, as if a person emptied the cell', () => '', true],
		['of another n8n, and the same amount', () => toContent(CENTS, JOAO, 'other'), true],
		['of another n8n, and another amount', () => toContent(1, MARIA, 'other'), false],
	])('that cannot be compared looks like what it may be: %s', (_, content, isAlike) => {
		expect(looksLikeOneOf(new Set([content()]), SALT)(ROW)).toBe(isAlike);
	});
});

describe('as an order', () => {
	const request = {
		...{ path: '/v1/withdrawals', body: {}, identity: {}, read: () => undefined },
		payout: { cents: CENTS, pixKey: MARIA },
		reference: undefined as ReturnType<typeof parseReference>,
	};

	test.each<[boolean, ApiRecord, boolean]>([
		[true, {}, false],
		[false, { pixKey: JOAO.value }, true],
		// What the service hides, the ledger says.
		[true, { pixKey: 'm***@customer.example' }, true],
		[false, { pixKey: 'm***@customer.example' }, false],
		[false, { netAmount: 100.51, pixKey: null }, true],
	])('it is the item (%o) if %j, and the ledger says the same: %o', (isSame, changed, recorded) => {
		expect(PAYOUT.isSame({ ...ROW, ...changed }, request, recorded)).toBe(isSame);
	});

	test('the table shows its amount in reais, and hides its PIX key', () => {
		expect(PAYOUT.cellsOf(request)).toEqual({ amount: 100.5, pixKey: 'm***@customer.example' });
	});

	test.each([
		[undefined, true, { alreadyPaid: false }],
		[undefined, false, { alreadyPaid: true }],
		['NF-1042', false, { alreadyPaid: true, reference: 'NF-1042' }],
	])('with the reference %s, and new: %o, its item says so', (reference, isNew, said) => {
		const asked = { ...request, reference: parseReference(reference) };
		expect(PAYOUT.toOutput({ id: 'w1' }, asked, isNew, {})).toEqual({ id: 'w1', ...said });
	});
});
