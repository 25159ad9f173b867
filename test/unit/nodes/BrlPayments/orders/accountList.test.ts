import type { ItemCall } from '../../../../../nodes/BrlPayments/item';
import type { ApiRecord, Page } from '../../../../../nodes/shared/transport/schemas';
import {
	MAX_HISTORY_ROWS,
	pageSizeAt,
	AccountHistory,
} from '../../../../../nodes/BrlPayments/orders/accountList';

const NOW = Date.parse('2026-11-21T12:06:00Z');
const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

/** Withdrawals of the last hours, one an hour, newest first. */
const hourly = (count: number, first = 0): ApiRecord[] =>
	Array.from({ length: count }, (_, index) => rowAt(first + index));
const rowAt = (hoursAgo: number): ApiRecord => ({
	id: `w-${hoursAgo}`,
	createdAt: new Date(NOW - hoursAgo * HOUR).toISOString(),
});

const PAGE = pageSizeAt(NOW);
/** As many as fit on a page, paid in one go long ago. */
const imported = Array.from({ length: PAGE }, (_, index) => ({ ...rowAt(720), id: `i-${index}` }));

/** A service that counts its pages. */
class Service {
	readonly pagesRead: number[] = [];
	rows: ApiRecord[];

	constructor(
		rows: ApiRecord[],
		private readonly changed: Partial<Page> = {},
	) {
		this.rows = rows;
	}

	readonly page = async (number: number): Promise<Page> => {
		this.pagesRead.push(number);
		return await Promise.resolve({
			rows: this.rows.slice((number - 1) * PAGE, number * PAGE),
			total: this.rows.length,
			totalPages: Math.ceil(this.rows.length / PAGE),
			...this.changed,
		});
	};
}

const createHistory = ({ page }: Pick<Service, 'page'>, now = () => NOW) => {
	const lookUp = async (...[, , , query]: Parameters<ItemCall['lookUp']>) =>
		await page(query?.page as number);
	const history = new AccountHistory({
		environment: 'sandbox',
		lookUp: lookUp as ItemCall['lookUp'],
		now,
	});
	return {
		since: async (since: number, notBefore?: number) => {
			const reading = await history.since(since, notBefore);
			if ('failure' in reading) throw new Error(reading.failure.message);
			return reading;
		},
	};
};
const getIds = (rows: readonly ApiRecord[]) => rows.map(({ id }) => id);

describe('how far it reads', () => {
	test.each([0, 1, PAGE, PAGE + 1, 190])(
		'all of %i withdrawals where all are wanted',
		async (count) => {
			const service = new Service(hourly(count));

			expect(await createHistory(service).since(-Infinity)).toEqual({
				rows: service.rows,
				isComplete: true,
				isTooLong: false,
			});
		},
	);

	test('no further than needed where the newest come first', async () => {
		const service = new Service(hourly(1_000));

		const { rows, isComplete } = await createHistory(service).since(NOW - 24 * HOUR);

		expect(getIds(rows)).toEqual(getIds(hourly(25)));
		expect(isComplete).toBe(true);
		expect(service.pagesRead).toEqual([1]);
	});

	test.each<[string, ApiRecord[]]>([
		['the oldest come first', hourly(190).reverse()],
		['one is out of order', [rowAt(60), ...hourly(60), ...hourly(129, 61)]],
		['a page of old ones has one timestamp', [...imported, ...hourly(100)]],
		['one does not show when it was made', [...hourly(60), { id: 'undated' }, ...hourly(129, 60)]],
	])('to the end where %s', async (_, rows) => {
		const service = new Service(rows);

		const excerpt = await createHistory(service).since(NOW - 24 * HOUR);

		expect(service.pagesRead).toEqual([1, 2, 3]);
		expect(excerpt.isComplete).toBe(true);
		expect(getIds(excerpt.rows)).toEqual(expect.arrayContaining(getIds(hourly(25))));
	});

	// Somebody was charged twice: the page that lacked the row was followed by older ones.
	test('to the end where a page lacks a row, which the count shows then', async () => {
		const service = new Service(hourly(190));
		const { page } = service;
		const cut = {
			page: async (number: number) => {
				const whole = await page(number);
				return number > 1 ? whole : { ...whole, rows: whole.rows.filter(({ id }) => id !== 'w-3') };
			},
		};

		const { isComplete, isTooLong } = await createHistory(cut).since(NOW - 24 * HOUR);

		expect(isComplete).toBe(false);
		expect(isTooLong).toBe(false);
	});

	test('a bounded number of pages, and says that older ones may be missing', async () => {
		const service = new Service(hourly(MAX_HISTORY_ROWS + PAGE + 1));

		const excerpt = await createHistory(service).since(-Infinity);

		expect(service.pagesRead).toHaveLength(Math.ceil(MAX_HISTORY_ROWS / PAGE));
		expect(excerpt.rows.length).toBeGreaterThanOrEqual(MAX_HISTORY_ROWS);
		expect(excerpt).toMatchObject({ isComplete: false, isTooLong: true });
	});
});

