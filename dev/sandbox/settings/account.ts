import type { PaymentMethod } from '../store/types';

/**
 * Holders of the PIX keys in `examples/payouts.csv` and `examples/salaries.csv`, as those lists have
 * them: a workflow that loses the column with the document fails here as it would with real money.
 */
const HOLDERS_OF_EXAMPLES: Record<string, string> = {
	'+5521998765432': '71352084635',
	'+5531991234567': '17428569001',
	'0b1d3f5a-7c9e-4246-8a0c-1e3f5d7b9a02': '25801693424',
	'7f3b2c1e-9d84-4a65-b0f7-2e6d5c4b3a21': '73064185000252',
	'bruno@payee.example': '52998224725',
	'c2a9e7d4-51f3-4b86-9e0c-8d7f6a5b4c3d': '90284617520',
	'carlos.lima@example.com': '17428569001',
	'contato@ipe-amarelo.example': '45819027000149',
	'daniela.rocha@example.com': '25801693424',
	'financeiro@verdevale.example': '12ABC34501DE35',
	'joao.alves@example.com': '34517892646',
	'otavio.brandao@example.com': '71352084635',
};

/** The settings of the one emulated account, and what they are at first. Money in centavos. */
const DEFAULTS = {
	/** Production balance; a test key always reads zeros. */
	balanceCents: 100_000_000,
	frozenCents: 0,
	heldCents: 0,
	reservedCents: 0,

	/** Flat withdrawal fee, on top of the net amount. */
	feeCents: 150,
	/** Compared to the net amount; never acts below the platform floor of 10.00. */
	minWithdrawalCents: 1_000,
	dayLimitCents: 50_000_000,
	nightLimitCents: 5_000_000,
	perTransactionLimitCents: null as number | null,
	/** Brazilian hours: daytime is from `dayStartHour` up to, not including, `dayEndHour`. */
	dayStartHour: 6,
	dayEndHour: 20,
	providerMinCents: 0,
	providerMaxCents: null as number | null,

	paymentFeeCents: { PIX: 99, CARD: 399, BOLETO: 249 },

	/** Default of keys whose own `rateLimitPerMinute` is null. */
	rateLimitPerMinute: 60_000,

	/** Sandbox payments reach their outcome this long after creation (or after the choice). */
	settleDelayMs: 5_000,
	refundDelayMs: 5_000,
	withdrawalProcessingDelayMs: 1_000,
	withdrawalCompletionDelayMs: 5_000,
	withdrawalOutcome: 'COMPLETED' as 'COMPLETED' | 'FAILED',
	/** The outcome of a production refund; in the sandbox the cents decide. */
	refundOutcome: 'COMPLETED' as 'COMPLETED' | 'FAILED',

	/** The account's own tax id; null: not on file; 'unreadable': on file but unreadable. */
	ownTaxId: '11222333000181' as string | null,
	blocklist: [] as string[],
	/** What the PIX network knows: PIX key -> CPF or CNPJ of its holder. Others accept anyone. */
	pixKeyHolders: HOLDERS_OF_EXAMPLES,

	withdrawalsBlocked: false,
	verificationRequired: false,
	paymentsBlocked: false,
	disabledMethods: [] as PaymentMethod[],
	refundUnsupportedMethods: [] as PaymentMethod[],
	sandboxOnly: false,
	paymentProviderUnavailable: false,
	withdrawalProviderUnavailable: false,
};

/** Live: a change affects every later request. */
export type AccountSettings = typeof DEFAULTS;

export function defaultAccount(): AccountSettings {
	return structuredClone(DEFAULTS);
}
