import { createHmac, randomUUID } from 'node:crypto';
import { EventEmitter } from 'node:events';
import type { IDataObject, INode, IWebhookFunctions } from 'n8n-workflow';

export const SECRET = 'example-signing-secret-0001';

/** The part of an HTTP response that a trigger uses. */
class Response extends EventEmitter {
	statusCode = 200;
	writableEnded = false;
	readonly destroyed = false;

	status(code: number): this {
		this.statusCode = code;
		return this;
	}

	json(): this {
		return this;
	}

	send(): this {
		return this;
	}

	end(): this {
		return this;
	}

	/** n8n has created the execution and responded. */
	finish(): void {
		this.writableEnded = true;
		this.emit('finish');
		this.emit('close');
	}
}

export interface PreparedDelivery {
	readonly context: IWebhookFunctions;
	readonly response: Response;
	readonly headers: Readonly<Record<string, string>>;
	readonly timestamp: string;
	readonly rawBody: Buffer;
}

export const EVENT = 'PAYMENT_PAID';
const NODE: INode = {
	id: 'trigger',
	name: 'Trigger',
	type: 'example.trigger',
	typeVersion: 1,
	position: [0, 0],
	parameters: {},
};

/**
 * A genuine delivery that was not seen before, as n8n hands it to a trigger: with the bytes, and
 * parsed already. Signed for this package's trigger and for n8n's Stripe Trigger alike.
 */
export function prepareDelivery(size: number, secret = SECRET): PreparedDelivery {
	const deliveryId = randomUUID();
	const rawBody = Buffer.from(buildBody(size, deliveryId));
	const timestamp = String(Math.floor(Date.now() / 1000));
	const signature = createHmac('sha256', secret)
		.update(`${timestamp}.`)
		.update(rawBody)
		.digest('hex');
	const headers: Record<string, string> = {
		'x-webhook-event': EVENT,
		'x-webhook-delivery-id': deliveryId,
		'x-webhook-timestamp': timestamp,
		'x-webhook-signature': signature,
		'stripe-signature': `t=${timestamp},v1=${signature}`,
	};
	const body = JSON.parse(rawBody.toString('utf8')) as IDataObject;
	const request = { rawBody, body, header: (name: string) => headers[name] };
	const response = new Response();
	const credentials: Record<string, IDataObject> = {
		brlPaymentsWebhookApi: { signingSecrets: SECRET, signatureScheme: 'auto' },
		stripeApi: { signatureSecret: SECRET },
	};
	const parameters: IDataObject = { events: [EVENT], options: {} };
	const staticData = {};
	const quiet = { warn: () => undefined, error: () => undefined };
	const context = {
		getMode: () => 'webhook',
		getNode: () => NODE,
		getWorkflow: () => ({ id: 'workflow' }),
		getNodeParameter: (name: string, fallback: unknown) => parameters[name] ?? fallback,
		getCredentials: (name: string) => Promise.resolve(credentials[name]),
		getHeaderData: () => headers,
		getRequestObject: () => request,
		getBodyData: () => body,
		getResponseObject: () => response,
		getWorkflowStaticData: () => staticData,
		logger: quiet,
		helpers: { returnJsonArray: (json: IDataObject) => [{ json }] },
	};
	return {
		context: context as unknown as IWebhookFunctions,
		response,
		headers,
		timestamp,
		rawBody,
	};
}

/** A payment with as much metadata as it takes. `type` is where Stripe names the event. */
export function buildBody(size: number, id: string): string {
	const metadata: Record<string, string> = {};
	const body = { id, type: EVENT, txId: 'PAY0000', amount: 10.5, status: 'PAID', metadata };
	const start = JSON.stringify(body).length;
	const field = 60;
	for (let number = 0; start + (number + 1) * field <= size; number += 1) {
		const name = `field${String(number).padStart(6, '0')}`;
		metadata[name] = 'x'.repeat(field - name.length - 6);
	}
	return JSON.stringify(body);
}
