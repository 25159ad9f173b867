import {
	classify,
	eventOptions,
	EVENTS,
	isTestEvent,
} from '../../../../nodes/BrlPaymentsTrigger/events';

/** As the interface names them ("Event types"). */
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

test('the events are the eleven that the interface names', () => {
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

describe('what becomes of an event', () => {
	test.each(NAMED)('%s, selected or not', (event) => {
		expect(classify(event, [event], false)).toBe('emit');
		expect(classify(event, [...NAMED], false)).toBe('emit');
		expect(classify(event, ['*'], false)).toBe('emit');
		expect(
			classify(
				event,
				NAMED.filter((other) => other !== event),
				true,
			),
		).toBe('ignore');
		expect(classify(event, [], true)).toBe('ignore');
	});

	test.each(['PAYMENT_DISPUTED', 'payment_paid', 'toString', '*'])(
		'%s, which no list shows, with all events only',
		(event) => {
			expect(classify(event, ['*'], false)).toBe('emit');
			expect(classify(event, NAMED, true)).toBe('ignore');
		},
	);

	test.each(PINGS)('the ping %s, only where pings are wanted', (event) => {
		expect(isTestEvent(event)).toBe(true);
		expect(classify(event, ['*', event, ...NAMED], false)).toBe('ignore');
		expect(classify(event, [], true)).toBe('emit');
	});

	test.each([...NAMED, 'test', 'WEBHOOK.TEST', 'TESTING'])('%s is no ping', (event) => {
		expect(isTestEvent(event)).toBe(false);
	});
});
