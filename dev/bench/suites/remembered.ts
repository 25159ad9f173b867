import { createHash, randomUUID } from 'node:crypto';
import { contentsOf } from '../../../nodes/BrlPaymentsTrigger/receive/delivery';
import { InMemoryDedup } from '../../../nodes/BrlPaymentsTrigger/deduplication/inMemoryDedup';
import { collectGarbage, ownProcessorMs } from '../measure/processes';
import { ratios } from '../measure/statistics';
import { mebibytes, spread, type Suite } from '../report';

/** Of one day. */
const DELIVERIES = 50_000;
const SPACING_MS = (24 * 60 * 60_000) / DELIVERIES;
const WINDOW_MS = 300_000;
/** What one delivery with two IDs leaves in n8n's row, see `persistentDedup.ts`. */
const ENTRIES_OF_A_DELIVERY = 7;
/** What the row keeps at least, see `seenEvents.ts`. */
const KEPT_ENTRIES = 29_000;

/** What it costs to recognize every delivery of a day: in this process, and in n8n's database. */
export const remembered: Suite = async ({ runs, onProgress }) => {
	const bytes: number[] = [];
	for (let run = 1; run <= runs; run += 1) {
		onProgress(`memory, run ${run} of ${runs}`);
		bytes.push(await memoryOfADay());
	}
	const kept = rewriteTimes(KEPT_ENTRIES, runs);
	const all = rewriteTimes(DELIVERIES * ENTRIES_OF_A_DELIVERY, runs);
	return [
		{
			measured: `memory of ${DELIVERIES.toLocaleString('en')} deliveries in the process`,
			ours: mebibytes(bytes, 1),
			compared: '',
		},
		{
			measured: "processor time to read and write n8n's row, all of a day in it",
			ours: spread(all, 0, ' ms'),
			compared: `as it is kept: ${spread(kept, 0, ' ms')}`,
			ratio: spread(ratios(all, kept)),
		},
	];
};

/** In bytes, without garbage. */
async function memoryOfADay(): Promise<number> {
	const inUse = async () => {
		await new Promise(setImmediate);
		collectGarbage();
		return process.memoryUsage().heapUsed;
	};
	const before = await inUse();
	const memory = new InMemoryDedup(DELIVERIES);
	let last = { key: '', contents: [''], fingerprints: [''] };
	for (let index = 0; index < DELIVERIES; index += 1) {
		const now = index * SPACING_MS;
		const event = { id: randomUUID(), txId: randomUUID(), status: 'PAID' };
		const body = JSON.stringify(event);
		// In one piece, as a header brings it: `randomUUID` keeps the pieces of its text.
		const deliveryId = Buffer.from(randomUUID()).toString('latin1');
		const fingerprint = createHash('sha256').update(body).digest('hex');
		last = {
			key: `${deliveryId} PAYMENT_PAID`,
			contents: contentsOf(event, body),
			fingerprints: [fingerprint],
		};
		memory.bindSignature([fingerprint], last.key, now, WINDOW_MS);
		memory.claim(last, now, WINDOW_MS);
		memory.answer(last);
		memory.confirm(last);
	}
	const taken = (await inUse()) - before;
	if (!memory.has(last)) throw new Error('The last delivery was forgotten');
	return taken;
}

/** As n8n does it: MD5 of each entry in a list, which it compares by a set. Milliseconds. */
function rewriteTimes(entries: number, runs: number): number[] {
	const data = Array.from({ length: entries }, (_, index) =>
		createHash('md5').update(String(index)).digest('base64'),
	);
	const value = JSON.stringify({ mode: 'entries', data });
	return Array.from({ length: runs }, () => {
		const before = ownProcessorMs();
		const row = JSON.parse(value) as { mode: string; data: string[] };
		if (new Set(row.data).size !== entries) throw new Error('Entries are missing');
		JSON.stringify({ ...row, data: [...row.data, 'one more'] });
		return ownProcessorMs() - before;
	});
}
