import { endToEndId } from '../values/ids';
import { isOpen, mayMove, price, sandboxOutcome } from '../rules/payment';
import type { Payment } from '../store/rows';
import type { LedgerEntry, Payer, PaymentMethod, PaymentStatus } from '../store/types';
import type { World } from '../world';

/** Every change of a payment's status passes here: money, ledger, times and the event follow. */
export function setPaymentStatus(world: World, payment: Payment, to: PaymentStatus): void {
	const from = payment.status;
	if (from === to) return;
	const at = world.now();
	if (to === 'CHARGEBACK') payment.statusBeforeChargeback = from;
	payment.status = to;
	if ((to === 'PAID' || to === 'CONFIRMED') && payment.paidAt === null) {
		payment.paidAt = at;
		payment.payer = getPayer(payment);
		if (payment.paymentMethod === 'PIX') payment.endToEndId = endToEndId(at);
	}
	if (payment.environment === 'PRODUCTION') moveMoney(world, payment, from, to, at);
	world.webhooks.paymentChanged(payment, from);
}

function getPayer({ customer, paymentMethod }: Payment): Payer | null {
	if (!customer) return null;
	const isPix = paymentMethod === 'PIX';
	const document = customer.document?.replace(/[^\dA-Z]/gi, '').toUpperCase() ?? null;
	const institution = {
		institutionName: isPix ? 'Emulated Bank' : null,
		institutionIspb: isPix ? '00000000' : null,
	};
	const name = customer.name ?? null;
	return { name, document, documentType: customer.documentType ?? null, ...institution };
}

function moveMoney(
	world: World,
	payment: Payment,
	from: PaymentStatus,
	to: PaymentStatus,
	at: number,
): void {
	const { account } = world;
	const { amountCents, netCents, txId: reference } = payment;
	const enter = (kind: LedgerEntry['kind'], amountCents: number) =>
		world.store.ledger.push({ at, kind, amountCents, reference });
	// What it leaves: the money is available then, wherever it was before.
	if (from === 'CHARGEBACK') {
		// The amount comes back; the processing fee of the payment stays withheld.
		account.balanceCents += amountCents;
		enter('CHARGEBACK_REVERSED', amountCents);
	} else if (from === 'CONFIRMED') {
		account.heldCents -= netCents;
		account.balanceCents += netCents;
	} else if (from === 'MED_FROZEN') {
		account.frozenCents -= netCents;
		account.balanceCents += netCents;
	} else if (to === 'CONFIRMED' || to === 'PAID') {
		account.balanceCents += netCents;
		enter('PAYMENT', netCents);
	}
	// What it comes to.
	if (to === 'CHARGEBACK') {
		account.balanceCents -= amountCents;
		enter('CHARGEBACK', -amountCents);
	} else if (to === 'CONFIRMED') {
		account.balanceCents -= netCents;
		account.heldCents += netCents;
	} else if (to === 'MED_FROZEN') {
		account.balanceCents -= netCents;
		account.frozenCents += netCents;
	}
}

export function startPayment(world: World, payment: Payment): void {
	if (payment.environment === 'PRODUCTION') scheduleExpiry(world, payment);
	else if (payment.status === 'NEW') scheduleOutcome(world, payment);
}

/** Sandbox cents rule: the outcome comes `settleDelayMs` after creation or choice of the method. */
export function scheduleOutcome(world: World, payment: Payment): void {
	world.schedule(() => {
		if (isOpen(payment.status)) {
			setPaymentStatus(world, payment, sandboxOutcome(payment.submittedCents));
		}
	}, world.account.settleDelayMs);
}

function scheduleExpiry(world: World, payment: Payment): void {
	world.schedule(
		() => {
			if (isOpen(payment.status)) setPaymentStatus(world, payment, 'EXPIRED');
		},
		Math.max(0, payment.expiresAt - world.now()),
	);
}

/** The payer's choice in hosted checkout: it fixes the method, and with it the fee. */
export function chooseMethod(
	world: World,
	payment: Payment,
	method: PaymentMethod,
	cardFundingType: 'credit' | 'debit' | null,
): void {
	const fee = world.account.paymentFeeCents[method];
	payment.paymentMethod = method;
	payment.cardFundingType = method === 'CARD' ? cardFundingType : null;
	Object.assign(payment, price(payment.submittedCents, fee, payment.feePassedToPayer));
	setPaymentStatus(world, payment, 'NEW');
}

/** Forces a status from outside; false when the payment cannot go there. */
export function forcePayment(world: World, payment: Payment, to: PaymentStatus): boolean {
	if (payment.status === to) return true;
	if (!mayMove(payment, to)) return false;
	setPaymentStatus(world, payment, to);
	return true;
}
