import fc from 'fast-check';
import {
	LedgerUnavailable,
	type ActedOrder,
	type LedgerProblem,
} from '../../../../../nodes/BrlPayments/orders/ledger';
import {
	changedOnTheWay,
	changedRows,
	chargeTexts,
	equalRows,
	ledgerUnavailable,
	mayStillBePaid,
	needsReference,
	openElsewhere,
	overLimit,
	payoutTexts,
	possibleDuplicate,
	PROOF_TIME,
	reservedForm,
	type Doubt,
	type GuardReason,
	type Named,
	type OrderTexts,
} from '../../../../../nodes/BrlPayments/orders/texts';
import { PROOF_MS } from '../../../../../nodes/BrlPayments/orders/protocol';
import type { ApiFailure, Failure } from '../../../../../nodes/shared/failures/failure';
import { validCells } from '../../../support/cells';

const NOON = Date.parse('2026-11-21T12:00:00Z');
const AT_NINE = 'after 2026-11-21 09:00 (Brasília time)';
const REF: Named = { shown: 'NF-1042', isAutomatic: false, cents: 10_050 };
const AUTO: Named = { shown: 'auto-0123456789abcdef', isAutomatic: true, cents: 10_050 };
/** n8n offers no retry of its execution. */
const CONTINUED: Named = { ...AUTO, isContinued: true };
const ORDER: Named = { ...REF, shown: 'PED-1' };

// Requests execute within two minutes or never, the list shows a payout within two more, and a claim is sent
// within half a minute.
test('nobody is told to look at the list before it proves anything', () => {
	expect([PROOF_MS, PROOF_TIME]).toEqual([4.5 * 60_000, 'five minutes']);
});

const DOUBTS: readonly Doubt[] = [
	{ say: 'inDoubt', because: 'candidates', ids: ['w1', 'w2'] },
	...(['listUnreadable', 'otherKey', 'noAnswer', 'edited'] as const).map(
		(because) => ({ say: 'inDoubt', because }) as const,
	),
];

