import { expectEachOnce, makePayouts } from '../bulk/payouts';
import { Service } from '../bulk/service';
import { httpRequest, ours } from '../bulk/strategies';
import { alternate } from '../measure/alternate';
import { BenchN8n, type BulkWorkflow } from '../realN8n/benchN8n';
import { spread, type Row, type Suite, type SuiteOptions } from '../report';

/** Requests a minute, and so many withdrawals that two whole minutes have to pass. */
const LIMITS = [
	{ perMinute: 60, items: 180 },
	{ perMinute: 120, items: 360 },
	{ perMinute: 600, items: 1_800 },
];
const WARM_UP_ITEMS = 20;
/** The sandbox counts in windows of a minute, each opened by the first request after the one before. */
const WINDOW_MS = 60_000;

/**
 * More withdrawals than the service lets through at once. The limits are measured side by side, each
 * at a separate service: what happens is waiting.
 */
export const rateLimits: Suite = async (options) =>
	await BenchN8n.use(
		options,
		async (n8n) =>
			await Promise.all(
				LIMITS.map(
					async (limit) =>
						await Service.use(async (service) => measureLimit(n8n, service, limit, options)),
				),
			),
	);

async function measureLimit(
	n8n: BenchN8n,
	service: Service,
	{ perMinute, items }: (typeof LIMITS)[number],
	{ runs, onProgress }: SuiteOptions,
): Promise<Row> {
	const access = await n8n.createAccess(service.address);
	const ownWorkflow = await n8n.publish(ours(access));
	const httpWorkflow = await n8n.publish(httpRequest(access, { onError: 'continueRegularOutput' }));
	const pay = async (workflow: BulkWorkflow, run: number, isAllExpected: boolean) => {
		const payouts = makePayouts(run === 0 ? WARM_UP_ITEMS : items);
		await service.prepare({ latencyMs: 0, rateLimitPerMinute: perMinute });
		const { milliseconds, succeeded } = await n8n.pay(workflow, payouts);
		const { payees } = await service.tally();
		if (isAllExpected) {
			expectEachOnce(payouts, payees);
			if (succeeded !== payouts.length) throw new Error('Not all items say that they paid');
		}
		return { seconds: milliseconds / 1000, paid: payees.length };
	};
	const samples = await alternate(
		{
			ours: async (run) => await pay(ownWorkflow, run, true),
			httpRequest: async (run) => await pay(httpWorkflow, run, false),
		},
		runs,
		(text) => onProgress(`${perMinute} a minute, ${text}`),
	);
	// Each window but the last has to pass as a whole, and the last one needs no waiting.
	const dictated = ((Math.ceil(items / perMinute) - 1) * WINDOW_MS) / 1000;
	const all = items.toLocaleString('en');
	const [own, http] = [samples.ours, samples.httpRequest].map((each) =>
		each.map(({ seconds }) => seconds),
	) as [number[], number[]];
	const succeeded = samples.httpRequest.map(({ paid }) => paid);
	return {
		measured: `${all} withdrawals, ${perMinute} requests a minute allowed`,
		ours: `all ${all} succeed in ${spread(own, 1, ' s')}`,
		compared: `the limit itself: ${dictated} s; n8n's HTTP Request node: ${spread(succeeded, 0)} of ${all} succeed, in ${spread(http, 1, ' s')}`,
		ratio: `${spread(own.map((seconds) => seconds / dictated))} of what the limit dictates`,
	};
}
