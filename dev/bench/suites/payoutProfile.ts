import { alternate } from '../measure/alternate';
import { inspectN8n, type InspectedN8n } from '../bulk/benchEnvironment';
import { httpRequest, ours } from '../bulk/strategies';
import { OWNERS, timeByOwner, type Owner } from '../bulk/cpuProfile';
import type { BulkWorkflow } from '../bulk/n8n';
import { expectEachOnce, makePayouts } from '../bulk/payouts';
import type { Suite, SuiteOptions } from '../suite';
import { spread, type Row } from '../report';
import { ratios, summarize } from '../measure/statistics';

const ITEMS = 1_000;
const ALL_OWNERS: readonly Owner[] = [
	...OWNERS.map(({ name }) => name),
	'collecting garbage',
	'the rest of Node.js',
];

/** Where n8n's one thread spends the time of a payout. The service answers at once. */
export const payoutProfile: Suite = async (options) =>
	await inspectN8n(options.onProgress, async (inspected) => await profileAll(inspected, options));

async function profileAll(
	{ service, n8n, inspector }: InspectedN8n,
	{ runs, items = ITEMS, onProgress }: SuiteOptions,
): Promise<Row[]> {
	const access = await n8n.createAccess(service.address);
	const times: Record<Name, Array<Map<Owner, number>>> = { ours: [], httpRequest: [] };
	const measure = (name: Name, workflow: BulkWorkflow) => async (run: number) => {
		const payouts = makePayouts(items);
		await service.prepare({ latencyMs: 0 });
		const profile = await inspector.profile(async () => await n8n.pay(workflow, payouts));
		expectEachOnce(payouts, (await service.tally()).payees);
		const byOwner = timeByOwner(profile);
		if (run > 0) times[name].push(byOwner);
		return [...byOwner.values()].reduce((sum, time) => sum + time, 0);
	};
	const totals = await alternate(
		{
			ours: measure('ours', await n8n.publish(ours(access))),
			httpRequest: measure('httpRequest', await n8n.publish(httpRequest(access))),
		},
		runs,
		(name, run) => onProgress(`${name}, run ${run} of ${runs}`),
	);
	return toRows(items, times, totals);
}

type Name = 'ours' | 'httpRequest';

function toRows(
	items: number,
	times: Record<Name, Array<Map<Owner, number>>>,
	totals: Record<Name, number[]>,
): Row[] {
	const row = (what: string, own: number[], http: number[]): Row => {
		const each = (values: readonly number[]) =>
			spread(summarize(values.map((milliseconds) => milliseconds / items)), 2, ' ms');
		return {
			measured: `processor time of a payout: ${what}`,
			ours: each(own),
			compared: `HTTP Request: ${each(http)}`,
			ratio: `${spread(ratios(own, totals.ours))} of ours`,
			limitedBy: 'Taken by sampling, over the execution as a whole.',
		};
	};
	const of = (name: Name, owner: Owner) => times[name].map((run) => run.get(owner) ?? 0);
	return [
		row('all of it', totals.ours, totals.httpRequest),
		...ALL_OWNERS.map((owner) => row(owner, of('ours', owner), of('httpRequest', owner))),
	];
}
