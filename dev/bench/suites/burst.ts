import { alternate } from '../measure/alternate';
import { ratios } from '../measure/statistics';
import { BenchN8n, type Listener } from '../realN8n/benchN8n';
import { flood } from '../realN8n/flood';
import { listenWithSlack, listenWithTrigger, saveCredentials } from '../realN8n/listeners';
import { newEvents, sign } from '../realN8n/signedRequest';
import { mebibytes, spread, type Suite } from '../report';

const DELIVERIES = 600;
const BODY_BYTES = 1_000;
/** Warm-up deliveries, for the code to be compiled. */
const WARM_UP = 8;
const LOOK_EVERY_MS = 100;

/** Memory of n8n while many deliveries come at once, each in a separate n8n. */
export const burst: Suite = async (options) => {
	const { runs, items = DELIVERIES, onProgress } = options;
	const measure = (listen: (n8n: BenchN8n) => Promise<Listener>) => async () =>
		await BenchN8n.use(options, async (n8n) => {
			await saveCredentials(n8n);
			return await measurePeak(n8n, await listen(n8n), items);
		});
	const samples = await alternate(
		{
			ours: measure(async (n8n) => await listenWithTrigger(n8n, 'Trigger')),
			slack: measure(listenWithSlack),
		},
		runs,
		onProgress,
	);
	return [
		{
			measured: `memory of n8n at the peak, ${items} new deliveries at once`,
			ours: mebibytes(samples.ours),
			compared: `n8n's Slack Trigger: ${mebibytes(samples.slack)}`,
			ratio: spread(ratios(samples.ours, samples.slack)),
		},
	];
};

async function measurePeak(n8n: BenchN8n, listener: Listener, count: number): Promise<number> {
	await send(n8n, listener, WARM_UP);
	await n8n.finishedToBe(listener, WARM_UP);
	let peak = 0;
	const look = () => (peak = Math.max(peak, n8n.memory() ?? Number.NaN));
	const timer = setInterval(look, LOOK_EVERY_MS);
	try {
		await send(n8n, listener, count);
		await n8n.finishedToBe(listener, WARM_UP + count);
		look();
	} finally {
		clearInterval(timer);
	}
	return peak;
}

async function send(n8n: BenchN8n, listener: Listener, count: number): Promise<void> {
	const now = Date.now();
	const requests = newEvents(count, BODY_BYTES).map((event) => (listener.sign ?? sign)(event, now));
	await flood(n8n.getUrl(listener), requests, count, 200, { sendsAgain: true });
}
