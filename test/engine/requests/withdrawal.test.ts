import { useBench } from '../support/harness';
import { payEach } from '../support/payouts';
import { CNPJ, CPF, EMAIL, PHONE, UUID } from '../support/values';
import { expectNoKeys, expectOwnKeys, sent } from '../support/wire';
import type { Parameters } from '../support/workflow';

const bench = useBench();
const PAIRED = [{ item: 0 }, { item: 1 }];
const ONE_BY_ONE = { maxConcurrency: 1 };
const SIMPLE_FIELDS = [
	'pixKey',
	'netAmount',
	'status',
	'processedAt',
	'errorMessage',
	'feeAmount',
	'grossAmount',
	'id',
	'txId',
	'createdAt',
];

const withdrawal = (operation: string, more: Parameters = {}): Parameters => ({
	resource: 'withdrawal',
	operation,
	withdrawalId: '={{ $json.id }}',
	options: ONE_BY_ONE,
	...more,
});

describe('Withdrawal: Create', () => {
	const create = payEach(ONE_BY_ONE, {
		recipientDocument: '={{ $json.document }}',
		description: '={{ $json.description }}',
	});

	it('pays what each item says', async () => {
		const run = await bench.run(create, [
			{ amount: '1.234,56', pixKey: ' Maria@Recipient.example ', document: '11.222.333/0001-81' },
			{ amount: 10.1, pixKey: '529.982.247-25', description: 'Serviço nº 2' },
		]);

		expect(sent(bench)).toEqual([
			`POST /v1/withdrawals {"amount":1234.56,"destination":{"pixKey":"${EMAIL}","recipientDocument":"${CNPJ}"}}`,
			`POST /v1/withdrawals {"amount":10.1,"destination":{"pixKey":"${CPF}"},"description":"Serviço nº 2"}`,
		]);
		expectOwnKeys(bench);
		expect(run.output().map(({ pairedItem }) => pairedItem)).toEqual(PAIRED);
		expect(run.json).toEqual([
			expect.objectContaining({ netAmount: 1234.56, feeAmount: 1.5, grossAmount: 1236.06 }),
			expect.objectContaining({ netAmount: 10.1, status: 'PENDING', isSandbox: true }),
		]);
		expect(bench.paid).toEqual([1010, 123_456]);
	});

	it('returns columns in the order in which people read them', async () => {
		const items = [1, 2].map((n) => ({ amount: 10 * n, pixKey: CPF, note: `Invoice ${n}` }));

		const { json } = await bench.run({ ...create, description: '={{ $json.note }}' }, items);

		for (const one of json) {
			expect(Object.keys(one).slice(0, 8)).toEqual([
				...['pixKey', 'netAmount', 'status', 'description'],
				...['feeAmount', 'grossAmount', 'id', 'txId'],
			]);
		}
		expect(json.map(({ description }) => description)).toEqual(['Invoice 1', 'Invoice 2']);
	});

	it.each([
		[PHONE, PHONE],
		['+55 (11) 98765-4321', PHONE],
		[UUID.toUpperCase(), UUID],
		['11.222.333/0001-81', CNPJ],
		// A spreadsheet made a number of it and dropped the leading zero.
		[1_198_765_402, '01198765402'],
	])('sends the PIX key %s as the directory has it', async (pixKey, expected) => {
		await bench.run(create, [
			{ amount: 10, pixKey },
			{ amount: 20, pixKey },
		]);

		const bodies = bench.requests().map(({ rawBody }) => JSON.parse(rawBody.toString()));
		expect(bodies.map(({ destination }) => destination.pixKey)).toEqual([expected, expected]);
	});

	it('pays the bounds of what is possible, with the longest description', async () => {
		const description = 'x'.repeat(500);
		// The account's own limits are lower, and those of the night are even lower.
		const above = 1_000_000_000;
		Object.assign(bench.sandbox.account, {
			dayLimitCents: above,
			nightLimitCents: above,
			providerMaxCents: above,
		});

		const { error } = await bench.run(create, [
			{ amount: 10, pixKey: CPF, description },
			{ amount: '1.000.000,00', pixKey: EMAIL, description },
		]);

		expect(error).toBeUndefined();
		expect(bench.paid).toEqual([1_000, 100_000_000]);
	});

	it.each([
		['11 digits that are no CPF', { amount: 10, pixKey: '11987654321' }],
		['less than R$ 10,00', { amount: 9.99, pixKey: CPF }],
		['more than R$ 1.000.000,00', { amount: 1_000_000.01, pixKey: CPF }],
		['three decimals', { amount: 10.001, pixKey: CPF }],
		['an amount that is missing', { pixKey: CPF }],
		['a document that is not the key', { amount: 10, pixKey: CPF, document: CNPJ }],
		['a description of 501 characters', { amount: 10, pixKey: CPF, description: 'x'.repeat(501) }],
	])('sends nothing for %s', async (_name, item) => {
		const { error } = await bench.run(create, [item, { amount: 20, pixKey: CPF }]);

		expect(error?.name).toBe('NodeOperationError');
		expect(error).toHaveProperty('itemIndex', 0);
		expect(bench.requests()).toEqual([]);
	});
});

