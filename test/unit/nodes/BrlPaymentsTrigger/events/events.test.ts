import {
	checkStatus,
	eventOptions,
	EVENTS,
	isSelected,
	isTestEvent,
	type StatusCheck,
	contradictionIn,
	FOREIGN_DELIVERY_ID,
} from '../../../../../nodes/BrlPaymentsTrigger/events/events';
import type { TriggerOutput } from '../../../../../nodes/BrlPaymentsTrigger/events/output';

/** As the API names them (docs/api.md#event-types). */
const NAMED = [
	'PAYMENT_PAID',
	'PAYMENT_CONFIRMED',
	'PAYMENT_CHARGEBACK',
	'PAYMENT_EXPIRED',
	'PAYMENT_CANCELLED',
	'PAYMENT_REFUNDED',
	'PAYMENT_REFUND_FAILED',
	'MED_RECEIVED',
	'MED_RESOLVED',
	'WITHDRAWAL_SENT',
	'WITHDRAWAL_FAILED',
];

const PINGS = ['TEST', 'webhook.test'];

test('the events are the eleven that the API names', () => {
	expect(Object.keys(EVENTS).sort()).toEqual([...NAMED].sort());
});

test.each(Object.entries(EVENTS))(
	'%s belongs to the resource in its name',
	(event, { resourceType }) => {
		expect(resourceType).toBe(event.startsWith('WITHDRAWAL_') ? 'withdrawal' : 'payment');
	},
);

describe('the choices in the editor', () => {
	test('are all events and each of them', () => {
		expect(eventOptions.map(({ value }) => value)).toEqual(['*', ...Object.keys(EVENTS)]);
	});

	test('are sorted by the name that is shown, after All Events', () => {
		const names = eventOptions.map(({ name }) => name);
		expect(names).toEqual(['All Events', ...names.slice(1).sort((a, b) => a.localeCompare(b))]);
	});

	test('each have a sentence that says what happened, and what identifies the resource', () => {
		const descriptions = eventOptions.map(({ description }) => description ?? '');
		expect(new Set(descriptions).size).toBe(12);
		for (const description of descriptions.slice(1)) {
			expect(description).toMatch(/^(A|An) .+\. .*Has .*(paymentId|txId|withdrawalId)\.$/);
		}
	});
});

describe('an event', () => {
	test.each(NAMED)('%s, selected or not', (event) => {
		const others = NAMED.filter((other) => other !== event);
		for (const selected of [[event], NAMED, ['*']]) {
			expect(isSelected(event, selected)).toBe(true);
		}
		for (const selected of [others, []]) expect(isSelected(event, selected)).toBe(false);
	});

	test.each(['PAYMENT_DISPUTED', 'payment_paid', 'toString', '*'])(
		'%s, which no list shows, with all events only',
		(event) => {
			expect(isSelected(event, ['*'])).toBe(true);
			expect(isSelected(event, NAMED)).toBe(false);
		},
	);

	test.each(PINGS)('%s is a ping', (event) => {
		expect(isTestEvent(event)).toBe(true);
	});

	test.each([...NAMED, 'test', 'WEBHOOK.TEST', 'TESTING'])('%s is no ping', (event) => {
		expect(isTestEvent(event)).toBe(false);
	});
});

describe('the status in the body', () => {
	test.each<[string, string | null, StatusCheck]>([
		['PAYMENT_PAID', 'PAID', 'agrees'],
		['PAYMENT_PAID', 'CONFIRMED', 'agrees'],
		['PAYMENT_PAID', null, 'agrees'],
		['PAYMENT_PAID', 'SOMETHING_NEW', 'agrees'],
		['PAYMENT_PAID', 'REFUNDED', 'differs'],
		['PAYMENT_PAID', 'CHARGEBACK', 'differs'],
		['PAYMENT_PAID', 'CANCELLED', 'contradicts'],
		['PAYMENT_PAID', 'EXPIRED', 'contradicts'],
		['PAYMENT_PAID', ' cancelled ', 'contradicts'],
		['PAYMENT_PAID', 'FAILED', 'contradicts'],
		['PAYMENT_CONFIRMED', 'NEW', 'contradicts'],
		['PAYMENT_EXPIRED', 'PAID', 'differs'],
		['PAYMENT_REFUNDED', 'REFUNDED', 'agrees'],
		// The status of the refund, and not of the payment.
		['PAYMENT_REFUNDED', 'COMPLETED', 'agrees'],
		['PAYMENT_REFUNDED', 'PAID', 'differs'],
		['WITHDRAWAL_SENT', 'COMPLETED', 'agrees'],
		['WITHDRAWAL_SENT', 'FAILED', 'contradicts'],
		['WITHDRAWAL_SENT', 'PAID', 'contradicts'],
		['WITHDRAWAL_FAILED', 'FAILED', 'agrees'],
		['WITHDRAWAL_FAILED', 'COMPLETED', 'contradicts'],
		['TEST', 'PAID', 'agrees'],
		['constructor', 'PAID', 'agrees'],
	])('of %s that says %s: %s', (event, status, expected) => {
		expect(checkStatus(event, status)).toBe(expected);
	});
});

const about = (event: string, status: string | null) =>
	contradictionIn({ event, status } as TriggerOutput);

test('a status that the event cannot have is named, with what to do', () => {
	expect(about('PAYMENT_PAID', 'EXPIRED')).toEqual({
		message: 'The delivery says PAYMENT_PAID, but the status in its signed body is EXPIRED',
		description: expect.stringContaining('Look up the payment or withdrawal before you act'),
	});
});

test.each([
	['PAYMENT_PAID', 'PAID'],
	['PAYMENT_PAID', null],
	['PAYMENT_PAID', 'REFUNDED'],
])('%s with the status %o is not distrusted', (event, status) => {
	expect(about(event, status)).toBeUndefined();
});

test('a foreign delivery ID is explained with what to do', () => {
	expect(FOREIGN_DELIVERY_ID.description).toContain('retry this execution');
});
