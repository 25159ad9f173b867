import { alternate } from '../measure/alternate';
import { ratios } from '../measure/statistics';
import { BenchN8n } from '../realN8n/benchN8n';
import { listenWithTrigger, listenWithWebhook, saveCredentials } from '../realN8n/listeners';
import { describeSpeed, getProcessorMs, Rounds } from '../realN8n/rounds';
import { spread, type Row, type Suite } from '../report';

/** Refused requests of one round: some seconds of n8n's time. */
const FORGERIES = 60;

const CONCURRENCIES = [1, 8] as const;

const FORBIDDEN = 403;

/** What a forged delivery costs, compared with the same request to n8n's Webhook node with Header Auth. */
export const refusals: Suite = async (options) =>
	await BenchN8n.use(options, async (n8n) => {
		const { runs, onProgress } = options;
		await saveCredentials(n8n);
		const withSecret = await listenWithWebhook(n8n, 'Webhook with a secret', 'headerAuth');
		const trigger = await listenWithTrigger(n8n, 'Trigger');
		const rounds = new Rounds(n8n);
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
