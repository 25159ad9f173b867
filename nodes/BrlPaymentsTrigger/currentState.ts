import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';
import { errorJson, failureOf } from '../api/itemError';
import { ApiClient } from '../api/client';
import type { BodyReader } from '../api/outcome';
import { path } from '../api/path';
import { readPayment, readRecord } from '../api/schemas';
import type { Scope } from '../api/scopes';
import type { TriggerOutput } from './output';

const TIMEOUT_MS = 15_000;

interface Lookup {
	path: string;
	read: BodyReader;
	scope: Scope;
}

/** Where the resource of an event can be read, by whichever id is there; null where none is. */
export function lookupOf({
	resourceType,
	paymentId,
	withdrawalId,
	txId,
}: TriggerOutput): Lookup | null {
	if (withdrawalId !== null) {
		return {
			path: path`/v1/withdrawals/${withdrawalId}`,
			read: readRecord('withdrawal'),
			scope: 'withdrawals:read',
		};
	}
	const payment = { read: readPayment, scope: 'payments:read' } as const;
	if (paymentId !== null) return { ...payment, path: path`/v1/payments/${paymentId}` };
	if (resourceType === 'payment' && txId !== null) {
		return { ...payment, path: path`/v1/payments/txid/${txId}` };
	}
	return null;
}

/**
 * Reads the payment or withdrawal of an event as it is now, since events may arrive in any order
 * (docs/api.md#delivery-attempts). A failure does not cost the event: it is told in `currentError`.
 */
export async function fetchCurrentState(
	context: IExecuteFunctions,
	output: TriggerOutput,
): Promise<IDataObject> {
	try {
		const lookup = lookupOf(output);
		if (lookup === null) return { current: null };
		const client = await ApiClient.open(context);
		const current = await client.call<IDataObject>({
			...lookup,
			method: 'GET',
			kind: 'read',
			timeoutMs: TIMEOUT_MS,
		});
		return { current };
	} catch (error) {
		return { current: null, currentError: errorJson(failureOf(error)) };
	}
}
