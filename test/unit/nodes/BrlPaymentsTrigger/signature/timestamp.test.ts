import { readTimestamp } from '../../../../../nodes/BrlPaymentsTrigger/signature/timestamp';
import { NOW, TIMESTAMPS } from '../support/delivery';

test.each<[string, number]>([
	...Object.values(TIMESTAMPS).map((text): [string, number] => [text, NOW]),
	['2026-11-21T12:00:00.5Z', NOW + 500],
	['2026-11-21T12:00:00.123456789Z', NOW + 123],
	['2026-11-21T09:00:00-03:00', NOW],
	['2026-11-21T09:00:00-0300', NOW],
	['1795262400.5', NOW + 500],
	['1795262400123.9', NOW + 123],
	['1795262400123456', NOW + 123],
	['1795262400123456789', NOW + 123],
	['Sat, 21 Nov 2026 12:00:00 GMT', NOW],
	['999999999', 999_999_999_000],
	['999999999999', 999_999_999_999],
])('reads %o', (text, moment) => {
	expect(readTimestamp(text)).toBe(moment);
});

test.each([
	...['', '0', '12345678', '-1795262400', '1795262400s', '1795262400, 1795262400', ' 1795262400'],
	...['0x6b018240', '1.7952624e9', '1795262400\n', '2026-11-21', '2026-11-21 12:00:00Z'],
	'\u0661\u0667\u0669\u0665\u0662\u0666\u0662\u0664\u0660\u0660',
	...['2026-11-21T12:00:00', '2026-11-21T12:00:00z', '2026-13-21T12:00:00Z'],
	...['2026-11-21T12:00:00+99:00', '2026-11-21T12:00:00Z\n', 'Sat, 21 Nov 2026 12:00:00 EST'],
	// Date.parse reads all of these.
	...['+002026-11-21T12:00:00Z', '2026-11-21T12:00:00Z (noon)'],
	...['On Sat, 21 Nov 2026 12:00:00 GMT', 'Sat, 21 Nov 2026 12:00:00 GMT+0300'],
])('%o is no timestamp', (text) => {
	expect(readTimestamp(text)).toBeNull();
});

test.each([
	['1795262400', 'seconds', NOW],
	['1795262400', 'milliseconds', 1_795_262_400],
	['1795262400000', 'microseconds', 1_795_262_400],
	['5', 'seconds', 5_000],
	['5.25', 'seconds', 5_250],
	['8640000000000000', 'milliseconds', 8.64e15],
	['8640000000000001', 'milliseconds', null],
	['99999999999999999999', 'seconds', null],
	['1e9', 'seconds', null],
	['2026-11-21T12:00:00Z', 'seconds', NOW],
] as const)('%o in %s is %o', (text, unit, moment) => {
	expect(readTimestamp(text, unit)).toBe(moment);
});
