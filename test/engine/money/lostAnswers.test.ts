import type { IDataObject } from 'n8n-workflow';
import type { FaultAction } from '../../../dev/sandbox';
import { useBench } from '../support/harness';
import { payEach, TWO } from '../support/payouts';
import type { Parameters } from '../support/workflow';

const bench = useBench();

/** Processed and booked, with this response. */
const answered = (status: number, body: unknown): FaultAction => ({
	kind: 'status',
	status,
	body,
	process: true,
});

const LOST: Array<[name: string, fault: FaultAction]> = [
	['the connection breaks after the payment', { kind: 'dropAfter' }],
	['the connection breaks before the payment', { kind: 'dropBefore' }],
	['a gateway returns 502 with a page', { kind: 'html', status: 502, process: true }],
	['a gateway returns 504 with a page', { kind: 'html', status: 504, process: true }],
	['a gateway returns 408 with a page', { kind: 'html', status: 408, process: true }],
	['a page comes with status 200', { kind: 'html', status: 200, process: true }],
	['the response breaks off', { kind: 'truncate' }],
	['the response breaks off before its first byte', { kind: 'truncate', bytes: 0 }],
	['the response is an empty object', answered(201, {})],
	['the response is an empty 502', answered(502, '')],
	[
		'the service returns INTERNAL_ERROR after the payment',
		answered(500, { error: { code: 'INTERNAL_ERROR', message: 'Unexpected' } }),
	],
	['the service returns INTERNAL_ERROR', { kind: 'error', code: 'INTERNAL_ERROR' }],
	['the service returns SERVICE_UNAVAILABLE', { kind: 'error', code: 'SERVICE_UNAVAILABLE' }],
	['the service returns an unknown code with 500', answered(500, { error: { code: 'BRAND_NEW' } })],
];

describe('a response that does not arrive', () => {
	describe.each([1, 4])('%i times', (times) => {
		it.each(LOST)('pays each item once when %s', async (_name, fault) => {
			bench.sandbox.faults.add({ method: 'POST', times: 2 * times, ...fault });

			const { json, error } = await bench.run(payEach(), TWO);

			expect(error).toBeUndefined();
			expect(json.map(({ netAmount }) => netAmount)).toEqual([10.01, 20.02]);
			expect(bench.paid).toEqual([1001, 2002]);
			expect(bench.posts).toBe(2 * times + 2);
			expect(bench.keys).toHaveLength(2);
		});
	});

	it('waits longer before each attempt', async () => {
		bench.sandbox.faults.add({ method: 'POST', times: 4, kind: 'dropBefore' });

		await bench.run(payEach({ maxConcurrency: 1 }), TWO);

		expect(bench.waits).toEqual([375, 750, 1500, 3000]);
	});

	it('gives up after five attempts and says that the outcome is unknown', async () => {
		bench.lose('dropAfter');

		const { error } = await bench.run(payEach({ maxConcurrency: 1 }), TWO);

		expect(bench.posts).toBe(5);
		expect(error?.name).toBe('NodeApiError');
		expect(error?.message).toBe(
			'Row 1: It is not known whether this took effect: the connection to the server was lost before the response arrived',
		);
		expect(error?.description).toContain('The service recognizes a repetition until ');
		expect(error?.description).toContain('1 with unknown outcome (row 1), 1 not started (row 2)');
		expect(error?.description).toContain(`Idempotency key: ${bench.keys[0]}.`);
	});

	it('follows no redirect, and says that the outcome is unknown', async () => {
		bench.sandbox.faults.add({
			method: 'POST',
			times: Infinity,
			kind: 'status',
			status: 307,
			headers: { location: `${bench.sandbox.url}/v1/withdrawals` },
			process: true,
		});

		const { error } = await bench.run(payEach({ maxConcurrency: 1 }), TWO);

		expect(bench.requests()).toHaveLength(1);
		expect(bench.paid).toEqual([1001]);
		expect(error?.message).toMatch(/^Row 1: It is not known whether this took effect: /);
	});
});

