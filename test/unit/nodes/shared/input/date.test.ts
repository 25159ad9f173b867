import { DateTime } from 'luxon';
import { parseDay, parseTimestamp } from '../../../../../nodes/shared/input/date';
import { expectRefusals } from '../../../support/refusal';

const SAO_PAULO = 'America/Sao_Paulo';
const read = (value: unknown, zone = SAO_PAULO, edge?: 'start' | 'end') =>
	new Date(parseTimestamp(value, 'Start Date', zone, edge)).toISOString();

test.each([
	[SAO_PAULO, '2026-11-21T03:00:00.000Z'],
	['UTC', '2026-11-21T00:00:00.000Z'],
])('a date without zone is meant in %s', (zone, timestamp) => {
	expect(read('2026-11-21', zone)).toBe(timestamp);
});

test.each([
	['a time with an offset', '2026-11-21T15:30:00+09:00', '2026-11-21T06:30:00.000Z'],
	['a Date', new Date('2026-11-21T15:30:00Z'), '2026-11-21T15:30:00.000Z'],
	['a DateTime', DateTime.fromISO('2026-11-21T15:30:00Z'), '2026-11-21T15:30:00.000Z'],
	['one of another copy of luxon', { toMillis: () => 1_000 }, '1970-01-01T00:00:01.000Z'],
])('%s is read as it is, also at the end of a range', (_, value, timestamp) => {
	expect(read(value)).toBe(timestamp);
	expect(read(value, SAO_PAULO, 'end')).toBe(timestamp);
});

test('a date without time is the end of its day where it ends a range', () => {
	expect(read(' 2026-11-21 ')).toBe('2026-11-21T03:00:00.000Z');
	expect(read(' 2026-11-21 ', SAO_PAULO, 'end')).toBe('2026-11-22T02:59:59.999Z');
	// As the calendar of the editor enters it.
	expect(read('2026-11-21T00:00:00')).toBe('2026-11-21T03:00:00.000Z');
	expect(read('2026-11-21T00:00:00', SAO_PAULO, 'end')).toBe('2026-11-22T02:59:59.999Z');
	expect(read('2026-11-21T00:00:00Z', SAO_PAULO, 'end')).toBe('2026-11-21T00:00:00.000Z');
	// As `{{ $today }}` says it.
	const today = DateTime.fromISO('2026-11-21', { zone: SAO_PAULO });
	expect(read(today)).toBe('2026-11-21T03:00:00.000Z');
	expect(read(today, SAO_PAULO, 'end')).toBe('2026-11-22T02:59:59.999Z');
	// A day of 23 hours.
	expect(read('2026-03-29', 'Europe/Berlin', 'end')).toBe('2026-03-29T21:59:59.999Z');
});

test.each<[string, unknown[]]>([
	['another order', ['21/11/2026', '11/12/2026', '21-11-2026', '2026/11/21']],
	['a day that does not exist', ['2026-02-30', '2026-13-01']],
	['too little to name a day', ['2026', '2026-11', '15:30', '12', '2026-W47-6', '2026-11-2']],
	['no date', ['tomorrow', '', null, undefined, 1763712000000, {}]],
	['an invalid one', [new Date(Number.NaN), DateTime.fromISO('no date')]],
])('refuses %s', (_, values) => {
	expectRefusals(values, (value) => read(value), /^Start Date .* is not a date$/);
});

test('names the field and shows how a date is written', () => {
	const message = 'End Date "21/11/2026" is not a date';
	for (const parse of [parseTimestamp, parseDay]) {
		const read = (value: string) => parse(value, 'End Date', SAO_PAULO);
		expectRefusals(['21/11/2026'], read, message, '2026-11-21');
	}
});

test.each([
	['2026-11-21T01:00:00Z', SAO_PAULO, '2026-11-20'],
	[new Date('2026-11-21T01:00:00Z'), SAO_PAULO, '2026-11-20'],
	['2026-11-21', 'Asia/Tokyo', '2026-11-21'],
])('the day of %s in %s is %s', (value, zone, day) => {
	expect(parseDay(value, 'Start Date', zone)).toBe(day);
});
