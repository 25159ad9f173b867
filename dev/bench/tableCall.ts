import type { IDataObject, INode } from 'n8n-workflow';
import { insertItems } from '../../nodes/BrlPayments/orders/tableCalls';
import { inTable } from '../../nodes/shared/n8n/dataTable';
import { buildWorkflow, node } from '../n8n/rest/workflow';

/** What no row of the ledger has. */
const STATUS = 'bench';

/** Rows as wide as those that say that a payout is about to be sent. */
export const makeTableRows = (count: number): IDataObject[] =>
	Array.from({ length: count }, (_, index) => ({
		reference: `auto ${index}-0123456789abcdef0123456789abcdef`,
		status: STATUS,
		environment: 'test',
		amount: index + 0.5,
		pixKey: 'p***@example.com',
		sentAt: new Date().toISOString(),
		kind: 'payout',
		generation: 0,
		apiKey: 'fil_test_0123456789',
		content: '0123456789abcdefghijkl.0123456789abcdefghijkl',
		run: '0123456789abcdefghijkl',
		root: '0123456789abcdefghijkl',
	}));

/**
 * One call of n8n's table by n8n's own nodes alone: inserts the items, and deletes as many. A list of payouts
 * makes two such calls: one inserts rows and reads them back, the other one inserts outcomes and deletes those.
 */
export function callTableOnly(name: string, tableId: string): INode {
	const start = node('Start', 'executeWorkflowTrigger', 1.1, { inputSource: 'passthrough' });
	const insert = node('Insert', 'dataTable', 1.1, insertItems(tableId) as INode['parameters']);
	const conditions = [{ keyName: 'status', condition: 'eq', keyValue: STATUS }];
	const remove = node('Delete', 'dataTable', 1.1, {
		...{ resource: 'row', operation: 'deleteRows', ...inTable(tableId) },
		...{ matchType: 'allConditions', filters: { conditions }, options: {} },
	});
	const workflow = buildWorkflow(name, [start, insert, { ...remove, executeOnce: true }]);
	// `}}` would end the expression. n8n finds the table by the ID of the workflow.
	const json = JSON.stringify(workflow).replaceAll('}', '} ');
	const workflowJson = `={{ JSON.stringify({ ...${json}, id: $workflow.id }) }}`;
	return node(name, 'executeWorkflow', 1.2, { source: 'parameter', workflowJson, options: {} });
}
