import type { Suite, SuiteOptions } from '../suite';
import { BenchN8n } from '../realN8n/benchN8n';
import { fillStore } from '../realN8n/filledStore';
import {
	listenWithSlack,
	listenWithTrigger,
	listenWithWebhook,
	saveCredentials,
} from '../realN8n/listeners';
import { ownShare } from '../realN8n/ownShare';
import { alternateRounds, describeSpeed, describeTime, type Rate } from '../realN8n/rates';
import { Rounds, type Round } from '../realN8n/rounds';
import { newEvents, type Event } from '../realN8n/signedRequest';
import { spread, type Row } from '../report';
import { ratios, summarize } from '../measure/statistics';

/** Deliveries of one round: some seconds of n8n's time. */
const NEW_ONES = 40;
const COPIES = 60;
const FORGERIES = 60;
const WITH_MEMORY = 30;

/** How many deliveries n8n remembers already. */
const LEVELS = [0, 1_000, 10_000, 100_000] as const;

/** What the trigger costs in a real n8n, from the request to the end of the execution. */
export const deliveries: Suite = async (options) => [
	...(await withN8n(options, measureSpeed)),
	...(await withN8n(options, measureMemory)),
];

/** The same where n8n creates an expression engine only when there is an expression to evaluate. */
export const lazyDeliveries: Suite = async (options) =>
	await withN8n(options, measureSpeed, { N8N_EXPRESSION_ENGINE_LAZY_ACQUIRE: 'true' });

type Measured = (n8n: BenchN8n, rounds: Rounds, options: SuiteOptions) => Promise<Row[]>;

/** Each in a separate n8n: one that has run for long uses much memory, and becomes slow. */
async function withN8n(
	options: SuiteOptions,
	measured: Measured,
	env: NodeJS.ProcessEnv = {},
): Promise<Row[]> {
	const n8n = await BenchN8n.start(options.onProgress, env);
	try {
		await saveCredentials(n8n);
		return await measured(n8n, new Rounds(n8n), options);
	} finally {
		await n8n.end();
	}
}

/** New deliveries compared with the Webhook node; copies and forgeries compared with new ones. */
const measureSpeed: Measured = async (n8n, rounds, { runs, items = NEW_ONES, onProgress }) => {
	const webhook = await listenWithWebhook(n8n, 'Webhook', 'none');
	const withSecret = await listenWithWebhook(n8n, 'Webhook with a secret', 'headerAuth');
	const slack = await listenWithSlack(n8n);
	const trigger = await listenWithTrigger(n8n, 'Trigger');
	const samples = await alternateRounds(
		{
			webhook: async () => await rounds.newOnes(webhook, items),
			withSecret: async () => await rounds.newOnes(withSecret, items),
			slack: async () => await rounds.newOnes(slack, items),
			newOnes: async () => await rounds.newOnes(trigger, items),
			copies: async () => await rounds.copies(trigger, COPIES),
			forgeries: async () => await rounds.forgeries(trigger, FORGERIES),
		},
		runs,
		onProgress,
	);
	const row = (own: [string, Rate], other: [string, Rate], limitedBy: string): Row => ({
		measured: `${own[0]}, in a real n8n`,
		ours: describeSpeed(own[1]),
		compared: `${other[0]}: ${describeSpeed(other[1])}`,
		ratio: `${spread(ratios(own[1].perSecond, other[1].perSecond))} times as fast`,
		limitedBy,
	});
	const { newOnes, copies, forgeries } = samples;
	return [
		row(['new deliveries', newOnes], ["n8n's Webhook node", samples.webhook], WEBHOOK_LIMIT),
		row(
			['new deliveries', newOnes],
			["n8n's Webhook node with Header Auth", samples.withSecret],
			WITH_SECRET_LIMIT,
		),
		row(['new deliveries', newOnes], ["n8n's Slack Trigger, signed", samples.slack], SLACK_LIMIT),
		row(['copies', copies], ['new ones', newOnes], STARTS_NOTHING_LIMIT),
		row(['forgeries', forgeries], ['new ones', newOnes], STARTS_NOTHING_LIMIT),
	];
};

// Read in n8n 2.40.7, and seen in its profile: the expression engine is created each time.
const WEBHOOK_LIMIT =
	'n8n makes three isolates for expressions, one each for the request, the credential and the execution; it spares its own Webhook node, and no other, the first one, and that has no credential.';
const WITH_SECRET_LIMIT =
	'n8n makes an isolate for the request, which it spares its own Webhook node; and the delivery is remembered in its database before it goes on.';
const SLACK_LIMIT =
	'The same kind of node, so the same isolates; here the delivery is remembered in the database of n8n as well.';
const STARTS_NOTHING_LIMIT =
	'The isolates that n8n makes for the request and for the credential, before the signature can be judged.';

/** The same with more and more in n8n's memory, and with nothing remembered at all. */
const measureMemory: Measured = async (n8n, rounds, { runs, onProgress }) => {
	const off = await listenWithTrigger(n8n, 'Deduplicate off', { deduplicate: false });
	const measures: Record<string, () => Promise<Round>> = {
		off: async () => await rounds.newOnes(off, WITH_MEMORY),
	};
	for (const level of LEVELS) {
		const listener = await listenWithTrigger(n8n, `${level} remembered`);
		const [{ body }] = newEvents(1, 1_000) as [Event];
		const filled = await fillStore(level, body);
		await n8n.setStore(listener, filled);
		// The newest: beyond some thousand deliveries the older ones are forgotten.
		const id = filled.deliveryIds.at(-1);
		if (id !== undefined) await rounds.known(listener, { id, body });
		measures[level] = async () => {
			// Each round finds as many as the one before.
			await n8n.setStore(listener, filled);
			return await rounds.newOnes(listener, WITH_MEMORY);
		};
	}
	const samples = await alternateRounds(measures, runs, onProgress);
	const own = await ownShare();
	return LEVELS.map((level) => {
		const rate = samples[level]!;
		const [name, other] =
			level === 0 ? ['Deduplicate off', samples.off!] : ['none remembered', samples[0]!];
		return {
			measured: `a new delivery, ${level.toLocaleString('en')} remembered, in a real n8n`,
			ours: describeTime(rate),
			compared: `${name}: ${describeTime(other)}`,
			ratio: spread(ratios(other.perSecond, rate.perSecond)),
			limitedBy: memoryLimit(rate, samples.off!, own),
		};
	});
};

/** @param own see `ownShare` */
function memoryLimit(rate: Rate, off: Rate, own: number): string {
	const what = 'n8n keeps all that a node has seen in one row, and reads and writes it as a whole';
	if (rate.processorMs.length === 0) return `${what}.`;
	const median = ({ processorMs }: Rate) => summarize(processorMs).median;
	const store = median(rate) - median(off);
	return `${what}: ${store.toFixed(0)} ms of processor time more than with Deduplicate off, of which ${own.toFixed(2)} ms are this package's.`;
}
