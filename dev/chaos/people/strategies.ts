import type { INode, INodeParameters } from 'n8n-workflow';

import { node, PACKAGE_NODE, payByHttpRequest, type NodeExtras } from '../../n8n/rest/workflow';
import { TIMEOUT_SECONDS } from '../faults/faults';

export const PAY = 'Pay';

export interface PayNodeState {
	readonly nodeId: string;
	readonly credential: string;
	/** Counts the changes of the description. */
	readonly wording: number;
	readonly isDocumentFilledIn: boolean;
	/** Options > Duplicate Guard is Never: the person has looked up what is not paid. */
	readonly isGuardOff: boolean;
}

/** What is promised about paying twice. */
export type Promised =
	/** Never. */
	| 'once'
	/** Never, except by a new production execution. */
	| 'oncePerProductionExecution'
	| 'nothing';

export interface Strategy {
	/** For the command line, and the beginning of the IDs of its payouts. */
	readonly name: string;
	readonly title: string;
	readonly promised: Promised;
	payNode(state: PayNodeState, url: string, extras: NodeExtras): INode;
}

const description = (wording: number) => `={{ $json.id }}, wording ${wording}`;

/** The payout whose description this is; undefined where it is none of the campaign. */
export function idInDescription(text: unknown): string | undefined {
	return typeof text === 'string' ? /^([\w-]+), wording \d+$/.exec(text)?.[1] : undefined;
}

function ours(reference: INodeParameters): Strategy['payNode'] {
	return ({ nodeId, credential, wording, isDocumentFilledIn, isGuardOff }, _url, extras) => ({
		...node(
			PAY,
			PACKAGE_NODE,
			2,
			{
				resource: 'withdrawal',
				operation: 'create',
				amount: '={{ $json.amount }}',
				pixKey: '={{ $json.pixKey }}',
				...reference,
				...(isDocumentFilledIn && { recipientDocument: '={{ $json.document }}' }),
				description: description(wording),
				options: { timeout: TIMEOUT_SECONDS, ...(isGuardOff && { duplicateGuard: 'never' }) },
			},
			{ credentials: { brlPaymentsApi: { id: null, name: credential } }, ...extras },
		),
		id: nodeId,
	});
}

const httpRequest: Strategy['payNode'] = (
	{ nodeId, credential, wording, isDocumentFilledIn },
	url,
	extras,
) => {
	const document = isDocumentFilledIn ? ', recipientDocument: $json.document' : '';
	const pay = payByHttpRequest(
		PAY,
		url,
		'={{ $now.toMillis() }}-{{ Math.random().toString(36).slice(2) }}',
		`amount: $json.amount, destination: { pixKey: $json.pixKey${document} }, description: $json.id + ', wording ${wording}'`,
		{ timeout: TIMEOUT_SECONDS * 1_000 },
		{ credentials: { brlPaymentsApi: { id: null, name: credential } }, ...extras },
	);
	return { ...pay, id: nodeId };
};

export const WITH_REFERENCES: Strategy = {
	name: 'reference',
	title: 'BRL Payments, with references',
	promised: 'once',
	payNode: ours({ reference: '={{ $json.reference }}' }),
};

export const WITHOUT_REFERENCES: Strategy = {
	name: 'automatic',
	title: 'BRL Payments, without references',
	promised: 'oncePerProductionExecution',
	payNode: ours({}),
};

export const HTTP_REQUEST: Strategy = {
	name: 'random-key',
	title: 'HTTP Request, random key',
	promised: 'nothing',
	payNode: httpRequest,
};
