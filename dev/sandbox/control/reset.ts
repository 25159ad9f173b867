import type { FastifyInstance } from 'fastify';
import type { World } from '../world';

/** POST /_sandbox/reset. */
export function registerReset(app: FastifyInstance, world: World): void {
	app.post('/_sandbox/reset', async () => {
		world.reset();
		return { message: 'The emulator is as it was at its start' };
	});
}
