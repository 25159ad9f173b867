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

	test('of disputes and payments say in the list of triggers what has happened', () => {
		const actions = eventOptions.flatMap(({ action }) => action ?? []);
		expect(actions).toEqual([
			'On MED received (PIX dispute)',
			'On MED resolved (PIX dispute)',
			'When payment is received',
		]);
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
	const OF_PAYMENTS =
		'PAID CONFIRMED REFUNDED PARTIAL_REFUND CHARGEBACK MED_FROZEN NEW PENDING_METHOD_SELECTION CANCELLED EXPIRED PROCESSING';
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
