import { RestError, type N8nClient } from './rest';
import { waitFor } from '../process/waitFor';

interface Publication {
	status: string;
	triggers: Array<{ errorMessage: string | null }>;
}

/** An n8n that was killed while it published takes that up again when its lease of two minutes is over. */
const PUBLISHED_WITHIN_MS = 150_000;

/** Before about n8n 2.30, activating a workflow responds when all of this has been done. */
const DONE_AT_ONCE: Publication = { status: 'published', triggers: [] };

/**
 * Publishes a workflow as it was saved last, and waits until its triggers listen: n8n itself
 * responds before that. Fails with what n8n says where it cannot be published.
 */
export async function publishWorkflow(client: N8nClient, id: string): Promise<void> {
	await client.activateWorkflow(id);
	const path = `/rest/workflows/${id}/publication-status`;
	const { status, triggers } = await waitFor(
		async () => {
			const publication = await client.request<Publication>('GET', path).catch((error: unknown) => {
				if (error instanceof RestError && error.isUnknownAddress) return DONE_AT_ONCE;
				throw error;
			});
			const hasFailed = publication.triggers.some(({ errorMessage }) => errorMessage !== null);
			// A busy n8n in queue mode says so before it has begun.
			const isOnItsWay = ['in_progress', 'not_published'].includes(publication.status);
			return (hasFailed || !isOnItsWay) && publication;
		},
		{ what: `workflow ${id} to be published`, timeoutMs: PUBLISHED_WITHIN_MS },
	);
	const problem = triggers.find(({ errorMessage }) => errorMessage !== null)?.errorMessage;
	if (problem !== undefined || status !== 'published') {
		throw new Error(problem ?? `Workflow ${id} could not be published: it is "${status}".`);
	}
}
