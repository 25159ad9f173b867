import type {
	ICredentialsDecrypted,
	ICredentialTestFunctions,
	INodeCredentialTestResult,
} from 'n8n-workflow';
import { toFailure } from '../../shared/failures/itemError';
import { InputError } from '../../shared/validation/inputError';
import { DEFAULT_WINDOW_SECONDS } from '../description/options';
import { readSignatureSettings } from './settings';
import { sign } from './schemes';
import { readTimestamp } from './timestamp';
import { verify } from './verify';

const WINDOW_MS = 1000 * DEFAULT_WINDOW_SECONDS;
const SAMPLE = Buffer.from('{"id":"sample","amount":10.00}');

/** Tests the credential by signing a sample with each secret and scheme and verifying it again. */
export async function testBrlPaymentsWebhookApi(
	this: ICredentialTestFunctions,
	credential: ICredentialsDecrypted,
): Promise<INodeCredentialTestResult> {
	try {
		const settings = readSignatureSettings(credential.data ?? {});
		const timestamp = String(Math.floor(Date.now() / 1000));
		// Read in any unit that applies: the clock is not what is tested.
		const now = readTimestamp(timestamp, settings.timestampUnit) ?? 0;
		const isSound = settings.schemes.every((scheme) =>
			settings.secrets.every((secret) => {
				const signature = sign(scheme, secret, timestamp, SAMPLE);
				const parts = { signature, timestamp, body: SAMPLE };
				return verify(parts, settings, scheme, now, WINDOW_MS).result === 'verified';
			}),
		);
		if (!isSound) {
			throw new InputError(
				'A sample signed with this scheme could not be verified',
				'Check prefix and encoding.',
			);
		}
		const secrets =
			settings.entered === 1 ? 'the secret' : `each of the ${settings.entered} secrets`;
		return await Promise.resolve({
			status: 'OK',
			message: `A sample signed with ${secrets} was verified. To check that it belongs to your endpoint, press Send test in the dashboard.`,
		});
	} catch (error) {
		const { message, description } = toFailure(error);
		return { status: 'Error', message: `${message}. ${description}` };
	}
}
