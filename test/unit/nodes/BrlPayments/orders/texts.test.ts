import fc from 'fast-check';
import {
	LedgerUnavailable,
	type KnownOrder,
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
	reservedForm,
	type Doubt,
	type GuardReason,
	type Named,
	type OrderTexts,
} from '../../../../../nodes/BrlPayments/orders/texts';
import type { ApiFailure, Failure } from '../../../../../nodes/shared/failures/failure';

const NOON = Date.parse('2026-11-21T12:00:00Z');
const AT_NINE = 'after 2026-11-21 09:00 (Brasília time)';
const REF: Named = { shown: 'NF-1042', isAutomatic: false, cents: 10_050 };
const AUTO: Named = { shown: 'auto-0123456789abcdef', isAutomatic: true, cents: 10_050 };
/** n8n offers no retry of its execution. */
const CONTINUED: Named = { ...AUTO, isContinued: true };
const ORDER: Named = { ...REF, shown: 'PED-1' };

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

describe('a payout in doubt', () => {
	const SETTLE = (name: string) => [
		`Withdrawal > Settle Reference with the reference "${name}", Outcome Paid and the ID`,
		'Outcome Not Paid',
		'at least five minutes after the last attempt',
	];
	const SAYS: Record<Doubt['because'], Says> = {
		candidates: ['IDs w1, w2', "these IDs in 'Not These': w1, w2", 'Look it up at the service'],
		listUnreadable: ['It has gaps.', 'Fix that'],
		otherKey: ['sent with another API key', 'column apiKey of the table BRL Payouts'],
		noAnswer: ['gave no clear response', 'If it stays like this'],
		edited: ['Somebody has changed a row', 'Look the payout up at the service'],
	};

	test.each(DOUBTS)('says what one person does, with the name to paste: $because', (doubt) => {
		const own = {
			code: 'PAYOUT_IN_DOUBT',
			effect: 'unknown',
			retryable: ['listUnreadable', 'noAnswer'].includes(doubt.because),
			...(doubt.because === 'candidates' && { withdrawalIds: ['w1', 'w2'] }),
		} as const;
		for (const order of [REF, AUTO]) {
			const failed = payoutTexts.inDoubt(order, doubt, 'It has gaps.');
			expectSays(failed, [...SETTLE(order.shown), ...SAYS[doubt.because]], own);
		}
		const [withReference, without] = [REF, AUTO].map((order) =>
			payoutTexts.inDoubt(order, doubt, 'It has gaps.'),
		) as [ApiFailure, ApiFailure];
		expect(withReference.failure.reference).toBe('NF-1042');
		expect(textOf(withReference)).toContain('run the workflow again.');
		// A new execution would pay it as another one.
		expect(without.failure.reference).toBeUndefined();
		expect(textOf(without)).toContain('Then retry this execution.');
		expect(textOf(without)).not.toContain('run the workflow again');
	});

	test.each([
		[REF, 'Run the workflow again', 'the reference is recognized, and paid once'],
		[
			AUTO,
			'Retry this execution in the list Executions',
			'A new execution would pay it as a new one',
		],
	])('that will be known says from when on, and that it is paid once: %j', (order, how, once) => {
		const own = { code: 'PAYOUT_IN_DOUBT', effect: 'unknown', retryable: true } as const;

		expectSays(payoutTexts.later(order, NOON, undefined), [`${how} ${AT_NINE}`, once], own);
		expectSays(
			payoutTexts.later(order, undefined, 'It lacks a scope'),
			[`${how}: `, 'It lacks a scope'],
			own,
		);
		expect(payoutTexts.again(order)).toContain(once);
	});

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
		expect(texts.join()).toContain(`again ${AT_NINE}, for example by connecting the error output`);
		// A reference is recognized by every execution.
		expect(payoutTexts.again({ ...REF, isContinued: true })).toBe(payoutTexts.again(REF));
	});

	test('of an equal order in another run says when, and how items come back', () => {
		expectSays(
			openElsewhere(AUTO, NOON),
			['R$ 100,50', `Retry this execution ${AT_NINE}`, 'drops the field error'],
			{
				code: 'PAYOUT_IN_DOUBT',
				effect: 'unknown',
				retryable: true,
			},
		);
	});

	test('of an equal order in another run, with Continue On Fail, does not speak of a retry', () => {
		const text = textOf(openElsewhere(CONTINUED, NOON));
		expect(text).toContain(`Look up ${AT_NINE} at the service`);
		expect(text).not.toContain('Retry this execution');
	});

	test('that came back and asks for something else', () => {
		expectSays(
			changedOnTheWay(AUTO, 'payout'),
			['not known whether that attempt took effect', 'Restore it', 'remove its field error'],
			{
				code: 'PAYOUT_IN_DOUBT',
				effect: 'unknown',
			},
		);
		expectSays(changedOnTheWay(REF, 'charge'), ['another External ID', 'another charge'], {
			code: 'CHARGE_IN_DOUBT',
			effect: 'unknown',
		});
	});
});

