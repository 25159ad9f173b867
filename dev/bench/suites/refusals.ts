import type { Suite } from '../suite';
import { BenchN8n } from '../realN8n/benchN8n';
import { listenWithTrigger, listenWithWebhook, saveCredentials } from '../realN8n/listeners';
import { alternateRounds, describeSpeed, type Rate } from '../realN8n/rates';
import { Rounds } from '../realN8n/rounds';
import { spread, type Row } from '../report';
import { ratios } from '../measure/statistics';

/** Refused requests of one round: some seconds of n8n's time. */
const FORGERIES = 60;

/** How many requests a forger has under way at once. */
const CONCURRENCIES = [1, 8] as const;

/** The response of n8n's Webhook node without the right header. */
const FORBIDDEN = 403;

const LIMITED_BY =
	'n8n makes an isolate for each request to a node other than its own Webhook node, which in turn reads its credential, with an isolate for that.';

/** What a forged delivery costs, compared with the same request to n8n's Webhook node with Header Auth. */
export const refusals: Suite = async ({ runs, onProgress }) => {
	const n8n = await BenchN8n.start(onProgress);
	try {
		await saveCredentials(n8n);
		const withSecret = await listenWithWebhook(n8n, 'Webhook with a secret', 'headerAuth');
		const trigger = await listenWithTrigger(n8n, 'Trigger');
		const rounds = new Rounds(n8n);
		const rows: Row[] = [];
		for (const concurrency of CONCURRENCIES) {
			const status = FORBIDDEN;
			const samples = await alternateRounds(
				{
					withSecret: async () =>
						await rounds.forgeries(withSecret, FORGERIES, { status, concurrency }),
					trigger: async () => await rounds.forgeries(trigger, FORGERIES, { concurrency }),
				},
				runs,
				(text) => onProgress(`${concurrency} at a time, ${text}`),
			);
			rows.push(toRow(concurrency, samples.trigger, samples.withSecret));
		}
		return rows;
	} finally {
		await n8n.end();
	}
};

function toRow(concurrency: number, ours: Rate, other: Rate): Row {
	const isTold = ours.processorMs.length > 0;
	return {
		measured: `refusing a forgery, ${concurrency} at a time, in a real n8n`,
		ours: describeSpeed(ours),
		compared: `n8n's Webhook node with Header Auth: ${describeSpeed(other)}`,
		ratio: isTold
			? `${spread(ratios(ours.processorMs, other.processorMs))} of its processor time`
			: 'the system does not tell the processor time',
		limitedBy: LIMITED_BY,
	};
}
