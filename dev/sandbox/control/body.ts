import type { FastifyRequest } from 'fastify';
import { invalid, ServiceError } from '../errors';
import { check, type Schema } from '../http/operation';

export type ById = { Params: { id: string } };

/** The checked JSON body of a control request; an empty body counts as `{}`. */
export function controlBody<T>(request: FastifyRequest, schema: Schema<T>): T {
	const raw = Buffer.isBuffer(request.body) ? request.body.toString('utf8') : '';
	let value: unknown = {};
	try {
		if (raw !== '') value = JSON.parse(raw);
	} catch {
		throw invalid('body', 'The body is not valid JSON');
	}
	return check(schema, value, 'body');
}

/** zod writes an absent field as `undefined`; what is spread over defaults must not contain it. */
export function present<T extends object>(value: T): T {
	return Object.fromEntries(Object.entries(value).filter(([, entry]) => entry !== undefined)) as T;
}

/** @throws ServiceError where there is none */
export function found<T>(row: T | undefined, what: string): T {
	if (row === undefined) throw new ServiceError('NOT_FOUND', { message: `No such ${what}` });
	return row;
}
