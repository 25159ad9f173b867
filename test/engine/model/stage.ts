/**
 * Runs that stand still between the steps of the model (test/model/world.ts): before each of their calls
 * of the ledger, and before each of their requests. Everything happens in this process; which run a call
 * belongs to is what its asynchronous context says.
 */
import { AsyncLocalStorage } from 'node:async_hooks';

import * as protocol from '../../../nodes/BrlPayments/ledger/protocol';
import type { Action, Step, Conclusion } from '../../../nodes/BrlPayments/ledger/protocol';
import { ApiClient, type ApiCall } from '../../../nodes/shared/client/client';
import { GroupCommit } from '../../../nodes/shared/concurrency/sharedCalls';
import { realRuntime } from '../../../nodes/shared/concurrency/runtime';
import type { KeyedOrder } from '../../../nodes/shared/orders/order';
import * as transport from '../../../nodes/shared/transport/sendRequest';
import type { Call, Machine } from '../../model/world';
import { TableFailure } from '../../support/dataTables';
import type { Execution } from '../support/execution';
import { dataTables } from '../support/ledger';

/** What a run is about to do: a call, or an attempt to pay. `notSend` is an attempt that comes too late. */
export type Stop = Exclude<Call, 'notSend'> | 'send';

/** Nobody listens there: a connection is refused before anything is sent. */
const NOWHERE = 'http://127.0.0.1:1';

/** One run of the script: an execution that goes on only when it is told to. */
export class Actor {
	/** Where it stands; undefined while it goes on, or is over. */
	at: Stop | undefined;
	/** The order that it is about to send: the same one for each attempt under a key. */
	order: KeyedOrder | undefined;
	/** What the protocol wants of it. */
	action: Action | undefined;
	private lastStop: { readonly at: Stop; readonly action: Action | undefined } | undefined;
	/** When it wrote its `sending` last. */
	claimedAt: number | undefined;
	/** How often it has written its `sending`. */
	claims = 0;
	decided: Conclusion | undefined;
	/** Whether its next requests do not leave. */
	isUnreachable = false;
	isKilled = false;
	execution: Execution | undefined;
	/** Why there is no execution: nothing that a workflow can do. */
	error: Error | undefined;
	private goOn: (error?: Error) => void = () => undefined;

	constructor(readonly name: string) {}

	get isOver(): boolean {
		return this.execution !== undefined || this.error !== undefined;
	}

	/** Stands still until it is let go; a run that was killed stands for ever. */
	async stop(at: Stop, order?: KeyedOrder): Promise<void> {
		this.lastStop = { at, action: this.action };
		this.at = at;
		this.order = order;
		await new Promise<void>((resolve, reject) => {
			this.goOn = (error) => (error ? reject(error) : resolve());
		});
	}

	/** Some actions read more than once: for the model, that is one step. */
	async stopOnce(at: Stop): Promise<void> {
		const { lastStop, action } = this;
		if (lastStop?.at !== at || lastStop.action !== action) await this.stop(at);
	}

	/** @param error what its call fails with */
	letGo(error?: Error): void {
		this.at = undefined;
		this.goOn(error);
	}
}

export class Stage {
	private readonly current = new AsyncLocalStorage<Actor>();
	private readonly undo: Array<() => void> = [];

	/**
	 * @param machine the protocol that the runs follow
	 * @param now the clock of n8n, epoch ms
	 * @param onDecided called when a run has decided what to say, or is over without
	 */
	constructor(
		machine: Machine,
		private readonly now: () => number,
		private readonly onDecided: (actor: Actor) => void,
	) {
		this.useProtocol(machine);
		this.holdRequests();
		this.holdClaims();
		dataTables().onStep = async (operation) => await this.holdCall(operation);
		// What a client waits for would move the clock: in a script, only `wait` does.
		this.replace(realRuntime, 'wait', async () => await new Promise(setImmediate));
		this.replace(realRuntime, 'now', now);
	}

	/** Begins a run, which stands still before its first call. */
	begin(name: string, execute: () => Promise<Execution>): Actor {
		const actor = new Actor(name);
		this.current.run(actor, () => {
			void execute().then(
				(execution) => {
					actor.execution = execution;
					if (actor.decided === undefined) this.onDecided(actor);
				},
				(error: Error) => (actor.error = error),
			);
		});
		return actor;
	}

	/** Lets a run go on until it stands before its next step, or is over. */
	async advance(actor: Actor, error?: Error): Promise<void> {
		actor.letGo(error);
		await this.settled(actor);
	}

