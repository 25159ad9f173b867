import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';
import { ownFailure, redescribe, type Failure } from '../../shared/failures/failure';
import { errorJson, toFailure } from '../../shared/failures/itemError';
import { ApiClient } from '../../shared/client/client';
import { path } from '../../shared/transport/path';
import { isLastPage, MAX_PAGE_SIZE } from '../../shared/lists/pagination';
import { readPayment, readRecord, type ApiRecord } from '../../shared/transport/schemas';
import type { TriggerOutput } from '../events/output';
import { fetchPage } from '../polling/lists';

const TIMEOUT_MS = 15_000;
/**
 * How much of the list is searched for a withdrawal by its txId: one that was sent together with
 * thousands of others has them all before it when its event comes. Most are found on the first page.
 */
const MAX_PAGES = 60;

/** Where the resource of an event can be read, by the id that is present; null where none is. */
function toLookup({ resourceType, paymentId, withdrawalId, txId }: TriggerOutput) {
	const withdrawal = { read: readRecord('withdrawal'), scope: 'withdrawals:read' } as const;
	const payment = { read: readPayment, scope: 'payments:read' } as const;
	if (withdrawalId !== null) {
		return { ...withdrawal, path: path`/v1/withdrawals/${withdrawalId}` };
	}
	if (paymentId !== null) return { ...payment, path: path`/v1/payments/${paymentId}` };
	if (resourceType === 'payment' && txId !== null) {
		return { ...payment, path: path`/v1/payments/txid/${txId}` };
	}
	return null;
}

/**
 * Reads the payment or withdrawal of an event as it is now, since events may arrive in any order
 * (docs/api.md#delivery-attempts). A failure does not lose the event: it is reported in
 * `currentError`.
 */
export async function fetchCurrentState(
	context: IExecuteFunctions,
	output: TriggerOutput,
): Promise<IDataObject> {
	try {
		if (hasOnlyTxId(output)) return await findWithdrawal(context, output.txId);
		const lookup = toLookup(output);
		if (lookup === null) return output.resourceType ? unknownState(NO_ID) : { current: null };
		const client = await ApiClient.open(context);
		const current = await client.call<IDataObject>({
			...lookup,
			method: 'GET',
			kind: 'read',
			timeoutMs: TIMEOUT_MS,
		});
		return describes(output, current) ? { current } : unknownState(OTHER_RESOURCE);
	} catch (error) {
		return unknownState(toFailure(error));
	}
}

const NO_ID = ownFailure({
	code: 'NO_ID',
	message: 'The event has no ID by which to look up the payment or withdrawal',
	description: 'Look it up in the dashboard.',
	effect: 'none',
});

const OTHER_RESOURCE: Failure = {
	...NO_ID,
	code: 'UNEXPECTED_ANSWER',
	message: 'The response is not the payment or withdrawal of this event, or has no status',
	description: 'Something between n8n and the service may have responded instead.',
};

/** The execution continues, so nothing of it can be retried. */
function unknownState(failure: Failure): IDataObject {
	const shown = failure.retryable
		? redescribe(
				failure,
				'Get the payment or withdrawal later in this workflow, for example with Payment > Get.',
			)
		: failure;
	return { current: null, currentError: errorJson(shown) };
}

function describes(
	{ paymentId, withdrawalId, txId }: TriggerOutput,
	current: IDataObject,
): boolean {
	const id = paymentId ?? withdrawalId;
	const isOther =
		id === null ? current.txId !== undefined && current.txId !== txId : current.id !== id;
	return !isOther && typeof current.status === 'string';
}

/** Why an item has no withdrawal ID, if Fetch Current State is off; empty if nothing is missing. */
export function explainMissingId(output: TriggerOutput): IDataObject {
	if (output.resourceType !== 'withdrawal' || output.withdrawalId !== null) return {};
	return {
		withdrawalIdMissing: hasOnlyTxId(output)
			? 'The event has only the txId. Turn on Fetch Current State to look up the withdrawal.'
			: 'The event has no ID that is certainly the ID of the withdrawal. Check its body.',
	};
}

function hasOnlyTxId(output: TriggerOutput): output is TriggerOutput & { txId: string } {
	const { resourceType, withdrawalId, txId } = output;
	return resourceType === 'withdrawal' && withdrawalId === null && txId !== null;
}

/** The API finds a payment by its txId, but no withdrawal: so the list is searched. */
async function findWithdrawal(context: IExecuteFunctions, txId: string): Promise<IDataObject> {
	const client = await ApiClient.open(context);
	for (let number = 1; number <= MAX_PAGES; number += 1) {
		const page = await fetchPage(client, 'withdrawal', number);
		const found = page.rows.find((row: ApiRecord) => row.txId === txId);
		if (found) return { withdrawalId: found.id as string, current: found as IDataObject };
		if (isLastPage(page, number, MAX_PAGE_SIZE)) break;
	}
	return {
		current: null,
		withdrawalIdMissing: `The event has only the txId, and the first ${MAX_PAGES * MAX_PAGE_SIZE} withdrawals of the list do not show it.`,
	};
}
