import type { IDataObject } from 'n8n-workflow';
import { useBench } from '../support/harness';
import { payEach, TWO } from '../support/payouts';
import { CPF, EMAIL } from '../support/values';
import { CONTINUE, operation, type Parameters } from '../support/workflow';

const bench = useBench();

const CUSTOMER = { name: 'Maria Exemplo', email: EMAIL, document: CPF };

const createPayments = async (...amounts: string[]): Promise<IDataObject[]> => {
	const { json } = await bench.run(
		operation('payment.create', { amount: '={{ $json.amount }}', mode: 'headless' }),
		amounts.map((amount) => ({ amount })),
	);
	bench.sandbox.requests.length = 0;
	bench.waits.length = 0;
	return json;
};
const waitForPayments = (more: Parameters = {}): Parameters =>
	operation(
		'payment.waitForStatus',
		{
			paymentId: '={{ $json.id }}',
			statuses: ['PAID', 'CANCELLED', 'EXPIRED'],
			timeout: 60,
			...more,
		},
		{ maxConcurrency: 1 },
	);

describe('Wait for Status of a payment', () => {
	it('ends with the status that the cents decide', async () => {
		const created = await createPayments('10,01', '10,03', '10,04', '10,05');
		expect(created.map(({ status }) => status)).toEqual(Array(4).fill('NEW'));

		const run = await bench.run(waitForPayments(), created);

		expect(run.json.map(({ status }) => status)).toEqual(['PAID', 'CANCELLED', 'EXPIRED', 'PAID']);
		expect(run.ids).toEqual(created.map(({ id }) => id));
		expect(run.sources).toEqual([0, 1, 2, 3]);
	});

	it('ends at once when the payment has ended in another status, and else with its timeout', async () => {
		const created = await createPayments('10,04', '20,01', '10,02');

		const run = await bench.run(waitForPayments({ statuses: ['PAID'] }), created, CONTINUE);

		expect(run.errors[0]).toMatchObject({
			code: 'STATUS_NOT_REACHED',
			message: 'The payment is EXPIRED and will most likely not be paid',
			description: 'Expected status: PAID. To continue with EXPIRED too, select it under Statuses.',
			retryable: false,
		});
		expect(run.json[1]?.status).toBe('PAID');
		// The last one is still waiting when its time is over: another attempt may help.
		expect(run.errors[2]).toMatchObject({ code: 'STATUS_NOT_REACHED', retryable: true });
		// The first one has not waited for its timeout as well.
		expect(bench.waits.reduce((sum, wait) => sum + wait, 0)).toBeLessThan(2 * 60_000);
	});

	// When else a payment has ended: test/unit/nodes/BrlPayments/payment/waitForStatus.test.ts.
	it('goes on waiting for a boleto that has expired, and says that it may still be paid', async () => {
		const boleto = { amount: '30,04', mode: 'headless', methods: ['BOLETO'], customer: CUSTOMER };
		const { json } = await bench.run(operation('payment.create', boleto), [{}]);

		const { errors } = await bench.run(waitForPayments({ statuses: ['PAID'] }), json, CONTINUE);

		expect(errors).toMatchObject([
			{
				message: 'The payment is still EXPIRED after 60 seconds',
				description: expect.stringMatching(
					/BRL Payments Trigger.* A boleto may still be paid in the/,
				),
				retryable: true,
			},
		]);
	});

	it('waits no longer than ten seconds at once, and not beyond its timeout', async () => {
		const created = await createPayments('10,02', '20,02');

		const { error } = await bench.run(waitForPayments({ timeout: 45 }), created);

		expect(bench.waits.slice(0, 8)).toEqual([
			1_000, 1_500, 2_250, 3_375, 5_062.5, 7_593.75, 10_000, 10_000,
		]);
		expect(bench.waits.reduce((sum, wait) => sum + wait, 0)).toBe(45_000);
		expect(error?.message).toBe('Row 1: The payment is still NEW after 45 seconds');
		expect(error?.description).toContain('Expected status: PAID or CANCELLED or EXPIRED.');
		expect(error).toHaveProperty('itemIndex', 0);
	});
});

it.each(['COMPLETED', 'FAILED'] as const)(
	'Wait for Status of a withdrawal ends when it is %s',
	async (outcome) => {
		bench.sandbox.account.withdrawalOutcome = outcome;
		const statuses = ['COMPLETED', 'FAILED'];
		const created = await bench.run(payEach(), TWO);
		bench.waits.length = 0;

		const run = await bench.run(
			operation('withdrawal.waitForStatus', { withdrawalId: '={{ $json.id }}', statuses }),
			created.json,
		);

		expect(run.json.map(({ status }) => status)).toEqual([outcome, outcome]);
		expect(run.ids).toEqual(created.ids);
		expect(bench.waits.length).toBeGreaterThan(1);
	},
);

it.each(['continueRegularOutput', 'continueErrorOutput'] as const)(
	'Wait for Status leaves an item as it is whose payout is in doubt: %s',
	async (onError) => {
		const paid = await bench.run(payEach(), TWO, { ...CONTINUE, lost: { '20.02': 'dropAfter' } });
		const wait = operation('withdrawal.waitForStatus', { withdrawalId: '={{ $json.id }}' });

		const run = await bench.run(wait, paid.json, { extras: { onError } });

		const [done, doubt] = [...run.output(), ...run.output(undefined, 1)].map(({ json }) => json);
		expect(done).toMatchObject({ status: 'COMPLETED' });
		expect(doubt).toMatchObject({ status: 'UNKNOWN', error: paid.errors[1] });
	},
);

it('Wait for Status of a withdrawal that failed says which one paid nobody, and how to pay it', async () => {
	bench.sandbox.account.withdrawalOutcome = 'FAILED';
	const { json, ids } = await bench.run(payEach(), TWO);
	const wait = { withdrawalId: '={{ $json.id }}', statuses: ['COMPLETED'] };

	const { errors } = await bench.run(operation('withdrawal.waitForStatus', wait), json, CONTINUE);

	expect(errors.map((error) => error?.withdrawalIds)).toEqual(ids.map((id) => [id]));
	expect(errors[1]?.description).toMatch(/The service said: .+ run the workflow again/);
});

it.each(['waitForStatus', 'get'])(
	'%s of a withdrawal keeps the reference of its item, and shows the amounts first',
	async (name) => {
		const { json } = await bench.run(payEach(), TWO);
		const items = json.map(({ id }, index) => ({ id, ...(index === 0 && { reference: 'NF-1' }) }));
		const parameters = { withdrawalId: '={{ $json.id }}' };

		const run = await bench.run(operation(`withdrawal.${name}`, parameters), items);

		const amounts = ['amount', 'fee', 'total', 'pixKey', 'status'];
		expect(run.json.map((row) => Object.keys(row).slice(0, 5))).toEqual([
			['reference', ...amounts.slice(0, 4)],
			amounts,
		]);
		expect(run.json).toMatchObject(
			json.map(({ amount, fee, total }, index) => ({
				...{ amount, fee, total, netAmount: amount, feeAmount: fee, grossAmount: total },
				...(index === 0 && { reference: 'NF-1' }),
			})),
		);
		const raw = operation(`withdrawal.${name}`, { ...parameters, simplify: false });
		for (const row of (await bench.run(raw, items)).json) {
			expect(row).toHaveProperty('netAmount');
			for (const field of ['reference', 'amount']) expect(row).not.toHaveProperty(field);
		}
	},
);
