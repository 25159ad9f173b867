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

const CANDIDATES: Doubt = { reason: 'candidates', ids: ['w1', 'w2'] };
const UNREADABLE: Doubt = { reason: 'listUnreadable' };
const OTHER_KEY: Doubt = { reason: 'otherKey', apiKeys: ['brlpay_live_examplekid'] };

// What a person does who follows these texts: test/engine/advice.
test.each<[string, () => ApiFailure, Partial<Failure>]>([
	[
		'may have been paid as one of two',
		() => referenceInDoubt(NAMED, CENTS, CANDIDATES),
		{ reference: 'NF-1042', withdrawalIds: ['w1', 'w2'] },
	],
	['cannot be looked up', () => referenceInDoubt(NAMED, CENTS, UNREADABLE), { retryable: true }],
	['was sent with another key', () => referenceInDoubt(NAMED, CENTS, OTHER_KEY), {}],
	[
		'has no reference',
		() => inDoubt(order(), CENTS, 'Why.', { ids: ['w3'] }),
		{ idempotencyKey: 'key-1', withdrawalIds: ['w3'] },
	],
	["got another one's withdrawal", () => belongsToOther(order(), CENTS, 'w1'), {}],
	['is known later', () => knownLater(NAMED, CENTS, NOW), { retryable: true }],
	[
		'waits for another execution',
		() => stillUnclear(order(), CENTS, NOW, NOW + 1),
		{ retryable: true },
	],
	['has a row that cannot be read', () => unreadableRow('NF-1042', 7, 'payout'), {}],
])('a payout that %s is never said to have had no effect', (_, fail, more) => {
	expect(fail().failure).toMatchObject({
		code: 'PAYOUT_IN_DOUBT',
		effect: 'unknown',
		retryable: false,
		concernsItemOnly: true,
		...more,
	});
});

test.each<[string, () => ApiFailure, string[] | undefined]>([
	['was paid with other content', () => referenceMismatch(NAMED, 'w1'), ['w1']],
	['is in the list twice', () => sharedReference(NAMED, 3), undefined],
	['was used by another tool', () => usedElsewhere(NAMED), undefined],
])('a reference that %s: this item had no effect', (_, fail, withdrawalIds) => {
	const { failure } = fail();
	expect(failure).toMatchObject({
		code: 'REFERENCE_MISMATCH',
		effect: 'none',
		retryable: false,
		reference: 'NF-1042',
	});
	expect(failure.withdrawalIds).toEqual(withdrawalIds);
});

test('a doubt names the withdrawals, or the API key, that a person has to look at', () => {
	const describe = (doubt: Doubt) => referenceInDoubt(NAMED, CENTS, doubt).failure.description;

	expect(describe(CANDIDATES)).toContain('IDs w1, w2');
	expect(describe(OTHER_KEY)).toContain('brlpay_live_examplekid');
	// It is found by its reference.
	expect(referenceInDoubt(NAMED, CENTS, CANDIDATES).failure.idempotencyKey).toBeUndefined();
});

test('an answer that names the withdrawal of another payout does not deny that this one was sent', () => {
	expect(inDoubt(order(), CENTS, 'Why.').failure.message).toContain('so nothing was sent');
	expect(belongsToOther(order(), CENTS, 'w1').failure.message).not.toContain('not sent');
});

test.each([CANDIDATES, UNREADABLE, OTHER_KEY])(
	'a corrected row is not said to look like what an earlier attempt may have paid: $reason',
	(doubt) => {
		const { message, description } = referenceInDoubt(NAMED, CENTS, doubt).failure;

		expect(message).toContain('paid this item of R$ 100,50');
		expect(description).not.toContain('the same amount');
	},
);

test.each([
	[NOW, /after 2026-11-21 09:00 \(Brasília time\)/],
	[undefined, /^Run the workflow again:/],
])('what is known later says when, or that nothing has to be waited for: %s', (at, says) => {
	expect(knownLater(NAMED, CENTS, at).failure.description).toMatch(says);
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

test('a ledger that cannot be used is described by what to do, and what n8n said', () => {
	const { failure } = ledgerUnavailable(NAMED, new LedgerUnavailable('failed', 'No disk'), false);

	expect(failure).toMatchObject({
		code: 'REFERENCES_UNAVAILABLE',
		effect: 'none',
		retryable: true,
	});
	expect(failure.description).toMatch(/^Nothing was sent\. \S.*n8n said: No disk\.$/);
});

test('a table that only has its name is not called the ledger', () => {
	const error = new LedgerUnavailable('columns', 'Column reference is missing');
	const { description } = ledgerUnavailable(NAMED, error, false).failure;

	expect(description).toMatch(/There is a table named BRL Payouts.*table of your own: rename it/);
});
