import { LedgerUnavailable } from '../../../../../nodes/BrlPayments/ledger/ledger';
import type { Doubt } from '../../../../../nodes/BrlPayments/ledger/protocol';
import {
	belongsToOther,
	inDoubt,
	knownLater,
	notPaid,
	referenceInDoubt,
	referenceMismatch,
	sharedReference,
	stillUnclear,
	usedElsewhere,
} from '../../../../../nodes/BrlPayments/payouts/texts';
import { ledgerUnavailable, unreadableRow } from '../../../../../nodes/BrlPayments/ledger/texts';
import type { ApiFailure, Failure } from '../../../../../nodes/shared/failures/failure';
import type { Order } from '../../../../../nodes/shared/orders/order';
import { parseReference } from '../../../../../nodes/shared/orders/reference';

const NOW = Date.parse('2026-11-21T12:00:00Z');
const CENTS = 10_050;
const order = (reference?: string) =>
	({ key: 'key-1', reference: parseReference(reference) }) as Partial<Order> as Order;
const NAMED = order('NF-1042');

const DOUBTS: Doubt[] = [
	{ reason: 'candidates', ids: ['w1', 'w2'] },
	{ reason: 'listUnreadable' },
	{ reason: 'otherKey', apiKeys: ['brlpay_live_examplekid'] },
];

describe.each<[string, ApiFailure, Partial<Failure>]>([
	['a reference in doubt: candidates', referenceInDoubt(NAMED, CENTS, DOUBTS[0]!), {}],
	[
		'a reference in doubt: the list',
		referenceInDoubt(NAMED, CENTS, DOUBTS[1]!),
		{ retryable: true },
	],
	['a reference in doubt: another key', referenceInDoubt(NAMED, CENTS, DOUBTS[2]!), {}],
	['a payout in doubt', inDoubt(order(), CENTS, 'Why.'), {}],
	["another item's withdrawal", belongsToOther(order(), CENTS, 'w1'), {}],
	['what is known later', knownLater(NAMED, CENTS, NOW), { retryable: true }],
	["another execution's payout", stillUnclear(order(), CENTS, NOW, NOW + 1), { retryable: true }],
	['a row that cannot be read', unreadableRow('NF-1042', 7, 'payout'), {}],
])('%s', (_, { failure }, { retryable = false }) => {
	test('is never said to have had no effect', () => {
		expect(failure).toMatchObject({
			code: 'PAYOUT_IN_DOUBT',
			effect: 'unknown',
			retryable,
			concernsItemOnly: true,
		});
	});
});

test('a doubt names the withdrawals, or the API key, that a person has to look at', () => {
	const [candidates, , otherKey] = DOUBTS.map((doubt) => referenceInDoubt(NAMED, CENTS, doubt));

	expect(candidates!.failure.withdrawalIds).toEqual(['w1', 'w2']);
	expect(candidates!.failure.description).toContain('IDs w1, w2');
	expect(otherKey!.failure.description).toContain('brlpay_live_examplekid');
	expect(inDoubt(order(), CENTS, 'Why.', { ids: ['w3'] }).failure.withdrawalIds).toEqual(['w3']);
});

test('an answer that names the withdrawal of another payout does not deny that this one was sent', () => {
	expect(inDoubt(order(), CENTS, 'Why.').failure.message).toContain('so nothing was sent');
	expect(belongsToOther(order(), CENTS, 'w1').failure.message).not.toContain('not sent');
});

test('a corrected row is not said to look like what an earlier attempt of it may have paid', () => {
	for (const doubt of DOUBTS) {
		const { message, description } = referenceInDoubt(NAMED, CENTS, doubt).failure;

		expect(message).toContain('paid this item of R$ 100,50');
		expect(description).not.toContain('the same amount');
	}
});

test('a payout in doubt without a reference keeps its key, one with a reference is found by that', () => {
	expect(inDoubt(order(), CENTS, 'Why.').failure).toMatchObject({ idempotencyKey: 'key-1' });
	const { failure } = referenceInDoubt(NAMED, CENTS, DOUBTS[0]!);
	expect(failure.reference).toBe('NF-1042');
	expect(failure.idempotencyKey).toBeUndefined();
});

test('what is known later says when, or that nothing has to be waited for', () => {
	expect(knownLater(NAMED, CENTS, NOW).failure.description).toContain(
		'after 2026-11-21 09:00 (Brasília time)',
	);
	expect(knownLater(NAMED, CENTS, undefined).failure.description).toMatch(
		/^Run the workflow again:/,
	);
});

test.each([
	['was paid with other content', referenceMismatch(NAMED, 'w1'), ['w1']],
	['is in the list twice', sharedReference(NAMED, 3), undefined],
	['was used by another tool', usedElsewhere(NAMED), undefined],
])('a reference that %s: this item had no effect', (_, { failure }, ids) => {
	expect(failure).toMatchObject({
		code: 'REFERENCE_MISMATCH',
		effect: 'none',
		retryable: false,
		reference: 'NF-1042',
	});
	expect(failure.withdrawalIds).toEqual(ids);
});

test('what the bank refused may be paid again under its reference, and only as a new one without', () => {
	const row = { id: 'w1', status: 'FAILED', errorMessage: 'No account for maria@customer.example' };
	const { failure } = notPaid(NAMED, row);

	expect(failure).toMatchObject({ effect: 'none', withdrawalIds: ['w1'] });
	expect(failure.description).not.toContain('maria@customer.example');
	expect(failure.description).toContain('pay it under the same reference');
	expect(notPaid(order(), row).failure.description).toContain(
		'a new execution with only this item',
	);
});

describe('a ledger that cannot be used', () => {
	test('is described by what to do, and what n8n said', () => {
		const error = new LedgerUnavailable('failed', 'n8n says so');
		const { failure } = ledgerUnavailable(NAMED, error, false);

		expect(failure).toMatchObject({
			code: 'REFERENCES_UNAVAILABLE',
			effect: 'none',
			retryable: true,
		});
		expect(failure.description).toMatch(/^Nothing was sent\. \S.*n8n said: n8n says so\.$/);
	});

	test('a table that only has its name is not called the ledger', () => {
		const error = new LedgerUnavailable('columns', 'Column reference is missing');
		const { description } = ledgerUnavailable(NAMED, error, false).failure;

		expect(description).toMatch(/There is a table named BRL Payouts.*table of your own: rename it/);
	});
});
