import { Agent, get, type IncomingMessage } from 'node:http';
import type { IDataObject, IHttpRequestOptions, IN8nHttpFullResponse } from 'n8n-workflow';
import { listRecords } from '../../../nodes/BrlPayments/execution/listing';
import { createItemCall } from '../../../test/unit/support/itemCall';
import { collectGarbage } from '../measure/processes';

/** The memory that reading a list took, in bytes. */
export interface PageMemory {
	/** What is left when only the rows are. */
	readonly rows: number;
	/** The most that was in use while they were read, without garbage. */
	readonly peak: number;
}

const agent = new Agent({ keepAlive: true });
let peak = 0;
let answers = 0;
/** After how many responses memory is measured; 0 for never. */
let lookEvery = 0;

function inUse(): number {
	collectGarbage();
	const { heapUsed, external } = process.memoryUsage();
	return heapUsed + external;
}

/** n8n's request helper, as far as it matters here. */
async function respond({ url, qs }: IHttpRequestOptions): Promise<IN8nHttpFullResponse> {
	const query = new URLSearchParams(qs as Record<string, string>);
	const response = await new Promise<IncomingMessage>((resolve, reject) => {
		get(`${url}?${query.toString()}`, { agent }, resolve).on('error', reject);
	});
	const chunks: Buffer[] = [];
	for await (const chunk of response) chunks.push(chunk as Buffer);
	answers += 1;
	if (lookEvery > 0 && answers % lookEvery === 0) peak = Math.max(peak, inUse());
	return { statusCode: 200, headers: response.headers as IDataObject, body: Buffer.concat(chunks) };
}

async function readAll(baseUrl: string): Promise<IDataObject[]> {
	const { call } = await createItemCall({
		respond,
		credential: { baseUrl },
		parameters: [{ returnAll: true, filters: {}, options: {} }],
	});
	return await listRecords(call, '/v1/payments', 'payments');
}

async function main(baseUrl: string, rows: number): Promise<PageMemory> {
	// For code and caches.
	await readAll(baseUrl);
	// Measuring takes longer the more memory is in use, so it is done some twenty times.
	lookEvery = Math.ceil(rows / 100 / 20);
	let read = await readAll(baseUrl);
	const withRows = inUse();
	if (read.length !== rows) throw new Error(`${read.length} rows instead of ${rows}`);
	read = [];
	await new Promise(setImmediate);
	const withoutRows = inUse();
	return { rows: withRows - withoutRows, peak: Math.max(peak, withRows) - withoutRows };
}

const [baseUrl = '', rows = ''] = process.argv.slice(2);
void main(baseUrl, Number(rows)).then((memory) => {
	process.send?.(memory);
	agent.destroy();
	process.disconnect();
});
