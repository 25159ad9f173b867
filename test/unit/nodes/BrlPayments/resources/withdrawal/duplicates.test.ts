import type { LookUpReason } from '../../../../../../nodes/api/idempotency/lookUp';
import type { ApiRecord } from '../../../../../../nodes/api/schemas';
import {
	duplicateFound,
	findDuplicates,
	isUnclear,
} from '../../../../../../nodes/BrlPayments/resources/withdrawal/duplicates';
import { parsePayout } from '../../../../../../nodes/BrlPayments/resources/withdrawal/payout';

const SINCE = Date.parse('2026-11-20T12:00:00Z');
const PAYOUT = parsePayout({ amount: 100.5, pixKey: '529.982.247-25', recipientDocument: '' });

/** A withdrawal that pays the same; tests change one aspect. */
const ROW: ApiRecord = {
	id: 'withdrawal-1',
	netAmount: 100.5,
	grossAmount: 102,
	pixKey: '52998224725',
	status: 'PENDING',
	createdAt: '2026-11-21T11:00:00.000Z',
};
const isDuplicate = (changed: ApiRecord) =>
	findDuplicates([{ ...ROW, ...changed }], PAYOUT, SINCE).length === 1;

describe('a duplicate', () => {
	test('has the same net amount and PIX key', () => {
		expect(findDuplicates([ROW, { ...ROW, id: 'withdrawal-2' }], PAYOUT, SINCE)).toEqual([
			ROW,
			{ ...ROW, id: 'withdrawal-2' },
		]);
	});

	test.each<[string, ApiRecord]>([
		['is written with punctuation', { pixKey: '529.982.247-25' }],
		['is on its way', { status: 'PROCESSING' }],
		['has arrived', { status: 'COMPLETED' }],
		['has a status that nobody knows', { status: 'HELD' }],
		['was made at the very beginning of the period', { createdAt: '2026-11-20T12:00:00.000Z' }],
		['does not show when it was made', { createdAt: undefined }],
		['does not show its PIX key', { pixKey: null }],
		['shows its amount as text', { netAmount: '100.50' }],
		['shows no amount', { netAmount: undefined }],
		['shows an amount of null', { netAmount: null }],
		['shows an amount that can be read in two ways', { netAmount: '100.500' }],
		['shows neither amount nor PIX key', { netAmount: undefined, pixKey: undefined }],
		['shows its PIX key as a number', { pixKey: 52998224725 }],
	])('is one that %s', (_, changed) => {
		expect(isDuplicate(changed)).toBe(true);
	});

	test.each<[string, ApiRecord]>([
		['pays another amount', { netAmount: 100.51 }],
		['pays another amount, shown as text', { netAmount: '100.51' }],
		['shows no amount, but another PIX key', { netAmount: undefined, pixKey: '11144477735' }],
		['has this amount only with its fee', { netAmount: 99, grossAmount: 100.5 }],
		['goes to another PIX key', { pixKey: '11144477735' }],
		['goes to a key that is none', { pixKey: 'somebody' }],
		['has failed', { status: 'FAILED' }],
		['was cancelled', { status: 'CANCELLED' }],
		['was made before the period', { createdAt: '2026-11-20T11:59:59.999Z' }],
	])('is none that %s', (_, changed) => {
		expect(isDuplicate(changed)).toBe(false);
	});

	test('is found by an e-mail address in whatever case', () => {
		const payout = parsePayout({
			amount: 100.5,
			pixKey: 'Ana@Shop.example',
			recipientDocument: '',
		});
		const rows = [{ ...ROW, pixKey: 'ana@shop.EXAMPLE' }];
		expect(findDuplicates(rows, payout, SINCE)).toHaveLength(1);
	});
});

// Either is a valid key, and both have the digits 11987654021.
const AMBIGUOUS_CPF = '119.876.540-21';
const AMBIGUOUS_PHONE = '+5511987654021';

