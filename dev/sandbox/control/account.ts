import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import type { AccountSettings } from '../settings/account';
import { PAYMENT_METHODS } from '../store/types';
import type { World } from '../world';
import { controlBody } from './body';

const cents = z.number().int();
const positive = cents.min(0);
const hour = z.number().int().min(0).max(24);
const duration = z.number().min(0);
const methods = z.array(z.enum(PAYMENT_METHODS));

const settings = {
	balanceCents: cents,
	frozenCents: cents,
	heldCents: cents,
	reservedCents: cents,
	feeCents: positive,
	minWithdrawalCents: positive,
	dayLimitCents: positive,
	nightLimitCents: positive,
	perTransactionLimitCents: positive.nullable(),
	dayStartHour: hour,
	dayEndHour: hour,
	providerMinCents: positive,
	providerMaxCents: positive.nullable(),
	paymentFeeCents: z.object({ PIX: positive, CARD: positive, BOLETO: positive }),
	rateLimitPerMinute: z.number().int().min(1),
	idempotencyKeyRequired: z.boolean(),
	settleDelayMs: duration,
	refundDelayMs: duration,
	withdrawalProcessingDelayMs: duration,
	withdrawalCompletionDelayMs: duration,
	withdrawalOutcome: z.enum(['COMPLETED', 'FAILED']),
	withdrawalFailureReason: z.string(),
	withdrawalListLagMs: duration,
	refundOutcome: z.enum(['COMPLETED', 'FAILED']),
	ownTaxId: z.string().nullable(),
	blocklist: z.array(z.string()),
	pixKeyHolders: z.record(z.string()),
	withdrawalsBlocked: z.boolean(),
	verificationRequired: z.boolean(),
	paymentsBlocked: z.boolean(),
	disabledMethods: methods,
	refundUnsupportedMethods: methods,
	sandboxOnly: z.boolean(),
	paymentProviderUnavailable: z.boolean(),
	withdrawalProviderUnavailable: z.boolean(),
	webhookTimeoutMs: z.number().int().min(1).max(600_000),
	webhookConcurrency: z.number().int().min(1),
	webhookBreakAfter: z.number().int().min(1),
	webhookBreakPauseMs: duration,
	webhookSuspendAfter: z.number().int().min(1),
	webhookFailureRate: z.number().gt(0).max(1),
	webhookFailureRateAttempts: z.number().int().min(1),
	webhookFailureRateWindowMs: duration,
} satisfies Record<keyof AccountSettings, z.ZodTypeAny>;

/** GET and PATCH /_sandbox/account: the live settings, money in centavos. */
export function registerAccountControl(app: FastifyInstance, world: World): void {
	const patch = z.object(settings).partial().strict();
	app.get('/_sandbox/account', async () => ({ account: world.account }));
	app.patch('/_sandbox/account', async (request) => {
		Object.assign(world.account, controlBody(request, patch));
		return { account: world.account };
	});
}
