import type { INode } from 'n8n-workflow';
import { alternate } from '../measure/alternate';
import { BenchEnvironment } from '../bulk/benchEnvironment';
import { makePayouts } from '../bulk/payouts';
import { httpRequest, nothing, ours, type ServiceAccess } from '../bulk/strategies';
import { spread, type Row } from '../report';
import { ratios, summarize } from '../measure/statistics';
import type { Suite } from '../suite';

const ITEMS = 10_000;
/** The list that the large one is compared with is this part of it. */
const PART = 10;
/** Compile the code and open the files. */
const WARM_UP_ITEMS = 40;

type Name = 'ours' | 'httpRequest' | 'nothing';

/** What one n8n needed for the small list and then for the large one. */
interface Need {
	/** Milliseconds for an item of the small list, and of the large one. */
	readonly small: number;
	readonly large: number;
	/** Bytes. */
	readonly peak: number;
}

/** Far more items in one execution than anybody pays, with no latency: each in an n8n of its own. */
export const largeRun: Suite = async ({ runs, items = ITEMS, onProgress }) => {
	const needs: Record<Name, Need[]> = { ours: [], httpRequest: [], nothing: [] };
	const measure = (name: Name, pay: (access: ServiceAccess) => INode) => async (run: number) => {
		const need = await BenchEnvironment.open(
			() => undefined,
			async (environment) => await payBoth(environment, name, pay(environment.access), items),
		);
		if (run > 0) needs[name].push(need);
		return need.large;
	};
	await alternate(
		{
			ours: measure('ours', ours),
			httpRequest: measure('httpRequest', httpRequest),
			nothing: measure('nothing', nothing),
		},
		runs,
		(name, run) => onProgress(`${name}, run ${run} of ${runs}`),
	);

	const list = (key: keyof Need, name: Name) => needs[name].map((need) => need[key]);
	const perItem = (name: Name) => spread(summarize(list('large', name)), 2, ' ms');
	const growth = (name: Name) => ratios(list('large', name), list('small', name));
	const mebibytes = (values: readonly number[]) =>
		spread(summarize(values.map((bytes) => bytes / 2 ** 20)), 0, ' MiB');
	const above = (name: Name) => {
		const others = list('peak', 'nothing');
		return list('peak', name).map((peak, run) => peak - others[run]!);
	};
	const what = `${items.toLocaleString('en')} withdrawals in one execution`;
	const rows: Row[] = [
		{
			measured: `${what}: time for each, compared with a list of a ${PART}th`,
			ours: perItem('ours'),
			compared: `HTTP Request: ${perItem('httpRequest')}, ${spread(growth('httpRequest'))}`,
			ratio: spread(growth('ours')),
			limitedBy: "n8n's one thread; 1 is a time that grows with the list and no faster.",
		},
		{
			measured: `${what}: memory at the peak, above that of a node that does nothing`,
			ours: mebibytes(above('ours')),
			compared: `HTTP Request: ${mebibytes(above('httpRequest'))}; n8n with a node that does nothing: ${mebibytes(list('peak', 'nothing'))}`,
			ratio: spread(ratios(list('peak', 'ours'), list('peak', 'nothing'))),
			limitedBy:
				'n8n keeps all items of an execution, and writes them to its database as one text.',
		},
	];
	return rows;
};

async function payBoth(
	environment: BenchEnvironment,
	name: Name,
	node: INode,
	items: number,
): Promise<Need> {
	const { n8n } = environment;
	const workflow = await n8n.publish(node);
	const run = async (count: number) => {
		const { milliseconds } =
			name === 'nothing'
				? await n8n.pay(workflow, makePayouts(count))
				: await environment.payWith(workflow, count, { latencyMs: 0 });
		return milliseconds / count;
	};
	await run(Math.min(WARM_UP_ITEMS, items));
	const small = await run(Math.ceil(items / PART));
	const large = await run(items);
	return { small, large, peak: n8n.peakMemory };
}
