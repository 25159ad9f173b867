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
const lastPage = (...hours: number[]): Page => firstPage({ rows: hoursAgo(...hours) });

function collected(...pages: Page[]): RowCollector {
	const collector = new RowCollector(() => NOW);
	pages.forEach((page, index) => collector.take(page, index + 1));
	return collector;
}

describe('isPast', () => {
	it('is reported once a row is older than the time', () => {
		expect(collected(firstPage()).isPast(NOW - 4 * HOUR)).toBe(true);
	});

	it('allows for clocks that differ by a minute', () => {
		expect(collected(firstPage()).isPast(NOW - 5 * HOUR + MINUTE / 2)).toBe(false);
	});

	it.each([
		['rows come in another order', hoursAgo(2, 1, 3, 4, 5, 6)],
		['all rows have one timestamp', hoursAgo(5, 5, 5, 5, 5)],
		['rows of few timestamps may be in order by chance', hoursAgo(2, 5, 5, 5, 6, 7)],
		['a row does not show its time', [...hoursAgo(1, 2, 3), { id: 'w-none' }, rowAt(5)]],
		[
			'a row does not show its time zone',
			[...hoursAgo(1, 2, 3), { id: 'w-zone', createdAt: '2026-11-20T00:00:00' }, rowAt(5)],
		],
	])('is never reported where %s', (_what, rows) => {
		const named = rows.map((row, index) => ({ ...row, id: `w-${index}` }));
		expect(collected(firstPage({ rows: named })).isPast(NOW - HOUR)).toBe(false);
	});

	it('goes by the clock of the service', () => {
		const rows = hoursAgo(25, 26, 27, 28, 29);
		const page = firstPage({ date: NOW - 24 * HOUR, rows });

		expect(collected(page).isPast(NOW - 4 * HOUR)).toBe(true);
		expect(collected(page).isPast(NOW - 6 * HOUR)).toBe(false);
	});
});

describe('isAtEnd', () => {
	it('is reported at the last page', () => {
		expect(collected(firstPage()).isAtEnd).toBe(false);
		expect(collected(firstPage(), lastPage(6, 7)).isAtEnd).toBe(true);
	});

	it('is reported when a service that counts no pages sends the same page again', () => {
		const rows = Array.from({ length: 100 }, (_, index) => rowAt(index));
		const page: Page = { rows, total: undefined, totalPages: undefined };

		expect(collected(page).isAtEnd).toBe(false);
		expect(collected(page, page).isAtEnd).toBe(true);
	});
});

describe('isWhole', () => {
	it('is reported at the end with as many rows as the service counts', () => {
		expect(collected(firstPage(), lastPage(6, 7)).isWhole).toBe(true);
	});

	it('is not reported where rows were missed', () => {
		expect(collected(firstPage(), lastPage(6)).isWhole).toBe(false);
	});
});

it('returns each row once, since the time', () => {
	const collector = collected(firstPage(), lastPage(5, 6));

	expect(collector.rowsSince(-Infinity).map(({ id }) => id)).toEqual([
		'w-1',
		'w-2',
		'w-3',
		'w-4',
		'w-5',
		'w-6',
	]);
	expect(collector.rowsSince(NOW - 2 * HOUR).map(({ id }) => id)).toEqual(['w-1', 'w-2']);
});

it('returns rows that do not show their time, for any requested time', () => {
	const collector = collected(firstPage({ rows: [{ id: 'w-none' }] }));

	expect(collector.rowsSince(NOW)).toEqual([{ id: 'w-none' }]);
});

describe('an upper bound', () => {
	const bounded = (page: Partial<Page>, until: number) =>
		collected(firstPage({ date: NOW, ...page }))
			.rowsSince(-Infinity, until)
			.map(({ id }) => id);

	it('leaves out what is certainly newer', () => {
		expect(bounded({}, NOW - 3 * HOUR)).toEqual(['w-3', 'w-4', 'w-5']);
	});

	it('allows for clocks that differ by a minute', () => {
		expect(bounded({}, NOW - 3 * HOUR - MINUTE / 2)).toEqual(['w-3', 'w-4', 'w-5']);
	});

	it('goes by the clock of the service', () => {
		expect(bounded({ date: NOW + HOUR }, NOW - 3 * HOUR)).toEqual(['w-2', 'w-3', 'w-4', 'w-5']);
	});

	it('leaves nothing out if the service does not say what time it is', () => {
		expect(bounded({ date: undefined }, NOW - 6 * HOUR)).toHaveLength(5);
	});

	it.each([undefined, '2026-11-21T11:00:00'])('keeps a row of the time %s', (createdAt) => {
		expect(bounded({ rows: [{ id: 'w-1', createdAt }] }, NOW - 6 * HOUR)).toEqual(['w-1']);
	});
});
