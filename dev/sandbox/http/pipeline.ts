import type { FastifyRequest } from 'fastify';
import stringify from 'safe-stable-stringify';
import type { Dialect } from '../settings/dialects';
import { invalid, ServiceError } from '../errors';
import { MAX_KEY_LENGTH, type Claim } from '../idempotency';
import { requireScope } from '../settings/keys';
import type { World } from '../world';
import { json, type WireAnswer } from './answer';
import { bodyOf, parseBody, pathOf } from './recorder';
import { check, type Operation } from './operation';

/** Orders from the fault switches that take effect while a request is processed. */
export interface ProcessingFaults {
	/** Waits where processing has to take long. Throws `Overtaken`. */
	hold(): Promise<void>;
	/** Throws the error that takes the place of processing, under the idempotency key, if one is due. */
	strike(): void;
}

export function toAnswer(error: ServiceError): WireAnswer {
	return json(error.status, error.envelope(), error.headers);
}

/**
 * Runs one request through the guards in the order of the API: card rules, authentication, rate
 * limit, scope, idempotency, validation, and the operation itself. Never throws a ServiceError.
 */
export async function run(
	world: World,
	op: Operation,
	request: FastifyRequest,
	faults: ProcessingFaults,
): Promise<WireAnswer> {
	return await guarded(world, op, request, faults).catch((error: unknown) => {
		if (error instanceof ServiceError) return toAnswer(error);
		throw error;
	});
}

async function guarded(
	world: World,
	op: Operation,
	request: FastifyRequest,
	faults: ProcessingFaults,
): Promise<WireAnswer> {
	const body = parseBody(bodyOf(request));
	if (body) op.beforeAuthentication?.(body.value);

	const now = world.now();
	const { account } = world;
	const key = world.keys.authenticate(request.headers.authorization, request.ip, now);
	world.rateLimiter.hit(key.id, key.rateLimitPerMinute ?? account.rateLimitPerMinute, now);
	if (account.sandboxOnly && key.environment === 'PRODUCTION') {
		throw new ServiceError('SANDBOX_COMPANY_PRODUCTION_BLOCKED');
	}
	requireScope(key, op.scopes);

	const idempotencyKey = op.idempotent
		? readIdempotencyKey(request.headers['x-idempotency-key'])
		: null;
	if (!body && op.body) throw invalid('body', 'The body is not valid JSON');
	const value = body ? body.value : {};

	const process = async (): Promise<WireAnswer> => {
		op.beforeValidation?.(value);
		const call = {
			world,
			key,
			params: op.params && check(op.params, request.params, 'path'),
			query: op.query && check(op.query, request.query, 'query'),
			body: op.body && check(op.body, value, 'body'),
			idempotencyKey,
			request,
			now: world.now(),
		};
		faults.strike();
		return await op.handle(call);
	};

	if (idempotencyKey === null) {
		await faults.hold();
		return await process();
	}
	// Never more than one environment.
	const isPerKey = world.dialect.idempotencyScope.of === 'apiKey';
	const owner = isPerKey ? key.id : key.environment;
	const slot = `${owner} ${op.method} ${op.path} ${idempotencyKey}`;
	// With sorted fields: two spellings of one payload are the same.
	const fingerprint = `${pathOf(request.url)}\n${stringify(value)}`;
	const claim = world.idempotency.claim(slot, fingerprint, now);
	if ('body' in claim) return claim;
	return await processUnder(claim, world.dialect, async () => {
		await faults.hold();
		return await process();
	});
}

function readIdempotencyKey(header: string | string[] | undefined): string {
	const key = String(header ?? '');
	if (key === '') throw new ServiceError('IDEMPOTENCY_KEY_REQUIRED');
	if (key.length > MAX_KEY_LENGTH) {
		throw invalid('X-Idempotency-Key', `At most ${MAX_KEY_LENGTH} characters`);
	}
	return key;
}

/** Success and stored errors stay under the key; any other end frees it. */
async function processUnder(
	claim: Claim,
	dialect: Dialect,
	process: () => Promise<WireAnswer>,
): Promise<WireAnswer> {
	try {
		const answer = await process();
		claim.keep(answer);
		return answer;
	} catch (error) {
		if (error instanceof ServiceError && isStored(error, dialect)) claim.keep(toAnswer(error));
		else claim.release();
		throw error;
	}
}

/** Which errors stay under a key; the API says so of few. */
export function isStored(error: ServiceError, { storedFailures: { stored } }: Dialect): boolean {
	if (typeof error.stored === 'boolean') return error.stored;
	if (stored === 'all') return true;
	return error.stored === 'described' || (error.stored === 'concluded' && stored !== 'none');
}
