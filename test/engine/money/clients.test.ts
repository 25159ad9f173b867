/** One n8n that pays for two clients, each with its own account and credential. */
import { startSandbox, type Sandbox } from '../../../dev/sandbox';
import { payEach } from '../support/payouts';
import {
	CONTINUE,
	CORRECTED,
	HOUR,
	INVOICES,
	killTables,
	MINUTE,
	referenced,
	reviveTables,
	usePayouts,
} from '../support/references';
import { restart } from '../support/restart';
import { CPF } from '../support/values';
import { buildWorkflow, type Parameters } from '../support/workflow';

const bench = usePayouts();

/** Both clients owe the same people the same amounts. */
const BOTH = [1001, 2002];

let second: Sandbox;
let credential: { apiKey: string; baseUrl: string };
beforeEach(async () => {
	second = await startSandbox({ clock: bench.clock });
	// Two emulated services begin with the same keys; no two accounts have the same one.
	const apiKey = second.createKey({ environment: 'SANDBOX', scopes: ['*'] });
	credential = { apiKey, baseUrl: second.url };
});
afterEach(async () => await second.close());

const paidBySecond = () => second.books.withdrawals.map(({ amountCents }) => amountCents).sort();
const newWorkflow = (parameters: Parameters) => buildWorkflow({ parameters, ...CONTINUE });

