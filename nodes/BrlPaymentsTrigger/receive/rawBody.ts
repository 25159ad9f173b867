import type { IDataObject, IWebhookFunctions } from 'n8n-workflow';
import { InputError } from '../../shared/validation/inputError';
import { getHeader } from './delivery';

/**
 * The bytes on the wire, as they were before anything was parsed. n8n leaves a body unread if it
 * does not parse its type, and has already consumed that of a form with files.
 */
export async function readRawBody(
	context: Pick<IWebhookFunctions, 'getRequestObject'>,
	headers: IDataObject,
): Promise<Buffer> {
	const request = context.getRequestObject() as {
		readonly rawBody?: unknown;
		readonly readRawBody?: () => Promise<void>;
	};
	const isForm = /^\s*multipart\//i.test(getHeader(headers, 'Content-Type') ?? '');
	if (request.rawBody === undefined && !isForm) await request.readRawBody?.();
	const { rawBody } = request;
	if (Buffer.isBuffer(rawBody)) return rawBody;
	throw new InputError(
		'This n8n did not provide the unparsed body',
		'Update n8n to a version that provides it.',
	);
}
