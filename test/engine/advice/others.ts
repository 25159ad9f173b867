/** Charges, refunds, reads and local checks: what their errors say, done word for word. */
import type { IDataObject } from 'n8n-workflow';
import type { EngineHarness, RunSettings } from '../support/harness';
import { NODE } from '../support/names';
import { chargeEach, payEach, TWO } from '../support/payouts';
import { CONTINUE, HOUR, MINUTE } from '../support/references';
import { CPF, EMAIL } from '../support/values';
import { changeOptions, type Parameters } from '../support/workflow';
import { scene, type Situation } from './situation';

const CHARGES: IDataObject[] = [{ amount: 10.01 }, { amount: 20.05 }];
const PIX = chargeEach('PIX');
const ONE_BY_ONE = { options: { maxConcurrency: 1 } };

const refundEach = (more: Parameters = {}): Parameters => ({
	resource: 'payment',
	operation: 'refund',
	paymentId: '={{ $json.paymentId }}',
	...ONE_BY_ONE,
	...more,
});
const paidTwo = (bench: EngineHarness, isLive = false): IDataObject[] =>
	[1001, 2005].map((amountCents) => ({
		paymentId: bench.sandbox.seed.payment({
			...{ status: 'PAID', amountCents },
			...(isLive ? { environment: 'PRODUCTION' } : {}),
		}).id,
	}));
const countPayments = (bench: EngineHarness, count: number): void =>
	expect(bench.sandbox.books.payments).toHaveLength(count);
const countRefunds = (bench: EngineHarness, count: number): void =>
	expect(bench.sandbox.books.refunds).toHaveLength(count);

/** The second request that writes is refused, until the cause is removed. */
function refuseSecond(
	{ sandbox }: EngineHarness,
	code: string,
	marks: readonly string[],
): () => void {
	return sandbox.faults.add({
		...{ method: 'POST', kind: 'error', code, times: Infinity },
		when: ({ url, rawBody }) => marks.some((mark) => `${url} ${rawBody.toString()}`.includes(mark)),
	});
}

/** Two items, of which the second fails; something is changed, and the node run in another way. */
interface Simple {
	readonly code: string;
	readonly line?: string;
	readonly when: string;
	readonly says: string[];
	readonly parameters: Parameters;
	readonly items?: (bench: EngineHarness) => IDataObject[];
	/** Brings the error about. @returns what the person does about the cause */
	readonly cause?: (bench: EngineHarness, items: IDataObject[]) => () => void;
	readonly settings?: (bench: EngineHarness) => RunSettings;
	/** What is run in the end; a retry of the execution where it is absent. */
	readonly then?: { readonly parameters?: Parameters; readonly onlySecond?: true };
	readonly check?: (bench: EngineHarness) => void;
}

const simple = (given: Simple): Situation => ({
	...given,
	async bringAbout(bench) {
		const { parameters, items: make, cause, settings, then } = given;
		const items = make?.(bench) ?? CHARGES;
		const end = cause?.(bench, items);
		const set = settings?.(bench) ?? {};
		const failed = await bench.run(parameters, items, set);
		return scene(failed, async () => {
			end?.();
			if (then === undefined) return await bench.retry(failed);
			const list = then.onlySecond ? items.slice(1) : items;
			return await bench.run(then.parameters ?? parameters, list, set);
		});
	},
});

const account =
	(change: (settings: EngineHarness['sandbox']['account']) => () => void) =>
	({ sandbox }: EngineHarness) =>
		change(sandbox.account);

