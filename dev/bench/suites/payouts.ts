import { Pool } from 'undici';
import { maxConcurrency } from '../../../nodes/BrlPayments/editor/options';
import { payByHttpRequest, payEachItem } from '../../n8n/rest/workflow';
import { alternate } from '../alternate';
import { BenchN8n, type Listening } from '../benchN8n';
import type { ServiceAddress } from '../children/sandbox';
import { spread, timesAsFast, type Row, type Suite } from '../report';
import { makePayouts, Service, type BulkPayout } from '../service';

const ITEMS = 200;
const LATENCIES_MS = [0, 50, 200];
const PAY = 'Pay';
const CONNECTIONS = Number(maxConcurrency.default);

/** A list of withdrawals, as a user pays it from a spreadsheet. */
export const payouts: Suite = async ({ runs, items = ITEMS, onProgress }) =>
	await Service.use(async (service) =>
		BenchN8n.use(onProgress, service.credential, async (n8n) => {
			const { address } = service;
			const pay = payEachItem();
			const request = payByHttpRequest(
				PAY,
				address.url,
				'={{ $json.idempotencyKey }}',
				'amount: $json.amount, destination: { pixKey: $json.pixKey }, description: $json.description',
				{},
			);
			const ours = await n8n.publish(pay);
			// As dragged onto the canvas: no batching, all items at once.
			const atOnce = await n8n.publish(request);
			const oneByOne = await n8n.publish(request, 1);
			const rows: Row[] = [];
			for (const latencyMs of LATENCIES_MS) {
				const measure = (send: (list: readonly BulkPayout[]) => Promise<number>) => async () => {
					const list = makePayouts(items);
					await service.begin({ latencyMs });
					const milliseconds = await send(list);
					await service.expectEachOnce(list);
					return milliseconds;
				};
				const through = (workflow: Listening) =>
					measure(async (list) => (await n8n.run(workflow, PAY, list)).milliseconds);
				const samples = await alternate(
					{
						ours: through(ours),
						atOnce: through(atOnce),
						oneByOne: through(oneByOne),
						pool: measure(async (list) => await payByPool(address, list)),
					},
					runs,
					(text) => onProgress(`${latencyMs} ms, ${text}`),
				);
				const row = (name: string, others: readonly number[]): Row => ({
					measured: `${items.toLocaleString('en')} withdrawals, ${latencyMs} ms away`,
					ours: spread(samples.ours, 0, ' ms'),
					compared: `${name}: ${spread(others, 0, ' ms')}`,
					ratio: timesAsFast(samples.ours, others),
				});
				rows.push(
					row("n8n's HTTP Request node, one at a time", samples.oneByOne),
					row("n8n's HTTP Request node, all at once", samples.atOnce),
					row(`an undici pool of ${CONNECTIONS} connections`, samples.pool),
				);
			}
			return rows;
		}),
	);

/** The same requests as those of the nodes, with nothing around them. @returns milliseconds */
async function payByPool(
	{ url, apiKey }: ServiceAddress,
	list: readonly BulkPayout[],
): Promise<number> {
	const start = performance.now();
	const pool = new Pool(url, { connections: CONNECTIONS });
	await Promise.all(
		list.map(async ({ amount, pixKey, description, idempotencyKey }) => {
			const { statusCode, body } = await pool.request({
				method: 'POST',
				path: '/v1/withdrawals',
				headers: {
					accept: 'application/json',
					authorization: `Bearer ${apiKey}`,
					'content-type': 'application/json',
					'x-idempotency-key': idempotencyKey,
				},
				body: JSON.stringify({ amount, destination: { pixKey }, description }),
			});
			await body.json();
			if (statusCode !== 201) throw new Error(`The service responded with ${statusCode}`);
		}),
	);
	const milliseconds = performance.now() - start;
	await pool.close();
	return milliseconds;
}
