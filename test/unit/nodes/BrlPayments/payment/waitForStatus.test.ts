import { hasEnded } from '../../../../../nodes/BrlPayments/payment/waitForStatus';

// When it looks, and how it ends: test/engine/waiting/waitForStatus.test.ts.

const PAID = ['PAID', 'CONFIRMED'];

// What may follow which status: docs/api.md#payment-states.
test.each<[method: string | null, status: string, wanted: string[], isEnd: boolean]>([
	['PIX', 'EXPIRED', PAID, true],
	['CARD', 'EXPIRED', PAID, true],
	['BOLETO', 'EXPIRED', PAID, false],
	// It may be a boleto.
	[null, 'EXPIRED', PAID, false],
	['BOLETO', 'CANCELLED', PAID, true],
	['CARD', 'REFUNDED', PAID, true],
	['CARD', 'REFUNDED', ['PAID', 'CHARGEBACK'], false],
	['CARD', 'CHARGEBACK', ['REFUNDED'], false],
	...['NEW', 'PENDING_METHOD_SELECTION', 'PROCESSING', 'PARTIAL_REFUND', 'MED_FROZEN', 'LATER'].map(
		(status): [string, string, string[], boolean] => ['PIX', status, PAID, false],
	),
])('a payment by %s that is %s can no longer become %j: %j', (paymentMethod, status, ...given) => {
	const [wanted, isEnd] = given;
	expect(hasEnded({ paymentMethod, status }, wanted)).toBe(isEnd);
});
