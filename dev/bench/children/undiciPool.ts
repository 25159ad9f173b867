import { Pool } from 'undici';
import type { BulkPayout } from '../service';
import type { ServiceAddress } from './sandbox';

export interface PoolOrder {
	readonly address: ServiceAddress;
	readonly payouts: readonly BulkPayout[];
	readonly connections: number;
}

/** The same requests as those of the nodes, with nothing around them. @returns milliseconds */
async function pay({ address, payouts, connections }: PoolOrder): Promise<number> {
	const start = performance.now();
	const pool = new Pool(address.url, { connections });
	await Promise.all(
		payouts.map(async ({ amount, pixKey, description, idempotencyKey }) => {
			const { statusCode, body } = await pool.request({
				method: 'POST',
				path: '/v1/withdrawals',
				headers: {
					accept: 'application/json',
					authorization: `Bearer ${address.apiKey}`,
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

process.on('message', (order: PoolOrder) => {
	void pay(order).then((milliseconds) => process.send?.(milliseconds));
});
process.on('disconnect', () => process.exit());
