import {
	NodeConnectionTypes,
	type IExecuteFunctions,
	type INodeExecutionData,
	type INodeType,
	type INodeTypeDescription,
} from 'n8n-workflow';
import { testBrlPaymentsApi } from '../shared/client/credentialTest';
import { buildSubtitle, properties, scopeHints } from './editor/properties';
import { resources } from './resources';
import { searchPayments, searchProducts, searchWithdrawals } from './editor/search';
import { route } from './run';

export class BrlPayments implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'BRL Payments',
		name: 'brlPayments',
		icon: {
			light: 'file:../../icons/brlPayments.svg',
			dark: 'file:../../icons/brlPayments.dark.svg',
		},
		group: ['transform'],
		version: 2,
		subtitle: buildSubtitle(resources),
		description: 'Charge customers and pay suppliers in Brazilian reais by PIX, boleto and card',
		defaults: { name: 'BRL Payments' },
		usableAsTool: true,
		builderHint: {
			searchHint:
				'To pay a list: run Withdrawal > Check Batch, have a person approve it, then run Withdrawal > Create with a Reference for each row. To wait days for a payment, use the trigger or a loop with a Wait node instead of Wait for Status.',
			relatedNodes: [
				{
					nodeType: 'n8n-nodes-brl-payments.brlPaymentsTrigger',
					relationHint:
						'Starts a workflow when a payment is paid or a withdrawal completes or fails',
				},
			],
		},
		hints: scopeHints(resources),
		inputs: [NodeConnectionTypes.Main],
		outputs: [NodeConnectionTypes.Main],
		credentials: [{ name: 'brlPaymentsApi', required: true, testedBy: 'testBrlPaymentsApi' }],
		properties,
	};

	methods = {
		credentialTest: { testBrlPaymentsApi },
		listSearch: { searchPayments, searchProducts, searchWithdrawals },
	};

	async execute(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
		return await route(this);
	}
}