describe.each([
	['idempotency keys', payEach({ idempotencyKey: '={{ $json.invoice }}' })],
	['neither', payEach()],
])('with a workflow for each client and the same %s', (_what, parameters) => {
	it('pays for both, for each from the own account', async () => {
		const one = await bench.start(newWorkflow(parameters), INVOICES);
		const other = await bench.start(newWorkflow(parameters), INVOICES, { credential });

		expect(one.codes).toEqual([undefined, undefined]);
		expect(other.codes).toEqual([undefined, undefined]);
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

/** A reference is one payout of an n8n project, whichever credential is chosen. */
describe('with the same references in one n8n project', () => {
	it.each([
		['in one workflow', true],
		['in a workflow for each', false],
	])(
		'does not pay the second client, and shows no state of another account: %s',
		async (_w, isOne) => {
			const workflow = referenced();
			const one = await bench.start(workflow, INVOICES);
			bench.clock.advance(25 * HOUR);
			restart();
			const other = await bench.start(isOne ? workflow : referenced(), INVOICES, { credential });
			const again = await bench.start(workflow, INVOICES);

			expect(other.json.map(({ status }) => status as unknown)).toEqual(['UNKNOWN', 'UNKNOWN']);
			const shown = JSON.stringify([other.json, other.hints]);
			expect(shown).toContain('account');
			expect(other.paidBefore).not.toContain(false);
			expect(again.ids).toEqual(one.ids);
			expect(again.paidBefore).toEqual([true, true]);
			expect(bench.paid).toEqual(BOTH);
			expect(paidBySecond()).toEqual([]);
		},
	);

	it('does not take the own account for another one where the service denies a withdrawal', async () => {
		const workflow = referenced();
		await bench.start(workflow, INVOICES);
		bench.sandbox.faults.add({
			...{ kind: 'error', code: 'NOT_FOUND', times: Infinity },
			...{ method: 'GET', path: `/v1/withdrawals/${bench.sandbox.books.withdrawals[0]?.id}` },
		});
		const again = await bench.start(workflow, INVOICES);

		expect(again.codes).toEqual([undefined, undefined]);
		expect(again.paidBefore).toEqual([true, true]);
		expect(bench.paid).toEqual(BOTH);
	});

	it('shows the payouts again with the key of the first client', async () => {
		const workflow = referenced();
		await bench.start(workflow, INVOICES);
		await bench.start(workflow, INVOICES, { credential });
		const again = await bench.start(workflow, INVOICES);

		expect(again.paidBefore).toEqual([true, true]);
		expect(bench.paid).toEqual(BOTH);
	});

	it('pays for both where the reference names the client', async () => {
		const named = (client: string) => INVOICES.map((item) => ({ ...item, client }));
		const parameters = payEach({}, { reference: '={{ $json.client }} {{ $json.invoice }}' });
		const workflow = newWorkflow(parameters);
		await bench.start(workflow, named('Padaria'));
		const other = await bench.start(workflow, named('Oficina'), { credential });

		expect(other.codes).toEqual([undefined, undefined]);
		expect(bench.paid).toEqual(BOTH);
		expect(paidBySecond()).toEqual(BOTH);
	});
});

describe('a payout in doubt, and another API key', () => {
	const DOUBTS = ['PAYOUT_IN_DOUBT', 'PAYOUT_IN_DOUBT'];
	const NEW = { amount: 30.03, pixKey: CPF, invoice: 'NF-3' };

	describe('of another account', () => {
		it.each([0, 25])('pays nothing of it, and all that is new, %d hours later', async (hours) => {
			const workflow = referenced();
			await bench.payUnseen(workflow);
			bench.clock.advance(hours * HOUR);

			const first = await bench.start(workflow, [...INVOICES, NEW], { credential });
			const second = await bench.start(workflow, [...INVOICES, NEW], { credential });

			expect(first.codes).toEqual([...DOUBTS, undefined]);
			expect(second.codes).toEqual([...DOUBTS, undefined]);
			expect(first.errors[0]?.message).toContain('it was sent with another API key');
			expect(paidBySecond()).toEqual([3003]);
		});

		it('does not count as paid because that account has paid the same', async () => {
			const workflow = referenced();
			await bench.start(workflow, INVOICES, { lost: 'dropBefore' });
			await bench.payElsewhere(INVOICES, 'of the other account', { credential });

			const there = await bench.start(workflow, INVOICES, { credential });
			const here = await bench.followWords(workflow, INVOICES);

			expect(there.codes).toEqual(DOUBTS);
			expect(here.codes).toEqual([undefined, undefined]);
			bench.expectLiving({ 'NF-1': 1, 'NF-2': 1 }, here);
			expect(paidBySecond()).toEqual(BOTH);
		});

		it('pays nothing of it with a second key of that account either', async () => {
			const workflow = referenced();
			await bench.start(workflow, [NEW], { credential });
			await bench.payUnseen(workflow);
			const apiKey = second.createKey({ environment: 'SANDBOX', scopes: ['*'] });

			const byFirst = await bench.start(workflow, INVOICES, { credential });
			const bySecond = await bench.start(workflow, INVOICES, {
				credential: { ...credential, apiKey },
			});

			expect(byFirst.codes).toEqual(DOUBTS);
			expect(bySecond.codes).toEqual(DOUBTS);
			expect(paidBySecond()).toEqual([3003]);
		});

		it('is settled as the error says: with the credential that it was sent with', async () => {
			const workflow = referenced();
			await bench.payUnseen(workflow);
			bench.clock.advance(25 * HOUR);

			const there = await bench.start(workflow, INVOICES, { credential });
			const here = await bench.followWords(workflow, INVOICES);

			expect(there.errors[0]?.description).toContain('Choose the credential with that key');
			expect(here.paidBefore).toEqual([true, true]);
			bench.expectTrue(here);
			expect(paidBySecond()).toEqual([]);
		});

		it('stays in doubt if a person has seen only the list of the other account', async () => {
			const workflow = referenced();
			await bench.payUnseen(workflow);
			bench.clock.advance(6 * MINUTE);
			for (const reference of ['NF-1', 'NF-2']) {
				await bench.settle(reference, 'notPaid', '', { credential });
			}
			bench.clock.advance(25 * HOUR);

			const here = await bench.start(workflow, INVOICES);

			expect(here.codes).toEqual(DOUBTS);
			expect(bench.paid).toEqual(BOTH);
		});

		it('pays it there once a person said, five minutes after the last attempt, that it was not paid', async () => {
			const workflow = referenced();
			await bench.start(workflow, INVOICES, { lost: 'dropBefore' });
			for (const reference of ['NF-1', 'NF-2']) {
				await bench.settle(reference, 'notPaid', '', { credential });
			}
			const tooEarly = await bench.start(workflow, INVOICES, { credential });
			bench.clock.advance(6 * MINUTE);
			for (const reference of ['NF-1', 'NF-2']) {
				const word = await bench.settle(reference, 'notPaid', '', { credential });
				expect(word.error).toBeUndefined();
			}

			const there = await bench.start(workflow, INVOICES, { credential });

			expect(tooEarly.codes).toEqual(DOUBTS);
			expect(there.paidBefore).toEqual([false, false]);
			expect(bench.paid).toEqual([]);
			expect(paidBySecond()).toEqual(BOTH);
		});
	});

	describe.each(['account', 'apiKey'] as const)(
		'of the same account, where the service distinguishes the idempotency keys of each %s',
		(of) => {
			let apiKey: string;
			beforeEach(() => {
				bench.sandbox.dialect.idempotencyScope.of = of;
				apiKey = bench.keyWith('*');
			});

			it.each([
				['dropBefore', [false, false]],
				['dropAfter', [true, true]],
			] as const)('settles it, once the list can be believed: %s', async (kind, wasPaid) => {
				const workflow = referenced();
				await bench.start(workflow, [NEW]);
				await bench.start(workflow, INVOICES, { lost: kind });
				const settings = { credential: { apiKey } };

				const again = await bench.start(workflow, INVOICES, settings);
				const last = await bench.followWords(workflow, INVOICES, settings);

				expect(again.codes).toEqual(DOUBTS);
				expect(last.paidBefore).toEqual(wasPaid);
				bench.expectLiving({ 'NF-1': 1, 'NF-2': 1, 'NF-3': 1 }, last);
			});

			it('settles it after n8n was killed, with corrected rows', async () => {
				const workflow = referenced();
				await bench.start(workflow, [NEW], { credential: { apiKey } });
				killTables(() => bench.posts > 1);
				await bench.start(workflow, INVOICES, {
					credential: { apiKey },
					lost: { 'NF-1': 'dropAfter', 'NF-2': 'dropBefore' },
				});
				reviveTables();
				restart();

				const last = await bench.followWords(workflow, CORRECTED);

				expect(last.codes).toEqual(['REFERENCE_MISMATCH', undefined]);
				expect(bench.paid).toEqual([1001, 2102, 3003]);
			});

			it('is in doubt where nothing shows that both keys have one account', async () => {
				const workflow = referenced();
				await bench.payUnseen(workflow);

				const again = await bench.start(workflow, INVOICES, { credential: { apiKey } });
				const last = await bench.followWords(workflow, INVOICES);

				expect(again.codes).toEqual(DOUBTS);
				expect(last.paidBefore).toEqual([true, true]);
				bench.expectLiving({ 'NF-1': 1, 'NF-2': 1 }, last);
			});

			it('sends nothing while an execution is sending it with the other one', async () => {
				const workflow = referenced();
				await bench.start(workflow, [NEW]);
				bench.sandbox.faults.add({ method: 'POST', times: 2, kind: 'delay', ms: HOUR });
				const sending = bench.start(workflow, INVOICES);
				await bench.until(() => bench.posts > 2);

				const other = await bench.start(workflow, INVOICES, { credential: { apiKey } });
				bench.clock.advance(HOUR);
				bench.expectTrue(await sending);

				expect(other.codes).toEqual(DOUBTS);
				expect(bench.living).toEqual({ 'NF-1': 1, 'NF-2': 1, 'NF-3': 1 });
			});
		},
	);
});
