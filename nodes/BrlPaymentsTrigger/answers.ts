import type { Verification } from './signature/verify';

/**
 * The response to the sender. It gives up for good on a 4xx other than 408 and 429, and tries again after
 * anything else (docs/api.md#delivery-attempts), so the status decides whether an event can still be saved.
 * Only what carries no signature is refused for good.
 */
export interface Reply {
	readonly status: number;
	/** For the sender's log of deliveries, and for the log of this n8n. Contains no secret. */
	readonly reason: string;
}

export function unsigned(header: 'X-Webhook-Signature' | 'X-Webhook-Timestamp'): Reply {
	return {
		status: 401,
		reason: `The header ${header} is missing. The request does not come from the payment service, or a proxy removed the header.`,
	};
}

export function answerToUnverified(
	verification: Exclude<Verification, { result: 'verified' }>,
): Reply {
	switch (verification.result) {
		case 'malformed':
			return sendAgain(
				'The header X-Webhook-Timestamp is malformed. If the payment service really sends it like this, choose a custom scheme in the BRL Payments API credential.',
			);
		case 'stale': {
			const seconds = Math.round(Math.abs(verification.differenceMs) / 1000);
			const isPast = verification.differenceMs > 0;
			// A retry may have the timestamp of the first attempt (docs/api.md#signatures).
			const remedy = isPast
				? " If it is right, increase 'Options > Replay Window', or set 'Receive By' to Webhook and Polling."
				: '';
			return sendAgain(
				`The signature is genuine, but the timestamp is ${seconds} seconds in the ${isPast ? 'past' : 'future'}. An old delivery was sent again, or the clock of this n8n or of the payment service is off by ${seconds} seconds. Set the clock of this server (NTP).${remedy}`,
			);
		}
		case 'mismatch':
			return sendAgain(
				`The signature does not match. Most likely the signing secret belongs to another endpoint or was rotated, or a proxy changed the body. If none of this is so, the service may sign with the decoded secret: set 'Signature Scheme' to Custom in the BRL Payments API credential, and choose its 'Secret Encoding'. Tried: ${verification.tried}.`,
			);
	}
}

/**
 * Someone resent a delivery under another ID, or two genuine ones have the same timestamp and body.
 * The second of those is re-signed when it is sent again, and is accepted; a forger cannot do that.
 */
export const FOREIGN_SIGNATURE = sendAgain(
	'This signature was used before with another X-Webhook-Delivery-Id or X-Webhook-Event. A genuine delivery is accepted once re-signed.',
);

export const IN_FLIGHT = sendAgain(
	'This delivery is being processed. Send it again to learn whether it was accepted.',
);

export const INTERNAL_ERROR = sendAgain('This n8n could not process the delivery. Send it again.');

export const TOO_LARGE = sendAgain(
	'The compressed body decompresses to more than 1 MB. Send it without compression.',
);

export const ACCEPTED: Reply = { status: 200, reason: 'Accepted.' };

/** It may still be signed, so it is not refused for good. */
export const notADelivery = (problem: string): Reply => sendAgain(`${problem}.`);

function sendAgain(reason: string): Reply {
	return { status: 503, reason };
}
