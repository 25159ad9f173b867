import type { IDataObject } from 'n8n-workflow';
import type { FaultAction } from '../../../dev/sandbox';
import type { Execution } from '../support/execution';
import { usePayouts } from '../support/money';
import { chargeEach, payEach, refundEach, TWO } from '../support/payouts';
import { HOUR } from '../support/values';
import type { Parameters } from '../support/workflow';

const bench = usePayouts();
const ONE_BY_ONE = { maxConcurrency: 1 };
const UNKNOWN = 'Row 1 (R$ 10,01): It is not known whether this took effect: ';

/** Each was paid once, under one key. */
const expectOnce = (run: Execution) => {
	expect(run.json.map(({ netAmount }) => netAmount)).toEqual([10.01, 20.02]);
	bench.expectPaid([1001, 2002], run);
	expect(bench.keys).toHaveLength(2);
};
/** Processed and booked, with this response. */
const answered = (status: number, body: unknown): FaultAction => ({
	...{ kind: 'status', status, body, process: true },
});

describe('a response that does not arrive', () => {
	const LOST: Array<[name: string, fault: FaultAction]> = [
		['the connection breaks after the payment', { kind: 'dropAfter' }],
		['the connection breaks before the payment', { kind: 'dropBefore' }],
		['a gateway returns 502 with a page', { kind: 'html', status: 502, process: true }],
		['a gateway returns 408 with a page', { kind: 'html', status: 408, process: true }],
		['a page comes with status 200', { kind: 'html', status: 200, process: true }],
		['the response breaks off', { kind: 'truncate' }],
		['the response is an empty object', answered(201, {})],
		[
			'the service returns INTERNAL_ERROR after the payment',
			answered(500, { error: { code: 'INTERNAL_ERROR', message: 'Unexpected' } }),
		],
		['the service returns INTERNAL_ERROR', { kind: 'error', code: 'INTERNAL_ERROR' }],
		[
			'the service returns an unknown code with 500',
			answered(500, { error: { code: 'BRAND_NEW' } }),
		],
	];

	describe.each([1, 4])('%i times', (times) => {
		it.each(LOST)('pays each item once when %s', async (_name, fault) => {
			bench.strike('', { ...fault, times: 2 * times });
			expectOnce(await bench.payTwo());
			expect(bench.posts).toBe(2 * times + 2);
		});
	});

	it('gives up after five attempts and says that the outcome is unknown', async () => {
		bench.lose('dropAfter');

		const { error } = await bench.payTwo({}, ONE_BY_ONE);

		expect(bench.posts).toBe(5);
		expect(error?.name).toBe('NodeApiError');
		expect(error?.message).toBe(
			`${UNKNOWN}the connection to the server was lost before the response arrived`,
		);
		expect(error?.description).toContain('choose Retry in the list Executions');
		expect(error?.description).toContain('1 in doubt: row 1; 1 not sent: row 2');
		expect(error?.description).toContain(`Idempotency key: ${bench.keys[0]}.`);
	});

	it('follows no redirect, and says that the outcome is unknown', async () => {
		const headers = { location: `${bench.sandbox.url}/v1/withdrawals` };
		bench.strike('', { kind: 'status', status: 307, headers, process: true });

		const { error } = await bench.payTwo({}, ONE_BY_ONE);

		expect(bench.requests()).toHaveLength(1);
		expect(bench.paid).toEqual([1001]);
		expect(error?.message).toContain(UNKNOWN);
	});
});

describe('a response that takes too long', () => {
	const IMPATIENT = { timeout: 0.5 };
	// Both first requests are held back until the clock of the server moves.
	const slow = (ms: number) => bench.strike('', { kind: 'delay', ms, times: 2 });

	it('pays once when the first request is processed before the second one arrives', async () => {
		slow(300);
		bench.expectPaid([1001, 2002], await bench.payTwo({}, IMPATIENT));
		expect(bench.waits).not.toEqual([]);
	});

	it('pays once when the first request is processed long after the second one', async () => {
		slow(HOUR);

		const run = await bench.payTwo({}, IMPATIENT);
		bench.clock.advance(HOUR);
		await bench.answered();

		bench.expectPaid([1001, 2002], run);
		// The two that were held back got a response too, when no client waited for it any more.
		for (const { status } of bench.requests('POST')) expect(status).toBeLessThan(500);
		expect(bench.posts).toBeGreaterThanOrEqual(4);
	});

	it.each([
		['a moment', 2_500],
		['most of a minute', 45_000],
	])(
		'tries again under the same key while the first request is being processed, for %s',
		async (_what, ms) => {
			bench.strike('', { kind: 'inFlight', ms, times: 2 });
			expectOnce(await bench.payTwo({}, IMPATIENT));
			expect(bench.requests('POST').map(({ status }) => status)).toContain(409);
		},
	);

	it('says what to do when the first request never ends', async () => {
		bench.strike('', { kind: 'inFlight', ms: HOUR, times: 1 });

		const failed = await bench.payTwo({}, { ...IMPATIENT, ...ONE_BY_ONE });
		expect(failed.error?.message).toBe(
			`${UNKNOWN}an earlier attempt at this operation is still being processed`,
		);

		bench.clock.advance(HOUR);
		await bench.answered();
		bench.expectPaid([1001, 2002], await bench.retry(failed));
	});
});

describe('every operation that creates something', () => {
	type Book = 'withdrawals' | 'payments' | 'refunds' | 'products';
	const product = { resource: 'product', operation: 'create', amount: '49,90', options: {} };

	it.each<[string, Book, Parameters, () => IDataObject[]]>([
		['withdrawal: create', 'withdrawals', payEach(), () => TWO],
		['payment: create', 'payments', chargeEach('PIX'), () => TWO],
		['payment: refund', 'refunds', refundEach, () => bench.paidPayments()],
		[
			'product: create',
			'products',
			{ ...product, name: '={{ $json.name }}' },
			() => [{ name: 'One' }, { name: 'Two' }],
		],
	])('%s takes effect once', async (_name, book, parameters, items) => {
		bench.lose('dropAfter', undefined, 2);

		const { error } = await bench.run(parameters, items());

		expect(error).toBeUndefined();
		expect(bench.sandbox.books[book]).toHaveLength(2);
		expect(bench.posts).toBe(4);
	});
});
