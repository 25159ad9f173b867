/** Charges, refunds and reads: what their errors say, done word for word. */
import type { IDataObject } from 'n8n-workflow';
import type { EngineHarness } from '../support/harness';
import { chargeEach, payEach } from '../support/payouts';
import { EMAIL, HOUR, MINUTE, UUID } from '../support/values';
import {
	additionalQuery,
	changeOptions,
	CONTINUE,
	edit,
	operation,
	type Parameters,
} from '../support/workflow';
import { scene, type Situation } from './situation';

const CHARGES: IDataObject[] = [{ amount: 10.01 }, { amount: 20.05 }];
const ONE_BY_ONE = { options: { maxConcurrency: 1 } };
const PIX = { ...chargeEach('PIX'), ...ONE_BY_ONE };
const BOLETO = { ...chargeEach('BOLETO'), ...ONE_BY_ONE };
const ID = { paymentId: '={{ $json.paymentId }}' };

const refundEach = (more: Parameters = {}): Parameters =>
	operation('payment.refund', { ...ID, ...more }, { maxConcurrency: 1 });
const seedTwo = (bench: EngineHarness, row = {}): IDataObject[] =>
	[1001, 2005].map((amountCents) => ({
		paymentId: bench.sandbox.seed.payment({ amountCents, ...row }).id,
	}));
const paidTwo = (bench: EngineHarness) => seedTwo(bench, { status: 'PAID' });
const payAll =
	({ sandbox }: EngineHarness, items: IDataObject[]) =>
	() => {
		for (const { paymentId } of items) sandbox.setPaymentStatus(paymentId as string, 'PAID');
	};
const countPayments = (bench: EngineHarness, count: number): void =>
	expect(bench.sandbox.books.payments).toHaveLength(count);
const countRefunds = (bench: EngineHarness, count: number): void =>
	expect(bench.sandbox.books.refunds).toHaveLength(count);

/** Two items, of which the second fails; something is changed, and the node run in another way. */
interface Simple {
	readonly code: string;
	readonly when: string;
	readonly says: string[];
	/** Two charges by PIX if it is left out. */
	readonly parameters?: Parameters;
	readonly items?: (bench: EngineHarness) => IDataObject[];
	/** Brings the error about. @returns what the person does about the cause */
	readonly cause?: (bench: EngineHarness, items: IDataObject[]) => () => void;
	/** What is run in the end; a retry of the execution where it is absent. */
	readonly then?: { readonly parameters?: Parameters; readonly onlySecond?: true };
	readonly check?: (bench: EngineHarness) => void;
}

const simple = (given: Simple): Situation => ({
	...given,
	async bringAbout(bench) {
		const { parameters = PIX, items: make, cause, then } = given;
		const items = make?.(bench) ?? CHARGES;
		const end = cause?.(bench, items);
		const failed = await bench.run(parameters, items, bench.begunNow);
		return scene(failed, async () => {
			end?.();
			if (then === undefined) return await bench.retry(failed);
			const list = then.onlySecond ? items.slice(1) : items;
			return await bench.run(then.parameters ?? parameters, list);
		});
	},
});

const account =
	(change: (settings: EngineHarness['sandbox']['account']) => () => void) =>
	({ sandbox }: EngineHarness) =>
		change(sandbox.account);

