/** What the service refuses for good, or for now: a person fixes it, then continues as the error says. */
import type { IDataObject } from 'n8n-workflow';
import { ERROR_CATALOGUE, type ErrorCode } from '../../../nodes/shared/retry/errors';
import { payEach, TWO } from '../support/payouts';
import { BOTH, INVOICES, type PayoutBench, payReferenced } from '../support/references';
import { CNPJ, CPF, PHONE } from '../support/values';
import { buildWorkflow, type Parameters } from '../support/workflow';
import { runInto, scene, type Situation } from './situation';

type Row = IDataObject;

interface Refusal {
	readonly code: string;
	/** The remedy that is followed, word for word. */
	readonly says: string;
	/** What the person changes in the row; absent where the cause is removed outside n8n. */
	readonly correct?: (row: Row) => Row;
}

const toOtherKey = (row: Row): Row => ({ ...row, pixKey: PHONE });
const toLargerAmount = (row: Row): Row => ({ ...row, amount: 50 });

const LOOK_AGAIN = 'Ask the recipient for the key again.';
export const REFUSALS: readonly Refusal[] = [
	{ code: 'API_KEY_REQUIRED', says: 'it must forward the Authorization header.' },
	{ code: 'INVALID_API_KEY', says: 'Create a new key in the dashboard' },
	{ code: 'FORBIDDEN', says: 'Give the key the scope withdrawals:write in the dashboard' },
	{ code: 'IP_NOT_ALLOWED', says: 'Add the public IP address of this n8n to the allowlist' },
	{ code: 'VALIDATION_ERROR', says: 'Correct the fields named here.', correct: toOtherKey },
	{ code: 'IDEMPOTENCY_KEY_REQUIRED', says: 'Make the proxy forward it.' },
	{ code: 'NOT_FOUND', says: 'Check the Base URL in the credential' },
	{
		code: 'WITHDRAWAL_BELOW_MINIMUM',
		says: 'Withdrawal > Get Limits shows the minimum (minAmount).',
		correct: toLargerAmount,
	},
	{ code: 'INSUFFICIENT_BALANCE', says: 'Add funds.' },
	{ code: 'WITHDRAWAL_LIMIT_EXCEEDED', says: 'wait for the next window.' },
	{
		code: 'WITHDRAWAL_BELOW_PROVIDER_MINIMUM',
		says: 'Pay a larger amount',
		correct: toLargerAmount,
	},
	{ code: 'WITHDRAWALS_BLOCKED', says: 'Ask the support team of the service to enable them.' },
	{ code: 'INVALID_PIX_KEY', says: LOOK_AGAIN, correct: toOtherKey },
	{
		code: 'INVALID_RECIPIENT_DOCUMENT',
		says: 'Correct it, or leave it empty.',
		correct: toOtherKey,
	},
	{
		code: 'RECIPIENT_DOCUMENT_MISMATCH',
		says: 'Leave Recipient Document empty when the PIX key is itself a CPF or CNPJ.',
		correct: toOtherKey,
	},
	{
		code: 'WITHDRAWAL_RECIPIENT_DOCUMENT_MISMATCH',
		says: 'Ask the recipient for the key and the document again; do not guess.',
		correct: toOtherKey,
	},
	{
		code: 'WITHDRAWAL_PIX_KEY_BLOCKED',
		says: 'Ask the recipient for another key.',
		correct: (row) => ({ ...row, pixKey: CNPJ }),
	},
	{ code: 'BLOCKLIST_DENIED', says: 'Ask the support team of the service for the reason.' },
	{
		code: 'CREDITOR_DOCUMENT_UNAVAILABLE',
		says: 'complete the registration of the account in the dashboard.',
	},
	{ code: 'CREDITOR_DOCUMENT_SOURCE_NOT_SUPPORTED', says: 'Remove it from the request.' },
	{ code: 'CREDITOR_DOCUMENT_UNREADABLE', says: 'or ask support.' },
	{ code: 'VERIFICATION_REQUIRED', says: 'Complete the verification in the dashboard.' },
	{
		code: 'SANDBOX_COMPANY_PRODUCTION_BLOCKED',
		says: 'ask the service to open production for the account.',
	},
	{
		code: 'RATE_LIMIT_EXCEEDED',
		says: 'The service accepted no request of this run for five minutes.',
	},
	{ code: 'WITHDRAWAL_PROVIDER_UNAVAILABLE', says: 'Wait until a provider is available again.' },
	{ code: 'WITHDRAWAL_TEMPORARILY_UNAVAILABLE', says: 'Wait a few minutes.' },
	{ code: 'WITHDRAWAL_PROCESSING_FAILED', says: 'Wait a few minutes.' },
];

/** The service refuses row 2 as it is, until the cause is removed. */
const refuse = ({ sandbox }: PayoutBench, { code, correct }: Refusal): (() => void) =>
	sandbox.faults.add({
		...{ method: 'POST', kind: 'error', code, times: Infinity },
		when: ({ rawBody }) =>
			rawBody.includes('20.02') &&
			(correct === undefined || rawBody.includes('maria@recipient.example')),
	});

const RETRY =
	'To continue, choose Retry in the list Executions, within 24 hours: nothing that took effect is repeated.';
const START_AGAIN =
	'To correct a row, remove the rows that were paid (row 1) from the list, correct the rest, and start the workflow again.';
const RUN_AGAIN = 'run the workflow again: each reference is paid once.';

