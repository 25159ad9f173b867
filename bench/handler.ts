import { createHmac } from 'node:crypto';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import type { IWebhookFunctions, IWebhookResponseData } from 'n8n-workflow';
import { ensureN8nInstalled } from '../demo/n8n/install';
import { repositoryRoot } from '../demo/n8n/paths';
import { alternate } from './alternate';
import { collectGarbage } from './collectGarbage';
import { prepareDelivery, SECRET, type PreparedDelivery } from './delivery';
import type { Part } from './part';
import { spread, type Row } from './report';
import { ratios, summarise } from './statistics';

/** As n8n does it, from the files that were built. */
const loadModule = createRequire(__filename);

/** Bytes of a body, and how many deliveries make one sample. */
const SIZES = [
	{ name: '1 kB', bytes: 1_000, deliveries: 2_000 },
	{ name: '10 kB', bytes: 10_000, deliveries: 1_000 },
	{ name: '100 kB', bytes: 100_000, deliveries: 200 },
];

type Handle = (delivery: PreparedDelivery) => Promise<unknown> | undefined;

interface Trigger {
	webhook(this: IWebhookFunctions): Promise<IWebhookResponseData>;
}

/**
 * What a trigger adds to each delivery: from n8n's call of `webhook()` to the claim that is confirmed
 * when the answer went out. n8n's own work, and the execution that follows, are in none of the figures.
 */
export const handler: Part = async ({ runs, onProgress }) => {
	const host = await ensureN8nInstalled({ onProgress });
	const ours = load(
		'BrlPaymentsTrigger',
		join(repositoryRoot, 'dist', 'nodes', 'BrlPaymentsTrigger'),
	);
	const stripe = load(
		'StripeTrigger',
		join(host.folder, 'node_modules', 'n8n-nodes-base', 'dist', 'nodes', 'Stripe'),
	);
	await refuseForgeries({ ours, stripe });

	const rows: Row[] = [];
	for (const size of SIZES) {
		const measure = (handle: Handle) => async () => await cost(handle, size);
		const samples = await alternate(
			{
				bareHmac: measure(({ timestamp, rawBody }) => {
					createHmac('sha256', SECRET).update(`${timestamp}.`).update(rawBody).digest();
					return undefined;
				}),
				parsing: measure(({ rawBody }) => {
					JSON.parse(rawBody.toString('utf8'));
					return undefined;
				}),
				ours: measure(async (delivery) => {
					expectStart(await ours.webhook.call(delivery.context));
					delivery.response.finish();
				}),
				stripe: measure(async (delivery) => {
					expectStart(await stripe.webhook.call(delivery.context));
					delivery.response.finish();
				}),
			},
			runs,
			(name, run) => onProgress(`${size.name}, ${name}, run ${run} of ${runs}`),
		);
		rows.push(...rowsOf(size.name, samples));
	}
	return rows;
};

function rowsOf(
	size: string,
	samples: Record<'bareHmac' | 'parsing' | 'ours' | 'stripe', number[]>,
): Row[] {
	const verified = samples.ours.map((total, run) => total - samples.parsing[run]!);
	const microseconds = (values: readonly number[]) => spread(summarise(values), 1, ' µs');
	const row = (
		measured: string,
		own: number[],
		name: string,
		other: number[],
		limit: string,
	): Row => ({
		measured,
		ours: microseconds(own),
		compared: `${name}: ${microseconds(other)}`,
		ratio: spread(ratios(own, other)),
		limitedBy: limit,
	});
	return [
		row(
			`webhook() without parsing the body, ${size}`,
			verified,
			'bare HMAC-SHA256',
			samples.bareHmac,
			'One HMAC over the body, then what does not depend on its size: reading headers and options, comparing in constant time, the claim.',
		),
		row(
			`webhook() without parsing the body, ${size}`,
			verified,
			"n8n's Stripe Trigger, which gets it parsed and remembers nothing",
			samples.stripe,
			'The Stripe Trigger turns the body into text before it signs it; this one deduplicates.',
		),
		row(
			`webhook() as a whole, ${size}`,
			samples.ours,
			'bare HMAC-SHA256',
			samples.bareHmac,
			`Parsing the verified bytes takes ${microseconds(samples.parsing)} of it.`,
		),
	];
}

/** Processor time for one delivery, in microseconds; the clock would count what else the machine does. */
async function cost(
	handle: Handle,
	{ bytes, deliveries }: { bytes: number; deliveries: number },
): Promise<number> {
	const prepared = Array.from({ length: deliveries }, () => prepareDelivery(bytes));
	collectGarbage();
	const before = process.cpuUsage();
	for (const delivery of prepared) await handle(delivery);
	const { user, system } = process.cpuUsage(before);
	return (user + system) / deliveries;
}

function load(name: string, folder: string): Trigger {
	const loaded = loadModule(join(folder, `${name}.node.js`)) as Record<string, new () => Trigger>;
	return new loaded[name]!();
}

/** A trigger that lets everything through would be fast. */
async function refuseForgeries(triggers: Record<string, Trigger>): Promise<void> {
	for (const [name, trigger] of Object.entries(triggers)) {
		const forged = prepareDelivery(1_000, 'example-signing-secret-0002');
		const { workflowData } = await trigger.webhook.call(forged.context);
		if (workflowData) throw new Error(`${name} has let a forgery through`);
	}
}

function expectStart({ workflowData }: IWebhookResponseData): void {
	if (workflowData?.[0]?.length !== 1) throw new Error('A genuine delivery was refused');
}
