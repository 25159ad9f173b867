import type { ICredentialDataDecryptedObject, IHttpRequestOptions } from 'n8n-workflow';
import { checkConnection, isWholeAddress, type ApiCredential } from './connection';
import { InputError } from '../input/inputError';

/** n8n's two ways to describe a request: its helpers read either the first or the other fields. */
export type RequestOfAnyNode = IHttpRequestOptions & {
	uri?: string;
	followRedirect?: boolean;
	followAllRedirects?: boolean;
	rejectUnauthorized?: boolean;
	agentOptions?: { rejectUnauthorized?: boolean };
};

/**
 * Adds the Authorization header (docs/api.md#api-keys) to a request of any node that uses the
 * credential, n8n's HTTP Request node included.
 *
 * @throws InputError when the credential is unusable (see `checkConnection`) or the request would
 * carry the key to another server than the one in Base URL, or past someone who could read it. No
 * redirect is followed.
 */
export function authenticate(
	credential: ICredentialDataDecryptedObject,
	request: RequestOfAnyNode,
): RequestOfAnyNode {
	const { apiKey } = credential as unknown as ApiCredential;
	const { baseUrl } = checkConnection(credential as unknown as ApiCredential);
	const { origin } = new URL(baseUrl);
	const target = getTarget(request, baseUrl);
	if (target !== origin) {
		throw new InputError(
			`The request goes to ${target ?? 'an ambiguous address'}, but this API key belongs to ${origin}`,
			"Nothing was sent. Use the address in the 'Base URL' of the credential.",
		);
	}
	checkWay(request);
	return {
		...request,
		headers: { ...request.headers, Authorization: `Bearer ${apiKey}` },
		// n8n 1.x sends the key along to wherever a redirect points, and so does the HTTP Request node
		// before its version 4.4 in every n8n. An API has no business redirecting.
		disableFollowRedirect: true,
		followRedirect: false,
		followAllRedirects: false,
	};
}

/** A path, or nothing: no protocol, no second slash, no backslash and nothing invisible. */
const PATH = /^(?![a-z][a-z\d+.-]*:)(?![\\/]{2})[^\\\s\p{Cc}]*$/iu;

/**
 * Where the request goes. What this reads as relative, another library may read as the address of
 * another host: `https:host` and `https:/host` are such, and n8n's library differs between versions.
 *
 * @returns undefined if that could be
 */
function getTarget(request: RequestOfAnyNode, baseUrl: string): string | undefined {
	const url = request.url ?? request.uri ?? '';
	const base = request.baseURL ?? baseUrl;
	if (!isWholeAddress(base) || !(PATH.test(url) || isWholeAddress(url))) return undefined;
	return URL.canParse(url, base) ? new URL(url, base).origin : undefined;
}

/** n8n hands a request to a proxy as it is, key included, and an unknown certificate may be anyone's. */
function checkWay(request: RequestOfAnyNode): void {
	const { proxy, skipSslCertificateValidation, rejectUnauthorized, agentOptions } = request;
	const option = proxy
		? 'Proxy'
		: skipSslCertificateValidation ||
			  rejectUnauthorized === false ||
			  agentOptions?.rejectUnauthorized === false
			? 'Ignore SSL Issues'
			: undefined;
	if (option === undefined) return;
	throw new InputError(
		`With the option ${option}, others could read the API key in transit`,
		`Nothing was sent. Remove the option ${option} from the node.`,
	);
}
