import type { INode, INodeParameters } from 'n8n-workflow';
import { brlPayments, node, type NodeExtras } from '../../n8n/rest/workflow';

/** The name of the paying node in every workflow. */
export const PAY = 'Pay';

/** Whom a node pays through. */
export interface Door {
	/** Address of the service. */
	readonly url: string;
	/** The credential with its key, as n8n knows it. */
	readonly credential: { readonly id: string; readonly name: string };
}

const extrasOf = ({ credential }: Door, extras: NodeExtras = {}): NodeExtras => ({
	...extras,
	credentials: { brlPaymentsApi: { ...credential } },
});

/**
 * This package.
 *
 * @param options as in the editor; empty for what a user gets who touches nothing
 * @param more fields beside those that every payout has
 */
export function ours(door: Door, options: INodeParameters = {}, more: INodeParameters = {}): INode {
	return brlPayments(
		PAY,
		'withdrawal',
		'create',
		{
			amount: '={{ $json.amount }}',
			pixKey: '={{ $json.pixKey }}',
			description: '={{ $json.description }}',
			...more,
			options,
		},
		extrasOf(door),
	);
}

/** n8n's HTTP Request node as it is when it is dragged in: no batching, all items at once. */
export function httpRequest(door: Door, extras?: NodeExtras): INode {
	return node(
		PAY,
		'httpRequest',
		4.2,
		{
			method: 'POST',
			url: `${door.url}/v1/withdrawals`,
			authentication: 'predefinedCredentialType',
			nodeCredentialType: 'brlPaymentsApi',
			sendHeaders: true,
			headerParameters: {
				parameters: [{ name: 'X-Idempotency-Key', value: '={{ $json.idempotencyKey }}' }],
			},
			sendBody: true,
			specifyBody: 'json',
			jsonBody:
				'={{ JSON.stringify({ amount: $json.amount, destination: { pixKey: $json.pixKey }, description: $json.description }) }}',
			options: {},
		},
		extrasOf(door, extras),
	);
}

/** The loop with one `await` for each item; the node lies in `oneByOne/`. */
export function oneByOne(door: Door): INode {
	return node(
		PAY,
		'CUSTOM.oneByOne',
		1,
		{
			url: `${door.url}/v1/withdrawals`,
			amount: '={{ $json.amount }}',
			pixKey: '={{ $json.pixKey }}',
			description: '={{ $json.description }}',
			idempotencyKey: '={{ $json.idempotencyKey }}',
		},
		extrasOf(door),
	);
}
