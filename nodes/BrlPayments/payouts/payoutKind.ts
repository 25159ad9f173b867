import type { IDataObject } from 'n8n-workflow';
import type { PaidContent } from '../../shared/orders/order';
import { maskPixKey } from '../../shared/privacy/value';
import { toReais } from '../../shared/validation/money';
import {
	looksLikeOneOf,
	toContent,
	isFailed,
	isLiving,
	isSamePayout,
	showsPixKey,
} from './samePayout';
import { WITHDRAWALS } from '../ledger/accountHistory';
import type { ReferencedKind, Wanted } from '../ledger/referencedKind';
import { ledgerUnavailable } from '../ledger/texts';
import {
	knownLater,
	NOT_SHOWN,
	notPaid,
	paidByOther,
	referenceInDoubt,
	referenceMismatch,
	usedElsewhere,
} from './texts';

/** Payouts with a reference. */
export const PAYOUT: ReferencedKind = {
	kind: 'payout',
	list: WITHDRAWALS,
	toContent(wanted, salt) {
		const { cents, pixKey } = askedPayout(wanted);
		return toContent(cents, pixKey.value, salt);
	},
	toCells({ payout }) {
		if (payout === undefined) return { amount: null, pixKey: null };
		return { amount: toReais(payout.cents), pixKey: maskPixKey(payout.pixKey.value) };
	},
	isOver: isFailed,
	isSame: (record, wanted, isRecordedSame) =>
		isSamePayout(record, askedPayout(wanted)) && (showsPixKey(record) || isRecordedSame),
	looksLikeOneOf(contents, _wanted, salt) {
		const looks = looksLikeOneOf(contents, salt);
		return (row) => isLiving(row) && looks(row);
	},
	toKept: () => ({}),
	toOutput: ({ reference }, record, alreadyPaid): IDataObject => ({
		...record,
		reference: reference?.value,
		alreadyPaid,
	}),
	texts: {
		notShown: NOT_SHOWN,
		notWritten:
			'What was paid could not be written to the table BRL Payouts. Run the workflow again within 24 hours: the service recognizes each reference, and nothing is paid twice. If somebody has deleted the table, first replace this node with a new one.',
		otherContent: 'a payout of another amount, PIX key or environment',
		mismatch: referenceMismatch,
		elsewhere: usedElsewhere,
		foreign: paidByOther,
		failed: notPaid,
		later: (order, wanted, from, why) => knownLater(order, askedPayout(wanted).cents, from, why),
		inDoubt: (order, wanted, doubt, unread) =>
			referenceInDoubt(order, askedPayout(wanted).cents, doubt, unread),
		ledgerUnavailable,
	},
};

function askedPayout({ payout }: Wanted): PaidContent {
	if (payout === undefined) throw new TypeError('This is no payout');
	return payout;
}
