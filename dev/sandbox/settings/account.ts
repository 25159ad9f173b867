import { z } from 'zod';
import { PAYMENT_METHODS } from '../store/types';

const cents = z.number().int();
const positive = cents.min(0);
const count = cents.min(1);
const hour = positive.max(24);
const ms = z.number().min(0);
const methods = z.array(z.enum(PAYMENT_METHODS)).default([]);
const no = z.boolean().default(false);
const outcome = z.enum(['COMPLETED', 'FAILED']).default('COMPLETED');

/** The settings of the one emulated account, and what they are at first. Money in centavos. */
export const accountSchema = z.object({
	/** Production balance; a test key always reads zeros. */
	balanceCents: cents.default(100_000_000),
	frozenCents: cents.default(0),
	heldCents: cents.default(0),
	reservedCents: cents.default(0),

	/** Flat withdrawal fee, on top of the net amount. */
	feeCents: positive.default(150),
	/** Compared to the net amount; never acts below the platform floor of 10.00. */
	minWithdrawalCents: positive.default(1_000),
	dayLimitCents: positive.default(50_000_000),
	nightLimitCents: positive.default(5_000_000),
	perTransactionLimitCents: positive.nullable().default(null),
	/** Brazilian hours: daytime is from `dayStartHour` up to, not including, `dayEndHour`. */
	dayStartHour: hour.default(6),
	dayEndHour: hour.default(20),
	providerMinCents: positive.default(0),
	providerMaxCents: positive.nullable().default(null),

	/** Flat fee per payment and method. */
	paymentFeeCents: z
		.object({ PIX: positive, CARD: positive, BOLETO: positive })
		.default({ PIX: 99, CARD: 399, BOLETO: 249 }),

	/** Default of keys whose own `rateLimitPerMinute` is null. */
	rateLimitPerMinute: count.default(60_000),

	/** Sandbox payments reach their outcome this long after creation (or after the choice). */
	settleDelayMs: ms.default(5_000),
	refundDelayMs: ms.default(5_000),
	withdrawalProcessingDelayMs: ms.default(1_000),
	withdrawalCompletionDelayMs: ms.default(5_000),
	withdrawalOutcome: outcome,
	withdrawalFailureReason: z.string().default('The receiving institution refused the transfer'),
	/** How old a withdrawal is before the list shows it; by its ID, it can be read at once. */
	withdrawalListLagMs: ms.default(0),
	/** The outcome of a production refund; in the sandbox the cents decide. */
	refundOutcome: outcome,

	/** The account's own tax id; null: not on file; 'unreadable': on file but unreadable. */
	ownTaxId: z.string().nullable().default('11222333000181'),
	/** PIX keys that risk policy refuses. */
	blocklist: z.array(z.string()).default([]),
	/** What the PIX network knows: PIX key -> CPF or CNPJ of its holder. Others accept anyone. */
	pixKeyHolders: z.record(z.string()).default({}),

	withdrawalsBlocked: no,
	verificationRequired: no,
	paymentsBlocked: no,
	disabledMethods: methods,
	refundUnsupportedMethods: methods,
	/** The account may not use production at all. */
	sandboxOnly: no,
	paymentProviderUnavailable: no,
	withdrawalProviderUnavailable: no,

	/** Real time at any speed: an endpoint responds as fast as it can. */
	webhookTimeoutMs: count.max(600_000).default(10_000),
	/** Deliveries under way at once, for each endpoint. */
	webhookConcurrency: count.default(20),
	/** Consecutive failures that open an endpoint's circuit. */
	webhookBreakAfter: count.default(10),
	/** How long it stays open at first; each further time twice as long, up to ten times. */
	webhookBreakPauseMs: ms.default(30_000),
	/** Consecutive failures that suspend an endpoint registered without its own number. */
	webhookSuspendAfter: count.default(100),
	/** Share of failed attempts that suspends, once the window holds enough attempts. */
	webhookFailureRate: z.number().gt(0).max(1).default(0.95),
	webhookFailureRateAttempts: count.default(200),
	webhookFailureRateWindowMs: ms.default(24 * 60 * 60 * 1_000),
});

/** Live: a change affects every later request. */
export type AccountSettings = z.output<typeof accountSchema>;

export function defaultAccount(): AccountSettings {
	return accountSchema.parse({});
}
