import { createHash } from 'node:crypto';
import type { TriggerOutput } from '../emit/output';

type Identified = Pick<TriggerOutput, 'event' | 'paymentId' | 'withdrawalId' | 'txId'>;

/** 60 bits: among 10,000 events, two are confused once in twenty billion times. */
const LENGTH = 10;

/**
 * By what an event is recognized, delivered or polled: its name with the ID of its resource, and its
 * name with the txId. A delivery may carry only one of the two (docs/api.md#event-bodies), a listed
 * row carries both.
 */
export function toIdentities({ event, paymentId, withdrawalId, txId }: Identified): string[] {
	return [paymentId ?? withdrawalId, txId]
		.filter((id) => id !== null)
		.map((id) =>
			createHash('sha256').update(`${event} ${id}`).digest('base64url').slice(0, LENGTH),
		);
}