describe('a response that takes too long', () => {
	// Both first requests are held back until the clock of the server moves.
	const slow = (ms: number) =>
		bench.sandbox.faults.add({ method: 'POST', times: 2, kind: 'delay', ms });

	it('pays once when the first request is processed before the second one arrives', async () => {
		slow(300);

		const run = await bench.run(payEach({ timeout: 0.5 }), TWO);

		bench.expectPaid([1001, 2002], run);
		expect(bench.waits).not.toEqual([]);
	});

	it('pays once when the first request is processed long after the second one', async () => {
		slow(60 * 60_000);

		const { error } = await bench.run(payEach({ timeout: 0.5 }), TWO);
		bench.clock.advance(60 * 60_000);
		await bench.answered();

		expect(error).toBeUndefined();
		// The two that were held back got a response too, when no client waited for it any more.
		expect(bench.requests('POST').map(({ status }) => `${status}`.charAt(0))).not.toContain('5');
		expect(bench.requests('POST').every(({ status }) => status !== undefined)).toBe(true);
		expect(bench.posts).toBeGreaterThanOrEqual(4);
		expect(bench.paid).toEqual([1001, 2002]);
	});

	it.each([
		['a moment', 2_500],
		['most of a minute', 45_000],
	])(
		'tries again under the same key while the first request is being processed, for %s',
		async (_what, ms) => {
			bench.sandbox.faults.add({ method: 'POST', times: 2, kind: 'inFlight', ms });

			const { json, error } = await bench.run(payEach({ timeout: 0.5 }), TWO);

			expect(error).toBeUndefined();
			expect(json.map(({ netAmount }) => netAmount)).toEqual([10.01, 20.02]);
			expect(bench.requests('POST').map(({ status }) => status)).toContain(409);
			expect(bench.paid).toEqual([1001, 2002]);
			expect(bench.keys).toHaveLength(2);
		},
	);

	it('says what to do when the first request never ends', async () => {
		bench.sandbox.faults.add({ method: 'POST', kind: 'inFlight', ms: 60 * 60_000 });

		const failed = await bench.run(payEach({ timeout: 0.5, maxConcurrency: 1 }), TWO);
		expect(failed.error?.message).toBe(
			'Row 1: It is not known whether this took effect: an earlier attempt at this operation is still being processed',
		);

		bench.clock.advance(60 * 60_000);
		await bench.answered();
		const retried = await bench.retry(failed);
		bench.expectPaid([1001, 2002], retried);
	});
});

describe('every operation that creates something', () => {
	interface Write {
		name: string;
		/** Prepares the account and returns the two items. */
		items: () => IDataObject[];
		parameters: Parameters;
		effects: () => number;
	}
	const twoPaid = () =>
		[1001, 2005].map((amountCents) => ({
			paymentId: bench.sandbox.seed.payment({ status: 'PAID', amountCents }).id,
		}));
	const writes: Write[] = [
		{
			name: 'withdrawal: create',
			items: () => TWO,
			parameters: payEach(),
			effects: () => bench.sandbox.books.withdrawals.length,
		},
		{
			name: 'payment: create',
			items: () => [{ amount: 10.01 }, { amount: 20.05 }],
			parameters: {
				resource: 'payment',
				operation: 'create',
				amount: '={{ $json.amount }}',
				options: {},
			},
			effects: () => bench.sandbox.books.payments.length,
		},
		{
			name: 'payment: refund',
			items: twoPaid,
			parameters: {
				resource: 'payment',
				operation: 'refund',
				paymentId: '={{ $json.paymentId }}',
				options: {},
			},
			effects: () => bench.sandbox.books.refunds.length,
		},
		{
			name: 'product: create',
			items: () => [{ name: 'One' }, { name: 'Two' }],
			parameters: {
				resource: 'product',
				operation: 'create',
				name: '={{ $json.name }}',
				amount: '49,90',
				options: {},
			},
			effects: () => bench.sandbox.books.products.length,
		},
	];

	it.each(writes)('$name takes effect once', async ({ items, parameters, effects }) => {
		bench.sandbox.faults.add({ method: 'POST', times: 2, kind: 'dropAfter' });

		const { error } = await bench.run(parameters, items());

		expect(error).toBeUndefined();
		expect(effects()).toBe(2);
		expect(bench.posts).toBe(4);
	});
});