describe('Withdrawal: Get', () => {
	it('gets the withdrawal of each item', async () => {
		const rows = [
			bench.sandbox.seed.withdrawal(),
			bench.sandbox.seed.withdrawal({ pixKey: EMAIL }),
		];
		const items = rows.map(({ id }) => ({ id }));

		const run = await bench.run(withdrawal('get'), items);
		const whole = await bench.run(withdrawal('get', { simplify: false }), items);

		expect(sent(bench).slice(0, 2)).toEqual(rows.map(({ id }) => `GET /v1/withdrawals/${id}`));
		expectNoKeys(bench);
		expect(run.output().map(({ pairedItem }) => pairedItem)).toEqual(PAIRED);
		expect(run.json.map(({ txId }) => txId)).toEqual(rows.map(({ txId }) => txId));
		expect(Object.keys(run.json[1]!)).toEqual(SIMPLE_FIELDS);
		expect(whole.json[1]).toMatchObject({ pixKeyType: 'EMAIL', isSandbox: true });
	});
});

describe('Withdrawal: Get Many', () => {
	it('lists for each item', async () => {
		const { id } = bench.sandbox.seed.withdrawal();

		const run = await bench.run(withdrawal('getAll', { limit: 5 }), [{}, {}]);
		const whole = await bench.run(withdrawal('getAll', { simplify: false }), [{}]);

		expect(sent(bench).slice(0, 2)).toEqual(Array(2).fill('GET /v1/withdrawals?page=1&limit=5'));
		expectNoKeys(bench);
		expect(run.output().map(({ pairedItem }) => pairedItem)).toEqual(PAIRED);
		expect(run.json.map((row) => row.id)).toEqual([id, id]);
		expect(Object.keys(run.json[1]!)).toEqual(SIMPLE_FIELDS);
		expect(whole.json[0]).toMatchObject({ currency: 'BRL' });
	});
});

describe('Withdrawal: Get Limits', () => {
	it('reads the limits for each item', async () => {
		const run = await bench.run(withdrawal('getLimits'), [{}, {}]);

		expect(sent(bench)).toEqual(Array(2).fill('GET /v1/withdrawals/limits'));
		expectNoKeys(bench);
		expect(run.output().map(({ pairedItem }) => pairedItem)).toEqual(PAIRED);
		expect(run.json[1]).toMatchObject({ fee: 1.5, minAmount: 10, perTransactionLimit: null });
	});
});

describe('Withdrawal: Check Batch', () => {
	it('lets Additional Query Parameters go along', async () => {
		const parameter = [{ name: 'account', value: 'main' }];

		const run = await bench.run(
			{
				...payEach({ additionalQueryParameters: { parameter } } as never),
				operation: 'checkBatch',
			},
			[
				{ amount: 10, pixKey: CPF },
				{ amount: 20, pixKey: CPF },
			],
		);

		expect(sent(bench)).toEqual(['GET /v1/withdrawals/limits?account=main']);
		expectNoKeys(bench);
		expect(run.output().map(({ pairedItem }) => pairedItem)).toEqual(PAIRED);
	});
});

describe('Withdrawal: Wait for Status', () => {
	it('reads the withdrawal of each item', async () => {
		const rows = [1, 2].map(() => bench.sandbox.seed.withdrawal({ status: 'COMPLETED' }));
		const wait = withdrawal('waitForStatus');

		const run = await bench.run(
			wait,
			rows.map(({ id }) => ({ id })),
		);
		const whole = await bench.run({ ...wait, simplify: false }, [{ id: rows[0]!.id }]);

		expect(sent(bench).slice(0, 2)).toEqual(rows.map(({ id }) => `GET /v1/withdrawals/${id}`));
		expectNoKeys(bench);
		expect(run.output().map(({ pairedItem }) => pairedItem)).toEqual(PAIRED);
		expect(Object.keys(run.json[1]!)).toEqual(SIMPLE_FIELDS);
		expect(whole.json[0]).toMatchObject({ currency: 'BRL' });
	});
});