const paid = (changed: Partial<KnownOrder> = {}): KnownOrder => ({
	...{ value: 'auto-other', isAutomatic: true, content: 'content', root: 'root', paidBy: 'w1' },
	cells: {
		amount: 100.5,
		pixKey: 'm***@customer.example',
		sentAt: '2026-11-21T12:00:00.000Z',
	} as KnownOrder['cells'],
	...changed,
});
const OPEN = { paidBy: undefined };

describe('an item that had no effect is told why, and what to do', () => {
	test.each<[string, ApiFailure, Says, string, Partial<Failure>?]>([
		[
			'paid with other content',
			payoutTexts.mismatch(REF, 'w1'),
			['"NF-1042"', 'w1', 'its own reference'],
			'REFERENCE_MISMATCH',
			{ withdrawalIds: ['w1'], reference: 'NF-1042' },
		],
		[
			'used by another tool',
			payoutTexts.elsewhere(REF),
			['not by this n8n project', 'Withdrawal > Get Many'],
			'REFERENCE_MISMATCH',
		],
		[
			'in the list twice',
			payoutTexts.contradicting(REF, 3),
			['Row 3', 'its own reference'],
			'REFERENCE_MISMATCH',
		],
		[
			'equal rows',
			equalRows(AUTO, [4, 9]),
			['Rows 4 and 9 are the same in every field', 'give each a Reference', 'a copy, remove it'],
			'EQUAL_ROWS',
		],
		[
			'equal to one of before',
			equalRows(AUTO, [4]),
			['Row 4 is the same in every field', 'before', 'give each a Reference'],
			'EQUAL_ROWS',
		],
		[
			'a paid row is gone',
			changedRows(paid(), 'payout'),
			[
				'R$ 100,50 to m***@customer.example was paid',
				'(w1)',
				'has not come up again',
				'Put the row back',
				'retry',
				'new execution with only what is still owed',
			],
			'ROWS_CHANGED',
			{ withdrawalIds: ['w1'] },
		],
		[
			'an open row is gone',
			changedRows(paid(OPEN), 'payout'),
			['may have been paid by an earlier attempt and has not'],
			'ROWS_CHANGED',
		],
		[
			'a row whose cells are empty is gone',
			changedRows(paid({ cells: { ...paid().cells, amount: null, pixKey: null } }), 'payout'),
			['A payout was paid'],
			'ROWS_CHANGED',
		],
		[
			'nothing recognizes it',
			needsReference(AUTO, false),
			['could be paid twice', 'This item was not sent. Fill in Reference'],
			'REFERENCE_NEEDED',
		],
		[
			'nothing recognizes it, in a retry',
			needsReference(AUTO, true),
			['could be paid twice', 'An earlier attempt may have paid it', 'and fill in Reference'],
			'REFERENCE_NEEDED',
			{ effect: 'unknown' },
		],
		[
			'a reserved form',
			reservedForm(AUTO.shown),
			[`"${AUTO.shown}"`, 'Use another reference'],
			'INVALID_INPUT',
		],
		[
			'over a limit',
			overLimit(AUTO, { message: 'It exceeds Largest Amount', remedy: 'Ask.' }, false),
			['It exceeds Largest Amount', 'This item was not sent. Ask.'],
			'OVER_LIMIT',
		],
		[
			'an expired boleto',
			mayStillBePaid('PED-1', { id: 'p1', paymentMethod: 'BOLETO' }),
			['"PED-1"', 'its boleto may still be paid', 'p1', 'use another External ID'],
			'CHARGE_EXPIRED',
			{ reference: 'PED-1' },
		],
		[
			'an expired charge of unknown method',
			mayStillBePaid('PED-1', { id: 'p1' }),
			['does not show its method'],
			'CHARGE_EXPIRED',
		],
		[
			'a charge with other content',
			chargeTexts.mismatch(ORDER, 'p1'),
			['"PED-1"', 'p1', 'its own External ID'],
			'EXTERNAL_ID_MISMATCH',
			{ paymentIds: ['p1'], reference: 'PED-1' },
		],
		[
			'a charge of another tool',
			chargeTexts.elsewhere(ORDER),
			['not by this n8n project', 'Payment > Get Many'],
			'EXTERNAL_ID_MISMATCH',
		],
		[
			'a charge in the list twice',
			chargeTexts.contradicting(ORDER, 3),
			['Row 3', 'its own External ID'],
			'EXTERNAL_ID_MISMATCH',
		],
		[
			'a charge that nobody can pay',
			chargeTexts.failed(ORDER, { id: 'p1', status: 'CANCELLED' }),
			['CANCELLED', 'p1', 'use another External ID'],
			'EXISTING_PAYMENT',
			{ paymentIds: ['p1'] },
		],
	])('%s', (_, failed, says, code, own) => {
		expectSays(failed, says, { code, effect: 'none', ...own });
	});

	test('over a limit, and maybe paid before: that is to be checked first', () => {
		const limit = { message: 'It exceeds Largest Amount', remedy: 'Ask.' };
		expectSays(
			overLimit(REF, limit, true),
			['An earlier attempt may have paid it: check that first. Ask.'],
			{
				code: 'OVER_LIMIT',
				effect: 'unknown',
			},
		);
	});
});

