import type { IDataObject } from 'n8n-workflow';
import type { Execution } from '../support/execution';
import { batchOf } from '../support/checks';
import { useBench, type RunSettings } from '../support/harness';
import { payEach } from '../support/payouts';
import { CNPJ, CPF, EMAIL, PHONE } from '../support/values';
import type { Parameters } from '../support/workflow';
import { expectNoKeys } from '../support/wire';

const bench = useBench();

const check = async (items: IDataObject[], more: Parameters = {}, settings: RunSettings = {}) => {
	const parameters = payEach({}, { recipientDocument: '={{ $json.document }}', ...more });
	return await bench.run({ ...parameters, operation: 'checkBatch' }, items, {
		credential: bench.liveCredential,
		...settings,
	});
};
const FINE: IDataObject[] = [
	{ amount: 'R$ 1.000,00', pixKey: EMAIL, document: CPF },
	{ amount: 20, pixKey: PHONE, document: CPF },
	{ amount: 30, pixKey: CNPJ },
];
const getProblems = ({ json }: Execution): Array<Array<{ code: string; message: string }>> =>
	json.map(({ problems }) => problems);

const pathOf = (url: string): string => url.replace(/\?.*/, '');

describe('Check Batch', () => {
	it('judges payouts and adds them up, with limits, balance and list read once, and sends no write', async () => {
		const run = await check(FINE);

		const asked = bench.requests().map(({ method, url }) => `${method} ${pathOf(url)}`);
		expect(asked.sort()).toEqual(['GET /v1/balance', 'GET /v1/withdrawals/limits']);
		expectNoKeys(bench);
		expect(run.sources).toEqual([0, 1, 2]);
		const batch = {
			batchOk: true,
			batchProblem: null,
			batchNewCount: 3,
			batchAmount: 1050,
			batchFees: 4.5,
			batchTotal: 1054.5,
			batchPaidBeforeCount: 0,
			batchPaidBeforeAmount: 0,
			batchRemainingLimit: expect.any(Number),
			batchAvailableBalance: 1_000_000,
			batchProblems: [],
			batchEnvironment: 'production',
		};
		const assessed = {
			...{ ok: true, problem: null, amount: 1000, fee: 1.5, total: 1001.5 },
			...{ pixKey: EMAIL, pixKeyType: 'EMAIL', recipientDocument: CPF, problems: [], warnings: [] },
		};
		expect(run.json).toEqual([
			{ ...assessed, ...batch },
			expect.objectContaining({ ok: true, pixKey: PHONE, pixKeyType: 'PHONE', ...batch }),
			expect.objectContaining({ ok: true, pixKey: CNPJ, pixKeyType: 'CNPJ', ...batch }),
		]);
		// In the order in which people read them, in every row.
		for (const row of run.json) {
			const names = Object.keys({ ...assessed, ...batch });
			expect(Object.keys(row)).toEqual(names.filter((name) => name in row));
		}
		expect(run.hints).toEqual([
			'3 of 3 rows are fine. To pay: R$ 1.050,00 + R$ 4,50 fees. Balance: R$ 1.000.000,00.',
		]);
	});

	// Whoever goes live changes the credential of three nodes, and may forget one.
	it('holds for keys of its environment only', async () => {
		const { json } = await check(FINE);
		const paid = await bench.run(payEach(), json);
		expect(paid.error?.message).toContain('with a live key, and this node has a test one');
		expect(bench.paid).toEqual([]);
		await bench.run(payEach(), json, { credential: bench.liveCredential });
		expect(bench.paid).toHaveLength(3);
	});

	it.each<[string, IDataObject, code: string, says?: string]>([
		['an amount below the minimum', { amount: 11 }, 'WITHDRAWAL_BELOW_MINIMUM'],
		['a broken PIX key', { pixKey: '52998224726' }, 'INVALID_PIX_KEY'],
		['a document that is not the key', { document: CNPJ }, 'RECIPIENT_DOCUMENT_MISMATCH'],
		[
			'the same payout as another item',
			{ pixKey: PHONE },
			'DUPLICATE_IN_BATCH',
			"Same PIX key and amount as row 2. If both are intended, turn on 'Options > Allow Duplicates'.",
		],
	])('finds %s, and leaves it out of the sums', async (_name, changed, code, says = '') => {
		const limits = { minWithdrawalCents: 1_200, perTransactionLimitCents: 500_000 };
		Object.assign(bench.sandbox.account, limits);

		const run = await check([...FINE, { amount: 20, pixKey: CPF, ...changed }]);

		const problem = expect.objectContaining({ code, message: expect.stringContaining(says) });
		expect(getProblems(run)).toEqual([[], [], [], [problem]]);
		expect(batchOf(run)).toMatchObject({ ok: true, newCount: 3, amount: 1050 });
		expect(run.json[3]?.problem).toContain(says);
		expect(run.hints.join()).toContain('3 of 4 rows are fine, 1 refused: row 4. To pay:');
		expect(bench.requests()).toHaveLength(2);
	});

	it('warns of an amount far from the others, by row and reference, and lets it be paid', async () => {
		const amounts = ['150,00', 15000, 175, 'R$ 200,00', '180,00'];
		const rows = amounts.map((amount, index) => ({
			amount,
			pixKey: `payee-${index}@recipient.example`,
			document: CPF,
			invoice: `NF-${index + 1}`,
		}));

		const run = await check(rows, { reference: '={{ $json.invoice }}' });

		expect(run.json.map(({ ok, warnings }) => [ok, warnings] as unknown)).toEqual([
			[true, []],
			[true, [expect.stringContaining('R$ 15.000,00 is about 80 times the usual amount')]],
			...[2, 3, 4].map(() => [true, []]),
		]);
		expect(batchOf(run)).toMatchObject({ ok: true, newCount: 5 });
		expect(run.hints.slice(1)).toEqual([
			'Before you pay, look at amounts far from the others: row 2 (NF-2). See warnings.',
		]);
	});

	it('warns of keys whose holder only a document names, and lets them be paid', async () => {
		const rows = [
			{ pixKey: EMAIL },
			{ pixKey: PHONE, document: '' },
			{ pixKey: CPF },
			{ pixKey: 'joao@recipient.example', document: CPF },
			{ pixKey: 'nobody' },
		].map((row, index) => ({ amount: 20, invoice: `NF-${index + 1}`, ...row }));

		const run = await check(rows, { reference: '={{ $json.invoice }}' });

		const warned = [
			expect.stringMatching(/^No recipient document: .* your own company.* Fill in 'Recipient/),
		];
		expect(run.json.map(({ ok, warnings }) => [ok, warnings] as unknown)).toEqual([
			...[1, 2].map(() => [true, warned]),
			...[3, 4].map(() => [true, []]),
			[false, []],
		]);
		expect(run.hints[0]).toContain('4 of 5 rows are fine, 1 refused: row 5 (NF-5). To pay:');
		expect(run.hints.slice(1)).toEqual([
			'Before you pay, look at payouts without a recipient document: rows 1 (NF-1), 2 (NF-2). See warnings.',
		]);
	});

	it('agrees to the centavo with what the server then accepts', async () => {
		Object.assign(bench.sandbox.account, { dayLimitCents: 105_450, nightLimitCents: 105_450 });
		bench.sandbox.account.balanceCents = 105_450;

		const checked = await check(FINE);
		const run = await bench.run(payEach(), FINE, { credential: bench.liveCredential });

		expect(batchOf(checked)).toMatchObject({ ok: true });
		bench.expectPaid([2_000, 3_000, 100_000], run);
	});

	it('leaves the balance out with a test key, and says so', async () => {
		const run = await check(FINE, {}, { credential: {} });

		const asked = bench.requests().map(({ url }) => pathOf(url));
		expect(asked).toEqual(['/v1/withdrawals/limits']);
		expect(batchOf(run)).toMatchObject({ ok: true, availableBalance: null });
		expect(run.hints).toEqual([
			expect.stringContaining('With a test key, the balance is always'),
			'3 of 3 rows are fine. To pay: R$ 1.050,00 + R$ 4,50 fees.',
		]);
	});
});
