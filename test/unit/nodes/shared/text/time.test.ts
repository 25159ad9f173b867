import { toBrasiliaTime, toDayAndTime } from '../../../../../nodes/shared/text/time';

it.each([
	['2026-11-21T12:00:00.000Z', 'up', '2026-11-21 09:00'],
	['2026-11-21T12:00:00.001Z', 'up', '2026-11-21 09:01'],
	['2026-11-21T12:00:59.999Z', 'down', '2026-11-21 09:00'],
	['2026-11-22T02:59:59.999Z', 'down', '2026-11-21 23:59'],
	['2026-11-22T02:59:59.999Z', 'up', '2026-11-22 00:00'],
	// With summer time, which Brazil had until 2019.
	['2018-12-21T12:00:00.000Z', 'up', '2018-12-21 10:00'],
] as const)('%s, rounded %s, is %s for a person', (moment, rounding, named) => {
	expect(toBrasiliaTime(Date.parse(moment), rounding)).toBe(`${named} (Brasília time)`);
});

it.each([
	['2026-11-27T16:31:59Z', '2026-11-27T16:32:00Z', 'today at 13:31'],
	['2026-11-27T03:00:00Z', '2026-11-28T02:59:59Z', 'today at 00:00'],
	['2026-11-27T02:59:59Z', '2026-11-27T03:00:00Z', 'yesterday at 23:59'],
	['2026-10-31T16:31:00Z', '2026-11-01T16:31:00Z', 'yesterday at 13:31'],
	['2026-11-25T16:31:00Z', '2026-11-27T16:31:00Z', 'on 25/11/2026 at 13:31'],
])('%s, named at %s, is %s', (moment, now, named) => {
	expect(toDayAndTime(Date.parse(moment), Date.parse(now))).toBe(`${named} (Brasília time)`);
});
