/** One n8n that pays for two clients, each with its own account and credential. */
import type { IDataObject } from 'n8n-workflow';
import { startSandbox, type Sandbox } from '../../../dev/sandbox';
import { useBench } from '../support/harness';
import { payEach } from '../support/payouts';
import { restart } from '../support/restart';
import { CPF, EMAIL } from '../support/values';
import { buildWorkflow, type Parameters } from '../support/workflow';

const bench = useBench();
const CONTINUE = { extras: { onError: 'continueRegularOutput' } } as const;

/** Both clients number their invoices alike, and owe the same people the same amounts. */
const INVOICES: IDataObject[] = [
	{ amount: 10.01, pixKey: CPF, invoice: 'NF-1' },
	{ amount: 20.02, pixKey: EMAIL, invoice: 'NF-2' },
];
const BOTH = [1001, 2002];

let second: Sandbox;
let credential: { apiKey: string; baseUrl: string };
beforeEach(async () => {
	second = await startSandbox({ clock: bench.clock });
	credential = { apiKey: second.keys.test, baseUrl: second.url };
});
afterEach(async () => await second.close());

const paidBySecond = () => second.books.withdrawals.map(({ amountCents }) => amountCents).sort();
const getCodes = (json: IDataObject[]) =>
	json.map(({ error }) => (error as { code?: string } | undefined)?.code);
const NO_READING = { method: 'GET', kind: 'html', status: 503, times: Infinity } as const;
const newWorkflow = (parameters: Parameters) => buildWorkflow({ parameters, ...CONTINUE });

describe.each([
	['references', payEach({}, { reference: '={{ $json.invoice }}' })],
	['idempotency keys', payEach({ idempotencyKey: '={{ $json.invoice }}' })],
	['neither', payEach()],
])('with a workflow for each client and the same %s', (_what, parameters) => {
	it('pays for both, for each from the own account', async () => {
		const one = await bench.start(newWorkflow(parameters), INVOICES);
		const other = await bench.start(newWorkflow(parameters), INVOICES, { credential });

		expect(getCodes(one.json)).toEqual([undefined, undefined]);
		expect(getCodes(other.json)).toEqual([undefined, undefined]);
		expect(bench.paid).toEqual(BOTH);
		expect(paidBySecond()).toEqual(BOTH);
		const ids = [...one.json, ...other.json].map(({ id }) => id as string);
		expect(new Set(ids).size).toBe(4);
	});
});

it('charges a customer of each client under the same External ID', async () => {
	const charge: Parameters = {
		resource: 'payment',
		operation: 'create',
		chargeBy: 'amount',
		amount: '={{ $json.amount }}',
		methods: ['PIX'],
		mode: 'headless',
		additionalFields: { externalId: '={{ $json.invoice }}' },
		options: { idempotencyKey: '=order-{{ $json.invoice }}' },
	};
	await bench.start(newWorkflow(charge), INVOICES);
	await bench.start(newWorkflow(charge), INVOICES, { credential });
	for (const { books } of [bench.sandbox, second]) {
		expect(books.payments.map(({ externalId }) => externalId)).toEqual(['NF-1', 'NF-2']);
	}
});

