import {
	refusalsShown,
	settleWorkflow,
	type Settlement,
} from '../../../../../dev/chaos/people/settleWorkflow';
import type { Execution } from '../../../../../dev/n8n/rest/executionData';

const settlements: Settlement[] = [
	{ id: 'list-00001', reference: 'NF 1', outcome: 'paid', withdrawalId: 'withdrawal' },
	{ id: 'list-00002', reference: 'NF 2', outcome: 'notPaid', withdrawalId: '' },
];

it('hands each settlement to the node, and lets no refusal stop the others', () => {
	const { nodes, connections } = settleWorkflow(settlements, 'Second', 'example');
	const getNode = (name: string) => nodes.find((each) => each.name === name)!;
	expect(JSON.parse(getNode('List').parameters.jsonOutput as string)).toEqual({
		items: settlements,
	});
	expect(getNode('Settle')).toMatchObject({
		parameters: {
			...{ resource: 'withdrawal', operation: 'settleReference' },
			reference: '={{ $json.reference }}',
			outcome: '={{ $json.outcome }}',
			withdrawalId: '={{ $json.withdrawalId }}',
		},
		onError: 'continueRegularOutput',
		credentials: { brlPaymentsApi: { id: null, name: 'Second' } },
	});
	expect(connections.Items?.main).toEqual([[{ node: 'Settle', type: 'main', index: 0 }]]);
});

it('shows what was refused, each text once', () => {
	const refused = { json: { error: { code: 'BUSY', message: 'Another run is at work' } } };
	const execution = {
		data: {
			resultData: {
				error: { message: 'Unknown operation' },
				runData: {
					Settle: [{ data: { main: [[{ json: { status: 'paid' } }, refused, refused]] } }],
				},
			},
		},
	} as unknown as Execution;
	expect(refusalsShown(execution)).toEqual(['Unknown operation', 'BUSY | Another run is at work']);
});
