import { getItems, getRuns, type Execution } from '../../../../../dev/n8n/rest/executionData';

const execution = (runData?: Execution['data']['resultData']['runData']): Execution => ({
	...{ id: '1', workflowId: 'w', status: 'crashed', mode: 'manual' },
	data: { resultData: { ...(runData === undefined ? {} : { runData }) } },
});

it('has the items of all runs of a node', () => {
	const runs = [1, 2].map((id) => ({ data: { main: [[{ json: { id } }]] } }));
	expect(getItems(execution({ Pay: runs }), 'Pay').map(({ json }) => json.id)).toEqual([1, 2]);
});

it('has none where a worker was killed before any node had ended', () => {
	expect(getRuns(execution(), 'Pay')).toEqual([]);
});