const centsOf = (...rows: Row[]): number[] =>
	rows.map(({ amount }) => Math.round(Number(amount) * 100)).sort((one, other) => one - other);

interface Told extends Pick<Situation, 'when' | 'saysNot' | 'line' | 'check'> {
	/** What follows the remedy. */
	readonly says: readonly string[];
	readonly rows: Row[];
	/** What is started in the end; the execution is retried where it is left out. */
	readonly again?: Row[];
	readonly paid: Row[];
	readonly parameters?: Parameters;
}

/** Row 2 is refused, until it is corrected, or the cause is removed. */
function refused(refusal: Refusal, told: Told): Situation {
	const { rows, again, parameters = payEach({ maxConcurrency: 1 }), ...rest } = told;
	return {
		...rest,
		code: refusal.code,
		says: [refusal.says, ...told.says],
		paid: centsOf(...told.paid),
		async bringAbout(bench) {
			const end = refuse(bench, refusal);
			const failed = await bench.run(parameters, rows);
			return scene(failed, async () => {
				if (!refusal.correct) end();
				return again ? await bench.start(failed.workflow, again) : await bench.retry(failed);
			});
		},
	};
}

const [FIRST = {}, SECOND = {}] = TWO;

export const WITHOUT_REFERENCE: Situation[] = REFUSALS.map((refusal) => {
	const { correct } = refusal;
	return refused(refusal, {
		when: correct ? 'the row is corrected, and sent alone' : 'the cause is removed, then Retry',
		says: [correct ? START_AGAIN : RETRY],
		// The way on is said once, for all rows.
		saysNot: ['run a new execution with only this item', 'Retry this execution later'],
		rows: TWO,
		...(correct
			? { again: [correct(SECOND)], paid: [FIRST, correct(SECOND)] }
			: { paid: [FIRST, SECOND] }),
	});
});

/** What a single payout is told; how to send it again is said by those that end outside n8n. */
const OR_A_NEW_ONE = 'Then retry this execution, or run a new one with only this item.';

/** A single payout has no row to keep: the error itself says how to send it again. */
export const SINGLE: Situation[] = REFUSALS.flatMap((refusal) => {
	const { code, correct = (row: Row) => row } = refusal;
	const { again: said } = ERROR_CATALOGUE[code as ErrorCode];
	const ways = refusal.correct ? ['new'] : said === OR_A_NEW_ONE ? ['retry', 'new'] : ['retry'];
	const what = refusal.correct ? 'corrected' : 'and the cause is removed';
	const last = [correct(SECOND)];
	return ways.map((way) =>
		refused(refusal, {
			when: `a single row, ${what}: ${way === 'new' ? 'a new execution' : 'a retry of it'}`,
			says: said === undefined ? [] : [said],
			rows: [SECOND],
			paid: last,
			...(way === 'new' && { again: last }),
		}),
	);
});

const START_OVER =
	'Retry repeats the saved rows: to correct a row, correct it in your list and start the workflow again instead; this is safe.';

/** The first row is refused, so that none is paid: Retry would go in circles. */
export const FIRST_ROW: Situation[] = REFUSALS.flatMap((refusal) => {
	const { correct } = refusal;
	if (correct === undefined) return [];
	const again = [correct(SECOND), FIRST];
	return refused(refusal, {
		when: 'the first row, so that nothing is paid: it is corrected, and the list started again',
		says: [START_OVER],
		rows: [SECOND, FIRST],
		again,
		paid: again,
	});
});

/** The remedy that needs nobody else: the document that the service cannot fill in itself. */
export const DOCUMENT_MISSING: Situation[] = (
	[
		['CREDITOR_DOCUMENT_UNAVAILABLE', 'Fill in Recipient Document, or complete'],
		['CREDITOR_DOCUMENT_UNREADABLE', 'Fill in Recipient Document, or ask support.'],
	] as const
).map(([code, says]) => ({
	code,
	when: 'Recipient Document is filled in',
	says: [says, START_AGAIN],
	paid: [2002, 3000],
	async bringAbout(bench) {
		bench.sandbox.faults.add({
			...{ method: 'POST', kind: 'error', code, times: Infinity },
			when: ({ rawBody }) => !rawBody.includes('recipientDocument'),
		});
		const parameters = payEach(
			{ maxConcurrency: 1 },
			{ recipientDocument: '={{ $json.document }}' },
		);
		const list = [{ ...SECOND, amount: 30, document: CPF }, SECOND];
		const last = [{ ...SECOND, document: CPF }];
		return await runInto(bench, buildWorkflow({ parameters }), list, undefined, last);
	},
}));

export const WITH_REFERENCE: Situation[] = REFUSALS.map((refusal) => {
	const { code, correct = (row: Row) => row } = refusal;
	const [first = {}, second = {}] = INVOICES;
	const list = [first, correct(second)];
	return refused(refusal, {
		line: code === 'WITHDRAWAL_PROVIDER_UNAVAILABLE' ? 'R13' : 'R4',
		when: refusal.correct
			? 'the row is corrected, and the list run again'
			: 'the list is run again',
		says: [RUN_AGAIN],
		saysNot: ['a new execution with only this item', 'Retry'],
		parameters: payReferenced({ maxConcurrency: 1 }),
		rows: INVOICES,
		again: list,
		paid: list,
		check: (bench) => expect(bench.living).toEqual(BOTH),
	});
});