describe('what the bank refused', () => {
	const row = { id: 'w1', status: 'FAILED', errorMessage: 'No account for maria@customer.example' };

	test.each([
		[REF, 'pay it under the same reference, run the workflow again'],
		[AUTO, 'To pay it anyway, retry this execution.'],
	])('may be paid again: %j', (order, again) => {
		expectSays(
			payoutTexts.failed(order, row),
			['FAILED', 'w1', 'The service said: No account for', again],
			{
				code: 'WITHDRAWAL_NOT_PAID',
				effect: 'none',
				withdrawalIds: ['w1'],
			},
		);
		expect(textOf(payoutTexts.failed(order, row))).not.toContain('maria@');
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

	test.each<[GuardReason, Named, readonly KnownOrder[], Says, string[] | undefined]>([
		[
			'manual',
			AUTO,
			[paid()],
			[
				'R$ 100,50 went to this PIX key today at 09:00',
				'without a reference',
				'do not add a reference',
				NEW,
			],
			['w1'],
		],
		['always', AUTO, [paid(), paid({ paidBy: 'w2' })], [NEW], ['w1', 'w2']],
		['always', AUTO, [paid(), paid({ value: 'NF-7', isAutomatic: false })], [NEW], ['w1']],
		['always', AUTO, [paid({ value: 'NF-7', isAutomatic: false })], ['as "NF-7"', NEW], ['w1']],
		[
			'manual',
			AUTO,
			[paid(OPEN)],
			['may have gone to this PIX key', ...settledFirst('auto-other')],
			undefined,
		],
		['agentTool', REF, [paid()], ['Tell the requester (ID w1).', 'once in 24 hours'], ['w1']],
		['lateReference', REF, [paid()], ['without a reference', settle('w1')], ['w1']],
		['lateReference', REF, [paid(), paid({ paidBy: 'w2' })], [settle('w1 or w2')], ['w1', 'w2']],
		['lateReference', REF, [paid(OPEN)], settledFirst('NF-1042'), undefined],
	])(
		'found with the reason %s for %j names it, and says how to go on',
		(reason, order, found, says, withdrawalIds) => {
			const failed = possibleDuplicate(order, found, reason, NOON);

			expectSays(failed, says, { code: 'POSSIBLE_DUPLICATE', effect: 'none' });
			expect(failed.failure.withdrawalIds).toEqual(withdrawalIds);
		},
	);
});

describe('a charge in doubt', () => {
	const BY_HAND: Says = [
		'find the row with the reference "PED-1" and the status sending',
		'set its status to created and its paymentId to the ID of the payment',
		'set its status to not created, at least five minutes after the last attempt',
		'Then run the workflow again.',
	];
	const SAYS: Record<Doubt['because'], Says> = {
		candidates: ['IDs w1, w2'],
		listUnreadable: ['It has gaps. Fix that'],
		otherKey: ['sent with another API key', 'column apiKey'],
		noAnswer: ['gave no clear response'],
		edited: ['Somebody has changed a row of the External ID "PED-1"'],
	};

	test.each(DOUBTS)('says what to enter in the table: $because', (doubt) => {
		expectSays(
			chargeTexts.inDoubt(ORDER, doubt, 'It has gaps.'),
			[...BY_HAND, ...SAYS[doubt.because]],
			{
				...{ code: 'CHARGE_IN_DOUBT', effect: 'unknown', reference: 'PED-1' },
				retryable: ['listUnreadable', 'noAnswer'].includes(doubt.because),
				...(doubt.because === 'candidates' && { paymentIds: ['w1', 'w2'] }),
			},
		);
	});

	test('that will be known says from when on', () => {
		expectSays(
			chargeTexts.later(ORDER, NOON, undefined),
			[`Run the workflow again ${AT_NINE}: `, 'charged once'],
			{
				code: 'CHARGE_IN_DOUBT',
				effect: 'unknown',
				retryable: true,
			},
		);
	});
});

describe('a ledger that cannot be used', () => {
	test.each<[LedgerProblem, Says, boolean]>([
		['noDataTables', ['2.3'], false],
		['gone', ['replace', 'move'], false],
		['renamed', ['BRL Payouts'], false],
		['columns', ['restore the column', 'table of your own, rename it'], false],
		['full', ['Delete rows', 'N8N_DATA_TABLES_MAX_SIZE_BYTES'], false],
		['failed', ['database', 'run the workflow again'], true],
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
			...{ code: 'LEDGER_UNAVAILABLE', effect: 'unknown', reference: 'NF-1042' },
			retryable: true,
		});
	});
});

// A person pastes it: a name or an ID with stars in it would find nothing.
test('automatic names and the IDs of withdrawals are shown whole, whatever digits they have', () => {
	const digits = fc.stringMatching(/^[\w-]{16}$/);
	const documents = fc.constantFrom('52998224725', '11222333000181', '11144477735');
	const names = fc.oneof(
		digits,
		fc
			.tuple(documents, fc.stringMatching(/^[\w-]{5}$/))
			.map(([one, rest]) => `${one}${rest}`.slice(0, 16)),
		fc
			.tuple(fc.stringMatching(/^[\w-]{2}$/), documents)
			.map((parts) => parts.join('').padEnd(16, '-').slice(0, 16)),
	);
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

test.each<[string, OrderTexts]>([
	['payouts', payoutTexts],
	['charges', chargeTexts],
])('each hint about %s is a sentence', (_, { notShown, notWritten, shared }) => {
	for (const hint of [notShown, notWritten, shared]) expect(hint).toMatch(/^[A-Z].*\.$/);
});
