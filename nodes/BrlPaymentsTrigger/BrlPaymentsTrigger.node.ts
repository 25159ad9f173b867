import {
	NodeConnectionTypes,
	NodeOperationError,
	type IExecuteFunctions,
	type IHookFunctions,
	type INodeExecutionData,
	type INodeType,
	type INodeTypeDescription,
	type IPollFunctions,
	type IWebhookFunctions,
	type IWebhookResponseData,
	type WorkflowActivateMode,
} from 'n8n-workflow';
import { testBrlPaymentsApi } from '../shared/client/credentialTest';
import { readSignatureSettings } from '../shared/client/signing';
import { toFailure } from '../shared/failures/itemError';
import { buildSubtitle, properties, triggerPanel, webhookDescription } from './description';
import { executeTrigger } from './execute';
import { pollForEvents } from './polling/poll';
import { handleDelivery } from './webhook';

/** Activations by n8n itself. */
const UNATTENDED: ReadonlySet<WorkflowActivateMode> = new Set(['init', 'leadershipChange']);

export class BrlPaymentsTrigger implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'BRL Payments Trigger',
		name: 'brlPaymentsTrigger',
		icon: {
			light: 'file:../../icons/brlPayments.svg',
			dark: 'file:../../icons/brlPayments.dark.svg',
		},
		group: ['trigger'],
		// For each request to a trigger of version 1, n8n evaluates one more expression.
		version: 2,
		subtitle: buildSubtitle(),
		// n8n lists both nodes as one entry, under the name of the other and with this text.
		description:
			'Charge customers and pay suppliers in Brazilian reais by PIX, boleto and card. The trigger starts the workflow when a payment or withdrawal changes, once for each genuine event',
		eventTriggerDescription:
			"Only the Test URL is listened to now. Register it at the service as a second endpoint and press Send test there, or set 'Receive By' to Polling, which fetches the latest payment.",
		activationMessage:
			'With Webhook: register the Production URL in the dashboard of the payment service, and press Send test there. With Polling: the next event starts the workflow within a minute.',
		defaults: { name: 'BRL Payments Trigger' },
		inputs: [],
		outputs: [NodeConnectionTypes.Main],
		credentials: [{ name: 'brlPaymentsApi', required: true, testedBy: 'testBrlPaymentsApi' }],
		webhooks: [webhookDescription],
		triggerPanel,
		properties,
	};

	methods = { credentialTest: { testBrlPaymentsApi } };

	// Endpoints are registered in the dashboard by hand. All that can be checked is the credential.
	webhookMethods = {
		default: {
			async checkExists(this: IHookFunctions): Promise<boolean> {
				return await Promise.resolve(false);
			},
			async create(this: IHookFunctions): Promise<boolean> {
				// A person who publishes sees the error. When n8n starts, nobody does, and an address that is
				// not registered returns 404, which the sender takes as final; `webhook` returns 503.
				if (UNATTENDED.has(this.getActivationMode())) return true;
				const credential = await this.getCredentials('brlPaymentsApi');
				try {
					readSignatureSettings(credential);
				} catch (error) {
					const { message, description } = toFailure(error);
					throw new NodeOperationError(this.getNode(), message, { description });
				}
				return true;
			},
			async delete(this: IHookFunctions): Promise<boolean> {
				return await Promise.resolve(true);
			},
		},
	};

	async webhook(this: IWebhookFunctions): Promise<IWebhookResponseData> {
		return await handleDelivery(this);
	}

	async poll(this: IPollFunctions): Promise<INodeExecutionData[][] | null> {
		return await pollForEvents(this);
	}

	async execute(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
		return await executeTrigger(this);
	}
}
