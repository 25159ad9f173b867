import type { IDataObject } from 'n8n-workflow';
import { readPollSettings } from '../../../../../nodes/BrlPaymentsTrigger/polling/settings';

const DAY = 24 * 60 * 60_000;
const read = (parameters: IDataObject = {}) =>
	readPollSettings((name, fallback) => parameters[name] ?? fallback);

test('by webhook, and three days back, unless something else is chosen', () => {
	expect(read()).toEqual({ receiveBy: 'webhook', lookBackMs: 3 * DAY });
	expect(read({ receiveBy: 'both', options: { lookBack: '1.5' } })).toEqual({
		receiveBy: 'both',
		lookBackMs: 1.5 * DAY,
	});
});

test.each([0, -1, 0.5, 91, 'soon', Infinity])('Look Back %s is refused', (lookBack) => {
	expect(() => read({ options: { lookBack } })).toThrow('Look Back (Days) cannot be');
});

test('a Look Back that was left empty is three days', () => {
	expect(read({ options: { lookBack: null } }).lookBackMs).toBe(3 * DAY);
});

test('a way of receiving that does not exist is refused', () => {
	expect(() => read({ receiveBy: 'pigeon' })).toThrow('Receive By is "pigeon"');
});
