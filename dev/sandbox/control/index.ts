import type { FastifyInstance } from 'fastify';
import type { World } from '../world';
import { registerAccountControl } from './account';
import { registerBooksControl } from './books';
import { registerCustomerControl } from './customers';
import { registerFaultControl } from './faults';
import { registerKeyControl } from './keys';
import { registerProductImageControl } from './productImage';
import { registerRequestControl } from './requests';
import { registerReset } from './reset';
import { registerStateControl } from './states';
import { registerWebhookControl } from './webhooks';

/** The control API under /_sandbox: the emulator's own, no part of the API. */
export function registerControl(app: FastifyInstance, world: World): void {
	registerFaultControl(app, world);
	registerBooksControl(app, world);
	registerRequestControl(app, world);
	registerProductImageControl(app, world);
	registerReset(app, world);
	registerAccountControl(app, world);
	registerKeyControl(app, world);
	registerStateControl(app, world);
	registerCustomerControl(app, world);
	registerWebhookControl(app, world);
}
