import type { IDataObject } from 'n8n-workflow';
import { useBench } from '../support/harness';
import { expectNoKeys, sent } from '../support/wire';
import { operation, type Parameters } from '../support/workflow';

const bench = useBench();
const ONE_BY_ONE = { maxConcurrency: 1 };
const html = expect.stringContaining('<html') as string;

describe('Document: Get Receipt', () => {
	const receipt = (options: Parameters = ONE_BY_ONE) =>
		operation(
			'document.getReceipt',
			{ paymentId: '={{ $json.id }}', format: '={{ $json.format }}' },
			options,
		);
	const paid = (format: string) => {
		const { id, txId } = bench.sandbox.seed.payment({ status: 'PAID' });
		return { id, txId, format };
	};

	it.each([
		['text', 'text/html', 'The service sent the document as HTML, not as text'],
		['html', 'text/plain; charset=utf-8', 'The service sent the document as text, not as HTML'],
		['text', 'application/pdf', 'The server reported success, but its response cannot be read'],
	])('in %s that comes as %s is an error', async (format, type, message) => {
		bench.answer('Receipt', { headers: { 'Content-Type': type }, times: Infinity });

		const { error } = await bench.run(receipt(), [paid(format)]);

		expect(error?.message).toBe(message);
	});
});

describe('Document: Get Statement', () => {
	const statement = (options: Parameters = ONE_BY_ONE) =>
		operation(
			'document.getStatement',
			{ startDate: '={{ $json.from }}', endDate: '={{ $json.to }}', format: '={{ $json.format }}' },
			options,
		);
	const of = (from: string, to: string, format = 'text'): IDataObject => ({ from, to, format });
	const MARCH = of('2026-03-01', '2026-03-31');

	it('sends days, in the time zone of the workflow', async () => {
		// Half past one in the morning of 2 March in UTC is 1 March in São Paulo.
		const night = of('2026-03-02T01:30:00Z', '2026-03-02T12:00:00-03:00', 'html');

		const run = await bench.run(statement(), [MARCH, night]);

		expect(sent(bench)).toEqual([
			'GET /v1/documents/statements?startDate=2026-03-01&endDate=2026-03-31&format=text',
			'GET /v1/documents/statements?startDate=2026-03-01&endDate=2026-03-02&format=html',
		]);
		expectNoKeys(bench);
		expect(run.sources).toEqual([0, 1]);
		const startDate = '2026-03-01';
		expect(run.json).toEqual([
			{ startDate, endDate: '2026-03-31', format: 'text', content: expect.any(String) },
			{ startDate, endDate: '2026-03-02', format: 'html', content: html },
		]);
		expect(run.hints).toEqual(['With a test key, the statement is always empty.']);
	});

	it.each([
		[of('2026-03-02', '2026-03-01'), "Start Date 2026-03-02 is after 'End Date' 2026-03-01"],
		[of('2026-01-01', '2026-04-02'), 'The range from 2026-01-01 to 2026-04-02 spans 91 days, and'],
	])('sends nothing for %j', async (item, message) => {
		const { error } = await bench.run(statement(), [item]);

		expect(error?.message).toContain(message);
		expect(bench.requests()).toEqual([]);
	});
});
