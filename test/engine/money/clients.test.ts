/** One n8n that pays for two clients, each with its own account and credential. */
import { restart } from '../support/ledger';
import { startSandbox, type Sandbox } from '../../../dev/sandbox';
import { chargeEach } from '../support/charges';
import { BEFORE, DOUBTS, FINE, NOW, usePayouts } from '../support/money';
import { INVOICES, payEach, referenced } from '../support/payouts';
import { CPF, HOUR, MINUTE } from '../support/values';
import { CONTINUE, type Parameters } from '../support/workflow';

const bench = usePayouts();

/** Both clients owe the same people the same amounts. */
const BOTH = [1001, 2002];

let second: Sandbox;
/** Of the second client. */
let credential: { apiKey: string; baseUrl: string };
beforeEach(async () => {
	second = await startSandbox({ clock: bench.clock });
	// Two emulated services begin with the same keys; no two accounts have the same one.
	const apiKey = second.createKey({ environment: 'SANDBOX', scopes: ['*'] });
	credential = { apiKey, baseUrl: second.url };
});
afterEach(async () => await second.close());

const paidBySecond = () => second.books.withdrawals.map(({ amountCents }) => amountCents).sort();
const payForSecond = async (rows = INVOICES) => await bench.pay(rows, { credential });
/** Each client has a workflow of its own with the same node. */
const runForBoth = async (parameters: Parameters) => [
	await bench.run(parameters, INVOICES, CONTINUE),
	await bench.run(parameters, INVOICES, { ...CONTINUE, credential }),
];

it('with a workflow for each client pays for both, for each from the own account', async () => {
	const runs = await runForBoth(payEach());

	expect(runs.flatMap(({ codes }) => codes)).toEqual([...FINE, ...FINE]);
	expect(bench.paid).toEqual(BOTH);
	expect(paidBySecond()).toEqual(BOTH);
	expect(new Set(runs.flatMap(({ ids }) => ids)).size).toBe(4);
});

it('charges a customer of each client under the same External ID', async () => {
	const externalId = '={{ $json.invoice }}';
	await runForBoth(chargeEach({ idempotencyKey: '=order-{{ $json.invoice }}' }, { externalId }));
	for (const { books } of [bench.sandbox, second]) {
		expect(books.payments.map(({ externalId }) => externalId)).toEqual(['NF-1', 'NF-2']);
	}
});

/** A reference is one payout of an n8n project, whichever credential is chosen. */
it.each([
	['in one workflow', true],
	['in a workflow for each', false],
])(
	'with the same references in one n8n project does not pay the second client, and shows no state of another account: %s',
	async (_w, isOne) => {
		const one = await bench.pay();
		bench.clock.advance(25 * HOUR);
		restart();
		const workflow = isOne ? bench.workflow : referenced();
		const other = await bench.start(workflow, INVOICES, { credential });
		const again = await bench.pay();

		expect(other.json).toMatchObject([{ status: 'UNKNOWN' }, { status: 'UNKNOWN' }]);
		expect(JSON.stringify([other.json, other.hints])).toContain('account');
		expect(other.paidBefore).not.toContain(false);
		expect(again.ids).toEqual(one.ids);
		bench.expectOnce(again, BEFORE);
		expect(paidBySecond()).toEqual([]);
	},
);

describe('a payout in doubt, and another API key', () => {
	const NEW = { amount: 30.03, pixKey: CPF, invoice: 'NF-3' };
	const settleBoth = async () => [
		await bench.settle('NF-1', 'notPaid', '', { credential }),
		await bench.settle('NF-2', 'notPaid', '', { credential }),
	];

	describe('of another account', () => {
		it.each([0, 25])('pays nothing of it, and all that is new, %d hours later', async (hours) => {
			await bench.payUnseen(bench.workflow);
			bench.clock.advance(hours * HOUR);

			const there = await payForSecond([...INVOICES, NEW]);
			const again = await payForSecond([...INVOICES, NEW]);

			expect(there.codes).toEqual([...DOUBTS, undefined]);
			expect(again.codes).toEqual([...DOUBTS, undefined]);
			expect(there.errors[0]?.message).toContain('it was sent with another API key');
			expect(there.errors[0]?.description).toContain('Choose the credential with that key');
			expect(paidBySecond()).toEqual([3003]);
			bench.expectOnce(await bench.payAsTold(), BEFORE);
		});

		it('does not count as paid because that account has paid the same', async () => {
			await bench.pay(INVOICES, { lost: 'dropBefore' });
			await bench.payElsewhere(INVOICES, 'of the other account', { credential });

			expect((await payForSecond()).codes).toEqual(DOUBTS);
			const here = await bench.payAsTold();

			expect(here.codes).toEqual(FINE);
			bench.expectLiving({ 'NF-1': 1, 'NF-2': 1 }, here);
			expect(paidBySecond()).toEqual(BOTH);
		});

		it('pays it there once a person said, five minutes after the last attempt, that it was not paid', async () => {
			await bench.pay(INVOICES, { lost: 'dropBefore' });
			await settleBoth();
			expect((await payForSecond()).codes).toEqual(DOUBTS);
			bench.clock.advance(6 * MINUTE);
			for (const { error } of await settleBoth()) expect(error).toBeUndefined();

			expect((await payForSecond()).paidBefore).toEqual(NOW);
			expect(bench.paid).toEqual([]);
			expect(paidBySecond()).toEqual(BOTH);
		});
	});

	describe.each(['account', 'apiKey'] as const)(
		'of the same account, where the service distinguishes the idempotency keys of each %s',
		(of) => {
			const THREE_ONCE = { 'NF-1': 1, 'NF-2': 1, 'NF-3': 1 };
			let other: { credential: { apiKey: string } };
			beforeEach(() => {
				bench.sandbox.dialect.idempotencyScope.of = of;
				other = { credential: { apiKey: bench.keyWith('*') } };
			});

			it.each([
				['dropBefore', NOW],
				['dropAfter', BEFORE],
			] as const)('settles it, once the list can be believed: %s', async (lost, wasPaid) => {
				await bench.pay([NEW]);
				await bench.pay(INVOICES, { lost });

				expect((await bench.pay(INVOICES, other)).codes).toEqual(DOUBTS);
				bench.expectOnce(await bench.payAsTold(INVOICES, other), wasPaid, THREE_ONCE);
			});

			it('is in doubt where nothing shows that both keys have one account', async () => {
				await bench.payUnseen(bench.workflow);
				expect((await bench.pay(INVOICES, other)).codes).toEqual(DOUBTS);
				bench.expectOnce(await bench.payAsTold(), BEFORE);
			});
		},
	);
});