export const CHARGE_SITUATIONS: Situation[] = [
	simple({
		code: 'PAYMENT_CREATION_BLOCKED',
		when: 'support unblocks the account',
		says: ['see the dashboard or ask support.', 'choose Retry in the list Executions'],
		parameters: { ...PIX, ...ONE_BY_ONE },
		cause: account((settings) => {
			settings.paymentsBlocked = true;
			return () => (settings.paymentsBlocked = false);
		}),
		check: (bench) => countPayments(bench, 2),
	}),
	simple({
		code: 'AMOUNT_REQUIRED',
		when: 'the amount is filled in',
		says: ['Fill in Amount, or choose a product.'],
		parameters: { ...PIX, ...ONE_BY_ONE },
		cause: (bench) => refuseSecond(bench, 'AMOUNT_REQUIRED', ['20.05']),
		check: (bench) => countPayments(bench, 2),
	}),
	simple({
		code: 'CUSTOMER_DATA_REQUIRED',
		when: 'the customer is filled in',
		says: ['a boleto needs name and CPF or CNPJ', 'Add them under Customer.'],
		parameters: { ...chargeEach('BOLETO'), customer: { name: 'Maria Exemplo' }, mode: 'headless' },
		then: { parameters: { ...chargeEach('BOLETO'), mode: 'headless' } },
		check: (bench) => countPayments(bench, 2),
	}),
	simple({
		code: 'CARD_PAYMENTS_NOT_AVAILABLE_VIA_API',
		when: 'the payment page is chosen',
		says: ['Set Mode to Payment Page (Link), and send no card data.'],
		parameters: { ...PIX, mode: 'headless' },
		cause: (bench) => refuseSecond(bench, 'CARD_PAYMENTS_NOT_AVAILABLE_VIA_API', ['headless']),
		then: { parameters: { ...PIX, mode: 'hosted' } },
		check: (bench) => countPayments(bench, 2),
	}),
	simple({
		code: 'PROVIDER_TEMPORARILY_UNAVAILABLE',
		when: 'PIX: Retry',
		says: ['To continue, choose Retry in the list Executions, within 24 hours'],
		parameters: { ...PIX, ...ONE_BY_ONE },
		cause: ({ sandbox }) =>
			sandbox.faults.add({
				...{ method: 'POST', kind: 'error', times: Infinity, stored: false },
				code: 'PROVIDER_TEMPORARILY_UNAVAILABLE',
			}),
		check: (bench) => countPayments(bench, 2),
	}),
	{
		code: 'PROVIDER_TEMPORARILY_UNAVAILABLE',
		when: 'PIX, and each retry fails like this: looked up, then only this item again',
		says: [
			'If each retry fails like this and it was not made, run a new execution with only this item.',
		],
		async bringAbout(bench) {
			const end = bench.sandbox.faults.add({
				...{ method: 'POST', kind: 'error', times: Infinity, stored: true },
				code: 'PROVIDER_TEMPORARILY_UNAVAILABLE',
				when: ({ rawBody }) => rawBody.includes('20.05'),
			});
			const failed = await bench.run({ ...PIX, ...ONE_BY_ONE }, CHARGES);
			end();
			return scene(failed, async () => {
				expect((await bench.retry(failed)).error).toBeDefined();
				countPayments(bench, 1);
				return await bench.start(failed.workflow, CHARGES.slice(1));
			});
		},
		check: (bench) => countPayments(bench, 2),
	},
	simple({
		code: 'PROVIDER_TEMPORARILY_UNAVAILABLE',
		when: 'a boleto whose failure was repeated: a new execution with only this item',
		says: ['Later, run a new execution with only this item; that is safe.'],
		parameters: { ...chargeEach('BOLETO'), ...ONE_BY_ONE },
		cause: account((settings) => {
			settings.paymentProviderUnavailable = true;
			return () => (settings.paymentProviderUnavailable = false);
		}),
		then: {},
		check: (bench) => countPayments(bench, 2),
	}),
	{
		code: 'CHANGED_IN_DOUBT',
		when: 'a charge was changed after a lost response: the values are restored, then changed',
		says: [
			'Restore the earlier values and retry this execution to get the outcome. Then make the change.',
		],
		async bringAbout(bench) {
			const end = bench.sandbox.faults.add({ method: 'POST', times: Infinity, kind: 'dropAfter' });
			const first = await bench.run({ ...PIX, ...ONE_BY_ONE }, CHARGES);
			end();
			const node = first.workflow.nodes[NODE]!;
			const { parameters } = node;
			node.parameters = { ...parameters, amount: '={{ $json.amount + 1 }}' };
			const failed = await bench.retry(first);
			return scene(failed, async () => {
				node.parameters = parameters;
				return await bench.retry(failed);
			});
		},
		check: (bench) => countPayments(bench, 2),
	},
	{
		code: 'INVALID_INPUT',
		line: 'W11',
		when: 'a charge is retried a day later: a person looks it up, and allows it',
		says: [
			'turn on Options > Allow Retry After 24 Hours and retry again',
			'To continue, do what the error of each row with unknown outcome says.',
		],
		async bringAbout(bench) {
			const end = bench.sandbox.faults.add({ method: 'POST', times: Infinity, kind: 'dropBefore' });
			const first = await bench.run({ ...PIX, ...ONE_BY_ONE }, CHARGES);
			end();
			bench.clock.advance(25 * HOUR);
			const failed = await bench.retry(first);
			return scene(failed, async () => {
				changeOptions(failed.workflow, { allowRetryAfter24Hours: true });
				return await bench.retry(failed);
			});
		},
		check: (bench) => countPayments(bench, 2),
	},
	{
		code: 'EXISTING_PAYMENT',
		when: 'the External ID was used for another amount: another External ID',
		says: ['To charge again, use another External ID.'],
		async bringAbout(bench) {
			const charge: Parameters = {
				...PIX,
				methods: ['CARD'],
				additionalFields: { externalId: '={{ $json.order }}' },
				options: { oncePerExternalId: false },
			};
			await bench.run(charge, [{ amount: 10, order: 'o-1' }]);
			const rows = [
				{ amount: 20, order: 'o-1' },
				{ amount: 30, order: 'o-2' },
			];
			const failed = await bench.run(charge, rows, CONTINUE);
			return scene(failed, async () => await bench.run(charge, [{ amount: 20, order: 'o-3' }]));
		},
		check: (bench) => countPayments(bench, 3),
	},
];

