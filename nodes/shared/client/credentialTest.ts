import type {
	ICredentialDataDecryptedObject,
	ICredentialsDecrypted,
	ICredentialTestFunctions,
	IN8nHttpFullResponse,
	INodeCredentialTestResult,
} from 'n8n-workflow';
import { checkConnection, type ApiCredential, keyExpiryNotice } from './connection';
import { hasSigningSecrets, readSignatureSettings } from './signing';
import { attemptOfError, attemptOfResponse, type Attempt } from '../transport/sendRequest';
import { explainFailure } from '../failures/explainFailure';
import { classify } from '../retry/verdict';
import { interpret } from '../transport/outcome';
import { redactor } from '../privacy/redact';
import { readRecord, type ApiRecord } from '../transport/schemas';
import { joinParts } from '../failures/failure';
import { toFailure } from '../failures/itemError';
import { joinSentences } from '../text/sentences';

const TIMEOUT_MS = 10_000;

/**
 * Tests the credential with GET /v1/auth/self (docs/api.md#get-the-api-key).
 *
 * A function and not n8n's declarative test: that one can distinguish a rejected key from an IP address that
 * is not allowed by the status alone, and shows no more than `ECONNREFUSED` for an unreachable host.
 */
export async function testBrlPaymentsApi(
	this: ICredentialTestFunctions,
	credential: ICredentialsDecrypted,
): Promise<INodeCredentialTestResult> {
	const data = { ...credential.data } as ICredentialDataDecryptedObject & ApiCredential;
	try {
		const { baseUrl, environment } = checkConnection(data);
		const signing = hasSigningSecrets(data) ? describeSecrets(data) : undefined;
		const attempt = await askForKey(this, baseUrl, data.apiKey);
		if (attempt.kind === 'answer' && attempt.status === 404) {
			return { status: 'Error', message: OTHER_ADDRESS };
		}
		const outcome = interpret(attempt, readRecord('apiKey'), redactor(data.apiKey));
		if (outcome.kind === 'success') {
			const { expiresAt } = outcome.body as ApiRecord;
			const notice = keyExpiryNotice(expiresAt, Date.now());
			const success = `Connection successful. This is a ${environment} key.`;
			return { status: 'OK', message: joinSentences(success, notice, signing) };
		}
		const { message, parts } = explainFailure(
			outcome,
			classify(outcome, 'read'),
			{ kind: 'read', server: new URL(baseUrl).origin, scope: null },
			Date.now(),
		);
		// There is no execution to retry.
		const said = joinParts({ ...(parts ?? { remedy: '' }), again: undefined });
		const description = said.replace(/Retry this execution/g, 'Press Retry');
		return { status: 'Error', message: `${message}. ${description}` };
	} catch (error) {
		const { message, description } = toFailure(error);
		return { status: 'Error', message: `${message}. ${description}` };
	}
}

/**
 * Whether they are those of the endpoint shows only with a delivery.
 * @throws InputError
 */
function describeSecrets(credential: ICredentialDataDecryptedObject): string {
	const { entered } = readSignatureSettings(credential);
	const secrets = entered === 1 ? 'The signing secret' : `Each of the ${entered} signing secrets`;
	return `${secrets} can be used. To check that it belongs to your endpoint, press Send test in the dashboard.`;
}

/** Each key can read itself: if that is not found, something else has responded. */
const OTHER_ADDRESS = "Check the 'Base URL': this address is not the payment service. [HTTP 404]";

async function askForKey(
	context: ICredentialTestFunctions,
	baseUrl: string,
	apiKey: string,
): Promise<Attempt> {
	// n8n offers nothing else to a credential test; its proxy and network policy apply here as well.
	const { helpers } = context;
	try {
		return attemptOfResponse(
			(await helpers.request({
				method: 'GET',
				uri: `${baseUrl}/v1/auth/self`,
				headers: { Accept: 'application/json', Authorization: `Bearer ${apiKey}` },
				timeout: TIMEOUT_MS,
				encoding: null,
				simple: false,
				resolveWithFullResponse: true,
				followRedirect: false,
			})) as IN8nHttpFullResponse,
		);
	} catch (error) {
		return attemptOfError(error);
	}
}
