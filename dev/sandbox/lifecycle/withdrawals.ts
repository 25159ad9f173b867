import type { Dialect } from '../settings/dialects';
import type { Withdrawal } from '../store/rows';
import type { WithdrawalStatus } from '../store/types';
import type { World } from '../world';

const FINAL: readonly WithdrawalStatus[] = ['COMPLETED', 'FAILED', 'CANCELLED'];

const REFUSED_BY_BANK = 'The receiving institution refused the transfer';

function isFinal(status: WithdrawalStatus): boolean {
	return FINAL.includes(status);
}

/** Which changes there may be. In one dialect the bank may send the money of a payout back. */
function mayBecome(
	from: WithdrawalStatus,
	to: WithdrawalStatus,
	{ withdrawalTransitions }: Dialect,
): boolean {
	const isReturn = from === 'COMPLETED' && to === 'FAILED';
	if (isReturn && withdrawalTransitions.last === 'returnable') return true;
	return !isFinal(from) && to !== 'PENDING';
}

/** Moves a withdrawal on; false when it already ended. Production money leaves or comes back. */
export function setWithdrawalStatus(
	world: World,
	withdrawal: Withdrawal,
	to: WithdrawalStatus,
	errorMessage: string | null = null,
): boolean {
	const from = withdrawal.status;
	if (from === to) return true;
	if (!mayBecome(from, to, world.dialect)) return false;
	const at = world.now();
	withdrawal.status = to;
	if (isFinal(to)) {
		withdrawal.processedAt = at;
		withdrawal.errorMessage = to === 'COMPLETED' ? null : errorMessage;
		if (withdrawal.environment === 'PRODUCTION') settle(world, withdrawal, from, to, at);
	}
	world.webhooks.withdrawalChanged(withdrawal);
	return true;
}

function settle(
	world: World,
	withdrawal: Withdrawal,
	from: WithdrawalStatus,
	to: WithdrawalStatus,
	at: number,
): void {
	const { account, store } = world;
	const gross = withdrawal.amountCents + withdrawal.feeCents;
	const enter = (amountCents: number) =>
		store.ledger.push({ at, kind: 'WITHDRAWAL', amountCents, reference: withdrawal.txId });
	if (from === 'COMPLETED') {
		account.balanceCents += gross;
		enter(gross);
		return;
	}
	account.frozenCents -= gross;
	if (to === 'COMPLETED') enter(-gross);
	else account.balanceCents += gross;
}

/** Books a new withdrawal, freezes its money in production and starts its way to the end. */
export function startWithdrawal(world: World, withdrawal: Withdrawal): void {
	const { account, store } = world;
	if (withdrawal.environment === 'PRODUCTION') {
		const gross = withdrawal.amountCents + withdrawal.feeCents;
		account.balanceCents -= gross;
		account.frozenCents += gross;
	}
	store.withdrawals.book(withdrawal);
	const { first } = world.dialect.withdrawalTransitions;
	if (first !== 'pending') setWithdrawalStatus(world, withdrawal, 'PROCESSING');
	if (first === 'completed') setWithdrawalStatus(world, withdrawal, 'COMPLETED');
	world.schedule(() => {
		if (!isFinal(withdrawal.status)) setWithdrawalStatus(world, withdrawal, 'PROCESSING');
	}, account.withdrawalProcessingDelayMs);
	world.schedule(() => {
		if (isFinal(withdrawal.status)) return;
		setWithdrawalStatus(world, withdrawal, account.withdrawalOutcome, REFUSED_BY_BANK);
	}, account.withdrawalCompletionDelayMs);
}
