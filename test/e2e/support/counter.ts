import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { json } from 'node:stream/consumers';

import type { INode } from 'n8n-workflow';

import { node } from '../../../dev/n8n/rest/workflow';
import { closeServer, openPort } from './localServer';

/** One call of the effect that a workflow has on the world. */
export interface Effect {
	readonly deliveryId: string;
	readonly executionId: string;
	readonly workflowId: string;
	/** Of {@link batchEffectNode}: one for each item of the execution, `EVENT paymentId`. */
	readonly events?: string[];
}

/**
 * Stands for whatever a workflow does with an event: it counts each time it is done. While it is
 * held, calls wait unanswered and uncounted.
 */
export class Counter {
	readonly effects: Effect[] = [];
	private held: Array<{ response: ServerResponse; serve: () => void }> | null = null;
	private server!: Server;
	url = '';

	async open(): Promise<void> {
		this.server = createServer((request, response) => void this.take(request, response));
		this.url = `http://127.0.0.1:${await openPort(this.server)}`;
	}

	private async take(request: IncomingMessage, response: ServerResponse): Promise<void> {
		const effect = (await json(request)) as Effect;
		const serve = () => {
			this.effects.push(effect);
			response.setHeader('content-type', 'application/json').end('{"counted":true}');
		};
		if (this.held) this.held.push({ response, serve });
		else serve();
	}

	/** From now on calls wait. */
	hold(): void {
		this.held ??= [];
	}

	get waiting(): number {
		return this.held?.length ?? 0;
	}

	/** Waiting callers lose the connection; later calls are counted. */
	release(): void {
		for (const { response } of this.held ?? []) response.destroy();
		this.held = null;
	}

	/** Waiting callers are served and counted, as are later calls. */
	serve(): void {
		for (const { serve } of this.held ?? []) serve();
		this.held = null;
	}

	/** Fresh for the next test. */
	reset(): void {
		this.release();
		this.effects.length = 0;
	}

	/** The delivery ids that had their effect, sorted; one that had it twice is there twice. */
	get deliveryIds(): string[] {
		return this.effects.map(({ deliveryId }) => deliveryId).sort();
	}

	async close(): Promise<void> {
		this.release();
		await closeServer(this.server);
	}
}

/** n8n's own node, posting each event to the counter. */
export function effectNode(counter: Counter): INode {
	return node('Effect', 'httpRequest', 4.2, {
		method: 'POST',
		url: counter.url,
		sendBody: true,
		specifyBody: 'json',
		jsonBody:
			'={{ JSON.stringify({ deliveryId: $json.deliveryId, executionId: $execution.id, workflowId: $workflow.id }) }}',
		options: {},
	});
}

/** The same, in one call for all items of an execution: done for all of them or for none. */
export function batchEffectNode(counter: Counter): INode {
	const effect = effectNode(counter);
	const events = '$input.all().map(({ json }) => `${json.event} ${json.paymentId}`)';
	effect.parameters.jsonBody = `={{ JSON.stringify({ events: ${events}, deliveryId: $json.deliveryId, executionId: $execution.id, workflowId: $workflow.id }) }}`;
	return { ...effect, executeOnce: true };
}

/** One counter for all tests of a file, emptied before each. */
export function useCounter(): Counter {
	const counter = new Counter();
	beforeAll(async () => await counter.open());
	beforeEach(() => counter.reset());
	afterAll(async () => await counter.close());
	return counter;
}