	async settled(actor: Actor): Promise<void> {
		while (actor.at === undefined && !actor.isOver) await new Promise(setImmediate);
	}

	/** The call that a run stands before fails, as a database does. */
	async fail(actor: Actor): Promise<void> {
		await this.advance(actor, new TableFailure('failed'));
	}

	close(): void {
		dataTables().onStep = () => undefined;
		for (const undo of this.undo.splice(0).reverse()) undo();
	}

	/** The functions of the machine take the place of the shipped ones, and what they want is noted. */
	private useProtocol(machine: Machine): void {
		const note = (step: Step): Step => {
			const actor = this.current.getStore();
			if (actor === undefined) return step;
			actor.action = step.action;
			if (step.action.do === 'send') actor.claims += 1;
			if (step.action.do === 'end') {
				actor.decided = step.action.conclusion;
				this.onDecided(actor);
			}
			return step;
		};
		for (const [name, value] of Object.entries(machine)) {
			if (typeof value === 'function') this.replace(protocol, name as 'begin', value as never);
		}
		this.replace(protocol, 'begin', (...asked) => note(machine.begin(...asked)));
		this.replace(protocol, 'advance', (...told) => note(machine.advance(...told)));
	}

	private holdRequests(): void {
		const { current, now } = this;
		const { request } = ApiClient.prototype;
		async function held(this: ApiClient, call: ApiCall) {
			const actor = current.getStore();
			if (actor === undefined) return await request.call(this, call);
			if (call.order) holdAttempts(actor, call.order, now);
			else if (actor.action?.do === 'fetch') await actor.stopOnce('fetch');
			else if (actor.action?.do === 'list') await actor.stopOnce('list');
			return await request.call(this, call);
		}
		this.replace(ApiClient.prototype, 'request', held as typeof request);

		const { sendRequest } = transport;
		this.replace(transport, 'sendRequest', async (context, sent, signal, credential) => {
			if (current.getStore()?.isUnreachable !== true) {
				return await sendRequest(context, sent, signal, credential);
			}
			const url = `${NOWHERE}${new URL(sent.url).pathname}`;
			const elsewhere = { ...credential, baseUrl: NOWHERE };
			return await sendRequest(context, { ...sent, url }, signal, elsewhere);
		});
	}

	/**
	 * A run stands before it prepares what it inserts. Later, at the call itself, it could not tell a
	 * database that takes minutes from one whose clock is ahead, and would withdraw.
	 */
	private holdClaims(): void {
		const { current, now } = this;
		const { ask } = GroupCommit.prototype;
		async function held(this: GroupCommit<unknown, unknown>, question: unknown) {
			const actor = current.getStore();
			if (actor?.action?.do === 'claim') {
				await actor.stop('insert');
				actor.claimedAt = now();
			}
			return await ask.call(this, question);
		}
		this.replace(GroupCommit.prototype, 'ask', held);
	}

	/** Before a step of a call of the ledger. What reads about other references belongs to the step before. */
	private async holdCall(operation: string): Promise<void> {
		const actor = this.current.getStore();
		const action = actor?.action?.do;
		if (actor === undefined || action === undefined) return;
		if (operation === 'get' && action === 'readLedger') await actor.stop('read');
		if (operation === 'get' && action === 'claim') await actor.stopOnce('readBack');
		if (operation === 'deleteRows' && action === 'withdraw') await actor.stop('withdraw');
		if (operation === 'insert' && action === 'end') await actor.stop('record');
		if (operation === 'deleteRows' && action === 'end') await actor.stop('remove');
	}

	private replace<T extends object, N extends keyof T>(owner: T, name: N, by: T[N]): void {
		const before = owner[name];
		const described = Object.getOwnPropertyDescriptor(owner, name);
		Object.defineProperty(owner, name, { configurable: true, enumerable: true, get: () => by });
		this.undo.push(() => {
			if (described) Object.defineProperty(owner, name, described);
			else owner[name] = before;
		});
	}
}

/**
 * Before each attempt, and again where the run has written its `sending` anew: in the model, that and
 * the attempt are two steps. The age of the row is looked at after each stop.
 */
function holdAttempts(actor: Actor, order: KeyedOrder, now: () => number): void {
	const before = order.beforeAttempt.bind(order);
	order.beforeAttempt = async () => {
		for (let claims = -1; claims !== actor.claims;) {
			await actor.stop('send', order);
			claims = actor.claims;
			await before(now());
		}
	};
}
