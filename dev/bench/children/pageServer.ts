import { createServer } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';

export interface PageServerSettings {
	readonly rows: number;
	readonly latencyMs: number;
	/** A new row is added at the top every this many requests; 0 for never. */
	readonly insertEvery: number;
}

let settings: PageServerSettings = { rows: 0, latencyMs: 0, insertEvery: 0 };
/** Each row as JSON, newest first. */
let rows: string[] = [];
let requests = 0;
const OLDEST_AT = 1_700_000_000_000;

/** A payment as long as the service's are. @param number counts from the oldest, which is 0 */
function createPayment(number: number): string {
	const digits = String(number).padStart(12, '0');
	const createdAt = OLDEST_AT + number * 1_000;
	const after = (ms: number) => new Date(createdAt + ms).toISOString();
	return JSON.stringify({
		id: `00000000-0000-4000-8000-${digits}`,
		txId: `PAY${digits.padStart(32, '0')}`,
		amount: number / 100,
		feeAmount: 0.99,
		netAmount: number / 100 - 0.99,
		status: 'PAID',
		paymentMethod: 'PIX',
		currency: 'BRL',
		description: `Invoice ${number} of the customer`,
		metadata: { invoice: `INV-${digits}`, costCentre: 'sales', reviewed: false },
		createdAt: after(0),
		expiresAt: after(86_400_000),
		paidAt: after(60_000),
		methodData: { type: 'PIX', qrCode: `00020126${digits.repeat(12)}` },
		payer: { name: 'Maria Exemplo', document: '***.982.247-**', bank: 'Example Bank' },
	});
}

/** Made once, so that what serving costs stays out of the figures as far as possible. */
const server = createServer((request, response) => {
	const query = new URL(request.url ?? '', 'http://127.0.0.1').searchParams;
	void answer(Number(query.get('page')), Number(query.get('limit'))).then((body) => {
		response.setHeader('content-type', 'application/json');
		response.end(body);
	});
});

/** The latency comes before the look at the list, as it does with a network. */
async function answer(page: number, limit: number): Promise<string> {
	if (settings.latencyMs > 0) await sleep(settings.latencyMs);
	requests += 1;
	if (settings.insertEvery > 0 && requests % settings.insertEvery === 0) {
		rows.unshift(createPayment(rows.length));
	}
	const start = (page - 1) * limit;
	const totalPages = Math.ceil(rows.length / limit);
	const pagination = JSON.stringify({ page, limit, total: rows.length, totalPages });
	return `{"payments":[${rows.slice(start, start + limit).join(',')}],"pagination":${pagination}}`;
}

process.on('message', (message: PageServerSettings) => {
	settings = message;
	requests = 0;
	rows = Array.from({ length: settings.rows }, (_, index) =>
		createPayment(settings.rows - 1 - index),
	);
	process.send?.('ready');
});
process.on('disconnect', () => process.exit());

server.listen(0, '127.0.0.1', () => {
	const address = server.address();
	if (typeof address === 'object') process.send?.({ port: address?.port });
});
