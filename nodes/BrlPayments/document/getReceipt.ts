import { DOCUMENT_PARAMETERS } from '../../shared/transport/apiAssumptions';
import { ApiFailure } from '../../shared/failures/failure';
import { path } from '../../shared/transport/path';
import type { BodyReader } from '../../shared/transport/outcome';
import { readText } from '../../shared/transport/schemas';
import { formatField, type DocumentFormat } from '../editor/fields';
import { chosenPaymentId, paymentIdField } from '../editor/pickers';
import type { ItemOperation } from '../operation';

/** GET /v1/documents/payments/{paymentId}/receipt (docs/api.md#get-a-receipt). */
export const getReceipt: ItemOperation = {
	option: {
		name: 'Get Receipt',
		value: 'getReceipt',
		action: 'Get receipt of payment',
		description: 'Retrieve the receipt of a paid or refunded payment',
	},
	scope: 'documents:read',
	fields: [paymentIdField, formatField],
	async execute(call) {
		const paymentId = await chosenPaymentId(call);
		const format = call.parameter<DocumentFormat>('format');
		const content = await call.get<string>(
			path`/v1/documents/payments/${paymentId}/receipt`,
			readReceipt(format),
			{ [DOCUMENT_PARAMETERS.format]: format },
		);
		return { json: { paymentId, format, content } };
	},
};

const TYPES = { html: 'text/html', text: 'text/plain' } as const;

/** A service that does not know the name of the parameter responds with success, and in another format. */
function readReceipt(format: DocumentFormat): BodyReader {
	const other = format === 'html' ? 'text' : 'html';
	return (body, headers) => {
		if (readText(TYPES[other])(body, headers) !== undefined) throw otherFormat(format, other);
		return readText(TYPES[format])(body, headers);
	};
}

const NAMES = { html: 'HTML', text: 'text' } as const;

function otherFormat(requested: DocumentFormat, sent: DocumentFormat): ApiFailure {
	return new ApiFailure({
		code: 'UNEXPECTED_DOCUMENT',
		message: `The service sent the document as ${NAMES[sent]}, not as ${NAMES[requested]}`,
		description:
			"The service may use another parameter name than format. Look it up in the documentation of the service, and add it under 'Options > Additional Query Parameters'.",
		effect: 'none',
	});
}