describe('payouts that others make while it is read', () => {
	/** Adds rows before each of these pages is returned, at the beginning or the end. */
	const busy = (rows: ApiRecord[], pages: number, count: number, where: 'first' | 'last') => {
		const service = new Service(rows);
		let left = pages;
		const page = async (number: number) => {
			if (number > 1 && left > 0) {
				left -= 1;
				const added = Array.from({ length: count }, (_, index) => ({
					...rowAt(where === 'first' ? 0 : -1),
					id: `n-${left}-${index}`,
				}));
				service.rows =
					where === 'first' ? [...added, ...service.rows] : [...service.rows, ...added];
			}
			return await service.page(number);
		};
		return { page, service };
	};

	test.each(['first', 'last'] as const)('are read afterwards if they come %s', async (where) => {
		const { page, service } = busy(hourly(190), 2, 120, where);

		const excerpt = await createHistory({ page }).since(-Infinity);

		expect(excerpt.isComplete).toBe(true);
		expect(getIds(excerpt.rows).sort()).toEqual(getIds(service.rows).sort());
	});

	test('need one page more if they are few', async () => {
		const { page, service } = busy(hourly(190), 1, 3, 'first');

		expect((await createHistory({ page }).since(-Infinity)).isComplete).toBe(true);
		expect(service.pagesRead).toEqual([1, 2, 3, 1]);
	});

	test('without end leave the list incomplete, not too long', async () => {
		const service = new Service(hourly(190));
		let added = 0;
		const page = async (number: number) => {
			const answer = await service.page(number);
			added += 1;
			service.rows = [{ ...rowAt(0), id: `n-${added}` }, ...service.rows];
			return { ...answer, total: service.rows.length };
		};

		const excerpt = await createHistory({ page }).since(-Infinity);

		expect(excerpt).toMatchObject({ isComplete: false, isTooLong: false });
		expect(service.pagesRead.length).toBeLessThan(30);
	});
});

describe('pages', () => {
	test('are read once, however many items ask side by side', async () => {
		const service = new Service(hourly(190));
		const history = createHistory(service);

		const excerpts = await Promise.all([1, 2, 3].map(async () => await history.since(-Infinity)));

		expect(service.pagesRead).toEqual([1, 2, 3]);
		for (const { rows } of excerpts) expect(rows).toHaveLength(190);
	});

	test('are read again for what must not have been read before that time', async () => {
		const service = new Service(hourly(1));
		let now = NOW;
		const history = createHistory(service, () => now);
		await history.since(-Infinity, NOW);
		service.rows = hourly(2);
		now += MINUTE;

		expect((await history.since(-Infinity, NOW)).rows).toHaveLength(1);
		expect((await history.since(-Infinity, NOW + 1)).rows).toHaveLength(2);
		expect((await history.since(-Infinity)).rows).toHaveLength(2);
		expect(service.pagesRead).toEqual([1, 1]);
	});

	test('that fail are reported to all callers, and not read again', async () => {
		let calls = 0;
		const history = createHistory({
			page: async () => {
				calls += 1;
				return await Promise.reject(new Error('gone'));
			},
		});

		await expect(history.since(-Infinity)).rejects.toThrow('gone');
		await expect(history.since(NOW)).rejects.toThrow('gone');
		expect(calls).toBe(1);
	});
});

test('a server that counts more than it sends leaves the list incomplete, and comes to an end', async () => {
	const service = new Service(hourly(2), { rows: hourly(2), total: 1e9, totalPages: 1e9 });

	expect(await createHistory(service).since(-Infinity)).toMatchObject({ isComplete: false });
	expect(service.pagesRead.length).toBeLessThan(10);
});

test.each([
	['minute', MINUTE],
	['hour', HOUR],
	['day', 24 * HOUR],
])('who reads the list every %s asks for another size of page each time', (_, pause) => {
	const sizes = Array.from({ length: 31 }, (_none, time) => pageSizeAt(NOW + time * pause));

	expect(new Set(sizes).size).toBe(31);
	expect([Math.min(...sizes), Math.max(...sizes)]).toEqual([69, 99]);
});
