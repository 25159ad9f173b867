/** Operations that only read: what they ask for each item, and what they put out. */
import type { IDataObject } from 'n8n-workflow';
import { useBench } from '../support/harness';
import { AWKWARD, AWKWARD_ENCODED, expectNoKeys, sent } from '../support/wire';
import type { Parameters } from '../support/workflow';

const bench = useBench();
const ID = '={{ $json.id }}';

/** What an item contains, the address that is asked for it, and what shows that it is the right record. */
type Asked = [id: string | number, path: string, shown: IDataObject];
const twice = <T>(build: () => T): [T, T] => [build(), build()];

const payments = () => twice(() => bench.sandbox.seed.payment());
const withdrawals = () => twice(() => bench.sandbox.seed.withdrawal({ status: 'COMPLETED' }));
const limits = { fee: 1.5, minAmount: 10, perTransactionLimit: null };
const apiKey = {
	name: 'Example test key',
	environment: 'SANDBOX',
	prefix: 'brlpay_test_testkey001',
	scopes: ['*'],
	ipAllowlist: [],
	rateLimitPerMinute: null,
	expiresAt: null,
};

const READS: Array<[operation: string, parameters: Parameters, seed: () => Asked[]]> = [
	['apiKey.get', {}, () => twice(() => ['', '/auth/self', apiKey])],
	[
		'customer.get',
		{ customerId: ID },
		() => {
			bench.sandbox.seed.customer({ customerId: 'cus_maria-silva', name: 'Maria' });
			bench.sandbox.seed.customer({ customerId: 'cus_joao', name: 'João' });
			return [
				['cus_maria-silva', '/customers/cus_maria-silva', { name: 'Maria' }],
				[' cus_joao ', '/customers/cus_joao', { name: 'João' }],
			];
		},
	],
	[
		'customer.getByExternalId',
		{ externalId: ID },
		() => {
			bench.sandbox.seed.customer({ externalId: '42', name: 'Maria' });
			bench.sandbox.seed.customer({ externalId: AWKWARD, name: 'João' });
			return [
				[42, '/customers/external/42', { name: 'Maria' }],
				[AWKWARD, `/customers/external/${AWKWARD_ENCODED}`, { name: 'João' }],
			];
		},
	],
	[
		'payment.get',
		{ paymentId: ID },
		() => payments().map(({ id }) => [` ${id.toUpperCase()} `, `/payments/${id}`, { id }]),
	],
	[
		'payment.getByTxId',
		{ txId: ID },
		() => {
			const { id, txId } = bench.sandbox.seed.payment();
			const awkward = bench.sandbox.seed.payment({ txId: AWKWARD });
			return [
				[txId, `/payments/txid/${txId}`, { id }],
				[AWKWARD, `/payments/txid/${AWKWARD_ENCODED}`, { id: awkward.id }],
			];
		},
	],
	[
		'payment.waitForStatus',
		{ paymentId: ID },
		() =>
			twice(() => bench.sandbox.seed.payment({ status: 'PAID' })).map(({ id }) => [
				id,
				`/payments/${id}`,
				{ id },
			]),
	],
	[
		'payment.getAll',
		{ limit: 5 },
		() => {
			const { id } = bench.sandbox.seed.payment();
			return twice(() => ['', '/payments?page=1&limit=5', { id }]);
		},
	],
	[
		'product.getAll',
		{ limit: 5 },
		() => {
			const { id } = bench.sandbox.seed.product();
			return twice(() => ['', '/products?page=1&limit=5', { id }]);
		},
	],
	[
		'product.getByExternalId',
		{ externalId: ID },
		() => {
			const { id } = bench.sandbox.seed.product({ externalId: 'plan' });
			const awkward = bench.sandbox.seed.product({ externalId: AWKWARD });
			return [
				['plan', '/products/external/plan', { id }],
				[AWKWARD, `/products/external/${AWKWARD_ENCODED}`, { id: awkward.id }],
			];
		},
	],
	[
		'withdrawal.get',
		{ withdrawalId: ID },
		() => withdrawals().map(({ id }) => [id, `/withdrawals/${id}`, { id }]),
	],
	[
		'withdrawal.waitForStatus',
		{ withdrawalId: ID },
		() => withdrawals().map(({ id }) => [id, `/withdrawals/${id}`, { id }]),
	],
	[
		'withdrawal.getAll',
		{ limit: 5 },
		() => {
			const { id } = bench.sandbox.seed.withdrawal();
			return twice(() => ['', '/withdrawals?page=1&limit=5', { id }]);
		},
	],
	['withdrawal.getLimits', {}, () => twice(() => ['', '/withdrawals/limits', limits])],
];

const read = async (operation: string, parameters: Parameters, asked: Asked[]) => {
	const [resource = '', name = ''] = operation.split('.');
	return await bench.run(
		{ resource, operation: name, ...parameters, options: { maxConcurrency: 1 } },
		asked.map(([id]) => ({ id })),
	);
};

it.each(READS)('%s asks once for each item, without a key', async (operation, parameters, seed) => {
	const asked = seed();

	const run = await read(operation, parameters, asked);

	expect(sent(bench)).toEqual(asked.map(([, path]) => `GET /v1${path}`));
	expectNoKeys(bench);
	expect(run.sources).toEqual([0, 1]);
	expect(run.json).toMatchObject(asked.map(([, , shown]) => shown));
});

const PAYMENT = [
	...['status', 'amount', 'description', 'paymentMethod', 'paidAt', 'netAmount', 'id', 'txId'],
	'createdAt',
];
const WITHDRAWAL = [
	...['pixKey', 'netAmount', 'status', 'processedAt', 'errorMessage', 'feeAmount', 'grossAmount'],
	...['id', 'txId', 'createdAt'],
];

it.each<[operation: string, fields: string[], more: string[]]>([
	['apiKey.get', ['id', ...Object.keys(apiKey), 'lastUsedAt'], ['createdAt', 'description']],
	[
		'customer.get',
		[
			...['customerId', 'name', 'email', 'document', 'phone', 'externalId', 'isActive'],
			'createdAt',
		],
		['metadata'],
	],
	['payment.get', [...PAYMENT, 'pixCode'], ['currency', 'metadata', 'feeAmount']],
	['payment.getByTxId', [...PAYMENT, 'pixCode'], ['currency']],
	['payment.getAll', PAYMENT, ['currency']],
	['payment.waitForStatus', PAYMENT, ['currency']],
	['withdrawal.get', WITHDRAWAL, ['pixKeyType', 'isSandbox']],
	['withdrawal.getAll', WITHDRAWAL, ['currency']],
	['withdrawal.waitForStatus', WITHDRAWAL, ['currency']],
])('%s shows the fields that matter, and all without Simplify', async (operation, fields, more) => {
	const [, parameters, seed] = READS.find(([name]) => name === operation)!;
	const asked = seed();

	const simple = await read(operation, parameters, asked);
	const whole = await read(operation, { ...parameters, simplify: false }, asked);

	expect(Object.keys(simple.json[1]!)).toEqual(fields);
	expect(Object.keys(whole.json[1]!)).toEqual(expect.arrayContaining(more));
});
