import { EventEmitter } from 'node:events';
import type { IDataObject, INode, IWebhookFunctions, WorkflowExecuteMode } from 'n8n-workflow';
import { handleDelivery } from '../../../../../nodes/BrlPaymentsTrigger/receive/webhook';
import { BODY, SECRET, validHeaders } from './delivery';

/** As much of an HTTP response as the trigger touches. */
export class FakeResponse extends EventEmitter {
	statusCode = 200;
	writableEnded = false;
	/** The connection is gone already, as when the sender hung up while the request waited. */
	destroyed = false;
	readonly answers: Array<{ status: number; body: IDataObject }> = [];

	status(code: number): this {
		this.statusCode = code;
		return this;
	}

	json(body: IDataObject): void {
		this.answers.push({ status: this.statusCode, body });
	}

	/** The response was sent, as Node.js reports it: `finish`, then `close`. */
	finish(statusCode: number): void {
		this.answerLate(statusCode);
		this.emit('finish');
		this.emit('close');
	}

	/** The connection broke before the response was out. */
	breakOff(): void {
		this.destroyed = true;
		this.emit('close');
	}

	/** n8n responds, whether or not the sender is still there. */
	answerLate(statusCode: number): void {
		this.statusCode = statusCode;
		this.writableEnded = true;
	}
}

export interface WebhookOptions {
	headers?: IDataObject;
	rawBody?: unknown;
	events?: string[];
	options?: IDataObject;
	credential?: IDataObject | Error;
	credentialId?: string;
	mode?: WorkflowExecuteMode;
	/** The claims of a process are kept per node: a test that is to know nothing has its own. */
	nodeId?: string;
	workflowId?: string;
}

let nodes = 0;

/** The id of a node that has seen nothing yet. */
export const freshNodeId = (): string => `trigger-${(nodes += 1)}`;

export function fakeWebhook({
	headers = validHeaders(),
	rawBody = BODY,
	events = ['PAYMENT_PAID'],
	options = {},
	credential = { signingSecrets: SECRET, signatureScheme: 'auto' },
	credentialId = 'signing',
	mode = 'webhook',
	nodeId = freshNodeId(),
	workflowId = 'workflow-1',
}: WebhookOptions = {}) {
	const response = new FakeResponse();
	const logs: string[] = [];
	const log = (message: string) => void logs.push(message);
	const node: INode = {
		id: nodeId,
		name: 'BRL Payments Trigger',
		type: 'n8n-nodes-brl-payments.brlPaymentsTrigger',
		typeVersion: 2,
		position: [0, 0],
		parameters: {},
		credentials: { brlPaymentsWebhookApi: { id: credentialId, name: 'Signing' } },
	};
	const parameters: IDataObject = { events, options };
	const context = {
		getMode: () => mode,
		getNode: () => node,
		getWorkflow: () => ({ id: workflowId, name: 'Notifications', active: true }),
		getNodeParameter: (name: string, fallback: unknown) => parameters[name] ?? fallback,
		getCredentials: async (name: string) => {
			if (name !== 'brlPaymentsWebhookApi') throw new Error(`Unexpected ${name}`);
			if (credential instanceof Error) throw credential;
			return credential;
		},
		getHeaderData: () => headers,
		getRequestObject: () => ({ rawBody }),
		getResponseObject: () => response,
		logger: { warn: log, error: log },
	};
	return { context: context as unknown as IWebhookFunctions, response, logs };
}

/**
 * Sends one delivery to the trigger.
 * @returns also the json of the emitted item, undefined when nothing starts
 */
export async function deliver(options: WebhookOptions = {}) {
	const { context, response, logs } = fakeWebhook(options);
	const result = await handleDelivery(context);
	return { result, response, logs, emitted: result.workflowData?.[0]?.[0]?.json };
}
