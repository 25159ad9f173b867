import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';
import { ApiClient } from '../shared/client/client';
import { ApiFailure, redescribe } from '../shared/failures/failure';
import { errorJson, toFailure } from '../shared/failures/itemError';
import { path } from '../shared/transport/path';
import { readRecord } from '../shared/transport/schemas';
import type { TriggerItem } from './item';
import { fetchPage } from './polling/lists';

const TIMEOUT_MS = 15_000;

const GET_IT_LATER =
	'Get the payment or withdrawal later in this workflow, for example with Payment > Get.';

const NOT_FOUND = new ApiFailure({
	code: 'NO_ID',
	message: 'The payment or withdrawal of this event was not found',
	description:
		'The event has no ID by which it can be looked up, or something between n8n and the service has responded. Look it up in the dashboard.',
	effect: 'none',
});

/**
 * Reads the payment or withdrawal of an event as it is now, since events may arrive in any order
 * (docs/api.md#delivery-attempts). A failure does not lose the event: it is reported in `currentError`.
 */
export async function fetchCurrentState(
	context: IExecuteFunctions,
	{ resourceType, paymentId, withdrawalId, txId }: TriggerItem,
): Promise<IDataObject> {
	if (resourceType === null) return { current: null };
	try {
		const client = await ApiClient.open(context);
		const get = async (url: string) =>
			await client.request<IDataObject>({
				...{ method: 'GET', path: url, kind: 'read', timeoutMs: TIMEOUT_MS },
				...{ read: readRecord(resourceType), scope: `${resourceType}s:read` },
			});
		let current: IDataObject | undefined;
		if (withdrawalId !== null) current = await get(path`/v1/withdrawals/${withdrawalId}`);
		else if (paymentId !== null) current = await get(path`/v1/payments/${paymentId}`);
		else if (txId !== null && resourceType === 'payment') {
			current = await get(path`/v1/payments/txid/${txId}`);
		} else if (txId !== null) {
			// The API finds no withdrawal by its TxID, but most are on the first page of the list.
			const { rows } = await fetchPage(client, 'withdrawal', 1);
			current = rows.find((row) => row.txId === txId) as IDataObject | undefined;
		}
		// Something between n8n and the service may have responded with another one.
		const id = paymentId ?? withdrawalId ?? current?.id;
		if (typeof current?.status !== 'string' || current.id !== id) throw NOT_FOUND;
		return { current, ...(resourceType === 'withdrawal' && { withdrawalId: current.id }) };
	} catch (error) {
		const failure = toFailure(error);
		// The execution continues, so nothing of it can be retried.
		const shown = failure.retryable ? redescribe(failure, GET_IT_LATER) : failure;
		return { current: null, currentError: errorJson(shown) };
	}
}
