import { pick } from 'lodash';
import type { Dialect } from '../settings/dialects';
import { shownStatus } from '../http/present';
import { centsToReais, reaisToCents } from '../values/money';
import type { Payment, Refund, Withdrawal } from '../store/rows';
import type { Payer, PaymentStatus, WithdrawalStatus } from '../store/types';
import { iso, isoOrNull } from '../values/time';
import type { WebhookEvent } from './types';

interface PaymentFacts {
	payment: Payment;
	/** The refund that the event is about, or that a MED procedure ended in. */
	refund: Refund | null;
	byMed: boolean;
}

/** A block of which nothing is known is null as a whole (docs/api.md#event-bodies). */
function collapse<T extends object>(block: T | null): T | null {
	return block && Object.values(block).some((value) => value !== null) ? block : null;
}

type PaymentEvent = Exclude<WebhookEvent, `WITHDRAWAL_${string}`>;

/** Events of statuses that send one whatever was before. */
const EVENTS: Partial<Record<PaymentStatus, PaymentEvent>> = {
	PAID: 'PAYMENT_PAID',
	CONFIRMED: 'PAYMENT_CONFIRMED',
	CHARGEBACK: 'PAYMENT_CHARGEBACK',
	EXPIRED: 'PAYMENT_EXPIRED',
	CANCELLED: 'PAYMENT_CANCELLED',
	REFUNDED: 'PAYMENT_REFUNDED',
	MED_FROZEN: 'MED_RECEIVED',
};

/** What a change of status sends. */
export function paymentEvents(
	from: PaymentStatus,
	to: PaymentStatus,
	{ eventTriggers }: Dialect,
): PaymentEvent[] {
	const event = EVENTS[to];
	if (event === undefined) return [];
	if (from === 'MED_FROZEN') {
		// The money was paid before: what is new is that the procedure ended.
		const isRefused = to === 'PAID' && eventTriggers.medRefused === 'resolved';
		return isRefused ? ['MED_RESOLVED'] : ['MED_RESOLVED', event];
	}
	// A won dispute that goes back to REFUNDED sends nothing (docs/api.md#payment-states).
	return from === 'CHARGEBACK' && to === 'REFUNDED' ? [] : [event];
}

export function withdrawalEvent(
	to: WithdrawalStatus,
	{ eventTriggers }: Dialect,
): 'WITHDRAWAL_SENT' | 'WITHDRAWAL_FAILED' | null {
	const sentWith = eventTriggers.withdrawalSent === 'whenCompleted' ? 'COMPLETED' : 'PROCESSING';
	if (to === sentWith) return 'WITHDRAWAL_SENT';
	return to === 'FAILED' || to === 'CANCELLED' ? 'WITHDRAWAL_FAILED' : null;
}

/** The event object of a payment event, in its documented shape (docs/api.md#event-bodies). */
export function paymentBody(
	event: PaymentEvent,
	{ payment, refund, byMed }: PaymentFacts,
	dialect: Dialect,
): object {
	const { id, txId } = payment;
	const status = shownStatus(payment.status, dialect);
	const amount = centsToReais(payment.amountCents);
	const paidAt = isoOrNull(payment.paidAt);
	const byTxId = { txId, amount, status, paymentMethod: payment.paymentMethod, currency: 'BRL' };
	const byPaymentId = { paymentId: id, status, currency: 'BRL' };
	const providerMedId = `MED${txId.slice(3, 19)}`;
	const refundKeys = refund
		? { refundId: refund.id, amount: centsToReais(refund.amountCents) }
		: {};
	switch (event) {
		case 'PAYMENT_PAID':
			return {
				...{ id, txId, amount },
				feeAmount: centsToReais(payment.feeCents),
				netAmount: centsToReais(payment.netCents),
				...{ status, paymentMethod: payment.paymentMethod, currency: 'BRL' },
				...pick(payment, ['description', 'externalId', 'metadata']),
				createdAt: iso(payment.createdAt),
				...{ paidAt, endToEndId: payment.endToEndId },
				payer: collapse<Payer>(payment.payer),
			};
		case 'PAYMENT_CONFIRMED':
		case 'PAYMENT_CHARGEBACK':
			return { ...byTxId, paidAt };
		case 'PAYMENT_EXPIRED':
		case 'PAYMENT_CANCELLED': {
			const ended = { ...byTxId, expiresAt: iso(payment.expiresAt), paidAt: null };
			// "Some" of these have only the txId: here those of a hosted payment, which the payer ended.
			return payment.mode === 'hosted' ? ended : { id, ...ended };
		}
		case 'PAYMENT_REFUNDED':
			// A merchant's refund names itself; one by MED names the procedure instead.
			return { ...byPaymentId, ...(byMed ? { source: 'MED', providerMedId } : refundKeys) };
		case 'PAYMENT_REFUND_FAILED':
			return { ...byPaymentId, ...refundKeys };
		case 'MED_RECEIVED':
			return { paymentId: id, status, source: 'PIX_NETWORK', providerMedId, amount };
		case 'MED_RESOLVED':
			return { paymentId: id, status, providerMedId, ...refundKeys };
	}
}

