import { useBench } from '../support/bench';
import { expectNoKeys, sent } from '../support/wire';

const bench = useBench();
const PAIRED = [{ item: 0 }, { item: 1 }];

describe('Document: Get Receipt', () => {
	const receipt = {
		resource: 'document',
		operation: 'getReceipt',
		paymentId: '={{ $json.id }}',
		format: '={{ $json.format }}',
		options: { maxConcurrency: 1 },
	};

	it('gets each receipt in the format of its item', async () => {
		const paid = bench.sandbox.seed.payment({ status: 'PAID' });
		const refunded = bench.sandbox.seed.payment({ status: 'REFUNDED' });

		const run = await bench.run(receipt, [
			{ id: paid.id, format: 'text' },
			{ id: refunded.id, format: 'html' },
		]);

		expect(sent(bench)).toEqual([
			`GET /v1/documents/payments/${paid.id}/receipt?format=text`,
			`GET /v1/documents/payments/${refunded.id}/receipt?format=html`,
		]);
		expectNoKeys(bench);
		expect(run.output().map(({ pairedItem }) => pairedItem)).toEqual(PAIRED);
		expect(run.json).toEqual([
			{ paymentId: paid.id, format: 'text', content: expect.stringContaining(paid.txId) },
			{ paymentId: refunded.id, format: 'html', content: expect.stringContaining('<html') },
		]);
	});

	it('does not take another content type for a receipt', async () => {
		const { id } = bench.sandbox.seed.payment({ status: 'PAID' });

		const { error } = await bench.run(
			{
				...receipt,
				options: { additionalQueryParameters: { parameter: [{ name: 'format', value: 'html' }] } },
			},
			[{ id, format: 'text' }],
		);

		expect(bench.requests()[0]?.url).toContain('?format=html');
		expect(error?.message).toBe('The server reported success, but its answer cannot be read');
	});
});

describe('Document: Get Statement', () => {
	const statement = {
		resource: 'document',
		operation: 'getStatement',
		startDate: '={{ $json.from }}',
		endDate: '={{ $json.to }}',
		format: '={{ $json.format }}',
		options: { maxConcurrency: 1 },
	};

	it('sends days, in the time zone of the workflow', async () => {
		const run = await bench.run(statement, [
			{ from: '2026-03-01', to: '2026-03-31', format: 'text' },
			// Half past one in the morning of 2 March in UTC is 1 March in São Paulo.
			{ from: '2026-03-02T01:30:00Z', to: '2026-03-02T12:00:00-03:00', format: 'html' },
		]);

		expect(sent(bench)).toEqual([
			'GET /v1/documents/statements?startDate=2026-03-01&endDate=2026-03-31&format=text',
			'GET /v1/documents/statements?startDate=2026-03-01&endDate=2026-03-02&format=html',
		]);
		expectNoKeys(bench);
		expect(run.output().map(({ pairedItem }) => pairedItem)).toEqual(PAIRED);
		expect(run.json).toEqual([
			{
				startDate: '2026-03-01',
				endDate: '2026-03-31',
				format: 'text',
				content: expect.any(String),
			},
			{
				startDate: '2026-03-01',
				endDate: '2026-03-02',
				format: 'html',
				content: expect.stringContaining('<html'),
			},
		]);
		expect(run.hints).toEqual(['With a test key the statement is always empty.']);
	});

	it.each([
		['2026-03-02', '2026-03-01', 'Start Date 2026-03-02 is after End Date 2026-03-01'],
		['2026-01-01', '2026-04-02', 'From 2026-01-01 to 2026-04-02 are 91 days, and at most 90'],
	])('sends nothing for %s to %s', async (from, to, message) => {
		const { error } = await bench.run(statement, [{ from, to, format: 'text' }]);

		expect(error?.message).toContain(message);
		expect(bench.requests()).toEqual([]);
	});

	it('accepts 90 days', async () => {
		const { error } = await bench.run(statement, [
			{ from: '2026-01-01', to: '2026-04-01', format: 'text' },
		]);

		expect(error).toBeUndefined();
	});
});
