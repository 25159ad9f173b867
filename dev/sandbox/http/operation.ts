import type { FastifyRequest } from 'fastify';
import type { ZodType, ZodTypeDef } from 'zod';
import { ServiceError } from '../errors';
import type { ApiKey } from '../settings/keys';
import type { World } from '../world';
import type { WireAnswer } from './answer';

export type Schema<T> = ZodType<T, ZodTypeDef, unknown>;

interface Call<P, Q, B> {
	world: World;
	key: ApiKey;
	params: P;
	query: Q;
	body: B;
	idempotencyKey: string | null;
	request: FastifyRequest;
	now: number;
}

type Method = 'GET' | 'POST' | 'PATCH' | 'DELETE';

interface OperationSpec<P, Q, B> {
	/** Any one of these scopes is enough; an empty list asks for none. */
	scopes: readonly string[];
	idempotent?: boolean;
	params?: Schema<P>;
	query?: Schema<Q>;
	body?: Schema<B>;
	/** Rules on the bare body that come before authentication. */
	beforeAuthentication?(body: unknown): void;
	/** Rules on the bare body that come before its schema. */
	beforeValidation?(body: unknown): void;
	handle(call: Call<P, Q, B>): WireAnswer | Promise<WireAnswer>;
}

/** One endpoint of the API: everything about it but the order in which guards run. */
export interface Operation extends OperationSpec<unknown, unknown, unknown> {
	method: Method;
	path: string;
}

/** Keeps the schemas' types inside `handle`, and forgets them outside. */
export function operation<P, Q, B>(
	endpoint: `${Method} ${string}`,
	spec: OperationSpec<P, Q, B>,
): Operation {
	const [method, path] = endpoint.split(' ');
	return { ...spec, method, path } as unknown as Operation;
}

/** A parsed value, or VALIDATION_ERROR with `details` from field to message. */
export function check<T>(schema: Schema<T>, value: unknown, whole: string): T {
	const result = schema.safeParse(value);
	if (result.success) return result.data;
	const details: Record<string, string> = {};
	for (const issue of result.error.issues) {
		const field = issue.path.join('.') || whole;
		details[field] ??= issue.message;
	}
	throw new ServiceError('VALIDATION_ERROR', { details });
}
