import { EVENTS } from '../../../../../nodes/BrlPaymentsTrigger/events/events';
import { eventOfRow, listsFor } from '../../../../../nodes/BrlPaymentsTrigger/polling/lists';

test.each([
	['payment', 'PAID', 'PAYMENT_PAID'],
	['payment', 'CONFIRMED', 'PAYMENT_CONFIRMED'],
	['payment', 'EXPIRED', 'PAYMENT_EXPIRED'],
	['payment', 'CANCELLED', 'PAYMENT_CANCELLED'],
	['payment', 'REFUNDED', 'PAYMENT_REFUNDED'],
	['payment', 'CHARGEBACK', 'PAYMENT_CHARGEBACK'],
	['payment', 'MED_FROZEN', 'MED_RECEIVED'],
	['withdrawal', 'COMPLETED', 'WITHDRAWAL_SENT'],
	['withdrawal', 'FAILED', 'WITHDRAWAL_FAILED'],
] as const)('a %s that is %s: %s', (type, status, event) => {
	expect(eventOfRow(type, { status })).toBe(event);
	expect(Object.keys(EVENTS)).toContain(event);
});

test.each([
	['payment', 'NEW'],
	['payment', 'PENDING_METHOD_SELECTION'],
	['payment', 'PROCESSING'],
	['payment', 'PARTIAL_REFUND'],
	['withdrawal', 'PENDING'],
	['withdrawal', 'PROCESSING'],
	['withdrawal', 'CANCELLED'],
	['payment', 'COMPLETED'],
	['withdrawal', 'PAID'],
	['payment', 'constructor'],
	['payment', undefined],
	['payment', 7],
] as const)('a %s that is %s: none', (type, status) => {
	expect(eventOfRow(type, { status })).toBeNull();
});

test.each([
	[['*'], ['payment', 'withdrawal']],
	[['PAYMENT_PAID'], ['payment']],
	[['WITHDRAWAL_FAILED'], ['withdrawal']],
	[
		['MED_RECEIVED', 'WITHDRAWAL_SENT'],
		['payment', 'withdrawal'],
	],
	[['PAYMENT_REFUND_FAILED', 'MED_RESOLVED'], []],
	[[], []],
])('of the events %s, polling reads the lists %s', (selected, lists) => {
	expect(listsFor(selected)).toEqual(lists);
});
