import { submitForm } from '../../n8n/editor/form';
import { waitFor } from '../../n8n/process/waitFor';
import type { N8nClient } from '../../n8n/rest/rest';
import { payoutFormUrl } from '../addresses';

/**
 * Uploads a list to the form of the payout example, which is published.
 * @param n8nUrl where forms are reached
 * @returns the id of the execution that this has started
 */
export async function submitList(
	client: N8nClient,
	n8nUrl: string,
	workflowId: string,
	list: File,
): Promise<string> {
	const listIds = async () => (await client.listExecutions(workflowId)).map(({ id }) => id);
	const known = new Set(await listIds());
	await submitForm(await payoutFormUrl(n8nUrl), [list]);
	return await waitFor(async () => (await listIds()).find((id) => !known.has(id)), {
		...{ what: 'the execution to show', timeoutMs: 15_000 },
	});
}