describe('a key that is shown as digits only', () => {
	const isFound = (wanted: string, shown: unknown, pixKeyType?: string) => {
		const payout = parsePayout({ amount: 100.5, pixKey: wanted, recipientDocument: '' });
		return findDuplicates([{ ...ROW, pixKey: shown, pixKeyType }], payout, SINCE).length === 1;
	};

	test.each<[string, unknown, string | undefined]>([
		[AMBIGUOUS_CPF, '11987654021', undefined],
		[AMBIGUOUS_CPF, '11987654021', 'CPF'],
		[AMBIGUOUS_CPF, '11987654021', 'DOCUMENT'],
		[AMBIGUOUS_CPF, '11987654021', 'EVP'],
		[AMBIGUOUS_CPF, 11987654021, 'CPF'],
		[AMBIGUOUS_CPF, '119.876.540-21', undefined],
		[AMBIGUOUS_PHONE, '11987654021', undefined],
		[AMBIGUOUS_PHONE, '11987654021', 'PHONE'],
		[AMBIGUOUS_PHONE, '5511987654021', 'PHONE'],
		[AMBIGUOUS_PHONE, '5511987654021', undefined],
		[AMBIGUOUS_PHONE, '(11) 98765-4021', undefined],
		[AMBIGUOUS_PHONE, '+55 11 98765-4021', undefined],
		['011.387.600-99', 1138760099, 'CPF'],
		['05.511.900/0010-08', 5511900001008, undefined],
	])('is found for %s: %p of type %p', (wanted, shown, type) => {
		expect(isFound(wanted, shown, type)).toBe(true);
	});

	test.each<[string, unknown, string | undefined]>([
		[AMBIGUOUS_CPF, '11987654021', 'PHONE'],
		[AMBIGUOUS_CPF, '11987654102', undefined],
		[AMBIGUOUS_CPF, '5511987654021', undefined],
		[AMBIGUOUS_CPF, '+5511987654021', undefined],
		[AMBIGUOUS_PHONE, '11987654021', 'CPF'],
		[AMBIGUOUS_PHONE, '11987654322', 'PHONE'],
		[AMBIGUOUS_PHONE, '119.876.540-21', undefined],
		['5511987654021@customer.example', '5511987654021', undefined],
		['11987654-0000-4000-8000-000000000021', '11987654000040008000000000000021', undefined],
	])('is not found for %s: %p of type %p', (wanted, shown, type) => {
		expect(isFound(wanted, shown, type)).toBe(false);
	});
});

describe('a row', () => {
	test('is clear that shows amount and PIX key', () => {
		expect(isUnclear(ROW)).toBe(false);
	});

	test.each<[string, boolean, ApiRecord]>([
		['shows its amount as text', false, { netAmount: '100.50' }],
		['shows ambiguous digits with their type', false, { pixKey: '11987654021', pixKeyType: 'CPF' }],
		['shows a key that is none', false, { pixKey: 'somebody' }],
		['shows no amount', true, { netAmount: null }],
		['shows no PIX key', true, { pixKey: undefined }],
		['shows a PIX key of blanks', true, { pixKey: ' ' }],
		['shows ambiguous digits without a type', true, { pixKey: '11987654021' }],
	])('that %s is unclear: %p', (_, unclear, changed) => {
		expect(isUnclear({ ...ROW, ...changed })).toBe(unclear);
	});
});

describe('what the item is stopped with', () => {
	const failureFor = (reason: LookUpReason, count = 1, days = 1) => {
		const rows = Array.from({ length: count }, (_, index) => ({ ...ROW, id: `id-${index + 1}` }));
		return duplicateFound(rows, PAYOUT, { reason, days }).failure;
	};

	test('names amount and period, the withdrawal, and how to pay all the same', () => {
		expect(failureFor('wanted')).toEqual({
			code: 'POSSIBLE_DUPLICATE',
			message:
				'There is a withdrawal of R$ 100,50 to this PIX key from the last 24 hours, so it was not paid again',
			description:
				'Its ID: id-1. Nothing was sent. If it is to be paid once more, switch off Options > Duplicate Guard for this item.',
			httpStatus: null,
			retryable: false,
			effect: 'none',
			withdrawalIds: ['id-1'],
		});
	});

	test('names all withdrawals', () => {
		const failure = failureFor('wanted', 2);
		expect(failure.message).toMatch(/^There are 2 withdrawals of/);
		expect(failure.description).toContain('Their IDs: id-1, id-2.');
		expect(failure.withdrawalIds).toEqual(['id-1', 'id-2']);
	});

	test('does not claim what the service does not show', () => {
		const rows = [ROW, { ...ROW, id: 'withdrawal-2', netAmount: undefined }];
		const { failure } = duplicateFound(rows, PAYOUT, { reason: 'wanted', days: 1 });
		expect(failure.message).toBe(
			'There are 2 withdrawals from the last 24 hours that may have paid R$ 100,50 to this PIX key, so it was not paid again',
		);
		expect(failure.description).toContain(
			'The service does not show clearly how much withdrawal-2 paid, or to whom.',
		);
		expect(failure.description).not.toContain('how much withdrawal-1');
	});

	test.each<[LookUpReason, number, string, string]>([
		['subExecution', 1, '24 hours', 'enter an Idempotency Key'],
		['retriedWithoutTrace', 14, '14 days', 'switch on Options > Allow Retry After 24 Hours'],
		['wantedInRetry', 2, '2 days', 'an earlier attempt of this very item'],
	])('says for %s that it may be the effect of a first attempt', (reason, days, period, remedy) => {
		const failure = failureFor(reason, 1, days);
		expect(failure.message).toContain(`from the last ${period}`);
		expect(failure.description).toContain(remedy);
		expect(failure.effect).toBe('unknown');
	});
});
