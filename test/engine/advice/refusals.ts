/** What the service refuses for good, or for now: a person fixes it, then continues as the error says. */
import type { IDataObject } from 'n8n-workflow';
import { ERROR_CATALOGUE, type ErrorCode } from '../../../nodes/shared/retry/errors';
import type { PayoutBench } from '../support/money';
import { BOTH, INVOICES, payEach, payReferenced, TWO } from '../support/payouts';
import { CNPJ, CPF, EMAIL, PHONE } from '../support/values';
import { buildWorkflow, type Parameters } from '../support/workflow';
import { runInto, scene, type Situation } from './situation';

type Row = IDataObject;

interface Refusal {
	readonly code: string;
	/** The remedy that is followed, word for word. */
	readonly says: string;
	/** What the person changes in the row; absent where the cause is removed outside n8n. */
	readonly correct: ((row: Row) => Row) | undefined;
}

/** The person creates another key and pastes it into the credential. */
const NEEDS_NEW_KEY = ['INVALID_API_KEY', 'FORBIDDEN', 'IP_NOT_ALLOWED'];

const toOtherKey = (row: Row): Row => ({ ...row, pixKey: PHONE });
const toOtherDocument = (row: Row): Row => ({ ...row, document: CNPJ });
const toLargerAmount = (row: Row): Row => ({ ...row, amount: 50 });

const LOOK_AGAIN = 'Ask the recipient for the key again.';
const REFUSALS = (
	[
		['API_KEY_REQUIRED', 'it must forward the Authorization header.'],
		['INVALID_API_KEY', 'Create a new key in the dashboard'],
		['FORBIDDEN', 'create a key with the scope withdrawals:write, and paste it'],
		['IP_NOT_ALLOWED', 'create a key whose allowlist contains the public IP address of this n8n'],
		['VALIDATION_ERROR', 'Correct the fields named here.', toOtherKey],
		['IDEMPOTENCY_KEY_REQUIRED', 'Make the proxy forward it.'],
		['NOT_FOUND', "check the 'Base URL', which ends before /v1"],
		[
			'WITHDRAWAL_BELOW_MINIMUM',
			'Withdrawal > Get Limits shows the minimum (minAmount).',
			toLargerAmount,
		],
		['INSUFFICIENT_BALANCE', 'Add funds.'],
		['WITHDRAWAL_LIMIT_EXCEEDED', 'If that is used up, wait for the next day'],
		['WITHDRAWAL_BELOW_PROVIDER_MINIMUM', 'Pay a larger amount', toLargerAmount],
		['WITHDRAWALS_BLOCKED', 'Ask the support team of the service to enable them.'],
		['INVALID_PIX_KEY', LOOK_AGAIN, toOtherKey],
		['INVALID_RECIPIENT_DOCUMENT', 'Correct it.', toOtherDocument],
		[
			'RECIPIENT_DOCUMENT_MISMATCH',
			"Leave 'Recipient Document' empty when the PIX key is itself a CPF or CNPJ.",
			toOtherKey,
		],
		[
			'WITHDRAWAL_RECIPIENT_DOCUMENT_MISMATCH',
			'Ask the recipient for the key and the document again; do not guess.',
			toOtherKey,
		],
		['WITHDRAWAL_PIX_KEY_BLOCKED', 'Ask the recipient for another key.', toOtherKey],
		['BLOCKLIST_DENIED', 'Ask the support team of the service for the reason.'],
		['CREDITOR_DOCUMENT_UNAVAILABLE', 'complete the registration of the account in the dashboard.'],
		['CREDITOR_DOCUMENT_SOURCE_NOT_SUPPORTED', 'Remove it from the request.'],
		['CREDITOR_DOCUMENT_UNREADABLE', 'or ask support.'],
		['VERIFICATION_REQUIRED', 'Complete the verification in the dashboard.'],
		['SANDBOX_COMPANY_PRODUCTION_BLOCKED', 'ask the service to open production for the account.'],
		['RATE_LIMIT_EXCEEDED', 'request a higher limit.'],
		['WITHDRAWAL_PROVIDER_UNAVAILABLE', 'Wait until a provider is available again.'],
		['WITHDRAWAL_TEMPORARILY_UNAVAILABLE', 'Wait a few minutes.'],
		['WITHDRAWAL_PROCESSING_FAILED', 'Wait a few minutes.'],
	] as Array<[code: string, says: string, correct?: (row: Row) => Row]>
).map(([code, says, correct]): Refusal => ({ code, says, correct }));

