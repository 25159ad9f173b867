import { checkStatus, EVENTS } from '../../../../../nodes/BrlPaymentsTrigger/events/events';
import {
	eventOfRow,
	eventsOfRows,
	listsFor,
	readRecent,
} from '../../../../../nodes/BrlPaymentsTrigger/polling/lists';
import type { ApiRecord, Page } from '../../../../../nodes/shared/transport/schemas';

const NOW = Date.parse('2026-11-21T12:00:00Z');

test.each<['payment' | 'withdrawal', unknown, string | null]>([
	['payment', 'PAID', 'PAYMENT_PAID'],
	['payment', 'CONFIRMED', 'PAYMENT_CONFIRMED'],
	['payment', 'EXPIRED', 'PAYMENT_EXPIRED'],
	['payment', 'CANCELLED', 'PAYMENT_CANCELLED'],
	['payment', 'REFUNDED', 'PAYMENT_REFUNDED'],
	['payment', 'CHARGEBACK', 'PAYMENT_CHARGEBACK'],
	['payment', 'MED_FROZEN', 'MED_RECEIVED'],
	['withdrawal', 'COMPLETED', 'WITHDRAWAL_SENT'],
	['withdrawal', 'FAILED', 'WITHDRAWAL_FAILED'],
	['payment', 'PARTIAL_REFUND', 'PAYMENT_REFUNDED'],
	['withdrawal', 'CANCELLED', 'WITHDRAWAL_FAILED'],
	['payment', 'NEW', null],
	['payment', 'PENDING_METHOD_SELECTION', null],
	['payment', 'PROCESSING', null],
	['withdrawal', 'PENDING', null],
	['withdrawal', 'PROCESSING', null],
	['payment', 'COMPLETED', null],
	['payment', 'constructor', null],
	['payment', undefined, null],
	['payment', 7, null],
])('a %s that is %s: %s', (type, status, event) => {
	expect(eventOfRow(type, { status })).toBe(event);
	// A webhook with this status would not be held against the event.
	if (event !== null) expect(checkStatus(event, status)).toBe('agrees');
});

test('each status that a list shows stands for one event', () => {
	for (const type of ['payment', 'withdrawal']) {
		const entries = Object.values(EVENTS).filter(({ resourceType }) => resourceType === type);
		const listed = entries.flatMap((entry) => entry.listed ?? []);
		expect(new Set(listed).size).toBe(listed.length);
		for (const entry of entries)
			expect(entry.statuses).toEqual(expect.arrayContaining([...(entry.listed ?? [])]));
	}
});

test.each([
	[['*'], ['payment', 'withdrawal']],
	[['PAYMENT_PAID'], ['payment']],
	[['WITHDRAWAL_FAILED'], ['withdrawal']],
	[
		['MED_RECEIVED', 'WITHDRAWAL_SENT'],
		['payment', 'withdrawal'],
	],
	[['PAYMENT_REFUND_FAILED', 'MED_RESOLVED'], []],
	[[], []],
])('of the events %s, polling reads the lists %s', (selected, lists) => {
	expect(listsFor(selected)).toEqual(lists);
});

describe('the events of listed payments', () => {
	const find = (...rows: ApiRecord[]) => eventsOfRows('payment', rows, ['*'], NOW);

	test('have the ID of the payment, whatever the event says of other shapes', () => {
		const [found] = find({ id: 'p1', txId: 'PAY1', status: 'MED_FROZEN' });
		expect(found?.output).toMatchObject({
			...{ event: 'MED_RECEIVED', deliveryId: 'poll-MED_RECEIVED-p1', source: 'polling' },
			...{ resourceType: 'payment', paymentId: 'p1', withdrawalId: null, txId: 'PAY1' },
			isTest: false,
		});
	});

	test('are two for a partial refund and the full one after it', () => {
		const row = { id: 'p1', txId: 'PAY1' };
		const [part, whole] = find(
			{ ...row, status: 'PARTIAL_REFUND' },
			{ ...row, status: 'REFUNDED' },
		);
		expect([part, whole].map((one) => one?.output.event)).toEqual([
			'PAYMENT_REFUNDED',
			'PAYMENT_REFUNDED',
		]);
		expect(part?.output.deliveryId).not.toBe(whole?.output.deliveryId);
		for (const identity of part?.identities ?? []) {
			expect(whole?.identities).not.toContain(identity);
		}
		expect(part?.identities).toHaveLength(2);
	});

	test('whose txId is empty are not taken for one event', () => {
		const paid = { txId: '', status: 'PAID' };
		const [one, other] = find({ id: 'p1', ...paid }, { id: 'p2', ...paid });
		expect(one?.identities).toHaveLength(1);
		expect(other?.identities).not.toEqual(one?.identities);
	});
});

// Lists in another order, without times, or with the same page forever: rowCollector.test.ts.
describe('reading', () => {
	const HOUR = 60 * 60_000;
	/** One row an hour, newest first. */
	const createRows = (count: number) =>
		Array.from({ length: count }, (_, index) => ({
			id: `row-${index}`,
			createdAt: new Date(NOW - index * HOUR).toISOString(),
		}));

	interface Server {
		rows: readonly ApiRecord[];
		date?: number;
		/** Without counts of pages. */
		isBare?: boolean;
		failingPage?: number;
	}
	const trouble = new Error('too many requests');

	/** @returns also the pages that were asked for */
	async function read(server: Server, daysBack: number, resumeAt = 1) {
		const { rows, date, isBare = false, failingPage } = server;
		const asked: number[] = [];
		const fetchPage = async (page: number): Promise<Page> => {
			asked.push(page);
			if (page === failingPage) throw trouble;
			return {
				rows: rows.slice((page - 1) * 100, page * 100),
				total: isBare ? undefined : rows.length,
				totalPages: isBare ? undefined : Math.ceil(rows.length / 100),
				date,
			};
		};
		const reading = await readRecent(fetchPage, NOW - daysBack * 24 * HOUR, resumeAt, () => NOW);
		return { ...reading, count: reading.rows.length, asked };
	}

	test.each<[string, Server, number, object]>([
		['stops behind the window', { rows: createRows(1_000) }, 3, { asked: [1], count: 73 }],
		['goes to the end', { rows: createRows(250) }, 30, { asked: [1, 2, 3], count: 250 }],
		[
			'goes to the end of a list without counts',
			{ rows: createRows(250), isBare: true },
			30,
			{ asked: [1, 2, 3], count: 250 },
		],
		[
			'goes on where rows do not come newest first',
			{ rows: createRows(250).reverse() },
			1,
			{ asked: [1, 2, 3], count: 25 },
		],
	])('%s, and is whole', async (_, server, daysBack, expected) => {
		expect(await read(server, daysBack)).toMatchObject({ nextPage: 1, ...expected });
	});

	test.each([
		[1, 1, 1, 0],
		[3, 1, 3, 200],
		[1, 7, 7, 0],
		[8, 7, 8, 200],
	])(
		'when page %i fails after a start at %i, continues at %i',
		async (failingPage, resumeAt, nextPage, count) => {
			const reading = await read({ rows: createRows(1_000), failingPage }, 365, resumeAt);
			expect(reading).toMatchObject({ nextPage, count, error: trouble });
		},
	);

	test('counts the window by the clock of the service', async () => {
		const rows = [0, 30].map((hours) => createRows(31)[hours]!);
		expect((await read({ rows, date: NOW }, 1)).count).toBe(1);
		expect((await read({ rows, date: NOW - 7 * HOUR }, 1)).count).toBe(2);
	});
});
