import type { Dialect } from '../settings/dialects';
import { shownStatus } from '../http/present';
import { centsToReais } from '../values/money';
import type { Payer, Payment, Refund, Withdrawal } from '../store/types';
import { iso, isoOrNull } from '../values/time';
import { WEBHOOK_EVENTS, type WebhookEvent } from './types';

/** What the event objects are made from. */
interface PaymentFacts {
	payment: Payment;
	/** The refund that the event is about, or that a MED procedure ended in. */
	refund: Refund | null;
	/** Whether a MED procedure, and not the merchant, caused the refund. */
	byMed: boolean;
}

/** A block of which nothing is known is null as a whole (docs/api.md#event-bodies). */
function collapse<T extends object>(block: T | null): T | null {
	return block && Object.values(block).some((value) => value !== null) ? block : null;
}

function paidBody(payment: Payment): object {
	return {
		id: payment.id,
		txId: payment.txId,
		amount: centsToReais(payment.amountCents),
		feeAmount: centsToReais(payment.feeCents),
		netAmount: centsToReais(payment.netCents),
		status: payment.status,
		paymentMethod: payment.paymentMethod,
		currency: 'BRL',
		description: payment.description,
		externalId: payment.externalId,
		metadata: payment.metadata,
		createdAt: iso(payment.createdAt),
		paidAt: isoOrNull(payment.paidAt),
		endToEndId: payment.endToEndId,
		payer: collapse<Payer>(payment.payer),
	};
}

/** PAYMENT_CONFIRMED and PAYMENT_CHARGEBACK: no id, only the txId. */
function byTxId(payment: Payment): object {
	return {
		txId: payment.txId,
		amount: centsToReais(payment.amountCents),
		status: payment.status,
		paymentMethod: payment.paymentMethod,
		currency: 'BRL',
		paidAt: isoOrNull(payment.paidAt),
	};
}

/** "Some" of these have only the txId: here those of a hosted payment, which the payer ended. */
function endedBody(payment: Payment): object {
	return {
		...(payment.mode === 'hosted' ? {} : { id: payment.id }),
		txId: payment.txId,
		amount: centsToReais(payment.amountCents),
		status: payment.status,
		paymentMethod: payment.paymentMethod,
		currency: 'BRL',
		expiresAt: iso(payment.expiresAt),
		paidAt: null,
	};
}

function medId(payment: Payment): string {
	return `MED${payment.txId.slice(3, 19)}`;
}

function refundKeys(refund: Refund | null): object {
	return refund ? { refundId: refund.id, amount: centsToReais(refund.amountCents) } : {};
}

/** A merchant's refund names itself; one by MED names the procedure instead (docs/api.md#event-bodies). */
function refundedBody({ payment, refund, byMed }: PaymentFacts): object {
	return {
		paymentId: payment.id,
		status: payment.status,
		currency: 'BRL',
		...(byMed ? { source: 'MED', providerMedId: medId(payment) } : refundKeys(refund)),
	};
}

function refundFailedBody({ payment, refund }: PaymentFacts): object {
	return {
		paymentId: payment.id,
		status: payment.status,
		currency: 'BRL',
		...refundKeys(refund),
	};
}

function medReceivedBody(payment: Payment): object {
	return {
		paymentId: payment.id,
		status: payment.status,
		source: 'PIX_NETWORK',
		providerMedId: medId(payment),
		amount: centsToReais(payment.amountCents),
	};
}

function medResolvedBody({ payment, refund }: PaymentFacts): object {
	return {
		paymentId: payment.id,
		status: payment.status,
		providerMedId: medId(payment),
		...refundKeys(refund),
	};
}

export type PaymentEvent = Exclude<WebhookEvent, `WITHDRAWAL_${string}`>;

/** What the description names of the bodies, apart from what it names of one event only. */
const DESCRIBED = [
	'id',
	'txId',
	'paymentId',
	'withdrawalId',
	'recipient',
	'failureReason',
	'source',
	'providerMedId',
	'refundId',
];
/** Of PAYMENT_PAID it names some more. */
const DESCRIBED_OF_PAID = ['status', 'paidAt', 'endToEndId', 'payer'];