export const REFUND_SITUATIONS: Situation[] = [
	...(
		[
			['INVALID_STATUS', 'Get the payment and check its status.'],
			['INSUFFICIENT_BALANCE_FOR_REFUND', 'Wait for funds to settle or add funds.'],
		] as const
	).map(([code, says]) =>
		simple({
			code,
			when: 'the cause is removed, then Retry',
			says: [says, 'choose Retry in the list Executions'],
			parameters: refundEach(),
			items: paidTwo,
			cause: (bench, [, second]) => refuseSecond(bench, code, [second?.paymentId as string]),
			check: (bench) => countRefunds(bench, 2),
		}),
	),
	simple({
		code: 'PARTIAL_REFUND_NOT_SUPPORTED',
		when: 'the amount is left empty',
		says: ['Leave Amount empty, or enter the full remaining amount.'],
		parameters: refundEach({ amount: '5' }),
		items: paidTwo,
		then: { parameters: refundEach() },
		check: (bench) => countRefunds(bench, 2),
	}),
	simple({
		code: 'PSP_REFUND_FAILED',
		when: 'later, a new execution with only this payment',
		says: ['Later, run a new execution with only this payment.'],
		parameters: refundEach(),
		items: paidTwo,
		cause: (bench, [, second]) =>
			refuseSecond(bench, 'PSP_REFUND_FAILED', [second?.paymentId as string]),
		then: { onlySecond: true },
		check: (bench) => countRefunds(bench, 2),
	}),
	...(['ALREADY_REFUNDED', 'REFUND_IN_PROGRESS'] as const).map((code): Situation => ({
		code,
		when: 'nothing is left to do but to look at the payment',
		says: [
			code === 'ALREADY_REFUNDED'
				? 'Nothing is left to do. The payment shows the refund.'
				: 'Wait until the payment shows its result; do not refund it again.',
		],
		async bringAbout(bench) {
			const items = paidTwo(bench);
			await bench.run(refundEach(), items);
			if (code === 'ALREADY_REFUNDED') bench.clock.advance(MINUTE);
			const failed = await bench.run(refundEach(), items, CONTINUE);
			return scene(failed, async () => {
				bench.clock.advance(MINUTE);
				return await bench.run({ ...refundEach(), operation: 'get' }, items);
			});
		},
		check(bench, last) {
			expect(last!.json.map(({ status }) => status as unknown)).toEqual(['REFUNDED', 'REFUNDED']);
			countRefunds(bench, 2);
		},
	})),
	{
		code: 'REFUND_NOT_SUPPORTED',
		when: 'the money is paid back with a withdrawal',
		says: ['Pay the money back in another way, for example with a withdrawal.'],
		paid: [1001, 2005],
		async bringAbout(bench) {
			bench.sandbox.account.refundUnsupportedMethods = ['PIX'];
			const failed = await bench.run(refundEach(), paidTwo(bench));
			const rows = CHARGES.map((row) => ({ ...row, pixKey: EMAIL }));
			return scene(failed, async () => await bench.run(payEach(), rows));
		},
		check: (bench) => countRefunds(bench, 0),
	},
];

const receipt: Parameters = {
	resource: 'document',
	operation: 'getReceipt',
	paymentId: '={{ $json.paymentId }}',
	format: 'text',
	options: {},
};
const waiting = (more: Parameters): Parameters => ({
	resource: 'payment',
	operation: 'waitForStatus',
	paymentId: '={{ $json.paymentId }}',
	statuses: ['PAID'],
	timeout: 2,
	...ONE_BY_ONE,
	...more,
});
const newPayments = (bench: EngineHarness): IDataObject[] =>
	[0, 1].map(() => ({ paymentId: bench.sandbox.seed.payment({ status: 'NEW' }).id }));

