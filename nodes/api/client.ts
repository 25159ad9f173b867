import type {
	IAllExecuteFunctions,
	ICredentialDataDecryptedObject,
	IDataObject,
	IExecuteFunctions,
	IHttpRequestMethods,
} from 'n8n-workflow';
import { checkConnection, type ApiCredential, type Connection } from './connection';
import { exchange, type Attempt, type HttpRequest } from './exchange';
import { ApiFailure, explainFailure, type Failure } from './failure';
import type { LogicalOperation } from './idempotency/logicalOperation';
import { interpret, type BodyReader, type Outcome } from './outcome';
import type { Pace } from './pace';
import { presentable } from './presentable';
import { redactor, type Redactor } from './redact';
import { decide, effectOf, type RequestKind } from './retryPolicy';
import type { NeededScope } from './scopes';
import { realTools, type Tools } from './tools';

/** Bytes that are sent as they are. */
export interface FileBody {
	readonly bytes: Buffer;
	readonly contentType: string;
}

/** One call of the interface. */
export interface ApiCall {
	readonly method: IHttpRequestMethods;
	/** Encoded, from the tag `path`. */
	readonly path: string;
	readonly query?: IDataObject;
	/** An object is sent as JSON. */
	readonly body?: IDataObject | FileBody;
	readonly kind: RequestKind;
	/** The operation whose key goes along; needed for `keyed` and `paymentCreation`. */
	readonly operation?: LogicalOperation;
	/** What counts as success; the value it returns is what the call returns. */
	readonly read: BodyReader;
	/** Scope named by the interface; null where it states none. */
	readonly scope: NeededScope;
	/** See `FailedRequest`. */
	readonly whereItShows?: string | undefined;
	/** Bound on one request, in milliseconds. */
	readonly timeoutMs: number;
}

/**
 * Talks to the service on behalf of one run of a node. Every request of this package goes through
 * `call`, and nothing else decides about attempts, waits and keys.
 */
export class ApiClient {
	/** Set by an answer 429: until then no item of this run sends anything. Milliseconds since 1970. */
	private closedUntil = 0;

	private constructor(
		private readonly context: IAllExecuteFunctions,
		private readonly credential: ICredentialDataDecryptedObject,
		readonly connection: Connection,
		private readonly redactor: Redactor,
		private readonly abortSignal: AbortSignal | undefined,
		private readonly pace: Pace | undefined,
		private readonly tools: Tools,
	) {}

	/**
	 * @param pace is told how the service answers
	 * @throws InputError when the credential is unusable; nothing is sent then
	 */
	static async open(
		context: IAllExecuteFunctions,
		pace?: Pace,
		tools: Tools = realTools,
	): Promise<ApiClient> {
		const credential = await context.getCredentials<ICredentialDataDecryptedObject & ApiCredential>(
			'brlPaymentsApi',
		);
		const cancellable = context as Partial<Pick<IExecuteFunctions, 'getExecutionCancelSignal'>>;
		return new ApiClient(
			context,
			credential,
			checkConnection(credential),
			redactor(credential.apiKey),
			cancellable.getExecutionCancelSignal?.(),
			pace,
			tools,
		);
	}

	/**
	 * Makes one call, with as many attempts as are safe.
	 * @returns what `read` made of the body
	 * @throws ApiFailure when it failed for good, or is done for good; InputError when the operation's
	 * key is too old to use
	 */
	async call<T>(call: ApiCall): Promise<T> {
		let failures = 0;
		let conflicts = 0;
		let rateLimited = 0;
		for (;;) {
			await this.waitUntilOpen();
			call.operation?.beforeAttempt(this.tools.now());
			const startedAt = this.tools.now();
			const outcome = presentable(interpret(await this.send(call), call.read), this.redactor);
			// Before anything else: whatever may go wrong from here on, it is not to be done again.
			if (outcome.kind === 'success') call.operation?.noteSuccess(this.tools.now(), outcome.body);
			this.pace?.note(outcome, startedAt, this.tools.now());
			if (outcome.kind === 'success') return outcome.body as T;
			call.operation?.noteEffect(effectOf(outcome, call.kind));

			const decision = decide(
				outcome,
				{
					kind: call.kind,
					failures,
					conflicts,
					rateLimited,
					generation: call.operation?.generation ?? 0,
					isDone: call.operation?.isDone ?? false,
				},
				this.tools.now(),
				() => this.tools.random(),
			);
			switch (decision.next) {
				case 'sameKey':
					failures += 1;
					await this.tools.wait(decision.waitMs, this.abortSignal);
					break;
				case 'stillProcessed':
					conflicts += 1;
					await this.tools.wait(decision.waitMs, this.abortSignal);
					break;
				case 'newKey':
					call.operation?.useNextKey();
					failures = 0;
					conflicts = 0;
					await this.tools.wait(decision.waitMs, this.abortSignal);
					break;
				case 'wait':
					rateLimited += 1;
					this.closedUntil = Math.max(this.closedUntil, this.tools.now() + decision.waitMs);
					break;
				default:
					throw new ApiFailure(this.explain(outcome, call));
			}
		}
	}

	/** Waits so many milliseconds, or until the execution is stopped. */
	async pause(ms: number): Promise<void> {
		await this.tools.wait(ms, this.abortSignal);
	}

	get isCancelled(): boolean {
		return this.abortSignal?.aborted ?? false;
	}

	now(): number {
		return this.tools.now();
	}

	private async waitUntilOpen(): Promise<void> {
		for (;;) {
			const remaining = this.closedUntil - this.tools.now();
			if (remaining <= 0 || this.isCancelled) return;
			await this.tools.wait(remaining, this.abortSignal);
		}
	}

	private async send(call: ApiCall): Promise<Attempt> {
		return await exchange(this.context, this.toRequest(call), this.abortSignal, this.credential);
	}

	private toRequest({ method, path, query, body, operation, timeoutMs }: ApiCall): HttpRequest {
		const headers: Record<string, string> = { Accept: 'application/json, */*;q=0.5' };
		if (operation) headers['X-Idempotency-Key'] = operation.key;
		const url = `${this.connection.baseUrl}${path}`;
		const shared = { method, url, query: query ?? {}, timeoutMs };
		if (body === undefined) return { ...shared, headers };
		if (isFile(body)) {
			headers['Content-Type'] = body.contentType;
			return { ...shared, headers, body: body.bytes };
		}
		headers['Content-Type'] = 'application/json';
		// Text, because n8n's helper drops an object without fields, and `{}` is a body here.
		return { ...shared, headers, body: JSON.stringify(body) };
	}

	private explain(outcome: Exclude<Outcome, { kind: 'success' }>, call: ApiCall): Failure {
		return explainFailure(
			outcome,
			{
				kind: call.kind,
				server: new URL(this.connection.baseUrl).origin,
				scope: call.scope,
				idempotencyKey: call.operation?.key,
				isUnclear: call.operation?.isUnclear ?? false,
				firstSentAt: call.operation?.firstUsedAt,
				retrySafeUntil: call.operation?.retrySafeUntil ?? null,
				hasOwnKey: call.operation?.hasOwnKey ?? false,
				whereItShows: call.whereItShows,
			},
			this.tools.now(),
		);
	}
}

function isFile(body: IDataObject | FileBody): body is FileBody {
	return Buffer.isBuffer(body.bytes);
}
