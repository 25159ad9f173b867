import { parseUuid } from '../../../api/input/uuid';
import { DOCUMENT_PARAMETERS } from '../../../api/openPoints';
import { path } from '../../../api/path';
import { readText } from '../../../api/schemas';
import { formatField, type DocumentFormat } from '../../fields/format';
import { paymentIdField } from '../../fields/ids';
import type { ItemOperation } from '../../operation';

/** GET /v1/documents/payments/{paymentId}/receipt ("Documents"). */
export const getReceipt: ItemOperation = {
	option: {
		name: 'Get Receipt',
		value: 'getReceipt',
		action: 'Get receipt of payment',
		description: 'Get the receipt of a payment that is paid or refunded',
	},
	scope: 'documents:read',
	fields: [paymentIdField, formatField],
	async execute(call) {
		const paymentId = parseUuid(call.parameter('paymentId'), 'Payment ID');
		const format = call.parameter<DocumentFormat>('format');
		const content = await call.get<string>(
			path`/v1/documents/payments/${paymentId}/receipt`,
			readText(format === 'html' ? 'text/html' : 'text/plain'),
			{ [DOCUMENT_PARAMETERS.format]: format },
		);
		return { json: { paymentId, format, content } };
	},
};
