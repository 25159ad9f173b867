import { requireText } from '../../../api/input/text';
import { path } from '../../../api/path';
import { readPdf } from '../../../api/schemas';
import { chosenPaymentId, paymentIdField } from '../../fields/records';
import type { ItemOperation } from '../../operation';

/** GET /v1/payments/{paymentId}/boleto (docs/api.md#download-a-boleto). */
export const downloadBoleto: ItemOperation = {
	option: {
		name: 'Download Boleto',
		value: 'downloadBoleto',
		action: 'Download boleto of payment',
		description: 'Get the boleto as a PDF file, to attach it to an e-mail for example',
	},
	scope: 'payments:read',
	forAgents: 'An agent gets the name of the file, not the file.',
	fields: [
		paymentIdField,
		{
			displayName: 'Put Output File in Field',
			name: 'binaryPropertyName',
			type: 'string',
			required: true,
			default: 'data',
			hint: 'The name of the output binary field to put the file in',
		},
	],
	async execute(call) {
		const paymentId = await chosenPaymentId(call);
		const field = requireText(call.parameter('binaryPropertyName'), 'Put Output File in Field');
		const pdf = await call.get<Buffer>(path`/v1/payments/${paymentId}/boleto`, readPdf);
		const fileName = `boleto-${paymentId}.pdf`;
		return {
			json: { paymentId, fileName },
			binary: {
				[field]: await call.context.helpers.prepareBinaryData(pdf, fileName, 'application/pdf'),
			},
		};
	},
};
