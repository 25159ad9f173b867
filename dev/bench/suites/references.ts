import { alternate } from '../measure/alternate';
import { ours } from '../bulk/strategies';
import type { BulkWorkflow } from '../bulk/n8n';
import { BenchEnvironment, type Cost } from '../bulk/benchEnvironment';
import type { Suite } from '../suite';
import { spread, type Row } from '../report';
import { ratios, summarize } from '../measure/statistics';

const ITEMS = 1_000;
const LATENCY_MS = 50;

/** What it costs to pay each payout once by its reference, in every execution. */
export const references: Suite = async ({ runs, items = ITEMS, onProgress }) =>
	await BenchEnvironment.open(onProgress, async (environment) => {
		const workflows = {
			without: await environment.n8n.publish(ours(environment.access)),
			// The reference of each payout is new; the journal remembers those of the runs before.
			with: await environment.n8n.publish(
				ours(environment.access, {}, { reference: '={{ $json.idempotencyKey }}' }),
			),
		};
		const costs: Record<keyof typeof workflows, Cost[]> = { without: [], with: [] };
		const measure = (name: keyof typeof workflows, workflow: BulkWorkflow) => async () => {
			const cost = await environment.payWith(workflow, items, { latencyMs: LATENCY_MS });
			costs[name].push(cost);
			return cost.milliseconds;
		};
		const samples = await alternate(
			{
				without: measure('without', workflows.without),
				with: measure('with', workflows.with),
			},
			runs,
			(name, run) => onProgress(`${name} references, run ${run} of ${runs}`),
		);
		const processor = (name: keyof typeof workflows) =>
			costs[name].slice(1).flatMap(({ processorMs }) => processorMs ?? []);
		const row = (
			what: string,
			unit: string,
			own: readonly number[],
			other: readonly number[],
		): Row => ({
			measured: `${items.toLocaleString('en')} payouts with references, ${LATENCY_MS} ms away, ${what}`,
			ours: spread(summarize(own), 2, unit),
			compared: `without: ${spread(summarize(other), 2, unit)}`,
			ratio: spread(ratios(own, other)),
			limitedBy: 'The journal, which n8n reads and writes before the first and after the last.',
		});
		const rows = [row('time', ' ms', samples.with, samples.without)];
		const [own, other] = [processor('with'), processor('without')];
		if (own.length > 0) rows.push(row('processor time of each', ' ms', own, other));
		return rows;
	});
