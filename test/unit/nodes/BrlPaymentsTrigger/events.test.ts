import { PAYMENT_STATUSES } from '../../../../dev/sandbox/store/types';
import { WEBHOOK_EVENTS } from '../../../../dev/sandbox/webhooks/types';
import {
	checkStatus,
	eventOfStatus,
	eventOptions,
	EVENTS,
	isSelected,
	isTestEvent,
} from '../../../../nodes/BrlPaymentsTrigger/events';

type StatusCheck = ReturnType<typeof checkStatus>;

test('the events are the eleven that the API names, each about the resource in its name', () => {
	expect(Object.keys(EVENTS).sort()).toEqual([...WEBHOOK_EVENTS].sort());
	for (const [event, { resourceType }] of Object.entries(EVENTS)) {
		expect(resourceType).toBe(event.startsWith('WITHDRAWAL_') ? 'withdrawal' : 'payment');
	}
});

// What the editor says of them: test/e2e/browser/trigger.test.ts.
test('the choices in the editor are all events and each of them', () => {
	expect(eventOptions.map(({ value }) => value)).toEqual(['*', ...Object.keys(EVENTS)]);
	for (const { description = '' } of eventOptions.slice(1)) {
		expect(description).toMatch(/^(A|An) .+\. .*Has .*(paymentId|txId|withdrawalId)\.$/);
	}
});

test.each<[string, readonly string[], boolean]>([
	['PAYMENT_PAID', ['*'], true],
	['PAYMENT_PAID', ['PAYMENT_REFUNDED'], false],
	['PAYMENT_PAID', [], false],
	// No list shows these.
	['PAYMENT_DISPUTED', ['*'], true],
	['payment_paid', WEBHOOK_EVENTS, false],
	['toString', WEBHOOK_EVENTS, false],
	['*', WEBHOOK_EVENTS, false],
])('%s of %o is selected: %o', (event, selected, expected) => {
	expect(isSelected(event, selected)).toBe(expected);
});

test.each([
	['TEST', true],
	['webhook.test', true],
	['WEBHOOK_TEST', true],
	['WEBHOOK.TEST', false],
])('%s is a test of the dashboard: %o', (event, expected) => {
	expect(isTestEvent(event)).toBe(expected);
});

describe('the status in the body', () => {
	// A status that the service knows and the trigger does not would agree with every event.
	const OF_PAYMENTS = PAYMENT_STATUSES.join(' ');
	/** A refund and a withdrawal have their own, and the API lists none of refunds. */
	const OTHERS = 'PENDING COMPLETED FAILED';
	const NEVER_PAID = `NEW PENDING_METHOD_SELECTION CANCELLED EXPIRED ${OTHERS}`;
	const WAS_PAID = 'PAID CONFIRMED REFUNDED PARTIAL_REFUND CHARGEBACK MED_FROZEN';

	test.each<[event: string, agree: string, contradict: string]>([
		['MED_RECEIVED', `PAID CONFIRMED MED_FROZEN ${OTHERS}`, ''],
		['MED_RESOLVED', `${WAS_PAID} ${OTHERS}`, ''],
		['PAYMENT_CANCELLED', `CANCELLED ${OTHERS}`, ''],
		['PAYMENT_CHARGEBACK', `CHARGEBACK ${OTHERS}`, ''],
		['PAYMENT_CONFIRMED', 'PAID CONFIRMED', NEVER_PAID],
		['PAYMENT_EXPIRED', `EXPIRED ${OTHERS}`, ''],
		['PAYMENT_PAID', 'PAID CONFIRMED', NEVER_PAID],
		['PAYMENT_REFUND_FAILED', `PAID CONFIRMED PARTIAL_REFUND CHARGEBACK MED_FROZEN ${OTHERS}`, ''],
		['PAYMENT_REFUNDED', `REFUNDED PARTIAL_REFUND ${OTHERS}`, ''],
		[
			'WITHDRAWAL_FAILED',
			'FAILED CANCELLED NEW PENDING_METHOD_SELECTION EXPIRED',
			`COMPLETED ${WAS_PAID}`,
		],
		[
			'WITHDRAWAL_SENT',
			'COMPLETED PROCESSING NEW PENDING_METHOD_SELECTION EXPIRED',
			`FAILED CANCELLED ${WAS_PAID}`,
		],
	])(
		'of %s agrees if it is one of %s, and contradicts it if it is one of: %s',
		(event, ...lists) => {
			const [agree, contradict] = lists.map((list) => list.split(' '));
			for (const status of `${OF_PAYMENTS} ${OTHERS}`.split(' ')) {
				const expected: StatusCheck = agree!.includes(status)
					? 'agrees'
					: contradict!.includes(status)
						? 'contradicts'
						: 'differs';
				expect([status, checkStatus(event, status)]).toEqual([status, expected]);
			}
		},
	);

	test.each<[string, string | null, StatusCheck]>([
		['PAYMENT_PAID', null, 'agrees'],
		['PAYMENT_PAID', 'SOMETHING_NEW', 'agrees'],
		['PAYMENT_PAID', ' cancelled ', 'contradicts'],
		['TEST', 'PAID', 'agrees'],
		['constructor', 'PAID', 'agrees'],
	])('of %s that says %o: %s', (event, status, expected) => {
		expect(checkStatus(event, status)).toBe(expected);
	});
});

test.each<['payment' | 'withdrawal', string, string | null]>([
	['payment', 'PAID', 'PAYMENT_PAID'],
	['payment', 'CONFIRMED', 'PAYMENT_CONFIRMED'],
	['payment', 'EXPIRED', 'PAYMENT_EXPIRED'],
	['payment', 'CANCELLED', 'PAYMENT_CANCELLED'],
	['payment', 'REFUNDED', 'PAYMENT_REFUNDED'],
	['payment', 'PARTIAL_REFUND', 'PAYMENT_REFUNDED'],
	['payment', 'CHARGEBACK', 'PAYMENT_CHARGEBACK'],
	['payment', 'MED_FROZEN', 'MED_RECEIVED'],
	['withdrawal', 'COMPLETED', 'WITHDRAWAL_SENT'],
	['withdrawal', 'FAILED', 'WITHDRAWAL_FAILED'],
	['withdrawal', 'CANCELLED', 'WITHDRAWAL_FAILED'],
	['payment', 'NEW', null],
	['payment', 'PROCESSING', null],
	['withdrawal', 'PROCESSING', null],
	['payment', 'COMPLETED', null],
	['payment', 'constructor', null],
])('in a list, a %s that is %s stands for %s', (type, status, event) => {
	expect(eventOfStatus(type, status)).toBe(event);
	// A webhook with this status would not be held against the event.
	if (event !== null) expect(checkStatus(event, status)).toBe('agrees');
});
