import type { INode, INodeParameters } from 'n8n-workflow';
import {
	brlPayments,
	node,
	payByHttpRequest,
	payEachItem,
	type NodeExtras,
} from '../../n8n/rest/workflow';

export const PAY = 'Pay';

export interface ServiceAccess {
	readonly url: string;
	/** The credential with its key, as n8n knows it. */
	readonly credential: { readonly id: string; readonly name: string };
}

const toExtras = ({ credential }: ServiceAccess): NodeExtras => ({
	credentials: { brlPaymentsApi: { ...credential } },
});

/**
 * This package.
 *
 * @param options as in the editor; empty for the defaults
 * @param more fields besides those that every payout has
 */
export function ours(
	access: ServiceAccess,
	options: INodeParameters = {},
	more: INodeParameters = {},
): INode {
	return payEachItem(toExtras(access), options, more);
}

/** As many requests of this package without its ledger: charges without External ID. */
export function charge(access: ServiceAccess): INode {
	const amount = '={{ $json.amount }}';
	// The books tell them apart by what they are for.
	const fields = { amount, description: '={{ $json.pixKey }}' };
	return brlPayments(PAY, 'payment', 'create', fields, toExtras(access));
}

/** n8n's HTTP Request node as dragged onto the canvas: no batching, all items at once. */
export function httpRequest(access: ServiceAccess): INode {
	return payByHttpRequest(
		PAY,
		access.url,
		'={{ $json.idempotencyKey }}',
		'amount: $json.amount, destination: { pixKey: $json.pixKey }, description: $json.description',
		{},
		toExtras(access),
	);
}

/** The loop with one `await` for each item; the node is in `oneByOne/`. */
export function oneByOne(access: ServiceAccess): INode {
	return node(
		PAY,
		'CUSTOM.oneByOne',
		1,
		{
			url: `${access.url}/v1/withdrawals`,
			amount: '={{ $json.amount }}',
			pixKey: '={{ $json.pixKey }}',
			description: '={{ $json.description }}',
			idempotencyKey: '={{ $json.idempotencyKey }}',
		},
		toExtras(access),
	);
}
