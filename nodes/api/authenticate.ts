import type { ICredentialDataDecryptedObject, IHttpRequestOptions } from 'n8n-workflow';
import { checkConnection, type ApiCredential } from './connection';
import { InputError } from './input/inputError';

/** n8n's two ways of saying what a request is: its helpers read either the first or the other three. */
export type RequestOfAnyNode = IHttpRequestOptions & {
	uri?: string;
	followRedirect?: boolean;
	followAllRedirects?: boolean;
};

/**
 * Adds the Authorization header ("Authentication", 1) to a request of any node that uses the
 * credential, n8n's HTTP Request node included.
 *
 * @throws InputError when the credential is unusable (see `checkConnection`) or the request would
 * carry the key to another server than the one in Base URL. No redirect is followed.
 */
export function authenticate(
	credential: ICredentialDataDecryptedObject,
	request: RequestOfAnyNode,
): RequestOfAnyNode {
	const { apiKey } = credential as unknown as ApiCredential;
	const { baseUrl } = checkConnection(credential as unknown as ApiCredential);
	const target = new URL(request.url ?? request.uri ?? '', request.baseURL ?? baseUrl);
	if (target.origin !== new URL(baseUrl).origin) {
		throw new InputError(
			`The request goes to ${target.origin}, but this API key belongs to ${new URL(baseUrl).origin}`,
			'Nothing was sent. Use the address in the Base URL of the credential.',
		);
	}
	return {
		...request,
		headers: { ...request.headers, Authorization: `Bearer ${apiKey}` },
		// n8n 1.x takes the key along to wherever an answer points, and so does the HTTP Request node
		// before its version 4.4 in every n8n. An API has no business redirecting.
		disableFollowRedirect: true,
		followRedirect: false,
		followAllRedirects: false,
	};
}
