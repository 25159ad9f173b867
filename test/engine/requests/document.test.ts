import { useBench } from '../support/harness';
import { expectNoKeys, sent } from '../support/wire';

const bench = useBench();

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
		expect(run.sources).toEqual([0, 1]);
		expect(run.json).toEqual([
			{ paymentId: paid.id, format: 'text', content: expect.stringContaining(paid.txId) },
			{ paymentId: refunded.id, format: 'html', content: expect.stringContaining('<html') },
		]);
	});

	it.each([
		['text', 'text/html', '<html>', 'as HTML, not as text'],
		['html', 'text/plain; charset=utf-8', 'Receipt', 'as text, not as HTML'],
	])('that is not %s, but %s, names the parameter', async (format, type, body, message) => {
		const { id } = bench.sandbox.seed.payment({ status: 'PAID' });
		bench.sandbox.faults.add({
			kind: 'status',
			status: 200,
			headers: { 'Content-Type': type },
			body,
		});

		const { error } = await bench.run(receipt, [{ id, format }]);

		expect(bench.requests()).toHaveLength(1);
		expect(error?.message).toBe(`The service sent the document ${message}`);
		expect(error?.description).toMatch(/than format\..*Options > Additional Query Parameters/);
	});

	it('is what Additional Query Parameters say instead', async () => {
		const { id } = bench.sandbox.seed.payment({ status: 'PAID' });
		const parameter = [{ name: 'format', value: 'html' }];
		const options = { additionalQueryParameters: { parameter } };

		const { json } = await bench.run({ ...receipt, options }, [{ id, format: 'text' }]);

		expect(json[0]).toMatchObject({ format: 'html', content: expect.stringContaining('<html') });
	});

	it('does not take a file for a receipt', async () => {
		const { id } = bench.sandbox.seed.payment({ status: 'PAID' });
		bench.sandbox.faults.add({
			...{ kind: 'status', status: 200, body: '%PDF', times: Infinity },
			headers: { 'Content-Type': 'application/pdf' },
		});

		const { error } = await bench.run(receipt, [{ id, format: 'text' }]);

		expect(error?.message).toBe('The server reported success, but its response cannot be read');
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
		expect(run.sources).toEqual([0, 1]);
		const startDate = '2026-03-01';
		expect(run.json).toEqual([
			{ startDate, endDate: '2026-03-31', format: 'text', content: expect.any(String) },
			{
				startDate,
				endDate: '2026-03-02',
				format: 'html',
				content: expect.stringContaining('<html'),
			},
		]);
		expect(run.hints).toEqual(['With a test key, the statement is always empty.']);
	});

	it.each([
		['2026-03-02', '2026-03-01', 'Start Date 2026-03-02 is after End Date 2026-03-01'],
		[
			'2026-01-01',
			'2026-04-02',
			'The range from 2026-01-01 to 2026-04-02 spans 91 days, and at most 90',
		],
	])('sends nothing for %s to %s', async (from, to, message) => {
		const { error } = await bench.run(statement, [{ from, to, format: 'text' }]);

		expect(error?.message).toContain(message);
		expect(bench.requests()).toEqual([]);
	});

	const ITEM = { from: '2026-03-01', to: '2026-03-31', format: 'text' };
	const answer = (content: string) =>
		bench.sandbox.faults.add({ kind: 'status', status: 200, body: { content } });

	it.each([
		['<!doctype html><p>Extrato</p>', 'as HTML, not as text', 'than format.'],
		['Período: 01/02/2026 a 28/02/2026', 'of 01/02/2026 to 28/02/2026', 'startDate and endDate.'],
	])('that was not asked for is an error: %s', async (content, message, parameters) => {
		answer(content);

		const { error } = await bench.run(statement, [ITEM, ITEM]);

		expect(error?.message).toContain(message);
		expect(error?.description).toContain(parameters);
		expect(error?.description).toContain('Options > Additional Query Parameters');
	});

	it('says what was really sent', async () => {
		const parameter = [{ name: 'endDate', value: '2026-03-15' }];
		const options = { additionalQueryParameters: { parameter } };

		const { json } = await bench.run({ ...statement, options }, [ITEM]);

		expect(json[0]).toMatchObject({ startDate: '2026-03-01', endDate: '2026-03-15' });
	});

	it('accepts 90 days', async () => {
		const days = { from: '2026-01-01', to: '2026-04-01', format: 'text' };

		const { error } = await bench.run(statement, [days, days]);

		expect(error).toBeUndefined();
	});
});