/** What a failure must say, each part somewhere in message or description. */
type Says = readonly string[];
const textOf = ({ failure }: ApiFailure) => `${failure.message}\n${failure.description}`;
function expectSays(failed: ApiFailure, says: Says, own: Partial<Failure>): void {
	expect(failed.failure).toMatchObject({ concernsItemOnly: true, retryable: false, ...own });
	for (const part of says) expect(textOf(failed)).toContain(part);
	// A sentence that was put together from parts has no hole and no leftover.
	expect(textOf(failed)).not.toMatch(/undefined|null|NaN|\[object| {2}|\.\.|""/);
}

const PAYOUT_IN_DOUBT = { code: 'PAYOUT_IN_DOUBT', effect: 'unknown' } as const;
const CHARGE_IN_DOUBT = { code: 'CHARGE_IN_DOUBT', effect: 'unknown' } as const;

describe('an order in doubt', () => {
	const SAYS: Record<Doubt['because'], Says> = {
		candidates: ['IDs w1, w2'],
		listUnreadable: ['It has gaps.', 'Fix that'],
		otherKey: ['sent with another API key', 'column apiKey'],
		noAnswer: ['gave no clear response'],
		edited: ['Somebody has changed a row'],
	};
	const settle = (name: string): Says => [
		`Withdrawal > Settle Reference with the reference "${name}", Outcome Paid and the ID`,
		'Outcome Not Paid',
	];
	const OF_A_CHARGE: Says = [
		'find the row with the reference "PED-1" and the status sending',
		'set its status to created and its paymentId to the ID of the payment',
		'set its status to not created',
		'Then run the workflow again.',
	];
	describe.each<[string, OrderTexts, Named, Says]>([
		['a reference', payoutTexts, REF, [...settle('NF-1042'), 'run the workflow again.']],
		// A new execution would pay it as another one.
		['an automatic name', payoutTexts, AUTO, [...settle(AUTO.shown), 'Then retry this execution.']],
		['an External ID', chargeTexts, ORDER, OF_A_CHARGE],
	])('with %s', (_, texts, order, says) => {
		test.each(DOUBTS)('says what one person does, with the name to paste: $because', (doubt) => {
			const failed = texts.inDoubt(order, doubt, 'It has gaps.');
			const isCharge = texts === chargeTexts;
			expectSays(failed, [...says, ...SAYS[doubt.because], 'five minutes after the last attempt'], {
				...(isCharge ? CHARGE_IN_DOUBT : PAYOUT_IN_DOUBT),
				retryable: ['listUnreadable', 'noAnswer'].includes(doubt.because),
			});
			const { reference, withdrawalIds, paymentIds } = failed.failure;
			expect(reference).toBe(order.isAutomatic ? undefined : order.shown);
			const ids = doubt.because === 'candidates' ? ['w1', 'w2'] : undefined;
			expect([withdrawalIds, paymentIds]).toEqual(isCharge ? [undefined, ids] : [ids, undefined]);
			if (order.isAutomatic) expect(textOf(failed)).not.toContain('run the workflow again');
		});
	});

	test.each<[OrderTexts, Named, string, string]>([
		[payoutTexts, REF, 'Run the workflow again', 'the reference is recognized, and paid once'],
		[chargeTexts, ORDER, 'Run the workflow again', 'charged once'],
	])(
		'that will be known says from when on, and that it is paid once',
		(texts, order, how, once) => {
			const own = { effect: 'unknown', retryable: true } as const;
			expectSays(texts.later(order, NOON, undefined), [how, ` ${AT_NINE}`, once], own);
			expectSays(texts.later(order, undefined, 'It lacks a scope'), [how, 'It lacks a scope'], own);
			expect(texts.again(order)).toContain(once);
		},
	);

	test('with Continue On Fail comes back to the node: its execution cannot be retried', () => {
		const texts = [
			...DOUBTS.map((doubt) => payoutTexts.inDoubt(CONTINUED, doubt, 'It has gaps.')),
			payoutTexts.later(CONTINUED, NOON, undefined),
			payoutTexts.failed(CONTINUED, { id: 'w1', status: 'FAILED' }),
		].map(textOf);
		for (const text of texts) {
			expect(text).toMatch(/send this item with its field error to this node again/i);
			expect(text).not.toMatch(/retry this execution/i);
		}
		// A reference is recognized by every execution.
		expect(payoutTexts.again({ ...REF, isContinued: true })).toBe(payoutTexts.again(REF));
	});

	test('is an equal one in another run: that says when, and how items come back', () => {
		const failed = openElsewhere(AUTO, NOON);
		const says = ['R$ 100,50', `Retry this execution ${AT_NINE}`, 'drops the field error'];
		expectSays(failed, says, { ...PAYOUT_IN_DOUBT, retryable: true });
		const text = textOf(openElsewhere(CONTINUED, NOON));
		expect(text).toContain(`Look up ${AT_NINE} at the service`);
		expect(text).not.toContain('Retry this execution');
	});

	test('came back and asks for something else', () => {
		const says = ['not known whether that attempt took effect', 'Restore it', 'remove its field'];
		expectSays(changedOnTheWay(AUTO, 'payout'), says, PAYOUT_IN_DOUBT);
		const ofCharge = ['another External ID', 'another charge'];
		expectSays(changedOnTheWay(REF, 'charge'), ofCharge, CHARGE_IN_DOUBT);
	});
});

const paid = (changed: Partial<ActedOrder> = {}): ActedOrder => ({
	...{ value: 'auto-other', isAutomatic: true, content: 'content', root: 'root', paidBy: 'w1' },
	cells: validCells({
		...{ amount: 100.5, pixKey: 'm***@customer.example', sentAt: '2026-11-21T12:00:00.000Z' },
	}) as ActedOrder['cells'],
	...changed,
});
const OPEN = { paidBy: undefined };
const EMPTY = { cells: { ...paid().cells, amount: null, pixKey: null } };
const LIMIT = { message: 'It exceeds Largest Amount', remedy: 'Ask.' };
const BOLETO = { id: 'p1', paymentMethod: 'BOLETO' };
const BY_W1 = { withdrawalIds: ['w1'] };
const BY_P1 = { paymentIds: ['p1'] };
const UNKNOWN = { effect: 'unknown' } as const;

// What a person does then: test/engine/advice.
test.each<[code: string, ApiFailure, Says, Partial<Failure>?]>([
	[
		'REFERENCE_MISMATCH',
		payoutTexts.elsewhere(REF),
		['not by this n8n project', 'is paid again after'],
	],
	['REFERENCE_MISMATCH', payoutTexts.contradicting(REF, 3), ['Row 3', 'its own reference']],
	['EXTERNAL_ID_MISMATCH', chargeTexts.mismatch(ORDER, 'p1'), ['its own External ID'], BY_P1],
	['EXTERNAL_ID_MISMATCH', chargeTexts.elsewhere(ORDER), ['Payment > Get Many']],
	['EXTERNAL_ID_MISMATCH', chargeTexts.contradicting(ORDER, 3), ['Row 3', 'its own External ID']],
	['CHARGE_EXPIRED', mayStillBePaid('PED-1', BOLETO), ['"PED-1"', 'its boleto may still be paid']],
	['CHARGE_EXPIRED', mayStillBePaid('PED-1', { id: 'p1' }), ['does not show its method']],
	[
		'EQUAL_ROWS',
		equalRows(AUTO, [4, 9]),
		['Rows 4 and 9 are the same in every field of', 'a copy'],
	],
	['EQUAL_ROWS', equalRows(AUTO, [4]), ['Row 4 is the same in every field', 'before']],
	[
		'ROWS_CHANGED',
		changedRows(paid(), 'payout'),
		['R$ 100,50 to m***@customer.example was paid'],
		BY_W1,
	],
	['ROWS_CHANGED', changedRows(paid(OPEN), 'payout'), ['may have been paid by an earlier attempt']],
	['ROWS_CHANGED', changedRows(paid(EMPTY), 'payout'), ['A payout was paid']],
	['REFERENCE_NEEDED', needsReference(AUTO, false), ['This item was not sent. Fill in Reference']],
	['INVALID_INPUT', reservedForm(AUTO.shown), [`"${AUTO.shown}"`, 'Use another reference']],
	[
		'OVER_LIMIT',
		overLimit(AUTO, LIMIT, false),
		['It exceeds Largest', 'This item was not sent. Ask.'],
	],
	// That is to be checked first.
	[
		'OVER_LIMIT',
		overLimit(REF, LIMIT, true),
		['may have paid it: check that first. Ask.'],
		UNKNOWN,
	],
])('%s tells why, and what to do', (code, failed, says, own) => {
	expectSays(failed, says, { code, effect: 'none', ...own });
});

describe('what the bank refused', () => {
	const row = { id: 'w1', status: 'FAILED', errorMessage: 'No account for maria@customer.example' };

	test.each([
		[REF, 'pay it under the same reference, run the workflow again'],
		[AUTO, 'To pay it anyway, retry this execution.'],
	])('may be paid again: %j', (order, again) => {
		const failed = payoutTexts.failed(order, row);
		expectSays(failed, ['FAILED', 'w1', 'The service said: No account for', again], {
			...{ code: 'WITHDRAWAL_NOT_PAID', effect: 'none', withdrawalIds: ['w1'] },
		});
		expect(textOf(failed)).not.toContain('maria@');
		expect(textOf(payoutTexts.failed(order, { ...row, errorMessage: null }))).not.toContain('said');
	});
});

describe('a possible duplicate', () => {
	const settle = (id: string) =>
		`Was that NF-1042? Then record it: Withdrawal > Settle Reference, Paid, ${id}. If not, run only this row, with 'Options > Duplicate Guard' set to Never.`;
	const settledFirst = (name: string) => [
		"If this is another payout, run only this row, with 'Options > Duplicate Guard' set to Never.",
		`run Withdrawal > Settle Reference with the reference "${name}", Outcome Paid and the ID.`,
		'run it with the reference "auto-other" and Outcome Not Paid',
	];
	const NEW = "run only this row, with 'Options > Duplicate Guard' set to Never";
	const TODAY =
		'R$ 100,50 went to this PIX key today at 09:00 (Brasília time), without a reference';
	const MAYBE = 'may have gone to this PIX key';
	const [ONE, OTHER] = [paid(), paid({ paidBy: 'w2' })];
	const NAMED = paid({ value: 'NF-7', isAutomatic: false });

	test.each<[GuardReason, Named, readonly ActedOrder[], Says, string[] | undefined]>([
		['manual', AUTO, [ONE], [TODAY, 'do not add a reference', NEW], ['w1']],
		['always', AUTO, [NAMED], ['as "NF-7"', NEW], ['w1']],
		['manual', AUTO, [paid(OPEN)], [MAYBE, ...settledFirst('auto-other')], undefined],
		['agentTool', REF, [ONE], ['Tell the requester (ID w1).', 'once in 24 hours'], ['w1']],
		['lateReference', REF, [ONE, OTHER], [settle('w1 or w2')], ['w1', 'w2']],
		['lateReference', REF, [paid(OPEN)], settledFirst('NF-1042'), undefined],
	])('found for %s with %j is named, with how to go on', (reason, order, found, says, ids) => {
		const failed = possibleDuplicate(order, found, reason, NOON);
		expectSays(failed, says, { code: 'POSSIBLE_DUPLICATE', effect: 'none' });
		expect(failed.failure.withdrawalIds).toEqual(ids);
	});
});

// Each way in which it cannot be used: test/engine/advice/withReference.ts.
describe('a ledger that cannot be used', () => {
	test.each<[LedgerProblem, Says, boolean]>([
		['gone', ['replace', 'move'], false],
		['failed', ['database', 'retry this execution'], true],
	])('is described by what to do, and what n8n said: %s', (problem, says, retryable) => {
		const error = new LedgerUnavailable(problem, 'No disk of maria@customer.example');
		const failed = ledgerUnavailable(AUTO, error, false);

		expectSays(failed, ['Nothing was sent.', ...says, 'n8n said: No disk of'], {
			...{ code: 'LEDGER_UNAVAILABLE', effect: 'none', retryable },
		});
		expect(textOf(failed)).not.toContain('maria@');
	});

	test('after an attempt that may have taken effect does not say that nothing was sent', () => {
		const failed = ledgerUnavailable(REF, new Error('No disk'), true);
		expectSays(failed, ['Nothing more was sent. An earlier attempt may have taken effect.'], {
			...{ code: 'LEDGER_UNAVAILABLE', effect: 'unknown', retryable: true },
		});
	});
});

// A person pastes it: a name or an ID with stars in it would find nothing.
test('automatic names and the IDs of withdrawals are shown whole, whatever digits they have', () => {
	const names = fc
		.tuple(fc.constantFrom('52998224725', '11222333000181'), fc.stringMatching(/^[\w-]{5}$/))
		.map(([document, rest]) => `${document}${rest}`.slice(0, 16));
	fc.assert(
		fc.property(names, fc.uuid(), (name, id) => {
			const shown = `auto-${name}`;
			const doubt: Doubt = { say: 'inDoubt', because: 'candidates', ids: [id] };
			const text = textOf(payoutTexts.inDoubt({ ...AUTO, shown }, doubt, undefined));
			expect(text).toContain(`"${shown}"`);
			expect(text).toContain(`'Not These': ${id}`);
		}),
	);
});
