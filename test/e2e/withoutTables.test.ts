/** An n8n whose data tables are turned off. */
import type { INodeParameters } from 'n8n-workflow';

import { getItems } from '../../dev/n8n/rest/executionData';
import { brlPayments, buildWorkflow, manualStart } from '../../dev/n8n/rest/workflow';
import { useWorld } from './support/n8nTestEnv';
import { makeInvoices } from './support/payouts';

const world = useWorld({ N8N_DISABLED_MODULES: 'data-table,mcp-registry' });

const rows = makeInvoices(['T-1', 'T-2']);
const PAYOUT = { amount: '={{ $json.amount }}', pixKey: '={{ $json.pixKey }}' };
const REFERENCE = { reference: '={{ $json.invoice }}' };

async function run(operation: string, parameters: INodeParameters) {
	const all = { ...parameters, options: {} };
	const extras = { onError: 'continueRegularOutput' } as const;
	const node = brlPayments('Node', 'withdrawal', operation, all, extras);
	const execution = await world.run(buildWorkflow('No tables', [...manualStart(rows), node]));
	return getItems(execution, 'Node').map(({ json }) => json);
}

it('checks rows without references', async () => {
	const items = await run('checkBatch', PAYOUT);
	expect(items.map(({ error }) => error)).toEqual([undefined, undefined]);
});

it.each<[string, string, INodeParameters]>([
	['payouts without references', 'create', PAYOUT],
	['payouts with references', 'create', { ...PAYOUT, ...REFERENCE }],
	['references', 'getByReference', REFERENCE],
])(
	'refuses %s in %s before anything is sent, and says what they need',
	async (_what, operation, parameters) => {
		const description = expect.stringContaining('n8n 2.3 or later') as string;
		const refusal = { error: { code: 'LEDGER_UNAVAILABLE', description } };
		expect(await run(operation, parameters)).toMatchObject([refusal, refusal]);
		expect(world.sandbox.books.withdrawals).toEqual([]);
	},
);
