/** An n8n without data tables: older than 2.3, or with their module switched off. */
import type { INodeParameters } from 'n8n-workflow';

import { isN8nFrom } from '../../dev/n8n/paths';
import { getItems } from '../../dev/n8n/rest/executionData';
import { brlPayments, buildWorkflow, manualStart } from '../../dev/n8n/rest/workflow';
import { useWorld } from './support/n8nTestEnv';
import { booked, intended, makePayouts } from './support/payouts';

// n8n 1.x has no tables that a node can use, and starts with no module unknown to it.
const SWITCHED_OFF = { N8N_DISABLED_MODULES: 'data-table,mcp-registry' };
const world = useWorld(isN8nFrom('2.3') ? SWITCHED_OFF : {});

const rows = makePayouts(2).map((payout, index) => ({ ...payout, invoice: `T-${index}` }));

async function run(operation: string, parameters: INodeParameters) {
	const node = brlPayments(
		'Node',
		'withdrawal',
		operation,
		{ ...parameters, options: {} },
		{ onError: 'continueRegularOutput' },
	);
	const execution = await world.run(buildWorkflow('No tables', [...manualStart(rows), node]));
	return getItems(execution, 'Node').map(({ json }) => json);
}

const PAYOUT = { amount: '={{ $json.amount }}', pixKey: '={{ $json.pixKey }}' };
const REFERENCE = { reference: '={{ $json.invoice }}' };

const refusal = {
	error: {
		code: 'REFERENCES_UNAVAILABLE',
		description: expect.stringContaining('n8n 2.3 or later') as string,
	},
};

it('pays without references', async () => {
	const paid = await run('create', PAYOUT);

	expect(paid.map(({ error }) => error)).toEqual([undefined, undefined]);
	expect(booked(world.sandbox.books.withdrawals)).toEqual(intended(rows));
});

it('refuses references before anything is sent, and says what they need', async () => {
	expect(await run('create', { ...PAYOUT, ...REFERENCE })).toMatchObject([refusal, refusal]);
	expect(world.sandbox.books.withdrawals).toEqual([]);
});

it('says the same where a reference is looked up', async () => {
	expect(await run('getByReference', REFERENCE)).toMatchObject([refusal, refusal]);
});

it('judges a list without references', async () => {
	const judged = await run('checkBatch', PAYOUT);

	expect(judged.map(({ error }) => error)).toEqual([undefined, undefined]);
	expect(judged).toHaveLength(rows.length);
});