export const READ_SITUATIONS: Situation[] = [
	simple({
		code: 'RECEIPT_NOT_AVAILABLE',
		when: 'the payment is paid first',
		says: ['Request the receipt once the payment has status PAID or REFUNDED.'],
		parameters: receipt,
		items: newPayments,
		cause: (bench, items) => () => {
			for (const { paymentId } of items)
				bench.sandbox.setPaymentStatus(paymentId as string, 'PAID');
		},
		then: {},
	}),
	simple({
		code: 'STATUS_NOT_REACHED',
		when: 'it is waited for longer',
		says: ['Increase Wait at Most, or get the payment again later.'],
		parameters: waiting({}),
		items: newPayments,
		cause: (bench, items) => () => {
			for (const { paymentId } of items)
				bench.sandbox.setPaymentStatus(paymentId as string, 'PAID');
		},
		then: { parameters: waiting({ timeout: 60 }) },
	}),
	simple({
		code: 'STATUS_NOT_REACHED',
		when: 'the payment was cancelled: that status is selected too',
		says: ['To continue with CANCELLED too, select it under Statuses.'],
		parameters: waiting({}),
		items: (bench) => {
			const items = newPayments(bench);
			for (const { paymentId } of items) {
				bench.sandbox.setPaymentStatus(paymentId as string, 'CANCELLED');
			}
			return items;
		},
		then: { parameters: waiting({ statuses: ['PAID', 'CANCELLED'] }) },
	}),
	simple({
		code: 'NO_PIX_CODE',
		when: 'the payment is created by PIX without a page',
		says: ['Create the payment with Methods = PIX and Mode = No Page.'],
		parameters: {
			resource: 'payment',
			operation: 'getPixQrCode',
			paymentId: '={{ $json.paymentId }}',
			binaryPropertyName: 'data',
			options: {},
		},
		items: (bench) =>
			[0, 1].map(() => ({
				paymentId: bench.sandbox.seed.payment({ paymentMethod: 'BOLETO', status: 'NEW' }).id,
			})),
		cause: (bench, items) => () => {
			for (const item of items) item.paymentId = bench.sandbox.seed.payment().id;
		},
		then: {},
	}),
	simple({
		code: 'NOT_FOUND',
		when: 'a record that is read: the ID is corrected',
		says: ['Check the ID. A test key finds only test records, and a live key only real ones.'],
		parameters: { ...refundEach(), operation: 'get' },
		items: () => [0, 1].map(() => ({ paymentId: '3fa85f64-5717-4562-b3fc-2c963f66afa6' })),
		cause: (bench, items) => () => {
			for (const item of items) item.paymentId = bench.sandbox.seed.payment().id;
		},
		then: {},
	}),
	simple({
		code: 'UNEXPECTED_DOCUMENT',
		when: 'the service uses another name for the format: it is added',
		says: ['and add it under Options > Additional Query Parameters.'],
		parameters: { ...receipt, format: 'html' },
		items: paidTwo,
		cause: ({ sandbox }) => {
			sandbox.faults.add({
				...{ method: 'GET', kind: 'status', status: 200, times: Infinity },
				body: 'A receipt in plain text',
				headers: { 'content-type': 'text/plain' },
				when: ({ url }) => !url.includes('type=html'),
			});
			return () => undefined;
		},
		then: {
			parameters: {
				...receipt,
				format: 'html',
				options: {
					additionalQueryParameters: { parameter: [{ name: 'type', value: 'html' }] },
				} as never,
			},
		},
	}),
];

interface Problem {
	readonly code: string;
	readonly remedy?: string;
}

/** Check Batch fails no item: it names problems. */
export const CHECK_SITUATIONS: Array<{
	readonly code: string;
	readonly says: string;
	readonly rows: IDataObject[];
	readonly corrected: IDataObject[];
	readonly options?: Parameters;
}> = [
	{
		code: 'DUPLICATE_IN_BATCH',
		says: 'Same PIX key and amount as row 1.',
		rows: [TWO[0]!, TWO[0]!],
		corrected: [TWO[0]!],
	},
	{
		code: 'DUPLICATE_IN_BATCH',
		says: 'Allow Duplicates',
		rows: [TWO[0]!, TWO[0]!],
		corrected: [TWO[0]!, TWO[0]!],
		options: { allowDuplicates: true },
	},
	{
		code: 'INVALID_AMOUNT',
		says: '',
		rows: [TWO[0]!, { amount: '1.234', pixKey: CPF }],
		corrected: [TWO[0]!, { amount: '1.234,00', pixKey: CPF }],
	},
];

export const readProblems = (problems: unknown): Problem[] => problems as Problem[];
