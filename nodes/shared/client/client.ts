import type {
	IAllExecuteFunctions,
	ICredentialDataDecryptedObject,
	IDataObject,
	IExecuteFunctions,
	IHttpRequestMethods,
} from 'n8n-workflow';
import { checkConnection, type ApiCredential, type Connection } from './connection';
import { sendRequest, type HttpRequest } from '../transport/sendRequest';
import { explainFailure, type FailedRequest } from '../failures/explainFailure';
import { ApiFailure, type Failure } from '../failures/failure';
import { interpret, type BodyReader, type FailedOutcome, type Outcome } from '../transport/outcome';
import { InputError } from '../input/inputError';
import type { KeyedRequest } from './keyed';
import { redactor, type Redactor } from '../privacy/redact';
import { decideRetry } from '../retry/retryPolicy';
import { classify, type Verdict } from '../retry/verdict';
import { maskText } from '../privacy/text';
import { toText } from '../input/text';
import { realRuntime, type Runtime } from '../concurrency/runtime';

/** How often an impatient call is repeated. */
const IMPATIENT_REPEATS = 2;

/** Bytes that are sent as they are. */
export interface FileBody {
	readonly bytes: Buffer;
	readonly contentType: string;
}

/** One call of the API. */
export interface ApiCall extends Pick<FailedRequest, 'kind' | 'scope' | 'verificationHint'> {
	readonly method: IHttpRequestMethods;
	/** Encoded, from the tag `path`. */
	readonly path: string;
	readonly query?: IDataObject;
	/** An object is sent as JSON. */
	readonly body?: IDataObject | FileBody;
	/** Whose key is sent; required for all requests under a key. */
	readonly order?: KeyedRequest;
	/** The key of a call that belongs to no order. */
	readonly idempotencyKey?: string;
	/** What counts as success, and what the call returns then. */
	readonly read: BodyReader;
	/** Bound on one request, in milliseconds. */
	readonly timeoutMs: number;
	/** Whether the caller will soon call again: the call then tries three times and waits for no limit. */
	readonly isImpatient?: boolean;
}

/**
 * Calls the service on behalf of one run of a node. Every request of this package goes through
 * `request`, and nothing else decides about attempts, waits and keys.
 */
export class ApiClient {
	/** Set by a 429 response: until then no item of this run sends anything. Epoch ms. */
	private closedUntil = 0;
	/** Since when the service has let no item of this run through, epoch ms; undefined while it does. */
	private limitedSince: number | undefined;
	/** Epoch ms. */
	readonly now: () => number;

	private constructor(
		private readonly context: IAllExecuteFunctions,
		private readonly credential: ICredentialDataDecryptedObject,
		readonly connection: Connection,
		private readonly redactor: Redactor,
		private readonly abortSignal: AbortSignal | undefined,
		private readonly runtime: Runtime,
	) {
		this.now = () => runtime.now();
	}

	/** @throws InputError, ApiFailure when the credential is unusable; nothing is sent then */
	static async open(
		context: IAllExecuteFunctions,
		runtime: Runtime = realRuntime,
	): Promise<ApiClient> {
		const type = 'brlPaymentsApi';
		const credential = await context
			.getCredentials<ICredentialDataDecryptedObject & ApiCredential>(type)
			.catch((error: unknown) => {
				if (context.getNode().credentials?.[type] !== undefined) {
					// Of what an earlier run has paid, nothing is known yet.
					throw new ApiFailure({
						code: 'INVALID_INPUT',
						message: maskText(`n8n could not read the credential: ${(error as Error).message}`),
						description:
							'Nothing was sent this time. Check which credential this node has. If it is the right one, have the database of n8n checked. Then choose Retry in the list Executions: a new execution would pay again what this one has paid without a reference.',
						effect: 'unknown',
					});
				}
				throw new InputError(
					'The node has no API credential',
					'Choose a BRL Payments API credential under Credential to connect with.',
				);
			});
		const cancellable = context as Partial<Pick<IExecuteFunctions, 'getExecutionCancelSignal'>>;
		return new ApiClient(
			context,
			credential,
			checkConnection(credential),
			redactor(credential.apiKey),
			cancellable.getExecutionCancelSignal?.(),
			runtime,
		);
	}

	/**
	 * Sends a call once, as soon as the rate limit allows it.
	 * @returns what became of it, also if there was no response
	 * @throws what the owner of its key throws if it must not be sent, see `KeyedRequest.beforeAttempt`
	 */
	async attempt(call: ApiCall): Promise<Outcome> {
		await this.waitUntilOpen();
		await call.order?.beforeAttempt(this.runtime.now());
		const request = this.toRequest(call);
		const sent = await sendRequest(this.context, request, this.abortSignal, this.credential);
		return interpret(sent, call.read, this.redactor);
	}

