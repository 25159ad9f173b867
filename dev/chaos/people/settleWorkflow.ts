import { buildWorkflow, manualStart, node, PACKAGE_NODE } from '../../n8n/rest/workflow';
import type { WorkflowDefinition } from '../../n8n/rest/rest';

/** A person's word about a payout in doubt, after a look at the service. */
export interface Settlement {
	readonly id: string;
	readonly reference: string;
	readonly outcome: 'paid' | 'notPaid';
	/** Empty where it was not paid. */
	readonly withdrawalId: string;
	/** What the error named, and the person has looked at. Empty where it was paid. */
	readonly notThese: string;
}

export const SETTLE = 'Settle';

/** Tells the node about payouts in doubt, one item each, started by hand. */
export function settleWorkflow(
	settlements: readonly Settlement[],
	credential: string,
	name: string,
): WorkflowDefinition {
	const settle = node(
		SETTLE,
		PACKAGE_NODE,
		2,
		{
			resource: 'withdrawal',
			operation: 'settleReference',
			reference: '={{ $json.reference }}',
			outcome: '={{ $json.outcome }}',
			withdrawalId: '={{ $json.withdrawalId }}',
			notThese: '={{ $json.notThese }}',
			options: {},
		},
		{
			onError: 'continueRegularOutput',
			credentials: { brlPaymentsApi: { id: null, name: credential } },
		},
	);
	return buildWorkflow(name, [...manualStart(settlements.map((each) => ({ ...each }))), settle]);
}
