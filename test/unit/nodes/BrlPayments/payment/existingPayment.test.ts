import type { ApiFailure } from '../../../../../nodes/shared/failures/failure';
import {
	isOldPayment,
	refuseOtherPayment,
} from '../../../../../nodes/BrlPayments/payment/existingPayment';

const ID = '3fa85f64-5717-4562-b3fc-2c963f66afa6';
const PAYMENT = { id: ID, amount: 10, status: 'NEW', createdAt: '2026-11-21T12:00:00Z' };
const refuse = (changed: object, cents: number | null = 1000) => {
	try {
		refuseOtherPayment({ ...PAYMENT, ...changed }, cents ?? undefined);
		return undefined;
	} catch (error) {
		return (error as ApiFailure).failure;
	}
};

describe('a payment that the service returned', () => {
	test.each([
		{},
		{ status: 'PENDING_METHOD_SELECTION' },
		{ status: 'PROCESSING' },
		{ status: 'PAID' },
		{ status: 'CONFIRMED' },
		{ status: undefined },
		{ amount: undefined },
		{ amount: '10.00' },
		{ amount: 10.99, payerFeeAmount: 0.99 },
	])('passes with %j', (changed) => {
		expect(refuse(changed)).toBeUndefined();
	});

	test.each(['CANCELLED', 'EXPIRED', 'REFUNDED', 'PARTIAL_REFUND', 'CHARGEBACK', 'MED_FROZEN'])(
		'is named when it is %s',
		(status) => {
			expect(refuse({ status })).toMatchObject({
				code: 'EXISTING_PAYMENT',
				message: expect.stringContaining(`10,00, ${status})`) as string,
				description: expect.stringContaining(ID) as string,
				effect: 'none',
				retryable: false,
			});
		},
	);

	test.each([{ amount: 10.01 }, { amount: 9.99 }, { amount: 12, payerFeeAmount: 1 }])(
		'is named when it has another amount: %j',
		(changed) => {
			expect(refuse(changed)?.code).toBe('EXISTING_PAYMENT');
		},
	);

	test('is judged by its status alone if the price is that of a product', () => {
		expect(refuse({ amount: 99 }, null)).toBeUndefined();
		expect(refuse({ status: 'CANCELLED' }, null)).toBeDefined();
	});
});

describe('a payment is old', () => {
	const isOld = (date: string | undefined, createdAt: unknown) =>
		isOldPayment({ createdAt }, date === undefined ? {} : { date });

	test.each<[string | undefined, unknown, boolean]>([
		['Sat, 21 Nov 2026 12:10:00 GMT', '2026-11-21T12:00:00Z', false],
		['Sat, 21 Nov 2026 12:10:01 GMT', '2026-11-21T12:00:00Z', true],
		[undefined, '2020-01-01T00:00:00Z', false],
		['Sat, 21 Nov 2026 12:10:01 GMT', undefined, false],
	])('returned %s, made %s: %o', (date, createdAt, expected) => {
		expect(isOld(date, createdAt)).toBe(expected);
	});
});
