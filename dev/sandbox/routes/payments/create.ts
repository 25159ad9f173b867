import { z } from 'zod';
import { found, invalid, ServiceError } from '../../errors';
import { json, type WireAnswer } from '../../http/answer';
import { operation } from '../../http/operation';
import { envelopePayment } from '../../http/present';
import { newPayment, type Payment } from '../../store/rows';
import { startPayment } from '../../lifecycle/payments';
import { breaksCardRules, HOSTED_CARD_MINIMUM_CENTS } from '../../rules/card';
import { reais, uuid } from '../../schemas/common';
import { PAYMENT_METHODS, type Environment, type PaymentMethod } from '../../store/types';
import type { World } from '../../world';

const DAY_MS = 24 * 60 * 60 * 1_000;
const BOLETO_DAYS = 3;

const webAddress = z
	.string()
	.url()
	.regex(/^https?:/i, 'Must be an http or https address');

const paymentBody = z.object({
	amount: reais.optional(),
	productId: uuid.optional(),
	methods: z
		.array(z.enum(PAYMENT_METHODS))
		.nonempty()
		.refine((methods) => new Set(methods).size === methods.length, 'Name each method once')
		.optional(),
	mode: z.enum(['hosted', 'headless']).default('headless'),
	externalId: z.string().min(1).optional(),
	description: z.string().default(''),
	metadata: z.record(z.unknown()).default({}),
	completionUrl: webAddress.optional(),
	returnUrl: webAddress.optional(),
	passFeeToPayer: z.boolean().default(false),
	customer: z
		.object({
			name: z.string().min(1).optional(),
			email: z.string().email().optional(),
			document: z.string().min(1).optional(),
			documentType: z.enum(['CPF', 'CNPJ']).optional(),
		})
		.optional(),
});
type PaymentBody = z.output<typeof paymentBody>;

/** POST /v1/payments (docs/api.md#create-a-payment). Returns 201, or 200 with an earlier payment. */
export const createPayment = operation('POST /v1/payments', {
	scopes: ['payments:write'],
	idempotent: true,
	body: paymentBody,
	beforeAuthentication(body) {
		if (breaksCardRules(body)) throw new ServiceError('CARD_PAYMENTS_NOT_AVAILABLE_VIA_API');
	},
	handle({ world, key, body, now }) {
		const { environment } = key;
		const submittedCents = submittedAmount(world, environment, body);
		const methods = body.methods ?? defaultMethods(body.mode, submittedCents);
		const method = methods[0] ?? 'PIX';
		if (methods.includes('CARD') && submittedCents < HOSTED_CARD_MINIMUM_CENTS) {
			throw invalid('amount', 'A hosted card payment needs an amount of at least 5.00');
		}
		refuseWhenBlocked(world, methods);
		if (body.mode === 'headless' && method === 'BOLETO') requireCustomer(body);

		const earlier = earlierPayment(world, environment, body);
		if (earlier) return created(world, 200, earlier);
		if (world.account.paymentProviderUnavailable) {
			throw new ServiceError('PROVIDER_TEMPORARILY_UNAVAILABLE', {
				stored: method === 'BOLETO' ? 'described' : 'concluded',
			});
		}

		const days = body.mode === 'headless' && method === 'BOLETO' ? BOLETO_DAYS : 1;
		const { mode, description } = body;
		const payment = newPayment(world, {
			...{ environment, submittedCents, mode, description, metadata: body.metadata },
			...{ paymentMethod: method, methods: [...methods], feePassedToPayer: body.passFeeToPayer },
			status: mode === 'hosted' ? 'PENDING_METHOD_SELECTION' : 'NEW',
			externalId: body.externalId ?? null,
			customer: body.customer ?? null,
			expiresAt: now + days * DAY_MS,
		});
		world.store.payments.book(payment);
		startPayment(world, payment);
		return created(world, 201, payment);
	},
});

function created(world: World, status: number, payment: Payment): WireAnswer {
	const checkout =
		payment.mode === 'hosted' ? { checkoutUrl: `${world.url}/checkout/${payment.id}` } : {};
	return json(status, envelopePayment(payment, world.dialect, checkout));
}

function submittedAmount(world: World, environment: Environment, body: PaymentBody): number {
	if (body.productId === undefined) {
		if (body.amount === undefined) throw new ServiceError('AMOUNT_REQUIRED');
		return body.amount;
	}
	const product = found(world.store.products.get(environment, body.productId), 'product');
	if (!product.isActive) throw invalid('productId', 'This product is deactivated');
	return body.amount ?? product.amountCents;
}

function defaultMethods(mode: PaymentBody['mode'], cents: number): PaymentMethod[] {
	if (mode === 'headless') return ['PIX'];
	return cents < HOSTED_CARD_MINIMUM_CENTS ? ['PIX', 'BOLETO'] : ['PIX', 'CARD', 'BOLETO'];
}

function refuseWhenBlocked(world: World, methods: readonly PaymentMethod[]): void {
	const { paymentsBlocked, disabledMethods } = world.account;
	if (paymentsBlocked || methods.some((method) => disabledMethods.includes(method))) {
		throw new ServiceError('PAYMENT_CREATION_BLOCKED');
	}
}

function requireCustomer(body: PaymentBody): void {
	const details: Record<string, string> = {};
	if (body.customer?.name === undefined) details['customer.name'] = 'Required for a boleto';
	if (body.customer?.document === undefined) details['customer.document'] = 'Required for a boleto';
	if (Object.keys(details).length > 0)
		throw new ServiceError('CUSTOMER_DATA_REQUIRED', { details });
}

/**
 * The payment that was made before under the same externalId. By card rule 3 that is so for hosted
 * payments by card only; of others nothing is known.
 */
function earlierPayment(
	world: World,
	environment: Environment,
	body: PaymentBody,
): Payment | undefined {
	if (body.externalId === undefined) return undefined;
	if (world.dialect.repeatedExternalId.finds === 'earlierPayment') {
		return world.store.payments.newest(environment, (row) => row.externalId === body.externalId);
	}
	const cardOnly = body.methods?.length === 1 && body.methods[0] === 'CARD';
	if (body.mode !== 'hosted' || !cardOnly) return undefined;
	return world.store.payments.newest(
		environment,
		(row) =>
			row.externalId === body.externalId && row.methods.length === 1 && row.methods[0] === 'CARD',
	);
}
