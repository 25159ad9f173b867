import type {
	ICredentialsDecrypted,
	ICredentialTestFunctions,
	INodeCredentialTestResult,
} from 'n8n-workflow';
import { toFailure } from '../../shared/failures/itemError';
import { readSignatureSettings } from './settings';

/** Tests what shows without the service: that there are secrets, and a scheme that covers a timestamp. */
export async function testBrlPaymentsWebhookApi(
	this: ICredentialTestFunctions,
	{ data = {} }: ICredentialsDecrypted,
): Promise<INodeCredentialTestResult> {
	try {
		const { entered } = readSignatureSettings(data);
		const secrets = entered === 1 ? 'The secret' : `Each of the ${entered} secrets`;
		const message = `${secrets} can be used. To check that it belongs to your endpoint, press Send test in the dashboard.`;
		return await Promise.resolve({ status: 'OK', message });
	} catch (error) {
		const { message, description } = toFailure(error);
		return { status: 'Error', message: `${message}. ${description}` };
	}
}