const CHARGE_ERRORS: Situation[] = [
	simple({
		code: 'PAYMENT_CREATION_BLOCKED',
		when: 'support unblocks the account',
		says: ['see the dashboard or ask support.', 'choose Retry in the list Executions'],
		cause: account((settings) => {
			settings.paymentsBlocked = true;
			return () => (settings.paymentsBlocked = false);
		}),
	}),
	simple({
		code: 'AMOUNT_REQUIRED',
		when: 'the amount is filled in',
		says: ['Fill in Amount, or choose a product.'],
		cause: (bench) => bench.fail('AMOUNT_REQUIRED', '20.05'),
	}),
	simple({
		code: 'CUSTOMER_DATA_REQUIRED',
		when: 'the customer is filled in',
		says: ['a boleto needs name and CPF or CNPJ', 'Add them under Customer.'],
		parameters: { ...BOLETO, customer: { name: 'Maria Exemplo' }, mode: 'headless' },
		then: { parameters: { ...BOLETO, mode: 'headless' } },
	}),
	simple({
		code: 'CARD_PAYMENTS_NOT_AVAILABLE_VIA_API',
		when: 'the payment page is chosen',
		says: ['Set Mode to Payment Page (Link), and send no card data.'],
		parameters: { ...PIX, mode: 'headless' },
		cause: (bench) => bench.fail('CARD_PAYMENTS_NOT_AVAILABLE_VIA_API', 'headless'),
		then: { parameters: { ...PIX, mode: 'hosted' } },
	}),
	simple({
		code: 'PROVIDER_TEMPORARILY_UNAVAILABLE',
		when: 'PIX: Retry',
		says: ['choose Retry in the list Executions within 24 hours'],
		cause: ({ sandbox }) =>
			sandbox.faults.add({
				...{ method: 'POST', kind: 'error', times: Infinity, stored: false },
				code: 'PROVIDER_TEMPORARILY_UNAVAILABLE',
			}),
	}),
	{
		code: 'PROVIDER_TEMPORARILY_UNAVAILABLE',
		when: 'PIX, and each retry fails like this: looked up, then only this item again',
		says: [
			'If each retry fails like this and it was not made, run a new execution with only the items that remain.',
		],
		async bringAbout(bench) {
			const end = bench.sandbox.faults.add({
				...{ method: 'POST', kind: 'error', times: Infinity, stored: true },
				code: 'PROVIDER_TEMPORARILY_UNAVAILABLE',
				when: ({ rawBody }) => rawBody.includes('20.05'),
			});
			const failed = await bench.run(PIX, CHARGES, bench.begunNow);
			end();
			return scene(failed, async () => {
				expect((await bench.retry(failed)).error).toBeDefined();
				countPayments(bench, 1);
				return await bench.start(failed.workflow, CHARGES.slice(1));
			});
		},
	},
	simple({
		code: 'PROVIDER_TEMPORARILY_UNAVAILABLE',
		when: 'a boleto whose failure was repeated: a new execution with only the items that remain',
		says: ['Later, run a new execution with only the items that remain; that is safe.'],
		parameters: BOLETO,
		cause: account((settings) => {
			settings.paymentProviderUnavailable = true;
			return () => (settings.paymentProviderUnavailable = false);
		}),
		then: {},
	}),
	{
		code: 'IDEMPOTENCY_PAYLOAD_MISMATCH',
		when: 'a field of charges was changed after a lost response: it is restored',
		says: [
			'(description, an additional body field, or the amount of a charge with an External ID)',
			'Restore the earlier values and retry: then the service shows the outcome.',
		],
		async bringAbout(bench) {
			const described = { ...PIX, description: 'First words' };
			const first = await bench.run(described, CHARGES, { ...bench.begunNow, lost: 'dropAfter' });
			edit(first, { description: 'Other words' });
			const failed = await bench.retry(first);
			return scene(failed, async () => {
				edit(failed, { description: 'First words' });
				return await bench.retry(failed);
			});
		},
	},
	{
		code: 'IN_DOUBT',
		when: 'a charge is retried a day later: a person looks it up, and allows it',
		says: ["turn on 'Options > Allow Retry After 24 Hours' and retry again"],
		async bringAbout(bench) {
			const first = await bench.run(PIX, CHARGES, { ...bench.begunNow, lost: 'dropBefore' });
			bench.clock.advance(25 * HOUR);
			const failed = await bench.retry(first);
			return scene(failed, async () => {
				changeOptions(failed.workflow, { allowRetryAfter24Hours: true });
				return await bench.retry(failed);
			});
		},
	},
];

/** Both are charged once in the end, if nothing else is said. */
export const CHARGE_SITUATIONS = CHARGE_ERRORS.map((one): Situation => ({
	check: (bench) => countPayments(bench, 2),
	...one,
}));

