import { alternate } from '../measure/alternate';
import { BenchN8n } from '../realN8n/benchN8n';
import {
	listenWithSlack,
	listenWithTrigger,
	listenWithWebhook,
	saveCredentials,
} from '../realN8n/listeners';
import { describeSpeed, getTimes, Rounds, type Round } from '../realN8n/rounds';
import { timesAsFast, type Row, type Suite } from '../report';

/** Deliveries of one round: some seconds of n8n's time. */
const NEW_ONES = 40;
const COPIES = 60;
const FORGERIES = 60;

/** New deliveries compared with the Webhook node; copies and forgeries compared with new ones. */
export const deliveries: Suite = async (options) =>
	await BenchN8n.use(options, async (n8n) => {
		const { runs, items = NEW_ONES, onProgress } = options;
		await saveCredentials(n8n);
		const rounds = new Rounds(n8n);
		const webhook = await listenWithWebhook(n8n);
		const slack = await listenWithSlack(n8n);
		const trigger = await listenWithTrigger(n8n, 'Trigger');
		const samples = await alternate(
			{
				webhook: async () => await rounds.newOnes(webhook, items),
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
			row('new deliveries', newOnes, "n8n's Slack Trigger, signed", samples.slack),
			row('copies', copies, 'new ones', newOnes),
			row('forgeries', forgeries, 'new ones', newOnes),
		];
	});
