import { API_CREDENTIAL_NAME, MAIL_CREDENTIAL_NAME } from '../n8n/rest/credentials';
import type { WorkflowDefinition } from '../n8n/rest/rest';

/** Short, because a node cuts off long names: each node shows that no money is real. */
export const LIVE_KEY_CREDENTIAL_NAME = 'LIVE (play money)';
export const TEST_KEY_CREDENTIAL_NAME = 'TEST';

/** Ending of a node's type -> the type of the credential that its examples take, and n8n's own name for it. */
const CREDENTIALS: Readonly<Record<string, readonly [string, string]>> = {
	brlPayments: ['brlPaymentsApi', API_CREDENTIAL_NAME],
	brlPaymentsTool: ['brlPaymentsApi', API_CREDENTIAL_NAME],
	brlPaymentsTrigger: ['brlPaymentsApi', API_CREDENTIAL_NAME],
	emailSend: ['smtp', MAIL_CREDENTIAL_NAME],
	googleSheets: ['googleSheetsOAuth2Api', 'Google Sheets account'],
	httpRequest: ['httpHeaderAuth', 'Evolution account'],
	telegram: ['telegramApi', 'Telegram account'],
	whatsApp: ['whatsAppApi', 'WhatsApp account'],
};

/**
 * Gives the nodes of an example their credentials: n8n's editor does so when a person imports it, the REST API
 * does not.
 * @param apiCredentialName of the credential with the API key
 */
export function withCredentials<W extends Pick<WorkflowDefinition, 'nodes'>>(
	workflow: W,
	apiCredentialName = API_CREDENTIAL_NAME,
): W {
	const nodes = workflow.nodes.map((node) => {
		const credential = CREDENTIALS[node.type.replace(/^.*\./, '')];
		if (!credential) return node;
		const [type, usual] = credential;
		const name = type === 'brlPaymentsApi' ? apiCredentialName : usual;
		return { ...node, credentials: { [type]: { id: null, name } } };
	});
	return { ...workflow, nodes };
}
