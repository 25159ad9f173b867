import { API_CREDENTIAL_NAME } from '../n8n/rest/credentials';
import type { WorkflowDefinition } from '../n8n/rest/rest';

/** Somebody who opens the demo sees in each node that no money is real. */
export const LIVE_KEY_CREDENTIAL_NAME = `${API_CREDENTIAL_NAME} (live key, play money of the demo)`;
export const TEST_KEY_CREDENTIAL_NAME = `${API_CREDENTIAL_NAME} (test key)`;

/** Workflows name the credential that n8n calls so after an import; here they use another one. */
export function withApiCredential<W extends Pick<WorkflowDefinition, 'nodes'>>(
	workflow: W,
	name: string,
): W {
	const nodes = workflow.nodes.map((node) =>
		node.credentials?.brlPaymentsApi?.name === API_CREDENTIAL_NAME
			? {
					...node,
					credentials: { ...node.credentials, brlPaymentsApi: { id: null, name } },
				}
			: node,
	);
	return { ...workflow, nodes };
}
