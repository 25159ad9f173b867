import { alternate } from '../measure/alternate';
import { ratios } from '../measure/statistics';
import { BenchN8n } from '../realN8n/benchN8n';
import { fillStore } from '../realN8n/filledStore';
import {
	listenWithSlack,
	listenWithTrigger,
	listenWithWebhook,
	saveCredentials,
} from '../realN8n/listeners';
import {
	describeSpeed,
	describeTime,
	getProcessorMs,
	getTimes,
	Rounds,
	type Round,
} from '../realN8n/rounds';
import { newEvents, type Event } from '../realN8n/signedRequest';
import { spread, timesAsFast, type Row, type Suite, type SuiteOptions } from '../report';

/** Deliveries of one round: some seconds of n8n's time. */
const NEW_ONES = 40;
const COPIES = 60;
const FORGERIES = 60;
const WITH_MEMORY = 30;

const LEVELS = [0, 1_000, 10_000, 100_000] as const;

type Measured = (n8n: BenchN8n, rounds: Rounds, options: SuiteOptions) => Promise<Row[]>;

/** Each in a separate n8n: one that has run for long uses much memory, and becomes slow. */
const inOwnN8n =
	(measured: Measured): Suite =>
	async (options) =>
		await BenchN8n.use(options, async (n8n) => {
			await saveCredentials(n8n);
			return await measured(n8n, new Rounds(n8n), options);
		});

/** New deliveries compared with the Webhook node; copies and forgeries compared with new ones. */
export const deliverySpeed = inOwnN8n(
	async (n8n, rounds, { runs, items = NEW_ONES, onProgress }) => {
		const webhook = await listenWithWebhook(n8n, 'Webhook', 'none');
		const withSecret = await listenWithWebhook(n8n, 'Webhook with a secret', 'headerAuth');
		const slack = await listenWithSlack(n8n);
		const trigger = await listenWithTrigger(n8n, 'Trigger');
		const samples = await alternate(
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
		const row = (name: string, own: Round[], otherName: string, other: Round[]): Row => ({
			measured: `${name}, in a real n8n`,
			ours: describeSpeed(own),
			compared: `${otherName}: ${describeSpeed(other)}`,
			ratio: timesAsFast(getTimes(own), getTimes(other)),
		});
		const { newOnes, copies, forgeries } = samples;
		return [
			row('new deliveries', newOnes, "n8n's Webhook node", samples.webhook),
			row('new deliveries', newOnes, "n8n's Webhook node with Header Auth", samples.withSecret),
			row('new deliveries', newOnes, "n8n's Slack Trigger, signed", samples.slack),
			row('copies', copies, 'new ones', newOnes),
			row('forgeries', forgeries, 'new ones', newOnes),
		];
	},
);

/** The same with more and more in n8n's memory, and with nothing remembered at all. */
const withMemory = inOwnN8n(async (n8n, rounds, { runs, onProgress }) => {
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
	const samples = await alternate(measures, runs, onProgress);
	return LEVELS.map((level) => {
		const own = samples[level]!;
		const [name, other] =
			level === 0 ? ['Deduplicate off', samples.off!] : ['none remembered', samples[0]!];
		return {
			measured: `a new delivery, ${level.toLocaleString('en')} remembered, in a real n8n`,
			ours: describeTime(own),
			compared: `${name}: ${describeTime(other)}`,
			ratio: spread(ratios(getTimes(own), getTimes(other))),
		};
	});
});

/** What the trigger costs in a real n8n, from the request to the end of the execution. */
export const deliveries: Suite = async (options) => [
	...(await deliverySpeed(options)),
	...(await withMemory(options)),
];

const CONCURRENCIES = [1, 8] as const;

const FORBIDDEN = 403;

/** What a forged delivery costs, compared with the same request to n8n's Webhook node with Header Auth. */
export const refusals: Suite = inOwnN8n(async (n8n, rounds, { runs, onProgress }) => {
	const withSecret = await listenWithWebhook(n8n, 'Webhook with a secret', 'headerAuth');
	const trigger = await listenWithTrigger(n8n, 'Trigger');
	const rows: Row[] = [];
	for (const concurrency of CONCURRENCIES) {
		const refused = { status: FORBIDDEN, concurrency };
		const samples = await alternate(
			{
				withSecret: async () => await rounds.forgeries(withSecret, FORGERIES, refused),
				trigger: async () => await rounds.forgeries(trigger, FORGERIES, { concurrency }),
			},
			runs,
			(text) => onProgress(`${concurrency} at a time, ${text}`),
		);
		const [ours, other] = [samples.trigger, samples.withSecret].map(getProcessorMs) as [
			number[],
			number[],
		];
		rows.push({
			measured: `refusing a forgery, ${concurrency} at a time, in a real n8n`,
			ours: describeSpeed(samples.trigger),
			compared: `n8n's Webhook node with Header Auth: ${describeSpeed(samples.withSecret)}`,
			...(ours.length > 0 && { ratio: `${spread(ratios(ours, other))} of its processor time` }),
		});
	}
	return rows;
});
