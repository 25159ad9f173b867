import type { AdaptiveLimiter } from '../../shared/concurrency/adaptiveLimiter';
import { ApiFailure, type Failure } from '../../shared/failures/failure';
import type { Reference } from '../../shared/orders/reference';
import type { ApiRecord } from '../../shared/transport/schemas';
import { getCreatedAt } from '../../shared/lists/rowCollector';
import { toText } from '../../shared/validation/text';
import type { ItemCall } from '../execution/itemCall';
import { UNKNOWN_STATUS } from '../execution/runSummary';
import { toContent } from './samePayout';
import { openExistingLedger } from '../ledger/dataTable';
import type { LedgerStore, StoredCells } from '../ledger/ledger';
import type { Payout } from './payout';
import { PAYOUT } from './payoutKind';
import {
	advance,
	begin,
	describeOrder,
	openSendings,
	withFailed,
	type Row,
	type Conclusion,
} from '../ledger/protocol';
import { readWithdrawal } from './recorded';
import {
	compareRecord,
	environmentOf,
	findClaimants,
	inLedger,
	readRows,
} from '../ledger/readRows';
import { paidByOther, referenceInDoubt, referenceMismatch } from './texts';

/** One payout as it is asked for. */
export interface AskedPayout {
	readonly call: ItemCall;
	readonly reference: Reference;
	readonly payout: Payout;
}

/** What is known of a payout before it is sent. */
export type Earlier =
	| { readonly state: 'new' }
	/** An earlier attempt got no answer: Withdrawal > Create finds out before it pays. */
	| { readonly state: 'open' }
	/** `status`: as the service shows it, or UNKNOWN_STATUS. `madeAt`: epoch ms; undefined if not known. */
	| {
			readonly state: 'paid';
			readonly id: string;
			readonly status: string;
			readonly madeAt?: number;
	  }
	/** Withdrawal > Create would refuse it. */
	| { readonly state: 'refused'; readonly failure: Failure };

type Store = Pick<LedgerStore, 'read' | 'findWithdrawals'>;

/**
 * Asks for each payout what Withdrawal > Create asks first: the ledger, and the withdrawal that it
 * names. Sends and writes nothing.
 *
 * @returns in the order of the payouts
 * @throws ApiFailure if the ledger cannot be read: then nothing is known of any of them
 */
export async function findEarlier(
	asked: readonly AskedPayout[],
	pace: AdaptiveLimiter,
): Promise<Earlier[]> {
	const [first] = asked;
	if (first === undefined) return [];
	const store = await inLedger(openExistingLedger(first.call.context));
	if (store === undefined) return asked.map(() => ({ state: 'new' }));
	const references = [...new Set(asked.map(({ reference }) => reference.value))];
	const cells = await inLedger(store.read(references));
	return await Promise.all(
		asked.map(async (one) => {
			const own = cells.filter(({ reference }) => reference === one.reference.value);
			return await ask(one, own, store, pace).catch(toRefused);
		}),
	);
}

/** @throws what concerns more than this payout */
function toRefused(error: unknown): Earlier {
	const isOwn = error instanceof ApiFailure && error.failure.code !== UNAVAILABLE;
	if (!isOwn) throw error;
	return { state: 'refused', failure: error.failure };
}

const UNAVAILABLE = 'REFERENCES_UNAVAILABLE';

async function ask(
	asked: AskedPayout,
	cells: readonly StoredCells[],
	store: Store,
	pace: AdaptiveLimiter,
): Promise<Earlier> {
	const { call, reference } = asked;
	const rows = readRows(cells, reference.shown, environmentOf(call.environment === 'production'));
	return await compare(asked, rows, store, pace);
}

async function compare(
	asked: AskedPayout,
	rows: readonly Row[],
	store: Store,
	pace: AdaptiveLimiter,
): Promise<Earlier> {
	const { call, reference, payout } = asked;
	const paid = { cents: payout.amount, pixKey: payout.pixKey };
	const content = toContent(paid.cents, paid.pixKey.value, call.context.getInstanceId());
	const begun = begin({ run: 'check', apiKey: call.keyPrefix, content, body: '' }).state;
	const { state, action } = advance(begun, { saw: 'ledger', rows }, call.now());
	if (action.do !== 'fetch') {
		const order = describeOrder(rows);
		if (order.status === 'in doubt') {
			const doubt = { reason: 'candidates', ids: order.candidates ?? [] } as const;
			throw referenceInDoubt({ reference }, payout.amount, doubt);
		}
		return { state: openSendings(rows).length > 0 ? 'open' : 'new' };
	}
	const found = await pace.run(async () => await readWithdrawal(call, action.id));
	const withdrawal = compareRecord(found, action.id, rows, { payout: paid }, content, PAYOUT);
	const claimants = await inLedger(findClaimants(store, reference.value, action));
	const next = advance(state, { saw: 'fetched', withdrawal, claimants }, call.now()).action;
	if (next.do === 'end') return toEarlier(asked, next.conclusion, found);
	// The bank has refused it, and another row may name one that has paid.
	return await compare(asked, withFailed(rows, action.id), store, pace);
}

function toEarlier(
	{ reference, payout }: AskedPayout,
	conclusion: Conclusion,
	found: ApiRecord | undefined,
): Earlier {
	const order = { reference };
	switch (conclusion.say) {
		case 'paid':
			return {
				state: 'paid',
				id: conclusion.id,
				status: found ? toText(found.status) : UNKNOWN_STATUS,
				...(found ? { madeAt: getCreatedAt(found) } : {}),
			};
		case 'recorded':
			if (conclusion.isForeign) throw paidByOther(order, conclusion.id);
			return { state: 'paid', id: conclusion.id, status: UNKNOWN_STATUS };
		case 'mismatch':
			throw referenceMismatch(order, conclusion.id);
		case 'inDoubt':
			throw referenceInDoubt(order, payout.amount, conclusion.because);
		default:
			throw new TypeError(`The ledger alone cannot say that a payout is ${conclusion.say}`);
	}
}
