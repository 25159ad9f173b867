import type { FastifyRequest } from 'fastify';
import { invalid } from '../errors';
import { check, type Schema } from '../http/operation';

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
