import { DateTime } from 'luxon';
import { InputError } from '../../../../../nodes/shared/validation/inputError';
import { daysBetween, parseDay, parseTimestamp } from '../../../../../nodes/shared/validation/date';
import { getRefusal } from '../../../support/refusal';

const SAO_PAULO = 'America/Sao_Paulo';
const iso = (timestamp: number) => new Date(timestamp).toISOString();
const read = (value: unknown, zone = SAO_PAULO, edge?: 'start' | 'end') =>
	iso(parseTimestamp(value, 'Start Date', zone, edge));

describe('parseTimestamp', () => {
	test.each([
		[SAO_PAULO, '2026-11-21T03:00:00.000Z'],
		['UTC', '2026-11-21T00:00:00.000Z'],
		['Asia/Tokyo', '2026-11-20T15:00:00.000Z'],
	])('takes a date without zone to be meant in %s', (zone, timestamp) => {
		expect(read('2026-11-21', zone)).toBe(timestamp);
	});

	test.each([
		['a time without zone', '2026-11-21T15:30:00', '2026-11-21T18:30:00.000Z'],
		['a time in UTC', '2026-11-21T15:30:00Z', '2026-11-21T15:30:00.000Z'],
		['a time with an offset', '2026-11-21T15:30:00+09:00', '2026-11-21T06:30:00.000Z'],
		['blanks around it', ' 2026-11-21 ', '2026-11-21T03:00:00.000Z'],
	])('reads %s', (_, value, timestamp) => {
		expect(read(value)).toBe(timestamp);
	});

	test('reads the end of a day where a date ends a range', () => {
		expect(read('2026-11-21', SAO_PAULO, 'end')).toBe('2026-11-22T02:59:59.999Z');
		expect(read(' 2026-11-21 ', SAO_PAULO, 'end')).toBe('2026-11-22T02:59:59.999Z');
	});

	test('leaves a given time as it is where a date ends a range', () => {
		expect(read('2026-11-21T00:00:00', SAO_PAULO, 'end')).toBe('2026-11-21T03:00:00.000Z');
	});

	test('reads the end of a day that has 23 hours', () => {
		expect(read('2026-03-29', 'Europe/Berlin', 'end')).toBe('2026-03-29T21:59:59.999Z');
	});

	test('reads a Date and a DateTime as the timestamp they are', () => {
		const timestamp = '2026-11-21T15:30:00.000Z';
		expect(read(new Date(timestamp))).toBe(timestamp);
		expect(read(DateTime.fromISO(timestamp, { zone: 'Asia/Tokyo' }))).toBe(timestamp);
		expect(read(DateTime.fromISO(timestamp), SAO_PAULO, 'end')).toBe(timestamp);
	});

	test('reads a DateTime of another copy of luxon', () => {
		const foreign = { toMillis: () => Date.parse('2026-11-21T15:30:00Z') };
		expect(read(foreign)).toBe('2026-11-21T15:30:00.000Z');
	});

	test.each([
		['dd/mm/yyyy', '21/11/2026'],
		['mm/dd/yyyy', '11/12/2026'],
		['dd-mm-yyyy', '21-11-2026'],
		['yyyy/mm/dd', '2026/11/21'],
		['a day that does not exist', '2026-02-30'],
		['a month that does not exist', '2026-13-01'],
		['a year alone', '2026'],
		['a month alone', '2026-11'],
		['a time alone', '15:30'],
		['an hour alone', '12'],
		['a week date', '2026-W47-6'],
		['a day of one digit', '2026-11-2'],
		['a day behind other text', 'on 2026-11-21'],
		['a year of six digits', '+002026-11-21'],
		['words', 'tomorrow'],
		['nothing', ''],
		['null', null],
		['undefined', undefined],
		['a number', 1763712000000],
		['an object', {}],
		['an invalid Date', new Date(Number.NaN)],
		['an invalid DateTime', DateTime.fromISO('no date')],
	])('refuses %s', (_, value) => {
		expect(() => parseTimestamp(value, 'Start Date', SAO_PAULO)).toThrow(InputError);
	});

	test('names the field and shows how a date is written', () => {
		const refused = getRefusal(() => parseTimestamp('21/11/2026', 'End Date', SAO_PAULO));

		expect(refused.message).toBe('End Date "21/11/2026" is not a date');
		expect(refused.remedy).toContain('2026-11-21');
	});
});

describe('parseDay', () => {
	test('returns the day of a Date and of a DateTime in the time zone of the workflow', () => {
		const timestamp = new Date('2026-11-21T01:00:00Z');
		expect(parseDay(timestamp, 'Start Date', SAO_PAULO)).toBe('2026-11-20');
		const inTokyo = DateTime.fromJSDate(timestamp, { zone: 'Asia/Tokyo' });
		expect(parseDay(inTokyo, 'Start Date', SAO_PAULO)).toBe('2026-11-20');
	});

	test('returns the day in the time zone of the workflow', () => {
		expect(parseDay('2026-11-21T23:30:00', 'Start Date', SAO_PAULO)).toBe('2026-11-21');
		expect(parseDay('2026-11-21T01:00:00Z', 'Start Date', SAO_PAULO)).toBe('2026-11-20');
		expect(parseDay('2026-11-21', 'Start Date', 'Asia/Tokyo')).toBe('2026-11-21');
	});

	test('refuses what is no date', () => {
		expect(() => parseDay('21/11/2026', 'Start Date', SAO_PAULO)).toThrow(InputError);
	});
});

test.each([
	['2026-01-01', '2026-01-01', 0],
	['2026-01-01', '2026-04-01', 90],
	['2024-02-28', '2024-03-01', 2],
	['2026-03-28', '2026-03-30', 2],
	['2026-11-21', '2026-11-20', -1],
])('from %s to %s are %i days', (first, second, days) => {
	expect(daysBetween(first, second)).toBe(days);
});
