import { DOCUMENT_PARAMETERS } from '../../shared/transport/apiAssumptions';
import { path } from '../../shared/transport/path';
import type { BodyReader } from '../../shared/transport/outcome';
import { readText } from '../../shared/transport/schemas';
import { formatField, type DocumentFormat } from '../fields/definitions';
import { chosenPaymentId, paymentIdField } from '../fields/records';
import type { ItemOperation } from '../execution/operation';
import { refuseOtherFormat, sentInstead } from './asRequested';

/** GET /v1/documents/payments/{paymentId}/receipt (docs/api.md#get-a-receipt). */
export const getReceipt: ItemOperation = {
	option: {
		name: 'Get Receipt',
		value: 'getReceipt',
		action: 'Get receipt of payment',
		description: 'Get the receipt of a paid or refunded payment',
	},
	scope: 'documents:read',
	fields: [paymentIdField, formatField],
	async execute(call) {
		const paymentId = await chosenPaymentId(call);
		const own = call.parameter<DocumentFormat>('format');
		const query = { [DOCUMENT_PARAMETERS.format]: own };
		const format = sentInstead(call.toQuery(query)).format ?? own;
		const content = await call.get<string>(
			path`/v1/documents/payments/${paymentId}/receipt`,
			readReceipt(format),
			query,
		);
		return { json: { paymentId, format, content } };
	},
};

const TYPES = { html: 'text/html', text: 'text/plain' } as const;

function readReceipt(format: DocumentFormat): BodyReader {
	return (body, headers) => {
		const other = format === 'html' ? 'text' : 'html';
		if (readText(TYPES[other])(body, headers) !== undefined) refuseOtherFormat(format, other);
		return readText(TYPES[format])(body, headers);
	};
}
