import type { IDataObject, IN8nHttpFullResponse } from 'n8n-workflow';
import type { Attempt } from '../../../nodes/shared/transport/sendRequest';

/** A full response of n8n's helper with a JSON body. */
export function answer(
	statusCode: number,
	json: unknown,
	headers: IDataObject = {},
): IN8nHttpFullResponse {
	return {
		statusCode,
		headers: { 'content-type': 'application/json', ...headers },
		body: Buffer.from(JSON.stringify(json)),
	};
}

/** An error response in the nested envelope. */
export const refusal = (statusCode: number, code: string, headers: IDataObject = {}) =>
	answer(statusCode, { error: { code, message: `Server text of ${code}` } }, headers);

/** A response of a gateway in front of the service. */
export const htmlPage = (statusCode: number): IN8nHttpFullResponse => ({
	statusCode,
	headers: { 'content-type': 'text/html' },
	body: Buffer.from('<html><body><h1>Bad gateway</h1></body></html>'),
});

/** An error as Node.js throws it, wrapped as n8n's helper does. */
export function networkError(code: string, message = `something ${code}`): Error {
	const inner = Object.assign(new Error(message), { code });
	return new Error('The service refused the connection', { cause: inner });
}

/** An attempt that got these bytes as a response. */
export const answered = (
	status: number,
	body: string,
	headers: Record<string, string> = { 'content-type': 'application/json' },
): Attempt => ({ kind: 'answer', status, headers, body: Buffer.from(body) });
