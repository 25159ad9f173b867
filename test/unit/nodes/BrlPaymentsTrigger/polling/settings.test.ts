import type { IDataObject } from 'n8n-workflow';
import { readPollSettings } from '../../../../../nodes/BrlPaymentsTrigger/polling/settings';

const DAY = 24 * 60 * 60_000;
const read = (parameters: IDataObject = {}) =>
	readPollSettings((name, fallback) => parameters[name] ?? fallback);

test('by webhook, and three days back, unless something else is chosen', () => {
	expect(read()).toEqual({ receiveBy: 'webhook', lookBackMs: 3 * DAY });
	expect(read({ receiveBy: 'both', options: { lookBack: 0.5 } })).toEqual({
		receiveBy: 'both',
		lookBackMs: DAY / 2,
	});
});

test.each([0, -1, 'soon', Infinity])('Look Back %s is refused', (lookBack) => {
	expect(() => read({ options: { lookBack } })).toThrow('Look Back is not a positive number');
});
