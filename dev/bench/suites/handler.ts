import { createHmac } from 'node:crypto';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import type { IWebhookFunctions, IWebhookResponseData } from 'n8n-workflow';
import { InMemoryDedup } from '../../../nodes/BrlPaymentsTrigger/deduplication/inMemoryDedup';
import { NAMED_SCHEMES } from '../../../nodes/BrlPaymentsTrigger/signature/schemes';
import { readSignatureSettings } from '../../../nodes/BrlPaymentsTrigger/signature/settings';
import { verify } from '../../../nodes/BrlPaymentsTrigger/signature/verify';
import { ensureN8nInstalled } from '../../n8n/install/install';
import { repositoryRoot } from '../../n8n/paths';
import { alternate } from '../measure/alternate';
import { prepareDelivery, SECRET, type PreparedDelivery } from '../preparedDelivery';
import type { Suite } from '../suite';
import { spread, type Row } from '../report';
import { ratios, summarize } from '../measure/statistics';

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
 * What a trigger adds to each delivery: from n8n's call of `webhook()` to the claim that is
 * confirmed when the response was sent. n8n's own work, and the execution that follows, are in none
 * of the figures.
 */
export const handler: Suite = async ({ runs, onProgress }) => {
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
				verifyAndClaim: measure((delivery) => verifyAndClaim(delivery)),
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
		rows.push(...toRows(size.name, samples));
	}
	return rows;
};

type Name = 'bareHmac' | 'verifyAndClaim' | 'parsing' | 'ours' | 'stripe';

function toRows(size: string, samples: Record<Name, number[]>): Row[] {
	const perRun = (one: Name, sign: 1 | -1, other: Name) =>
		samples[one].map((value, run) => value + sign * samples[other][run]!);
	const microseconds = (values: readonly number[]) => spread(summarize(values), 1, ' µs');
	const row = (own: [string, number[]], other: [string, number[]], limitedBy: string): Row => ({
		measured: `${own[0]}, ${size}`,
		ours: microseconds(own[1]),
		compared: `${other[0]}: ${microseconds(other[1])}`,
		ratio: spread(ratios(own[1], other[1])),
		limitedBy,
	});
	return [
		row(
			['verify and claim', samples.verifyAndClaim],
			['bare HMAC-SHA256', samples.bareHmac],
			'The HMAC itself, and some microseconds for headers, comparison and claim, whatever the size.',
		),
		row(
			['webhook() as a whole', samples.ours],
			['bare HMAC-SHA256 and JSON.parse', perRun('bareHmac', 1, 'parsing')],
			`Parsing the verified bytes takes ${microseconds(samples.parsing)} of it.`,
		),
		row(
			['webhook() without parsing the body', perRun('ours', -1, 'parsing')],
			["n8n's Stripe Trigger, which gets it parsed and remembers nothing", samples.stripe],
			'The Stripe Trigger turns the body into text before it signs it; this one reads more headers, deduplicates and says what the event is about.',
		),
	];
}

const settings = readSignatureSettings({ signingSecrets: SECRET, signatureScheme: 'auto' });
const claims = new InMemoryDedup(5_000);
const WINDOW_MS = 300_000;

/** The two steps on their own, with the scheme that is remembered from the delivery before. */
function verifyAndClaim({ headers, rawBody }: PreparedDelivery): undefined {
	const now = Date.now();
	const verification = verify(
		{
			signature: headers['x-webhook-signature'],
			timestamp: headers['x-webhook-timestamp'],
			body: rawBody,
		},
		settings,
		NAMED_SCHEMES[0],
		now,
		WINDOW_MS,
	);
	if (verification.result !== 'verified') throw new Error('A genuine delivery was refused');
	const deliveryId = headers['x-webhook-delivery-id'] ?? '';
	const isOwn = claims.bindSignature(verification.fingerprints, deliveryId, now, WINDOW_MS);
	if (!isOwn || claims.claim(deliveryId, verification.fingerprints, now, WINDOW_MS) !== 'claimed')
		throw new Error('A new delivery was refused');
	claims.confirm(deliveryId);
}

/**
 * Processor time for one delivery, in microseconds; the clock would count what else the machine
 * does. Garbage collection is not forced before: it discards optimized code, which a trigger keeps
 * that gets one delivery after the other.
 */
async function cost(
	handle: Handle,
	{ bytes, deliveries }: { bytes: number; deliveries: number },
): Promise<number> {
	const prepared = Array.from({ length: deliveries }, () => prepareDelivery(bytes));
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