describe('with one workflow for both clients, whose credential is changed in between', () => {
	it('refuses an invoice of the second client, whose reference the first one has', async () => {
		const workflow = newWorkflow(payEach({}, { reference: '={{ $json.invoice }}' }));
		const one = await bench.start(workflow, INVOICES);
		const other = await bench.start(workflow, INVOICES, { credential });

		expect(getCodes(other.json)).toEqual(['OTHER_ACCOUNT', 'OTHER_ACCOUNT']);
		expect(other.json.map(({ error }) => (error as IDataObject).withdrawalIds)).toEqual(
			one.json.map(({ id }) => [id]),
		);
		expect(bench.paid).toEqual(BOTH);
		expect(paidBySecond()).toEqual([]);
	});

	it.each([
		['the second client is new', false],
		['the second client was refused before', true],
	])('refuses it after a restart as well, a day later: %s', async (_what, isKnown) => {
		const workflow = newWorkflow(payEach({}, { reference: '={{ $json.invoice }}' }));
		await bench.start(workflow, INVOICES);
		if (isKnown) await bench.start(workflow, INVOICES, { credential });
		bench.clock.advance(25 * 60 * 60 * 1000);
		restart();
		const other = await bench.start(workflow, INVOICES, { credential });
		const again = await bench.start(workflow, INVOICES);

		expect(getCodes(other.json)).toEqual(['OTHER_ACCOUNT', 'OTHER_ACCOUNT']);
		expect(again.json.map(({ alreadyPaid }) => alreadyPaid)).toEqual([true, true]);
		expect(paidBySecond()).toEqual([]);
	});

	it.each([
		['the list cannot be read', (): void => void second.faults.add(NO_READING)],
		[
			'the key may not read',
			(): void => {
				credential.apiKey = second.createKey({
					environment: 'SANDBOX',
					scopes: ['withdrawals:write'],
				});
			},
		],
	])('does not show an invoice as paid where %s', async (_what, hide) => {
		const workflow = newWorkflow(payEach({}, { reference: '={{ $json.invoice }}' }));
		await bench.start(workflow, INVOICES);
		hide();
		const other = await bench.start(workflow, INVOICES, { credential });

		expect(getCodes(other.json)).toEqual(['PAYOUT_IN_DOUBT', 'PAYOUT_IN_DOUBT']);
		expect(JSON.stringify(other.json)).toContain('with another API key');
		expect(paidBySecond()).toEqual([]);
	});

	it('does not say that it is paid, as the bank of the first client may have refused it', async () => {
		const workflow = newWorkflow(payEach({}, { reference: '={{ $json.invoice }}' }));
		await bench.start(workflow, INVOICES);
		for (const { id } of bench.sandbox.books.withdrawals) {
			bench.sandbox.setWithdrawalStatus(id, 'FAILED');
		}
		const other = await bench.start(workflow, INVOICES, { credential });

		const { description } = other.json[0]?.error as { description: string };
		expect(description).toContain('look up in the other account whether it was paid');
	});

	it('does not take the own account for another one where the service denies a withdrawal', async () => {
		const workflow = newWorkflow(payEach({}, { reference: '={{ $json.invoice }}' }));
		await bench.start(workflow, INVOICES);
		bench.sandbox.faults.add({
			...{ kind: 'error', code: 'NOT_FOUND', times: Infinity },
			...{ method: 'GET', path: `/v1/withdrawals/${bench.sandbox.books.withdrawals[0]?.id}` },
		});
		const again = await bench.start(workflow, INVOICES);

		expect(getCodes(again.json)).toEqual([undefined, undefined]);
		expect(again.json.map(({ alreadyPaid }) => alreadyPaid)).toEqual([true, true]);
		expect(bench.paid).toEqual(BOTH);
	});

	it('shows the payouts again with the key of the first client', async () => {
		const workflow = newWorkflow(payEach({}, { reference: '={{ $json.invoice }}' }));
		await bench.start(workflow, INVOICES);
		await bench.start(workflow, INVOICES, { credential });
		const again = await bench.start(workflow, INVOICES);

		expect(again.json.map(({ alreadyPaid }) => alreadyPaid)).toEqual([true, true]);
		expect(bench.paid).toEqual(BOTH);
	});

	it('pays for both where the reference names the client', async () => {
		const named = (client: string) => INVOICES.map((item) => ({ ...item, client }));
		const parameters = payEach({}, { reference: '={{ $json.client }} {{ $json.invoice }}' });
		const workflow = newWorkflow(parameters);
		await bench.start(workflow, named('Padaria'));
		const other = await bench.start(workflow, named('Oficina'), { credential });

		expect(getCodes(other.json)).toEqual([undefined, undefined]);
		expect(bench.paid).toEqual(BOTH);
		expect(paidBySecond()).toEqual(BOTH);
	});
});
