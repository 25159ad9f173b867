import type { PaymentMethod } from '../store/types';

/** Live settings of the one emulated account. Money in centavos; durations in ms. */
export interface AccountSettings {
	/** Production balance; a test key always reads zeros. */
	balanceCents: number;
	frozenCents: number;
	heldCents: number;
	reservedCents: number;

	/** Flat withdrawal fee, on top of the net amount. */
	feeCents: number;
	/** Compared to the net amount; never acts below the platform floor of 10.00. */
	minWithdrawalCents: number;
	dayLimitCents: number;
	nightLimitCents: number;
	perTransactionLimitCents: number | null;
	/** Brazilian hours, 0-23: daytime is from `dayStartHour` up to, not including, `dayEndHour`. */
	dayStartHour: number;
	dayEndHour: number;
	providerMinCents: number;
	providerMaxCents: number | null;

	/** Flat fee per payment and method. */
	paymentFeeCents: Record<PaymentMethod, number>;

	/** Default of keys whose own `rateLimitPerMinute` is null. */
	rateLimitPerMinute: number;

	/** False: a write without `X-Idempotency-Key` is processed, and never recognized as a repetition. */
	idempotencyKeyRequired: boolean;

	/** Sandbox payments reach their outcome this long after creation (or after the choice). */
	settleDelayMs: number;
	refundDelayMs: number;
	withdrawalProcessingDelayMs: number;
	withdrawalCompletionDelayMs: number;
	withdrawalOutcome: 'COMPLETED' | 'FAILED';
	withdrawalFailureReason: string;
	/** How old a withdrawal is before the list shows it; by its ID, it can be read at once. */
	withdrawalListLagMs: number;
	/** The outcome of a production refund; in the sandbox the cents decide. */
	refundOutcome: 'COMPLETED' | 'FAILED';

	/** The account's own tax id; null: not on file; 'unreadable': on file but unreadable. */
	ownTaxId: string | null;
	/** PIX keys that risk policy refuses. */
	blocklist: string[];
	/** What the PIX network knows: PIX key -> CPF or CNPJ of its holder. Others accept anyone. */
	pixKeyHolders: Record<string, string>;

	withdrawalsBlocked: boolean;
	verificationRequired: boolean;
	paymentsBlocked: boolean;
	disabledMethods: PaymentMethod[];
	refundUnsupportedMethods: PaymentMethod[];
	/** The account may not use production at all. */
	sandboxOnly: boolean;
	paymentProviderUnavailable: boolean;
	withdrawalProviderUnavailable: boolean;

	/** Real time at any speed: an endpoint responds as fast as it can. */
	webhookTimeoutMs: number;
	/** Deliveries under way at once, for each endpoint. */
	webhookConcurrency: number;
	/** Consecutive failures that open an endpoint's circuit. */
	webhookBreakAfter: number;
	/** How long it stays open at first; each further time twice as long, up to ten times. */
	webhookBreakPauseMs: number;
	/** Consecutive failures that suspend an endpoint registered without its own number. */
	webhookSuspendAfter: number;
	/** Share of failed attempts that suspends, once the window holds enough attempts. */
	webhookFailureRate: number;
	webhookFailureRateAttempts: number;
	webhookFailureRateWindowMs: number;
}

export function defaultAccount(): AccountSettings {
	return {
		balanceCents: 100_000_000,
		frozenCents: 0,
		heldCents: 0,
		reservedCents: 0,
		feeCents: 150,
		minWithdrawalCents: 1_000,
		dayLimitCents: 50_000_000,
		nightLimitCents: 5_000_000,
		perTransactionLimitCents: null,
		dayStartHour: 6,
		dayEndHour: 20,
		providerMinCents: 0,
		providerMaxCents: null,
		paymentFeeCents: { PIX: 99, CARD: 399, BOLETO: 249 },
		rateLimitPerMinute: 60_000,
		idempotencyKeyRequired: true,
		settleDelayMs: 5_000,
		refundDelayMs: 5_000,
		withdrawalProcessingDelayMs: 1_000,
		withdrawalCompletionDelayMs: 5_000,
		withdrawalOutcome: 'COMPLETED',
		withdrawalFailureReason: 'The receiving institution refused the transfer',
		withdrawalListLagMs: 0,
		refundOutcome: 'COMPLETED',
		ownTaxId: '11222333000181',
		blocklist: [],
		pixKeyHolders: {},
		withdrawalsBlocked: false,
		verificationRequired: false,
		paymentsBlocked: false,
		disabledMethods: [],
		refundUnsupportedMethods: [],
		sandboxOnly: false,
		paymentProviderUnavailable: false,
		withdrawalProviderUnavailable: false,
		webhookTimeoutMs: 10_000,
		webhookConcurrency: 20,
		webhookBreakAfter: 10,
		webhookBreakPauseMs: 30_000,
		webhookSuspendAfter: 100,
		webhookFailureRate: 0.95,
		webhookFailureRateAttempts: 200,
		webhookFailureRateWindowMs: 24 * 60 * 60 * 1_000,
	};
}
