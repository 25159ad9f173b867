import { RowCollector } from '../../../../../nodes/shared/lists/rowCollector';
import type { ApiRecord, Page } from '../../../../../nodes/shared/transport/schemas';

const NOW = Date.parse('2026-11-21T12:00:00Z');
const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

const rowAt = (hoursAgo: number): ApiRecord => ({
	id: `w-${hoursAgo}`,
	createdAt: new Date(NOW - hoursAgo * HOUR).toISOString(),
});
const hoursAgo = (...hours: number[]): ApiRecord[] => hours.map(rowAt);

/** The first of two pages, newest first. */
const firstPage = (changed: Partial<Page> = {}): Page => ({
	rows: hoursAgo(1, 2, 3, 4, 5),
	total: 7,
	totalPages: 2,
	...changed,
});

function collected(...pages: Page[]): RowCollector {
	const collector = new RowCollector(() => NOW);
	pages.forEach((page, index) => collector.take(page, index + 1));
	return collector;
}

describe('isPast', () => {
	const behind = { date: NOW - 24 * HOUR, rows: hoursAgo(25, 26, 27, 28, 29) };

	it.each<[string, Partial<Page>, number, boolean]>([
		['once a row is older', {}, 4 * HOUR, true],
		['not if clocks may differ by a minute', {}, 5 * HOUR - MINUTE / 2, false],
		['by the clock of the service', behind, 4 * HOUR, true],
		['by the clock of the service, not yet', behind, 6 * HOUR, false],
	])('is reported %s', (_, page, ago, isPast) => {
		expect(collected(firstPage(page)).isPast(NOW - ago)).toBe(isPast);
	});

	it.each([
		['rows come in another order', hoursAgo(2, 1, 3, 4, 5, 6)],
		['all rows have one timestamp', hoursAgo(5, 5, 5, 5, 5)],
		['rows of few timestamps may be in order by chance', hoursAgo(2, 5, 5, 5, 6, 7)],
		['a row does not show its time', [...hoursAgo(1, 2, 3), {}, rowAt(5)]],
		[
			'a row does not show its time zone',
			[...hoursAgo(1, 2, 3), { createdAt: '2026-11-20T00:00:00' }, rowAt(5)],
		],
	])('is never reported if %s', (_what, rows) => {
		const named = rows.map((row, index) => ({ ...row, id: `w-${index}` }));
		expect(collected(firstPage({ rows: named })).isPast(NOW - HOUR)).toBe(false);
	});
});

it.each([
	['before the last page', [], [false, false]],
	['with as many rows as are counted', [6, 7], [true, true]],
	['with a row missing', [6], [true, false]],
])('is at its end, and whole: %s', (_, rest, expected) => {
	const last = rest.length === 0 ? [] : [firstPage({ rows: hoursAgo(...rest) })];
	const { isAtEnd, isWhole } = collected(firstPage(), ...last);
	expect([isAtEnd, isWhole]).toEqual(expected);
});

it('is at its end if a service that counts no pages sends the same page again', () => {
	const rows = Array.from({ length: 100 }, (_, index) => rowAt(index));
	const page: Page = { rows, total: undefined, totalPages: undefined };

	expect(collected(page).isAtEnd).toBe(false);
	expect(collected(page, page).isAtEnd).toBe(true);
});

describe('rowsSince', () => {
	const idsOf = (page: Partial<Page>, since: number, until?: number) =>
		collected(firstPage({ date: NOW, ...page }), firstPage({ rows: hoursAgo(5, 6), date: NOW }))
			.rowsSince(since, until)
			.map(({ id }) => id);

	it('has each row once', () => {
		expect(idsOf({}, -Infinity)).toEqual(['w-1', 'w-2', 'w-3', 'w-4', 'w-5', 'w-6']);
		expect(idsOf({}, NOW - 2 * HOUR)).toEqual(['w-1', 'w-2']);
	});

	it('leaves out what is certainly newer, with a minute for clocks that differ', () => {
		expect(idsOf({}, -Infinity, NOW - 3 * HOUR)).toEqual(['w-3', 'w-4', 'w-5', 'w-6']);
		expect(idsOf({}, -Infinity, NOW - 3 * HOUR - MINUTE / 2)).toContain('w-3');
	});

	it.each([
		['goes by a clock of the service that is ahead', NOW + HOUR, ['w-2', 'w-3', 'w-4', 'w-5']],
		[
			'leaves nothing out if the service does not say what time it is',
			undefined,
			['w-1', 'w-2', 'w-3', 'w-4', 'w-5'],
		],
	])('%s', (_, date, ids) => {
		const rows = collected(firstPage({ date })).rowsSince(-Infinity, NOW - 3 * HOUR);
		expect(rows.map(({ id }) => id)).toEqual(ids);
	});

	it.each([undefined, '2026-11-21T11:00:00'])('keeps a row of the time %s', (createdAt) => {
		expect(idsOf({ rows: [{ id: 'w-1', createdAt }] }, NOW, NOW - 6 * HOUR)).toEqual(['w-1']);
	});
});
