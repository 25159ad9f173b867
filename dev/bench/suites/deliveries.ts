import { randomUUID } from 'node:crypto';
import { API_CREDENTIAL_NAME, apiCredential } from '../../n8n/rest/credentials';
import { node, webhook } from '../../n8n/rest/workflow';
import { alternate } from '../alternate';
import { BenchN8n } from '../benchN8n';
import { spread, timesAsFast, type Row, type Suite } from '../report';
import { EVENT, Rounds, SECRET } from '../rounds';

/** Deliveries of one round: some seconds of n8n's time. */
const NEW_ONES = 40;
const COPIES = 60;
const FORGERIES = 60;

/** To receive, it sends nothing. */
const CREDENTIAL = apiCredential('http://127.0.0.1:1', 'example', API_CREDENTIAL_NAME, SECRET);

/** New deliveries compared with the Webhook node; copies and forgeries compared with new ones. */
export const deliveries: Suite = async ({ runs, items = NEW_ONES, onProgress }) =>
	await BenchN8n.use(onProgress, CREDENTIAL, async (n8n) => {
		const [openId, webhookId] = [randomUUID(), randomUUID()];
		const open = await n8n.listen(webhook(openId, {}, { webhookId: openId }), openId);
		const credentials = { brlPaymentsApi: { id: null, name: API_CREDENTIAL_NAME } };
		const type = 'n8n-nodes-brl-payments.brlPaymentsTrigger';
		const trigger = await n8n.listen(
			node('Start', type, 2, { events: [EVENT], options: {} }, { webhookId, credentials }),
			`${webhookId}/webhook`,
		);
		const rounds = new Rounds(n8n);
		const { webhookNode, newOnes, copies, forgeries } = await alternate(
			{
				webhookNode: async () => await rounds.newOnes(open, items),
				newOnes: async () => await rounds.newOnes(trigger, items),
				copies: async () => await rounds.copies(trigger, COPIES),
				forgeries: async () => await rounds.forgeries(trigger, FORGERIES),
			},
			runs,
			onProgress,
		);
		const row = (name: string, own: number[], otherName: string, other: number[]): Row => ({
			measured: `${name}, in a real n8n`,
			ours: `${spread(own, 1, ' ms')} each`,
			compared: `${otherName}: ${spread(other, 1, ' ms')} each`,
			ratio: timesAsFast(own, other),
		});
		return [
			row('new deliveries', newOnes, "n8n's Webhook node", webhookNode),
			row('copies', copies, 'new ones', newOnes),
			row('forgeries', forgeries, 'new ones', newOnes),
		];
	});
