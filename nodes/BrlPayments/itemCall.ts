import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';
import type { ApiCall, ApiClient } from '../api/client';
import type { Environment } from '../api/connection';
import type { Identity } from '../api/idempotency/key';
import type { LogicalOperation, LogicalOperations } from '../api/idempotency/logicalOperation';
import type { LookUp } from '../api/idempotency/lookUp';
import { InputError } from '../api/input/inputError';
import type { BodyReader } from '../api/outcome';
import type { NeededScope, Scope } from '../api/scopes';
import { parseTimeout } from './options';

type Body = ApiCall['body'];

/** What all items of one run of the node share. */
export interface NodeRun {
	readonly context: IExecuteFunctions;
	readonly client: ApiClient;
	/** Absent for operations without idempotency key. */
	readonly operations: LogicalOperations | undefined;
	/** See `OperationBase`. */
	readonly scope: NeededScope;
	readonly whereItShows?: string | undefined;
	/** Notes for the user that n8n shows beside the output; each once, however many items cause it. */
	readonly hints: Set<string>;
}

/** Stands before a write where the idempotency key alone may not keep it from being done twice. */
export interface Guard {
	readonly isWanted: boolean;
	/** Runs `send`, unless the same was done already. @throws ApiFailure when it was */
	pass<T>(lookUp: LookUp, send: () => Promise<T>): Promise<T>;
}

/**
 * One item of one operation: its parameters, and the calls it makes to the service. Hides what is
 * the same for all operations: options, scope, timeout, idempotency.
 */
export class ItemCall {
	private options: IDataObject | undefined;

	constructor(
		private readonly run: NodeRun,
		readonly itemIndex: number,
	) {}

	get context(): IExecuteFunctions {
		return this.run.context;
	}

	get environment(): Environment {
		return this.run.client.connection.environment;
	}

	/** The time zone of the workflow, which dates without one are meant in. */
	get timezone(): string {
		return this.context.getTimezone();
	}

	hint(message: string): void {
		this.run.hints.add(message);
	}

	/** A parameter of the node, with its expressions evaluated for this item. */
	parameter<T = unknown>(name: string, fallback?: unknown): T {
		return this.context.getNodeParameter(name, this.itemIndex, fallback) as T;
	}

	/**
	 * Evaluated once for each item, all options together: n8n takes its time for that, and what an
	 * option says must not change on the way, as an idempotency key with the current time in it would.
	 */
	option<T = unknown>(name: string): T | undefined {
		this.options ??= this.parameter<IDataObject>('options', {});
		return this.options[name] as T | undefined;
	}

	/** A GET request. @returns what `read` made of the answer */
	async get<T = IDataObject>(path: string, read: BodyReader, query?: IDataObject): Promise<T> {
		return await this.send<T>({ method: 'GET', path, query, kind: 'read', read });
	}

	/** A GET request that prepares a write: another scope, and none of the parameters that the user adds. */
	async lookUp<T>(path: string, read: BodyReader, query: IDataObject, scope: Scope): Promise<T> {
		return await this.call<T>({ method: 'GET', path, query, kind: 'read', read, scope });
	}

	/** A write that may be repeated without doing more, and therefore has no idempotency key. */
	async repeatable<T = IDataObject>(
		method: 'POST' | 'DELETE',
		path: string,
		read: BodyReader,
		body?: Body,
	): Promise<T> {
		return await this.send<T>({ method, path, body, kind: 'repeatable', read });
	}

	/**
	 * A POST under an idempotency key: however often it is tried, it takes effect once.
	 * @param identity what is bought or paid, see `Identity`
	 */
	async post<T = IDataObject>(
		path: string,
		body: IDataObject,
		identity: Identity,
		read: BodyReader,
		{ kind = 'keyed', guard }: { kind?: 'keyed' | 'paymentCreation'; guard?: Guard } = {},
	): Promise<T> {
		const operation = this.openOperation(identity, guard !== undefined);
		const send = async () =>
			await this.send<T>({ method: 'POST', path, body, kind, operation, read });
		const lookUp = guard ? operation.lookUp(guard.isWanted, this.now()) : null;
		if (!guard || lookUp === null) return await send();
		return await guard.pass(lookUp, async () => {
			operation.noteLookedUp();
			return await send();
		});
	}

	/**
	 * Claims the key that the user chose for this item, if any, before the first item is sent.
	 * @throws InputError when an earlier item of this run has the same
	 */
	claimOwnKey(): void {
		let key: string;
		try {
			key = this.ownKey;
		} catch {
			// An expression that fails is the trouble of this item alone, which reports it in its turn.
			return;
		}
		this.run.operations?.claimOwnKey(key, this.itemIndex);
	}

	/** Waits so many milliseconds, or until the execution is stopped. */
	async pause(ms: number): Promise<void> {
		await this.run.client.pause(ms);
	}

	get isCancelled(): boolean {
		return this.run.client.isCancelled;
	}

	/** Milliseconds since 1970. */
	now(): number {
		return this.run.client.now();
	}

	/** The key that the user chose for this item; empty for an automatic one. */
	private get ownKey(): string {
		return String(this.option('idempotencyKey') ?? '').trim();
	}

	private openOperation(identity: Identity, isGuarded: boolean): LogicalOperation {
		if (!this.run.operations) {
			throw new InputError('This operation has no idempotency key', 'Report this as a fault.');
		}
		return this.run.operations.open(this.itemIndex, identity, {
			ownKey: this.ownKey,
			allowLate: this.option<boolean>('allowRetryAfter24Hours') === true,
			isGuarded,
		});
	}

	private async send<T>(call: Omit<ApiCall, 'scope' | 'whereItShows' | 'timeoutMs'>): Promise<T> {
		const { scope, whereItShows } = this.run;
		const query = { ...call.query, ...this.additionalQueryParameters() };
		return await this.call<T>({ ...call, query, scope, whereItShows });
	}

	private async call<T>(call: Omit<ApiCall, 'timeoutMs'>): Promise<T> {
		const timeoutMs = parseTimeout(this.option('timeout'));
		return await this.run.client.call<T>({ ...call, timeoutMs });
	}

	private additionalQueryParameters(): IDataObject {
		const { parameter = [] } =
			this.option<{ parameter?: Array<{ name: string; value: string }> }>(
				'additionalQueryParameters',
			) ?? {};
		return Object.fromEntries(
			parameter.filter(({ name }) => name !== '').map(({ name, value }) => [name, value]),
		);
	}
}