	/**
	 * Makes one call, with as many attempts as are safe.
	 * @returns what `read` returned for the body
	 * @throws ApiFailure when it failed for good; InputError when the key of the order is too old to use
	 */
	async request<T>(call: ApiCall): Promise<T> {
		const { order } = call;
		// Orders of the ledger go on under another key, too: in the protocol, which asks the ledger first.
		const hasNextKey = call.kind === 'boletoCreation' && order?.hasNextKey === true;
		/** The code of the last refusal under the current key. */
		let lastCode: string | undefined;
		const counts = { failures: 0, conflicts: 0, rateLimited: 0, renewals: 0 };
		for (;;) {
			const outcome = await this.attempt(call);
			if (outcome.kind === 'success') {
				// Before anything else: whatever may go wrong from here on, the request must not be repeated.
				order?.recordSuccess();
				this.limitedSince = undefined;
				return outcome.body as T;
			}
			const code = outcome.kind === 'refused' ? outcome.code : undefined;
			// Without a key, the service cannot have kept the response under one.
			const isReplay = order !== undefined && code !== undefined && code === lastCode;
			lastCode = code;
			const verdict = classify(outcome, call.kind, isReplay);
			const limitedForMs = this.trackLimit(outcome, verdict);
			order?.recordOutcome(outcome, verdict.effect, this.runtime.now());
			// For a boleto, its stored failure is the last word. Any other one is, unless a response was lost.
			const isLastWord = call.kind === 'boletoCreation' || order?.isUnclear === false;
			if (verdict.retry === 'newKey' && isLastWord) order?.recordUsedUp();

			const decision = decideRetry(
				outcome,
				verdict,
				{ ...counts, limitedForMs, hasNextKey },
				this.runtime.now(),
				() => this.runtime.random(),
			);
			const givesUp =
				call.isImpatient && (decision.next === 'wait' || counts.failures >= IMPATIENT_REPEATS);
			if (decision.next === 'fail' || givesUp) {
				throw new ApiFailure(this.explain(outcome, verdict, call));
			}
			if (decision.next === 'wait') {
				counts.rateLimited += 1;
				this.closedUntil = Math.max(this.closedUntil, this.runtime.now() + decision.waitMs);
				continue;
			}
			if (decision.next === 'sameKey') counts.failures += 1;
			else if (decision.next === 'stillProcessed') counts.conflicts += 1;
			else {
				order?.useNextKey();
				lastCode = undefined;
				Object.assign(counts, { failures: 0, conflicts: 0, renewals: counts.renewals + 1 });
			}
			await this.runtime.wait(decision.waitMs, this.abortSignal);
		}
	}

	/** Ends early if the execution is stopped. */
	async pause(ms: number): Promise<void> {
		await this.runtime.wait(ms, this.abortSignal);
	}

	get isCancelled(): boolean {
		return this.abortSignal?.aborted ?? false;
	}

	/** At least 0, less than 1. */
	random(): number {
		return this.runtime.random();
	}

	/** @returns for how long no item has got through, in milliseconds */
	private trackLimit(outcome: Outcome, { retry }: Verdict): number {
		if (retry === 'wait') this.limitedSince ??= this.runtime.now();
		// A lost response, or the page of a gateway, does not show that the service let anything through.
		else if (outcome.kind === 'refused') this.limitedSince = undefined;
		return this.limitedSince === undefined ? 0 : this.runtime.now() - this.limitedSince;
	}

	private async waitUntilOpen(): Promise<void> {
		for (;;) {
			const remaining = this.closedUntil - this.runtime.now();
			if (remaining <= 0 || this.isCancelled) return;
			await this.runtime.wait(remaining, this.abortSignal);
		}
	}

	private toRequest(call: ApiCall): HttpRequest {
		const { method, path, query, body, timeoutMs } = call;
		const headers: Record<string, string> = { Accept: 'application/json, */*;q=0.5' };
		const key = call.order?.key ?? call.idempotencyKey;
		if (key !== undefined) headers['X-Idempotency-Key'] = key;
		// What a proxy remembers may lack a payout, or be about another account.
		if (method === 'GET') headers['Cache-Control'] = 'no-cache';
		const url = `${this.connection.baseUrl}${path}`;
		const shared = { method, url, qs: query ?? {}, timeout: timeoutMs };
		if (body === undefined) return { ...shared, headers };
		if (isFile(body)) {
			headers['Content-Type'] = body.contentType;
			return { ...shared, headers, body: body.bytes };
		}
		headers['Content-Type'] = 'application/json';
		// Text, because n8n's helper drops an object without fields, and `{}` is a body here.
		return { ...shared, headers, body: JSON.stringify(body) };
	}

	private explain(outcome: FailedOutcome, verdict: Verdict, call: ApiCall): Failure {
		return explainFailure(
			outcome,
			verdict,
			{
				...call,
				server: new URL(this.connection.baseUrl).origin,
				namesNoDocument: namesNoDocument(call),
			},
			this.runtime.now(),
		);
	}
}

/**
 * A payout to a key that is neither CPF nor CNPJ, without the document of its recipient: the service
 * then uses the one of the account (docs/api.md#create-a-withdrawal).
 */
function namesNoDocument({ body }: ApiCall): boolean {
	const { destination } = (body ?? {}) as { destination?: Readonly<Record<string, unknown>> };
	if (destination === undefined || destination.recipientDocument !== undefined) return false;
	// What is sent has no punctuation, except for +, @ and the hyphens of a random key.
	return !/^[\dA-Z]+$/.test(toText(destination.pixKey));
}

function isFile(body: IDataObject | FileBody): body is FileBody {
	return Buffer.isBuffer(body.bytes);
}
