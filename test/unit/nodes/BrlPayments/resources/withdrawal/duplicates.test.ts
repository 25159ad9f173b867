import type { LookUpReason } from '../../../../../../nodes/api/idempotency/lookUp';
import type { ApiRecord } from '../../../../../../nodes/api/schemas';
import {
	duplicateFound,
	findDuplicates,
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
	])('is one that %s', (_, changed) => {
		expect(isDuplicate(changed)).toBe(true);
	});

	test.each<[string, ApiRecord]>([
		['pays another amount', { netAmount: 100.51 }],
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
