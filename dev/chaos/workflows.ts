import type { INode } from 'n8n-workflow';

import { API_CREDENTIAL_NAME } from '../n8n/rest/credentials';
import type { WorkflowDefinition } from '../n8n/rest/rest';
import {
	payEachItem,
	loopWorkflow,
	node,
	webhookStart,
	buildWorkflow,
	type NodeExtras,
} from '../n8n/rest/workflow';
import { TIMEOUT_SECONDS } from './faults/faultProfiles';
import type { Shape } from './load';

/** The name of the paying node in every workflow. */
export const PAY = 'Pay';

const LOOP_SIZE = 10;

/** Retry On Fail as n8n proposes it: three tries, a second apart. */
const RETRY_ON_FAIL: NodeExtras = { retryOnFail: true, maxTries: 3, waitBetweenTries: 1_000 };

/** One way of paying. */
export interface PaymentStrategy {
	/** For the command line. */
	readonly name: string;
	readonly title: string;
	/** Whether its errors have to say whether the money moved. */
	readonly isOurs: boolean;
	/** Whether the service refuses requests without a key, as documented; otherwise it takes all. */
	readonly isKeyRequired: boolean;
	/** @param url address of the service */
	payNode(url: string, extras: NodeExtras): INode;
}

function httpRequest(url: string, keyExpression: string | null, extras: NodeExtras): INode {
	const headers =
		keyExpression === null
			? {}
			: {
					sendHeaders: true,
					headerParameters: { parameters: [{ name: 'X-Idempotency-Key', value: keyExpression }] },
				};
	return node(
		PAY,
		'httpRequest',
		4.2,
		{
			method: 'POST',
			url: `${url}/v1/withdrawals`,
			authentication: 'predefinedCredentialType',
			nodeCredentialType: 'brlPaymentsApi',
			...headers,
			sendBody: true,
			specifyBody: 'json',
			jsonBody:
				'={{ JSON.stringify({ amount: $json.amount, destination: { pixKey: $json.pixKey }, description: $json.description }) }}',
			options: { timeout: TIMEOUT_SECONDS * 1_000 },
		},
		{ credentials: { brlPaymentsApi: { id: null, name: API_CREDENTIAL_NAME } }, ...extras },
	);
}

export const STRATEGIES: readonly PaymentStrategy[] = [
	{
		name: 'ours',
		title: 'BRL Payments',
		isOurs: true,
		isKeyRequired: true,
		payNode: (_url, extras) => payEachItem(extras, { timeout: TIMEOUT_SECONDS }),
	},
	{
		name: 'random-key',
		title: 'HTTP Request, random key',
		isOurs: false,
		isKeyRequired: true,
		payNode: (url, extras) =>
			httpRequest(url, '={{ $now.toMillis() }}-{{ Math.random().toString(36).slice(2) }}', extras),
	},
	{
		name: 'no-key',
		title: 'HTTP Request, no key',
		isOurs: false,
		isKeyRequired: true,
		payNode: (url, extras) => httpRequest(url, null, extras),
	},
	{
		name: 'no-key-accepted',
		title: 'HTTP Request, no key, accepted',
		isOurs: false,
		isKeyRequired: false,
		payNode: (url, extras) => httpRequest(url, null, extras),
	},
];

/** The workflow with which a strategy pays batches of one shape; started by a webhook. */
export function workflowFor(
	strategy: PaymentStrategy,
	shape: Shape,
	path: string,
	url: string,
): WorkflowDefinition {
	const start = webhookStart(path);
	switch (shape) {
		case 'oneGo':
			return buildWorkflow(path, [...start, strategy.payNode(url, RETRY_ON_FAIL)]);
		case 'loop':
			return loopWorkflow(path, start, LOOP_SIZE, strategy.payNode(url, RETRY_ON_FAIL));
		case 'continue':
			return buildWorkflow(path, [
				...start,
				strategy.payNode(url, { ...RETRY_ON_FAIL, onError: 'continueRegularOutput' }),
			]);
	}
}
