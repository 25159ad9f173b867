import type { IConnections, INode, INodeParameters } from 'n8n-workflow';

import type { WorkflowDefinition } from '../n8n/rest/rest';
import {
	brlPayments,
	buildWorkflow,
	connectInLine,
	manualStart,
	node,
	payByHttpRequest,
	toMain,
	webhook,
	type NodeExtras,
} from '../n8n/rest/workflow';
import { TIMEOUT_SECONDS } from './faults';
import type { PayoutList, Row } from './lists';

export const PAY = 'Pay';
export const SETTLE = 'Settle';

const LOOP_SIZE = 10;

/** Retry On Fail as n8n proposes it: three tries, a second apart. */
const RETRY_ON_FAIL: NodeExtras = { retryOnFail: true, maxTries: 3, waitBetweenTries: 1_000 };

export interface Strategy {
	/** For the command line, and the beginning of the IDs of its payouts. */
	readonly name: string;
	readonly title: string;
	/** What is not paid twice: a payout, or a payout by one execution and its retries. */
	readonly promised: 'once' | 'oncePerExecution' | 'nothing';
	payNode(isGuardOff: boolean, url: string, extras: NodeExtras): INode;
}

/** The payout whose description this is; undefined where it is none of the campaign. */
export function idInDescription(text: unknown): string | undefined {
	return typeof text === 'string' ? /^([\w-]+), campaign$/.exec(text)?.[1] : undefined;
}

function ours(reference: INodeParameters): Strategy['payNode'] {
	return (isGuardOff, _url, extras) =>
		brlPayments(
			PAY,
			'withdrawal',
			'create',
			{
				...{ amount: '={{ $json.amount }}', pixKey: '={{ $json.pixKey }}', ...reference },
				description: '={{ $json.id }}, campaign',
				options: { timeout: TIMEOUT_SECONDS, ...(isGuardOff && { duplicateGuard: 'never' }) },
			},
			extras,
		);
}

export const WITH_REFERENCES: Strategy = {
	name: 'reference',
	title: 'BRL Payments, with references',
	promised: 'once',
	payNode: ours({ reference: '={{ $json.reference }}' }),
};

export const WITHOUT_REFERENCES: Strategy = {
	name: 'automatic',
	title: 'BRL Payments, without references',
	promised: 'oncePerExecution',
	payNode: ours({}),
};

export const HTTP_REQUEST: Strategy = {
	name: 'random-key',
	title: 'HTTP Request, random key',
	promised: 'nothing',
	payNode(_isGuardOff, url, extras) {
		return payByHttpRequest(
			PAY,
			url,
			'={{ $now.toMillis() }}-{{ Math.random().toString(36).slice(2) }}',
			"amount: $json.amount, destination: { pixKey: $json.pixKey }, description: $json.id + ', campaign'",
			{ timeout: TIMEOUT_SECONDS * 1_000 },
			extras,
		);
	},
};

export interface WorkflowState {
	/** Of the paying node: the same one each time that the workflow is saved. */
	readonly nodeId: string;
	readonly rows: readonly Row[];
	/** Path of the production webhook, and name; each copy of a workflow has its own. */
	readonly path: string;
	/** On Error is Continue, so that every row shows its own error. */
	readonly isEachErrorShown: boolean;
	/** Options > Duplicate Guard is Never: the person has looked up what is not paid. */
	readonly isGuardOff: boolean;
}

/**
 * The workflow as the person has it on the screen: a list in a node, started by hand or by a
 * production webhook.
 *
 * @param url address of the service
 */
export function listWorkflow(
	strategy: Strategy,
	{ shape, isRetriedByN8n }: PayoutList,
	{ nodeId, rows, path, isEachErrorShown, isGuardOff }: WorkflowState,
	url: string,
): WorkflowDefinition {
	const items = rows.map(({ payout: { id }, pixKey, amount, reference }) => ({
		...{ id, pixKey, amount, reference },
	}));
	const start = manualStart(items);
	const called = webhook(path, {}, { webhookId: nodeId });
	const pay = strategy.payNode(isGuardOff, url, {
		...(isRetriedByN8n && RETRY_ON_FAIL),
		...((shape === 'continue' || isEachErrorShown) && { onError: 'continueRegularOutput' }),
	});
	const nodes = [...start, { ...pay, id: nodeId }];
	const connections: IConnections = { [called.name]: toMain([start[1]!]) };
	if (shape !== 'loop') {
		return buildWorkflow(path, [...nodes, called], { ...connectInLine(nodes), ...connections });
	}
	const loop = node('Loop', 'splitInBatches', 3, { batchSize: LOOP_SIZE, options: {} });
	return buildWorkflow(path, [...nodes, called, loop], {
		...{ ...connectInLine([...start, loop]), ...connections },
		[loop.name]: toMain([], [pay]),
		[pay.name]: toMain([loop]),
	});
}

/** A person's word about a payout in doubt, after a look at the service. */
export interface Settlement {
	/** Its own, or the automatic name. */
	readonly reference: string;
	readonly outcome: 'paid' | 'notPaid';
	/** Empty where it was not paid. */
	readonly withdrawalId: string;
	/** What the error named, and the person has looked at. Empty where it was paid. */
	readonly notThese: string;
}

/** Tells the node about payouts in doubt, one item each, started by hand. */
export function settleWorkflow(
	settlements: readonly Settlement[],
	name: string,
): WorkflowDefinition {
	const fields = ['reference', 'outcome', 'withdrawalId', 'notThese'];
	const values = Object.fromEntries(fields.map((field) => [field, `={{ $json.${field} }}`]));
	const parameters = { ...values, options: {} };
	const extras: NodeExtras = { onError: 'continueRegularOutput' };
	const settle = brlPayments(SETTLE, 'withdrawal', 'settleReference', parameters, extras);
	return buildWorkflow(name, [...manualStart(settlements.map((each) => ({ ...each }))), settle]);
}
