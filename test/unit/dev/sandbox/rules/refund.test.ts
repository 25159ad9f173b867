import { judgeRefund, type RefundCase } from '../../../../../dev/sandbox/rules/refund';

describe('refund', () => {
	const paid: RefundCase = {
		environment: 'PRODUCTION',
		status: 'PAID',
		method: 'PIX',
		submittedCents: 10_002,
		remainingCents: 10_002,
		requestedCents: null,
		refunds: [],
		unsupportedMethods: [],
		availableCents: 10_002,
	};

	test('all of a paid payment, with the amount or without; cents .02 mean nothing in production', () => {
		expect(judgeRefund(paid)).toBeNull();
		expect(judgeRefund({ ...paid, requestedCents: 10_002 })).toBeNull();
	});

	test('all that remains of a payment that was refunded in part, and nothing else', () => {
		const part: RefundCase = {
			...paid,
			status: 'PARTIAL_REFUND',
			remainingCents: 4_000,
			refunds: [{ status: 'COMPLETED' }],
		};

		expect(judgeRefund(part)).toBeNull();
		expect(judgeRefund({ ...part, requestedCents: 4_000 })).toBeNull();
		expect(judgeRefund({ ...part, requestedCents: 10_002 })).toBe('PARTIAL_REFUND_NOT_SUPPORTED');
	});

	test('one cent less or more is partial', () => {
		for (const requestedCents of [10_001, 10_003]) {
			expect(judgeRefund({ ...paid, requestedCents })).toBe('PARTIAL_REFUND_NOT_SUPPORTED');
		}
	});

	test('a failed refund does not block the next, a pending one does', () => {
		expect(judgeRefund({ ...paid, refunds: [{ status: 'FAILED' }] })).toBeNull();
		expect(judgeRefund({ ...paid, refunds: [{ status: 'PENDING' }] })).toBe('REFUND_IN_PROGRESS');
	});
});
