import { API_CREDENTIAL_NAME } from '../n8n/rest/credentials';
import type { WorkflowDefinition } from '../n8n/rest/rest';

/** Short, because a node cuts off long names: each node shows that no money is real. */
export const LIVE_KEY_CREDENTIAL_NAME = 'LIVE (play money)';
export const TEST_KEY_CREDENTIAL_NAME = 'TEST';

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
