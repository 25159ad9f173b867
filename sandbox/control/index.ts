import type { FastifyInstance } from 'fastify';
import type { World } from '../world';
import { registerAccountControl } from './account';
import { registerBooksControl } from './books';
import { registerFaultControl } from './faults';
import { registerKeyControl } from './keys';
import { registerStateControl } from './states';
import { registerWebhookControl } from './webhooks';

/** The control API under /_sandbox: the emulator's own, no part of the interface. */
export function registerControl(app: FastifyInstance, world: World): void {
	registerFaultControl(app, world);
	registerBooksControl(app, world);
	registerAccountControl(app, world);
	registerKeyControl(app, world);
	registerStateControl(app, world);
	registerWebhookControl(app, world);
}