/** The service refuses row 2 as it is, until the cause is removed. */
const refuse = ({ sandbox }: PayoutBench, { code, correct }: Refusal): (() => void) =>
	sandbox.faults.add({
		...{ method: 'POST', kind: 'error', code, times: Infinity },
		when: ({ rawBody }) =>
			rawBody.includes('20.02') &&
			(correct === undefined || (rawBody.includes(EMAIL) && rawBody.includes(CPF))),
	});

const RETRY = 'choose Retry in the list Executions: nothing that took effect is repeated.';
const START_AGAIN = 'to correct one, start a new execution without the rows that took effect.';
const RUN_AGAIN =
	'run the workflow again, or choose Retry, which repeats the saved rows: each reference is paid once.';

const centsOf = (...rows: Row[]): number[] =>
	rows.map(({ amount }) => Math.round(Number(amount) * 100)).sort((one, other) => one - other);

const DOCUMENT = { recipientDocument: '={{ $json.document }}' };

interface Told extends Pick<Situation, 'when' | 'saysNot' | 'check'> {
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
	const { rows, again, parameters = payEach({ maxConcurrency: 1 }, DOCUMENT), ...rest } = told;
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
				const needsKey = NEEDS_NEW_KEY.includes(refusal.code);
				const settings = needsKey ? { credential: { apiKey: bench.keyWith('*') } } : {};
				return again
					? await bench.start(failed.workflow, again, settings)
					: await bench.retry(failed, settings);
			});
		},
	};
}

const withDocument = (row: Row): Row => ({ ...row, document: CPF });
const [FIRST = {}, SECOND = {}] = TWO.map(withDocument);

export const WITHOUT_REFERENCE: Situation[] = REFUSALS.map((refusal) => {
	const { correct } = refusal;
	return refused(refusal, {
		when: correct ? 'the row is corrected, and sent alone' : 'the cause is removed, then Retry',
		says: [correct ? START_AGAIN : RETRY],
		// The way on is said once, for all rows.
		saysNot: ['run a new one with only the items that remain', 'Retry this execution later'],
		rows: [FIRST, SECOND],
		...(correct
			? { again: [correct(SECOND)], paid: [FIRST, correct(SECOND)] }
			: { paid: [FIRST, SECOND] }),
	});
});

/** What a single payout is told; how to send it again is said by those that end outside n8n. */
const OR_A_NEW_ONE =
	'Then retry this execution or, if n8n lists it as successful, run a new one with only the items that remain.';

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

const FILL_IN =
	"Fill in 'Recipient Document' with the CPF or CNPJ of the person or company that the PIX key belongs to.";

/** The remedy that needs nobody else: the document that the service cannot fill in itself. */
export const DOCUMENT_MISSING: Situation[] = (
	[
		['CREDITOR_DOCUMENT_UNAVAILABLE', "Fill in 'Recipient Document', or complete"],
		['CREDITOR_DOCUMENT_UNREADABLE', "Fill in 'Recipient Document', or ask support."],
		['INVALID_RECIPIENT_DOCUMENT', FILL_IN],
		['WITHDRAWAL_RECIPIENT_DOCUMENT_MISMATCH', FILL_IN],
		['WITHDRAWAL_PIX_KEY_BLOCKED', FILL_IN],
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
		const parameters = payEach({ maxConcurrency: 1 }, DOCUMENT);
		const list = [
			{ ...SECOND, amount: 30 },
			{ ...SECOND, document: '' },
		];
		const last = [SECOND];
		return await runInto(bench, buildWorkflow({ parameters }), list, undefined, last);
	},
}));

export const WITH_REFERENCE: Situation[] = REFUSALS.map((refusal) => {
	const { correct = (row: Row) => row } = refusal;
	const [first = {}, second = {}] = INVOICES.map(withDocument);
	const list = [first, correct(second)];
	return refused(refusal, {
		when: refusal.correct
			? 'the row is corrected, and the list run again'
			: 'the list is run again',
		says: [RUN_AGAIN],
		saysNot: ['with only the items that remain'],
		parameters: payReferenced({ maxConcurrency: 1 }, DOCUMENT),
		rows: [first, second],
		again: list,
		paid: list,
		check: (bench) => expect(bench.living).toEqual(BOTH),
	});
});
