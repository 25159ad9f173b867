import { alternate } from '../measure/alternate';
import type { Suite, SuiteOptions } from '../suite';
import { BenchN8n, type Listener } from '../realN8n/benchN8n';
import { flood } from '../realN8n/flood';
import { listenWithSlack, listenWithTrigger, saveCredentials } from '../realN8n/listeners';
import { newEvents, sign } from '../realN8n/signedRequest';
import { spread, type Row } from '../report';
import { ratios, summarize } from '../measure/statistics';

const DELIVERIES = 600;
const BODY_BYTES = 1_000;
/** Warm-up deliveries, for the code to be compiled. */
const WARM_UP = 8;
const LOOK_EVERY_MS = 100;

type Listen = (n8n: BenchN8n) => Promise<Listener>;

/** Memory of n8n while many deliveries come at once, each in a separate n8n. */
export const burst: Suite = async (options) => await compare(options, {});

/** The same where n8n creates an expression engine only when there is an expression to evaluate. */
export const lazyBurst: Suite = async (options) =>
	await compare(options, { N8N_EXPRESSION_ENGINE_LAZY_ACQUIRE: 'true' });

async function compare(
	{ runs, items = DELIVERIES, onProgress }: SuiteOptions,
	env: NodeJS.ProcessEnv,
): Promise<Row[]> {
	const measure = (listen: Listen) => async () => await measurePeak(listen, items, onProgress, env);
	const samples = await alternate(
		{
			ours: measure(async (n8n) => await listenWithTrigger(n8n, 'Trigger')),
			slack: measure(listenWithSlack),
		},
		runs,
		(name, run) => onProgress(`${name}, run ${run} of ${runs}`),
	);
	const mebibytes = (bytes: readonly number[]) =>
		spread(summarize(bytes.map((count) => count / 2 ** 20)), 0, ' MiB');
	const row: Row = {
		measured: `memory of n8n at the peak, ${items} new deliveries at once`,
		ours: mebibytes(samples.ours),
		compared: `n8n's Slack Trigger: ${mebibytes(samples.slack)}`,
		ratio: spread(ratios(samples.ours, samples.slack)),
		limitedBy:
			'n8n keeps an engine for expressions for each execution that has begun and not ended.',
	};
	return [row];
}

async function measurePeak(
	listen: Listen,
	count: number,
	onProgress: SuiteOptions['onProgress'],
	env: NodeJS.ProcessEnv,
): Promise<number> {
	const n8n = await BenchN8n.start(onProgress, env);
	try {
		await saveCredentials(n8n);
		const listener = await listen(n8n);
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
	} finally {
		await n8n.end();
	}
}

async function send(n8n: BenchN8n, listener: Listener, count: number): Promise<void> {
	const now = Date.now();
	const requests = newEvents(count, BODY_BYTES).map((event) => (listener.sign ?? sign)(event, now));
	await flood(n8n.getUrl(listener), requests, count, 200, { sendsAgain: true });
}