const REFUND_ERRORS: Situation[] = [
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
			cause: (bench, [, second]) => bench.fail(code, second?.paymentId as string),
		}),
	),
	simple({
		code: 'PARTIAL_REFUND_NOT_SUPPORTED',
		when: 'the amount is left empty',
		says: ['Leave Amount empty, or enter the full remaining amount.'],
		parameters: refundEach({ amount: '5' }),
		items: paidTwo,
		then: { parameters: refundEach() },
	}),
	simple({
		code: 'PSP_REFUND_FAILED',
		when: 'later, a new execution with only this payment',
		says: ['Later, run a new execution with only this payment.'],
		parameters: refundEach(),
		items: paidTwo,
		cause: (bench, [, second]) => bench.fail('PSP_REFUND_FAILED', second?.paymentId as string),
		then: { onlySecond: true },
	}),
	...(['left out', 'passed over'] as const).map((way): Situation => ({
		code: 'ALREADY_REFUNDED',
		when: `a payment was refunded before, and stops the others: it is ${way}`,
		says: ['leave it out. Or set On Error to Continue, so that it does not stop the others.'],
		stillFails: way === 'left out' ? undefined : ['ALREADY_REFUNDED', undefined],
		async bringAbout(bench) {
			const items = paidTwo(bench);
			const one = { ...refundEach({}), options: { maxConcurrency: 1 } };
			await bench.run(one, items.slice(0, 1));
			bench.clock.advance(MINUTE);
			const failed = await bench.run(one, items);
			return scene(failed, async () =>
				way === 'left out'
					? await bench.run(one, items.slice(1))
					: await bench.run(one, items, CONTINUE),
			);
		},
		check: (bench) => expect(bench.sandbox.books.refunds).toHaveLength(2),
	})),
	...(['ALREADY_REFUNDED', 'REFUND_IN_PROGRESS'] as const).map((code): Situation => ({
		code,
		when: 'nothing is left to do but to look at the payment',
		says: [
			code === 'ALREADY_REFUNDED'
				? 'Nothing is left to do for this payment: leave it out.'
				: 'Wait until the payment shows its result, and leave it out meanwhile.',
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

/** Both are refunded once in the end, if nothing else is said. */
export const REFUND_SITUATIONS = REFUND_ERRORS.map((one): Situation => ({
	check: (bench) => countRefunds(bench, 2),
	...one,
}));

const receipt = (format: string, options: Parameters = {}) =>
	operation('document.getReceipt', { ...ID, format }, options);
const waiting = (timeout: number) =>
	operation('payment.waitForStatus', { ...ID, statuses: ['PAID'], timeout }, { maxConcurrency: 1 });
/** The IDs are of others, until the person corrects them. */
const correctIds = (bench: EngineHarness, items: IDataObject[]) => () => {
	for (const item of items) item.paymentId = bench.sandbox.seed.payment().id;
};

export const READ_SITUATIONS: Situation[] = [
	simple({
		code: 'RECEIPT_NOT_AVAILABLE',
		when: 'the payment is paid first',
		says: ['Request the receipt once the payment has status PAID or REFUNDED.'],
		parameters: receipt('text'),
		items: (bench) => seedTwo(bench, { status: 'NEW' }),
		cause: payAll,
		then: {},
	}),
	// One that has ended in another status is in test/engine/waiting.
	simple({
		code: 'STATUS_NOT_REACHED',
		when: 'it is waited for longer',
		says: ["Increase 'Wait at Most', or get the payment again later."],
		parameters: waiting(2),
		items: (bench) => seedTwo(bench, { status: 'NEW' }),
		cause: payAll,
		then: { parameters: waiting(60) },
	}),
	simple({
		code: 'NO_PIX_CODE',
		when: 'the payment is created by PIX without a page',
		says: ['Create the payment with Methods = PIX and Mode = PIX Code or Boleto.'],
		parameters: operation('payment.getPixQrCode', { ...ID, binaryPropertyName: 'data' }),
		items: (bench) => seedTwo(bench, { paymentMethod: 'BOLETO', status: 'NEW' }),
		cause: correctIds,
		then: {},
	}),
	simple({
		code: 'NOT_FOUND',
		when: 'a record that is read: the ID is corrected',
		says: ['Check the ID: a test key finds only test records.'],
		parameters: { ...refundEach(), operation: 'get' },
		items: () => [{ paymentId: UUID }, { paymentId: UUID }],
		cause: correctIds,
		then: {},
	}),
	simple({
		code: 'UNEXPECTED_DOCUMENT',
		when: 'the service uses another name for the format: it is added',
		says: ["and add it under 'Options > Additional Query Parameters'."],
		parameters: receipt('html'),
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
		then: { parameters: receipt('html', additionalQuery(['type', 'html'])) },
	}),
];