function toRecipient(withdrawal: Withdrawal): object | null {
	const document = withdrawal.recipientDocument;
	// Only money that arrived shows where it arrived.
	const arrived = withdrawal.status === 'COMPLETED' && document !== null;
	return collapse({
		name: null,
		document,
		documentType: document === null ? null : document.length === 11 ? 'CPF' : 'CNPJ',
		institutionName: arrived ? 'Emulated Bank' : null,
		institutionIspb: arrived ? '00000000' : null,
		accountNumber: null,
	});
}

/** WITHDRAWAL_SENT, or WITHDRAWAL_FAILED with its reason if a usable one exists (docs/api.md#event-bodies). */
export function withdrawalBody(withdrawal: Withdrawal, dialect: Dialect): object {
	const reason = withdrawal.status === 'FAILED' ? withdrawal.errorMessage?.trim() : undefined;
	return {
		...toIdentifiers(withdrawal, dialect),
		...withdrawalAmounts(withdrawal),
		feeAmount: centsToReais(withdrawal.feeCents),
		status: withdrawal.status,
		paymentMethod: 'PIX',
		currency: 'BRL',
		createdAt: iso(withdrawal.createdAt),
		processedAt: isoOrNull(withdrawal.processedAt),
		recipient: toRecipient(withdrawal),
		...(reason ? { failureReason: reason } : {}),
	};
}

/** What it is identified by is not described. */
function toIdentifiers({ id, txId }: Withdrawal, { eventIdentifiers }: Dialect): object {
	switch (eventIdentifiers.withdrawal) {
		case 'idAndTxId':
			return { id, txId };
		case 'txIdOnly':
			return { txId };
		case 'withdrawalIdOnly':
			return { withdrawalId: id };
	}
}

/** `amount` is what was debited, since `netAmount` is next to it. */
function withdrawalAmounts(withdrawal: Withdrawal): object {
	return {
		amount: centsToReais(withdrawal.amountCents + withdrawal.feeCents),
		netAmount: centsToReais(withdrawal.amountCents),
	};
}

/** Of what a delivery is about, as it is now (docs/api.md#delivery-attempts). */
export function thinBody(about: Payment | Withdrawal): object {
	const amounts =
		'pixKey' in about ? withdrawalAmounts(about) : { amount: centsToReais(about.amountCents) };
	return { ...pick(about, ['id', 'txId', 'status']), ...amounts };
}

/** Encloses a number that is written otherwise than JSON would. */
const MARK = '\0';

/**
 * The raw text of a body. Amounts have two decimals (`10.00`), which no JSON library would write
 * again, so that a receiver that verifies a re-serialized body fails.
 */
export function writeBody(body: object): string {
	const marked = JSON.stringify(body, (key, value: unknown) => {
		const isAmount = typeof value === 'number' && /amount$/i.test(key);
		if (!isAmount || reaisToCents(value) === null) return value;
		return MARK + value.toFixed(2) + MARK;
	});
	return marked.replaceAll(/"\\u0000([\d.-]+)\\u0000"/g, '$1');
}
