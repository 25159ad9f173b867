import type { ApiRecord, Page } from '../../../../../../nodes/api/schemas';
import { RecentWithdrawals } from '../../../../../../nodes/BrlPayments/resources/withdrawal/recentWithdrawals';

const rowsOf = (count: number, prefix = 'w'): ApiRecord[] =>
	Array.from({ length: count }, (_, index) => ({ id: `${prefix}-${index}` }));

/** A service with pages of 100. */
class Service {
	rows: ApiRecord[];
	pagesRead: number[] = [];

	constructor(count: number) {
		this.rows = rowsOf(count);
	}

	readonly page = async (number: number): Promise<Page> => {
		this.pagesRead.push(number);
		return {
			rows: this.rows.slice((number - 1) * 100, number * 100),
			total: this.rows.length,
			totalPages: Math.ceil(this.rows.length / 100),
		};
	};
}

const idsOf = (rows: ApiRecord[]) => rows.map(({ id }) => id).sort();

test.each([0, 1, 100, 101, 250])('reads all of %i withdrawals', async (count) => {
	const service = new Service(count);

	expect(idsOf(await new RecentWithdrawals(service.page).refresh())).toEqual(idsOf(service.rows));
});

test('reads one page when nothing is new', async () => {
	const service = new Service(250);
	const recent = new RecentWithdrawals(service.page);
	await recent.refresh();
	service.pagesRead = [];

	await recent.refresh();

	expect(service.pagesRead).toEqual([1]);
});

test.each([
	['first', (rows: ApiRecord[], added: ApiRecord[]) => [...added, ...rows], [1]],
	['last', (rows: ApiRecord[], added: ApiRecord[]) => [...rows, ...added], [1, 2, 3]],
])('finds new ones that are listed %s', async (_, add, pages) => {
	const service = new Service(250);
	const recent = new RecentWithdrawals(service.page);
	await recent.refresh();
	service.pagesRead = [];

	service.rows = add(service.rows, rowsOf(2, 'new'));

	expect(idsOf(await recent.refresh())).toEqual(idsOf(service.rows));
	expect(service.pagesRead).toEqual(pages);
});

test('reads on though another item knows newer ones already, when answers come out of order', async () => {
	// Row 100 is on the second page. Each answer waits until the test lets it through.
	const service = new Service(100);
	const held: Array<() => void> = [];
	let isHolding = false;
	const recent = new RecentWithdrawals(async (number) => {
		const page = await service.page(number);
		if (isHolding) await new Promise<void>((resolve) => held.push(resolve));
		return page;
	});
	const settle = async () => await new Promise((resolve) => setImmediate(resolve));
	await recent.refresh();
	isHolding = true;

	service.rows = [...service.rows, { id: 'wanted' }];
	const older = recent.refresh();
	await settle();
	service.rows = [{ id: 'newest' }, ...service.rows];
	const newer = recent.refresh();
	await settle();
	// The first page of the newer answer, with the newest row, before that of the older one.
	held.splice(1, 1)[0]?.();
	await settle();
	held.shift()?.();
	await settle();
	isHolding = false;
	for (const release of held) release();

	expect(idsOf(await older)).toContain('wanted');
	expect(idsOf(await newer)).toEqual(idsOf(service.rows));
});

test('shows a withdrawal as it is now', async () => {
	const service = new Service(1);
	const recent = new RecentWithdrawals(service.page);
	await recent.refresh();

	service.rows = [{ id: 'w-0', status: 'FAILED' }];

	expect(await recent.refresh()).toEqual([{ id: 'w-0', status: 'FAILED' }]);
});

test('goes through full pages where the server counts nothing', async () => {
	const all = rowsOf(150);
	const pages: number[] = [];
	const recent = new RecentWithdrawals(async (number) => {
		pages.push(number);
		const rows = all.slice((number - 1) * 100, number * 100);
		return { rows, total: undefined, totalPages: undefined };
	});

	expect(await recent.refresh()).toHaveLength(150);
	expect(await recent.refresh()).toHaveLength(150);
	expect(pages).toEqual([1, 2, 1, 2]);
});

test('ends where the server knows neither pages nor counts', async () => {
	let requests = 0;
	const recent = new RecentWithdrawals(async () => {
		requests += 1;
		return { rows: rowsOf(100), total: undefined, totalPages: undefined };
	});

	expect(await recent.refresh()).toHaveLength(100);
	expect(requests).toBe(2);
});

test('ends where the server counts many pages and always sends the same one', async () => {
	const fetchPage = jest.fn(async () => ({ rows: rowsOf(2), total: 1e9, totalPages: 1e9 }));

	expect(await new RecentWithdrawals(fetchPage).refresh()).toHaveLength(2);
	expect(fetchPage).toHaveBeenCalledTimes(4);
});
