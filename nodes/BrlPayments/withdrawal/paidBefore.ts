import type { Limiter } from '../../shared/concurrency/limiter';
import { ApiFailure, type Failure } from '../../shared/failures/failure';
import type { Reference } from '../../shared/input/reference';
import { toText } from '../../shared/input/text';
import type { ItemCall } from '../item';
import { UNKNOWN_STATUS } from '../report';
import { openExistingLedger } from '../orders/dataTable';
import { GUARDED_MS, findDuplicates, withoutTaken } from '../orders/guard';
import { findActed, findOwners, toRows, type ActedOrder, type Ledger } from '../orders/ledger';
import type { Name } from '../orders/names';
import { contentOf, isSamePayout, showsPixKey } from '../orders/payouts';
import { findPaid, openSendings, PERSON } from '../orders/protocol';
import { payoutTexts, type Named } from '../orders/texts';
import type { Payout } from './payout';
import { asOfNow, inLedger, readWithdrawal } from './recorded';

/** One payout as it is asked for. */
export interface AskedPayout {
	readonly call: ItemCall;
	readonly reference: Reference;
	readonly payout: Payout;
}

/** What is known of a payout before it is sent. */
export type Earlier =
	| { readonly state: 'new' }
	/** An earlier attempt got no answer, or an equal payout has no reference: Withdrawal > Create looks before it pays. */
	| { readonly state: 'open' }
	/** `status` and `createdAt`: as the service shows them, or UNKNOWN_STATUS. */
	| { readonly state: 'paid'; readonly id: string; readonly status: string; createdAt?: unknown }
	/** Withdrawal > Create would refuse it. */
	| { readonly state: 'refused'; readonly failure: Failure };

/**
 * Asks for each payout what Withdrawal > Create asks first: the ledger, and the withdrawal that it names. Sends
 * and writes nothing.
 *
 * @returns in the order of the payouts
 * @throws ApiFailure if the ledger cannot be read: then nothing is known of any of them
 */
export async function findEarlier(
	asked: readonly AskedPayout[],
	limiter: Limiter,
): Promise<Earlier[]> {
	const [first] = asked;
	if (first === undefined) return [];
	const { context, now } = first.call;
	const ledger = await inLedger(openExistingLedger(context, now));
	if (ledger === undefined) return asked.map(() => ({ state: 'new' }));
	await inLedger(ledger.watch(asked.flatMap(({ reference: { value, shown } }) => [value, shown])));
	const since = now() - GUARDED_MS;
	const rows = await inLedger(ledger.readSince(since, 'automatic'));
	const isLive = first.call.environment === 'production';
	const automatic = findActed(rows, 'payout', isLive);
	return await Promise.all(
		asked.map(async (one) => {
			const { value } = one.reference;
			const name: Name = { kind: 'payout', isLive, value, isAutomatic: false };
			const earlier = limiter.run(async () => await compare(one, name, ledger, automatic));
			return await earlier.catch(toRefused);
		}),
	);
}

/** @throws what is no failure of this payout */
function toRefused(error: unknown): Earlier {
	if (!(error instanceof ApiFailure)) throw error;
	return { state: 'refused', failure: error.failure };
}

/** What Withdrawal > Create would do first, see `decide` in `protocol.ts`. */
async function compare(
	{ call, reference, payout }: AskedPayout,
	name: Name,
	ledger: Ledger,
	automatic: readonly ActedOrder[],
): Promise<Earlier> {
	const rows = toRows(name, ledger.rowsOf(reference.value));
	const named: Named = { shown: reference.shown, isAutomatic: false, cents: payout.amount };
	const edited = payoutTexts.inDoubt(named, { say: 'inDoubt', because: 'edited' }, undefined);
	const known = await asOfNow(call, rows);
	const paid = findPaid(known);
	if (paid === undefined && rows.some(({ status }) => status === 'edited')) throw edited;
	const asked = { cents: payout.amount, pixKey: payout.pixKey };
	const content = contentOf(asked.cents, asked.pixKey.value, call.context.getInstanceId());
	if (paid === undefined) {
		const isLate = rows.length === 0 && (await isPaidWithout(name, content, ledger, automatic));
		return { state: isLate || openSendings(known).length > 0 ? 'open' : 'new' };
	}
	const id = paid.withdrawalId ?? '';
	if (paid.run === PERSON) {
		// What a run has recorded for another reference weighs more than a person's word.
		const owners = findOwners(await inLedger(ledger.findWithdrawals([id])), name, true);
		if (owners.length > 0) throw edited;
	}
	const found = await readWithdrawal(call, id);
	const isRecordedSame = paid.content === content;
	const isShown = found !== undefined && showsPixKey(found);
	const isSame = isShown ? isSamePayout(found, asked) : isRecordedSame;
	if (!isSame) throw payoutTexts.mismatch(named, id, found);
	if (found === undefined) return { state: 'paid', id, status: UNKNOWN_STATUS };
	return { state: 'paid', id, status: toText(found.status), createdAt: found.createdAt };
}

/** Whether a new reference may have been paid without it, as Duplicate Guard of Withdrawal > Create compares. */
async function isPaidWithout(
	name: Name,
	content: string,
	ledger: Ledger,
	automatic: readonly ActedOrder[],
): Promise<boolean> {
	const asking = { value: name.value, content, root: undefined };
	const found = findDuplicates(asking, automatic, 'lateReference');
	const ids = found.flatMap(({ paidBy }) => paidBy ?? []);
	return withoutTaken(found, await inLedger(ledger.findWithdrawals(ids)), name).length > 0;
}
