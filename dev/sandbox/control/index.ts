import type { FastifyInstance } from 'fastify';
import { isIP } from 'node:net';
import { z } from 'zod';
import { ServiceError } from '../errors';
import {
	fingerprint,
	presentCustomer,
	presentKey,
	presentPayment,
	presentWithdrawal,
} from '../http/present';
import { forcePaymentStatus } from '../lifecycle/force';
import { setWithdrawalStatus } from '../lifecycle/withdrawals';
import { createSeeds } from '../seeds';
import { accountSchema } from '../settings/account';
import { SCOPES, type KeySettings } from '../settings/keys';
import { PAYMENT_STATUSES, WITHDRAWAL_STATUSES, type Customer } from '../store/types';
import type { World } from '../world';
import { controlBody, found, present, type ById } from './body';
import { registerFaultControl } from './faults';
import { registerWebhookControl } from './webhooks';

/** The control API under /_sandbox: the emulator's own, no part of the API. */
export function registerControl(app: FastifyInstance, world: World): void {
	registerObservation(app, world);
	registerSettings(app, world);
	registerStates(app, world);
	registerFaultControl(app, world);
	registerWebhookControl(app, world);
	app.post('/_sandbox/reset', async () => {
		world.reset();
		return { message: 'The emulator is as it was at its start' };
	});
}

/** What happened, and what arrived. */
function registerObservation(app: FastifyInstance, world: World): void {
	const { books, products } = world.store;
	app.get('/_sandbox/books', async () => ({
		...{ withdrawals: books.withdrawals, payments: books.payments, refunds: books.refunds },
		products: books.products.map(({ image, ...product }) => ({
			...product,
			image: image && { bytes: image.bytes.length, sha256: fingerprint(image.bytes) },
		})),
	}));
	app.get('/_sandbox/requests', async () => ({
		requests: world.requests.map(({ rawBody, ...request }) => ({
			...request,
			rawBody: rawBody.toString('base64'),
		})),
	}));
	app.get<ById>('/_sandbox/products/:id/image', async (request, reply) => {
		const image = found(products.find(request.params.id)?.image ?? undefined, 'image');
		return reply.type(image.mediaType).send(image.bytes);
	});
}

const network = z.string().refine((text) => {
	const [address = '', bits, ...rest] = text.split('/');
	const version = isIP(address);
	if (version === 0 || rest.length > 0) return false;
	const most = version === 4 ? 32 : 128;
	return bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= most);
}, 'Must be an IP address or a CIDR range');

const keyBody = z
	.object({
		environment: z.enum(['SANDBOX', 'PRODUCTION']),
		scopes: z.array(z.enum(SCOPES)).optional(),
		ipAllowlist: z.array(network).optional(),
		rateLimitPerMinute: z.number().int().min(1).nullable().optional(),
		expiresAt: z.string().datetime({ offset: true }).nullable().optional(),
		revoked: z.boolean().optional(),
		name: z.string().optional(),
	})
	.strict();

/** The account, with money in centavos, and its keys; the POST alone shows a secret. */
function registerSettings(app: FastifyInstance, world: World): void {
	const changes = accountSchema.partial().strict();
	app.get('/_sandbox/account', async () => ({ account: world.account }));
	app.patch('/_sandbox/account', async (request) => {
		Object.assign(world.account, controlBody(request, changes));
		return { account: world.account };
	});
	app.get('/_sandbox/keys', async () => ({
		keys: world.keys.list().map((key) => ({ ...presentKey(key), revoked: key.revoked })),
	}));
	app.post('/_sandbox/keys', async (request, reply) => {
		const body: KeySettings = controlBody(request, keyBody) as KeySettings;
		return reply.code(201).send({ key: world.keys.create(body, world.now()) });
	});
	app.post<ById>('/_sandbox/keys/:id/revoke', async (request) => {
		const key = found(world.keys.byId(request.params.id), 'key');
		key.revoked = true;
		return { key: { ...presentKey(key), revoked: true } };
	});
}

const paymentBody = z.object({ status: z.enum(PAYMENT_STATUSES) });
const withdrawalBody = z.object({
	status: z.enum(WITHDRAWAL_STATUSES),
	errorMessage: z.string().optional(),
});
const customerBody = z
	.object({
		environment: z.enum(['SANDBOX', 'PRODUCTION']).default('SANDBOX'),
		name: z.string(),
		email: z.string(),
		document: z.string(),
		phone: z.string(),
		externalId: z.string().nullable(),
		metadata: z.record(z.unknown()),
	})
	.partial()
	.strict();

/** What payers, banks and card schemes do, and customers, which the API has no path to create. */
function registerStates(app: FastifyInstance, world: World): void {
	const { payments, withdrawals, customers } = world.store;
	const refused = (from: string, to: string) =>
		new ServiceError('INVALID_STATUS', { message: `${from} cannot become ${to}` });
	app.post<ById>('/_sandbox/payments/:id/status', async (request) => {
		const { status } = controlBody(request, paymentBody);
		const payment = found(payments.find(request.params.id), 'payment');
		if (!forcePaymentStatus(world, payment, status)) throw refused(payment.status, status);
		return { payment: presentPayment(payment, world.dialect) };
	});
	app.post<ById>('/_sandbox/withdrawals/:id/status', async (request) => {
		const { status, errorMessage = null } = controlBody(request, withdrawalBody);
		const withdrawal = found(withdrawals.find(request.params.id), 'withdrawal');
		if (!setWithdrawalStatus(world, withdrawal, status, errorMessage)) {
			throw refused(withdrawal.status, status);
		}
		return { withdrawal: presentWithdrawal(withdrawal, world.dialect) };
	});
	app.get('/_sandbox/customers', async () => ({
		customers: (['SANDBOX', 'PRODUCTION'] as const).flatMap((environment) =>
			customers
				.newestFirst(environment)
				.map((customer) => ({ environment, ...presentCustomer(customer) })),
		),
	}));
	app.post('/_sandbox/customers', async (request, reply) => {
		const given = present(controlBody(request, customerBody));
		const customer = createSeeds(world).customer(given as Partial<Customer>);
		return reply.code(201).send({ customer: { id: customer.id, ...presentCustomer(customer) } });
	});
}
