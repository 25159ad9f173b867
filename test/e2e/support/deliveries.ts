import { randomUUID } from 'node:crypto';
import { request, type OutgoingHttpHeaders } from 'node:http';

import type { IDataObject } from 'n8n-workflow';
import { assumedDialect, signedRequest } from '../../../dev/sandbox';

/** One event that the payment service has to report. */
export interface Delivery {
	readonly id: string;
	readonly event: string;
	readonly body: string | Buffer;
}

/** The sender gives up on an endpoint that takes longer (docs/api.md#delivery-attempts). */
const ANSWER_TIMEOUT_MS = 10_000;

export const SECRET = 'whsec_example_0f6b1d8e5a7c4e2f9b3d';

/** A payment that was paid, as the service would report it. */
export function paymentPaid(changes: IDataObject = {}): Delivery {
	const txId = `PAY${randomUUID().replaceAll('-', '').slice(0, 20)}`;
	return createDelivery('PAYMENT_PAID', {
		...{ id: randomUUID(), txId, status: 'PAID', amount: 125.9 },
		...{ paidAt: '2026-03-02T14:05:09.000Z', endToEndId: null, payer: null },
		...changes,
	});
}

export function createDelivery(
	event: string,
	body: IDataObject,
	id: string = randomUUID(),
): Delivery {
	return { id, event, body: JSON.stringify(body) };
}

type Headers = Record<string, string | string[]>;

/** The headers of a delivery, signed at the given time, in epoch milliseconds. */
export function signedHeaders(
	delivery: Delivery,
	secret: string = SECRET,
	at: number = Date.now(),
): Headers {
	return signedRequest(delivery, secret, assumedDialect(), at);
}

interface Answer {
	readonly status: number;
	readonly text: string;
}

interface PostOptions {
	readonly method?: string;
	/** Ends the request from outside, as a lost connection does. */
	readonly signal?: AbortSignal;
}

/**
 * Sends exactly these headers and bytes. Fails when there is no response within the sender's 10 s, or
 * when the connection is lost.
 */
export async function post(
	url: string,
	headers: OutgoingHttpHeaders,
	body: string | Buffer,
	{ method = 'POST', signal }: PostOptions = {},
): Promise<Answer> {
	const limits = [AbortSignal.timeout(ANSWER_TIMEOUT_MS), ...(signal ? [signal] : [])];
	return await new Promise((resolve, reject) => {
		const outgoing = request(
			url,
			{
				method,
				headers: { ...headers, 'content-length': Buffer.byteLength(body) },
				signal: AbortSignal.any(limits),
				agent: false,
			},
			(response) => {
				const chunks: Buffer[] = [];
				response.on('data', (chunk: Buffer) => chunks.push(chunk));
				response.once('error', reject);
				response.once('end', () => {
					const text = Buffer.concat(chunks).toString('utf8');
					resolve({ status: response.statusCode ?? 0, text });
				});
			},
		);
		outgoing.once('error', reject);
		outgoing.end(body);
	});
}

/** Sends a delivery once, rightly signed. */
export async function deliver(
	url: string,
	delivery: Delivery,
	secret: string = SECRET,
): Promise<Answer> {
	return await post(url, signedHeaders(delivery, secret), delivery.body);
}