/** A body with the fields of the dialect: the rest of them is not described. */
function fieldsIn({ eventFields: { fields } }: Dialect, event: string, body: object): object {
	switch (fields) {
		case 'many':
			return body;
		case 'few': {
			const kept = event === 'PAYMENT_PAID' ? [...DESCRIBED, ...DESCRIBED_OF_PAID] : DESCRIBED;
			return Object.fromEntries(Object.entries(body).filter(([name]) => kept.includes(name)));
		}
		case 'unheardOf':
			return { ...body, schemaVersion: 2, links: { self: '/example' }, tags: ['example', null] };
	}
}

/** The event object of a payment event, in its documented shape (docs/api.md#event-bodies). */
export function paymentBody(event: PaymentEvent, facts: PaymentFacts, dialect: Dialect): object {
	const payment = { ...facts.payment, status: shownStatus(facts.payment.status, dialect) };
	return fieldsIn(dialect, event, wholePaymentBody(event, { ...facts, payment }));
}

function wholePaymentBody(event: PaymentEvent, facts: PaymentFacts): object {
	switch (event) {
		case 'PAYMENT_PAID':
			return paidBody(facts.payment);
		case 'PAYMENT_CONFIRMED':
		case 'PAYMENT_CHARGEBACK':
			return byTxId(facts.payment);
		case 'PAYMENT_EXPIRED':
		case 'PAYMENT_CANCELLED':
			return endedBody(facts.payment);
		case 'PAYMENT_REFUNDED':
			return refundedBody(facts);
		case 'PAYMENT_REFUND_FAILED':
			return refundFailedBody(facts);
		case 'MED_RECEIVED':
			return medReceivedBody(facts.payment);
		case 'MED_RESOLVED':
			return medResolvedBody(facts);
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
	const body = {
		...toIdentifiers(withdrawal, dialect),
		...withoutIdentifiers(withdrawal),
	};
	return fieldsIn(dialect, 'WITHDRAWAL', body);
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

function withoutIdentifiers(withdrawal: Withdrawal): object {
	const reason = withdrawal.status === 'FAILED' ? withdrawal.errorMessage?.trim() : undefined;
	return {
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

/** `amount` is what was debited, since `netAmount` is next to it. */
function withdrawalAmounts(withdrawal: Withdrawal): object {
	return {
		amount: centsToReais(withdrawal.amountCents + withdrawal.feeCents),
		netAmount: centsToReais(withdrawal.amountCents),
	};
}

export function thinPaymentBody(payment: Payment): object {
	return {
		id: payment.id,
		txId: payment.txId,
		status: payment.status,
		amount: centsToReais(payment.amountCents),
	};
}

export function thinWithdrawalBody(withdrawal: Withdrawal): object {
	return {
		id: withdrawal.id,
		txId: withdrawal.txId,
		status: withdrawal.status,
		...withdrawalAmounts(withdrawal),
	};
}

/** The thin body of an event that is about no row of the emulator: what its body shows. */
export function toThinBody(event: string, body: Record<string, unknown>): object {
	return {
		id: body.id ?? body.paymentId ?? body.withdrawalId ?? null,
		txId: body.txId ?? null,
		status: body.status ?? null,
		amount: body.amount ?? null,
		...(event.startsWith('WITHDRAWAL_') ? { netAmount: body.netAmount ?? null } : {}),
	};
}

/** `livemode` says whether the account may use production at all. */
export function testBody(sandboxOnly: boolean): object {
	return { data: { message: 'This is a test delivery', livemode: !sandboxOnly } };
}

export function probeBody(endpointId: string): object {
	return {
		data: { message: 'Is this endpoint ready again?', webhookConfigId: endpointId },
	};
}

export function isNamedEvent(event: string): event is WebhookEvent {
	return (WEBHOOK_EVENTS as readonly string[]).includes(event);
}
