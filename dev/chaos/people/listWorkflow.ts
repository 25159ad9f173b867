import type { IConnections, INode } from 'n8n-workflow';

import type { WorkflowDefinition } from '../../n8n/rest/rest';
import { MANUAL, node, toMain, webhook, type NodeExtras } from '../../n8n/rest/workflow';
import type { Row } from './intent';
import type { Shape } from './lists';
import type { PayNodeState, Strategy } from './strategies';

const LOOP_SIZE = 10;

/** Retry On Fail as n8n proposes it: three tries, a second apart. */
const RETRY_ON_FAIL: NodeExtras = { retryOnFail: true, maxTries: 3, waitBetweenTries: 1_000 };

/** How often items that failed go back into the paying node, so that a workflow ends. */
const ROUNDS_BACK = 2;

export interface WorkflowState extends PayNodeState {
	readonly rows: readonly Row[];
	/** Path of the production webhook; each copy of a workflow has its own. */
	readonly path: string;
	readonly webhookNodeId: string;
	readonly isErrorWiredBack: boolean;
	/** On Error is Continue, so that every row shows its own error. */
	readonly isEachErrorShown: boolean;
}

function toItem({ payout, pixKey, amount, newReference }: Row) {
	const { id, document, reference } = payout;
	return { id, pixKey, amount, document, reference: newReference ?? reference };
}

/**
 * The workflow as the person has it on the screen: a list in a node, started by hand or by a
 * production webhook.
 *
 * @param url address of the service
 */
export function listWorkflow(
	strategy: Strategy,
	shape: Shape,
	isRetriedByN8n: boolean,
	state: WorkflowState,
	url: string,
): WorkflowDefinition {
	const start = node(MANUAL, 'manualTrigger', 1);
	const called = webhook(state.path, {}, { webhookId: state.webhookNodeId });
	const list = node('List', 'set', 3.4, {
		mode: 'raw',
		jsonOutput: JSON.stringify({ items: state.rows.map(toItem) }),
		options: {},
	});
	const items = node('Items', 'splitOut', 1, { fieldToSplitOut: 'items', options: {} });
	const pay = strategy.payNode(state, url, {
		...(isRetriedByN8n && RETRY_ON_FAIL),
		...((shape === 'continue' || state.isEachErrorShown) && {
			onError: 'continueRegularOutput' as const,
		}),
		...(state.isErrorWiredBack && { onError: 'continueErrorOutput' as const }),
	});
	const nodes = [start, called, list, items, pay];
	const connections: IConnections = {
		[start.name]: toMain([list]),
		[called.name]: toMain([list]),
		[list.name]: toMain([items]),
	};
	if (shape === 'loop') {
		const loop = node('Loop', 'splitInBatches', 3, { batchSize: LOOP_SIZE, options: {} });
		const done = node('Done', 'noOp', 1);
		nodes.push(loop, done);
		connections[items.name] = toMain([loop]);
		connections[loop.name] = toMain([done], [pay]);
		connections[pay.name] = toMain([loop]);
	} else {
		connections[items.name] = toMain([pay]);
	}
	if (state.isErrorWiredBack) {
		const paid = node('Paid', 'noOp', 1);
		const again = retryFilter();
		nodes.push(paid, again);
		connections[pay.name] = toMain([paid], [again]);
		connections[again.name] = toMain([pay]);
	}
	return { name: state.path, nodes, connections, settings: { executionOrder: 'v1' } };
}

/** Limits the rounds of an item: a row that can never be paid would go round forever. */
function retryFilter(): INode {
	return node('Again', 'filter', 2.2, {
		conditions: {
			options: { caseSensitive: true, leftValue: '', typeValidation: 'loose', version: 2 },
			conditions: [
				{
					id: 'rounds',
					leftValue: '={{ $runIndex }}',
					rightValue: ROUNDS_BACK,
					operator: { type: 'number', operation: 'lt' },
				},
			],
			combinator: 'and',
		},
		options: {},
	});
}
