import type { IDataObject } from 'n8n-workflow';
import {
	checkPollTimes,
	readPollSettings,
} from '../../../../../nodes/BrlPaymentsTrigger/description/options';

const DAY = 24 * 60 * 60_000;
const read = (parameters: IDataObject = {}) =>
	readPollSettings((name, fallback) => parameters[name] ?? fallback);

test('by webhook unless something else is chosen, whatever the options say', () => {
	expect(read()).toEqual({ receiveBy: 'webhook', lookBackMs: 0 });
	expect(read({ options: { lookBack: 'soon' } })).toEqual({ receiveBy: 'webhook', lookBackMs: 0 });
});

test('three days back unless something else is chosen', () => {
	expect(read({ receiveBy: 'polling' }).lookBackMs).toBe(3 * DAY);
	expect(read({ receiveBy: 'both', options: { lookBack: '1.5' } })).toEqual({
		receiveBy: 'both',
		lookBackMs: 1.5 * DAY,
	});
});

test.each([0.5, 91, 'soon'])('Look Back %s is refused', (lookBack) => {
	expect(() => read({ receiveBy: 'polling', options: { lookBack } })).toThrow(
		'Look Back (Days) cannot be',
	);
});

test('a Look Back that was left empty is three days', () => {
	expect(read({ receiveBy: 'polling', options: { lookBack: null } }).lookBackMs).toBe(3 * DAY);
});

test('a way of receiving that does not exist is refused', () => {
	expect(() => read({ receiveBy: 'pigeon' })).toThrow('Receive By is "pigeon"');
});

describe('Poll Times', () => {
	const check = (pollTimes: unknown) => () => checkPollTimes(() => pollTimes);

	test('with an entry is right', () => {
		expect(check({ item: [{ mode: 'everyMinute' }, { mode: 'everyHour' }] })).not.toThrow();
	});

	test.each([[{ item: [] }], [{}], [null]])('without one is refused: %j', (pollTimes) => {
		expect(check(pollTimes)).toThrow('Poll Times has no entry');
	});
});
