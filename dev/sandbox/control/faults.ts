import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import { ServiceError } from '../errors';
import { faultAction, type Fault } from '../settings/faults';
import type { World } from '../world';
import { controlBody, type ById } from './body';

const expression = z.string().transform((source, context) => {
	try {
		return new RegExp(source);
	} catch {
		context.addIssue({ code: z.ZodIssueCode.custom, message: 'Not a regular expression' });
		return z.NEVER;
	}
});

const match = z.object({
	method: z.string().optional(),
	path: z.string().optional(),
	pathPattern: expression.optional(),
	times: z
		.union([z.number().int().min(1), z.literal('Infinity').transform(() => Infinity)])
		.optional(),
	skip: z.number().int().min(0).optional(),
	probability: z.number().min(0).max(1).optional(),
});

const faultBody = z
	.intersection(match, faultAction)
	.transform(({ pathPattern, ...fault }): Fault => {
		const path = pathPattern ?? fault.path;
		return { ...fault, ...(path === undefined ? {} : { path }) } as Fault;
	});

function show({ id, left, seen, fault }: ReturnType<World['faults']['list']>[number]): object {
	return {
		id,
		...fault,
		path: fault.path instanceof RegExp ? String(fault.path) : fault.path,
		times: undefined,
		left: left === Infinity ? 'Infinity' : left,
		seen,
	};
}

/** GET, POST, DELETE /_sandbox/faults and DELETE /_sandbox/faults/{id}. */
export function registerFaultControl(app: FastifyInstance, world: World): void {
	app.get('/_sandbox/faults', async () => ({ faults: world.faults.list().map(show) }));
	app.post('/_sandbox/faults', async (request, reply) => {
		const id = world.faults.queueFault(controlBody(request, faultBody));
		return reply.code(201).send({ id });
	});
	app.delete('/_sandbox/faults', async () => {
		world.faults.clear();
		return { faults: [] };
	});
	app.delete<ById>('/_sandbox/faults/:id', async (request) => {
		if (!world.faults.remove(Number(request.params.id))) {
			throw new ServiceError('NOT_FOUND', { message: 'No such fault' });
		}
		return { faults: world.faults.list().map(show) };
	});
}
