import type { ItemCall } from '../../../../../nodes/BrlPayments/item';
import type { ApiRecord, Page } from '../../../../../nodes/shared/transport/schemas';
import { AccountHistory } from '../../../../../nodes/BrlPayments/orders/accountList';

// In which order rows may come: test/unit/nodes/shared/lists/rowCollector.test.ts.
const NOW = Date.parse('2026-11-21T12:06:00Z');
const HOUR = 3_600_000;

/** Withdrawals of the last hours, one an hour, newest first. */
const hourly = (count: number, first = 0): ApiRecord[] =>
	Array.from({ length: count }, (_, index) => rowAt(first + index));
const rowAt = (hoursAgo: number): ApiRecord => ({
	id: `w-${hoursAgo}`,
	createdAt: new Date(NOW - hoursAgo * HOUR).toISOString(),
});

const PAGE = 100;
const MOST_ROWS = 20_000;

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

const createHistory = ({ page }: Pick<Service, 'page'>) => {
	const lookUp = async (...[, , , query]: Parameters<ItemCall['lookUp']>) =>
		await page(query?.page as number);
	return new AccountHistory({
		environment: 'sandbox',
		lookUp: lookUp as ItemCall['lookUp'],
		now: () => NOW,
	});
};
const getIds = (rows: readonly ApiRecord[]) => rows.map(({ id }) => id);

const gap = (words: string) => ({ gap: expect.stringContaining(words) as string });
const FEWER = gap('shows fewer rows than it counts');
const TOO_LONG = gap('only its newest 20,000 rows');

describe('how far it reads', () => {
	test('no further than needed where the newest come first', async () => {
		const service = new Service(hourly(1_000));

		const { rows, gap } = await createHistory(service).since(NOW - 24 * HOUR);

		expect(getIds(rows)).toEqual(getIds(hourly(25)));
		expect(gap).toBeUndefined();
		expect(service.pagesRead).toEqual([1]);
	});

	// Somebody was charged twice: the page that lacked the row was followed by older ones.
	test('to the end where a page lacks a row, which the count shows then', async () => {
		const service = new Service(hourly(290));
		const { page } = service;
		const cut = {
			page: async (number: number) => {
				const whole = await page(number);
				return number > 1 ? whole : { ...whole, rows: whole.rows.filter(({ id }) => id !== 'w-3') };
			},
		};

		expect(await createHistory(cut).since(NOW - 24 * HOUR)).toMatchObject(FEWER);
	});

	test('a bounded number of pages, and says that older ones may be missing', async () => {
		const service = new Service(hourly(MOST_ROWS + PAGE + 1));

		const excerpt = await createHistory(service).since(-Infinity);

		expect(service.pagesRead).toHaveLength(Math.ceil(MOST_ROWS / PAGE));
		expect(excerpt.rows.length).toBeGreaterThanOrEqual(MOST_ROWS);
		expect(excerpt).toMatchObject(TOO_LONG);
	});
});

test.each(['first', 'last'] as const)(
	'payouts that others make while it is read are read afterwards if they come %s',
	async (where) => {
		const service = new Service(hourly(290));
		const page = async (number: number) => {
			if (number > 1 && service.rows.length < 500) {
				const added = Array.from({ length: 120 }, (_, index) => ({
					...rowAt(where === 'first' ? 0 : -1),
					id: `n-${service.rows.length + index}`,
				}));
				service.rows = (where === 'first' ? [added, service.rows] : [service.rows, added]).flat();
			}
			return await service.page(number);
		};

		const excerpt = await createHistory({ page }).since(-Infinity);

		expect(service.rows).toHaveLength(530);
		expect(excerpt.gap).toBeUndefined();
		expect(getIds(excerpt.rows).sort()).toEqual(getIds(service.rows).sort());
	},
);

describe('pages', () => {
	test('are read once, however many items ask side by side', async () => {
		const service = new Service(hourly(290));
		const history = createHistory(service);

		const excerpts = await Promise.all([1, 2, 3].map(async () => await history.since(-Infinity)));

		expect(service.pagesRead).toEqual([1, 2, 3]);
		for (const { rows } of excerpts) expect(rows).toHaveLength(290);
	});

	test('that fail are a gap for all callers, and not read again', async () => {
		let calls = 0;
		const history = createHistory({
			page: async () => {
				calls += 1;
				return await Promise.reject(new Error('gone'));
			},
		});

		for (const since of [-Infinity, NOW]) {
			const { rows, gap } = await history.since(since);
			expect(rows).toEqual([]);
			expect(gap).toMatch(/^The list of withdrawals cannot be read: /);
		}
		expect(calls).toBe(1);
	});
});

test('a server that counts more than it sends leaves the list incomplete, and comes to an end', async () => {
	const service = new Service(hourly(2), { rows: hourly(2), total: 1e9, totalPages: 1e9 });

	expect(await createHistory(service).since(-Infinity)).toMatchObject(FEWER);
	expect(service.pagesRead.length).toBeLessThan(10);
});
