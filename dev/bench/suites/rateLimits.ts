import { ensureN8nInstalled } from '../../n8n/install/install';
import { alternate } from '../measure/alternate';
import { httpRequest, ours } from '../bulk/strategies';
import { BulkN8n, type BulkRun, type BulkWorkflow } from '../bulk/n8n';
import { expectEachOnce, makePayouts } from '../bulk/payouts';
import { Service } from '../bulk/service';
import { dictatedTime } from '../bulk/window';
import type { Suite, SuiteOptions } from '../suite';
import { spread, type Row } from '../report';
import { ratios, summarize } from '../measure/statistics';

/** Requests a minute, and so many withdrawals that two whole minutes have to pass. */
const LIMITS = [
	{ perMinute: 60, items: 180 },
	{ perMinute: 120, items: 360 },
	{ perMinute: 600, items: 1_800 },
];
const WARM_UP_ITEMS = 20;

/**
 * More withdrawals than the service lets through at once. The limits are measured side by side, each
 * at a separate service: what happens is waiting.
 */
export const rateLimits: Suite = async (options) => {
	const host = await ensureN8nInstalled({ onProgress: options.onProgress });
	options.onProgress('starting n8n');
	const n8n = await BulkN8n.start(host);
	try {
		return await Promise.all(LIMITS.map(async (limit) => await measureLimit(n8n, limit, options)));
	} finally {
		await n8n.end();
	}
};

async function measureLimit(
	n8n: BulkN8n,
	limit: (typeof LIMITS)[number],
	{ runs, onProgress }: SuiteOptions,
): Promise<Row> {
	const { perMinute, items } = limit;
	const service = await Service.start();
	try {
		const access = await n8n.createAccess(service.address);
		const ownWorkflow = await n8n.publish(ours(access));
		const httpWorkflow = await n8n.publish(
			httpRequest(access, { onError: 'continueRegularOutput' }),
		);
		const succeeded: number[] = [];
		const pay = async (workflow: BulkWorkflow, run: number, isAllExpected: boolean) => {
			const payouts = makePayouts(run === 0 ? WARM_UP_ITEMS : items);
			await service.prepare({ latencyMs: 0, rateLimitPerMinute: perMinute });
			const result: BulkRun = await n8n.pay(workflow, payouts);
			const { payees } = await service.tally();
			if (isAllExpected) {
				expectEachOnce(payouts, payees);
				if (result.succeeded !== payouts.length)
					throw new Error('Not all items say that they paid');
			} else if (run > 0) succeeded.push(payees.length);
			return result.milliseconds;
		};
		const samples = await alternate(
			{
				ours: async (run) => await pay(ownWorkflow, run, true),
				httpRequest: async (run) => await pay(httpWorkflow, run, false),
			},
			runs,
			(name, run) => onProgress(`${perMinute} a minute, ${name}, run ${run} of ${runs}`),
		);
		return toRow(limit, samples, succeeded);
	} finally {
		service.stop();
	}
}

function toRow(
	{ perMinute, items }: (typeof LIMITS)[number],
	samples: Record<'ours' | 'httpRequest', number[]>,
	succeeded: readonly number[],
): Row {
	const dictated = dictatedTime(items, perMinute);
	const seconds = (values: readonly number[]) =>
		spread(summarize(values.map((milliseconds) => milliseconds / 1000)), 1, ' s');
	const all = items.toLocaleString('en');
	return {
		measured: `${all} withdrawals, ${perMinute} requests a minute allowed`,
		ours: `all ${all} succeed in ${seconds(samples.ours)}`,
		compared: `the limit itself: ${dictated / 1000} s; n8n's HTTP Request node: ${spread(summarize(succeeded), 0)} of ${all} succeed, in ${seconds(samples.httpRequest)}`,
		ratio: `${spread(
			ratios(
				samples.ours,
				samples.ours.map(() => dictated),
			),
		)} of what the limit dictates`,
		limitedBy:
			'The limit: two windows of a minute have to pass. Retry-After comes in whole seconds, so up to one more is waited for at each; the rest is the time for the last window.',
	};
}
