/** Operations that only read: what they ask for each item, and what they put out. */
import type { IDataObject } from 'n8n-workflow';
import { toBrasiliaTime } from '../../../nodes/shared/text/time';
import { useBench } from '../support/harness';
import { HOUR } from '../support/references';
import { AWKWARD, AWKWARD_ENCODED, expectNoKeys, sent } from '../support/wire';
import { operation, type Parameters } from '../support/workflow';

const bench = useBench();
const ID = '={{ $json.id }}';

/** What an item contains, the address that is asked for it, and what shows that it is the right record. */
type Asked = [id: string | number, path: string, shown: IDataObject];
type Read = [name: string, parameters: Parameters, seed: () => Asked[]];
const twice = <T>(build: () => T): [T, T] => [build(), build()];

const byId = (resource: 'payment' | 'withdrawal', name: string, row = {}): Read => [
	`${resource}.${name}`,
	{ [`${resource}Id`]: ID },
	() =>
		twice(() => bench.sandbox.seed[resource](row)).map(({ id }) => [
			` ${id.toUpperCase()} `,
			`/${resource}s/${id}`,
			{ id },
		]),
];
/** By an ID that may contain any characters. */
const byAny = (
	name: string,
	field: string,
	path: string,
	seed: (id: string) => { id: string },
): Read => [
	name,
	{ [field]: ID },
	() => {
		const [plain, awkward] = [seed('42'), seed(AWKWARD)];
		return [
			[42, `${path}/42`, { id: plain.id }],
			[AWKWARD, `${path}/${AWKWARD_ENCODED}`, { id: awkward.id }],
		];
	},
];
const list = (resource: 'payment' | 'product' | 'withdrawal'): Read => [
	`${resource}.getAll`,
	{ limit: 5 },
	() => {
		const { id } = bench.sandbox.seed[resource]();
		return twice(() => ['', `/${resource}s?page=1&limit=5`, { id }]);
	},
];
const API_KEY = {
	name: 'Example test key',
	environment: 'SANDBOX',
	prefix: 'brlpay_test_testkey001',
	scopes: ['*'],
	ipAllowlist: [],
	rateLimitPerMinute: null,
	expiresAt: null,
};
const LIMITS = { fee: 1.5, minAmount: 10, perTransactionLimit: null };

const READS: Read[] = [
	['apiKey.get', {}, () => twice(() => ['', '/auth/self', API_KEY])],
	[
		'customer.get',
		{ customerId: ID },
		() =>
			['cus_maria-silva', ' cus_joao '].map((id, index) => {
				const name = `Customer ${index}`;
				bench.sandbox.seed.customer({ customerId: id.trim(), name });
				return [id, `/customers/${id.trim()}`, { name }];
			}),
	],
	byAny('customer.getByExternalId', 'externalId', '/customers/external', (externalId) =>
		bench.sandbox.seed.customer({ externalId }),
	),
	byId('payment', 'get'),
	byAny('payment.getByTxId', 'txId', '/payments/txid', (txId) =>
		bench.sandbox.seed.payment({ txId }),
	),
	byId('payment', 'waitForStatus', { status: 'PAID' }),
	byAny('product.getByExternalId', 'externalId', '/products/external', (externalId) =>
		bench.sandbox.seed.product({ externalId }),
	),
	byId('withdrawal', 'get'),
	byId('withdrawal', 'waitForStatus', { status: 'COMPLETED' }),
	...[list('payment'), list('product'), list('withdrawal')],
	['withdrawal.getLimits', {}, () => twice(() => ['', '/withdrawals/limits', LIMITS])],
];

const read = async (name: string, parameters: Parameters, asked: Asked[]) =>
	await bench.run(
		operation(name, parameters, { maxConcurrency: 1 }),
		asked.map(([id]) => ({ id })),
	);

it.each(READS)('%s asks once for each item, without a key', async (name, parameters, seed) => {
	const asked = seed();

	const run = await read(name, parameters, asked);

	expect(sent(bench)).toEqual(asked.map(([, path]) => `GET /v1${path}`));
	expectNoKeys(bench);
	expect(run.sources).toEqual([0, 1]);
	expect(run.json).toMatchObject(asked.map(([, , shown]) => shown));
});

/** What is shown with Simplify is in the schemas, see test/engine/schemas. */
it.each([
	['apiKey.get', ['createdAt', 'description']],
	['customer.get', ['metadata']],
	['payment.get', ['currency', 'metadata', 'feeAmount']],
	['payment.getByTxId', ['currency']],
	['payment.getAll', ['currency']],
	['payment.waitForStatus', ['currency']],
	['withdrawal.get', ['pixKeyType', 'isSandbox']],
	['withdrawal.getAll', ['currency']],
	['withdrawal.waitForStatus', ['currency']],
])('%s without Simplify shows all, such as %j', async (name, fields) => {
	const [, parameters, seed] = READS.find(([one]) => one === name)!;
	const asked = seed();

	const simple = await read(name, parameters, asked);
	const whole = await read(name, { ...parameters, simplify: false }, asked);

	for (const field of fields) expect(simple.json[1]).not.toHaveProperty(field);
	expect(Object.keys(whole.json[1]!)).toEqual(expect.arrayContaining(fields));
});

it.each([
	[13, 1],
	[15, 0],
])('API Key: Get of a key that ends in %i days gives %i hints', async (days, hints) => {
	const expiresAt = new Date(bench.clock.now() + days * 24 * HOUR).toISOString();
	const apiKey = bench.sandbox.createKey({ environment: 'SANDBOX', expiresAt });

	const run = await bench.run(operation('apiKey.get'), [{}, {}], { credential: { apiKey } });

	const date = toBrasiliaTime(Date.parse(expiresAt), 'down');
	expect(run.hints).toEqual(Array(hints).fill(expect.stringContaining(date)));
});

describe('Balance: Get', () => {
	it('asks for the balance, once for each item', async () => {
		Object.assign(bench.sandbox.account, { frozenCents: 1, heldCents: 2, reservedCents: 3 });

		const run = await bench.run(operation('balance.get'), [{}, {}], {
			credential: bench.liveCredential,
		});

		expect(sent(bench)).toEqual(['GET /v1/balance', 'GET /v1/balance']);
		expectNoKeys(bench);
		expect(run.sources).toEqual([0, 1]);
		expect(run.json[1]).toEqual({
			available: 1_000_000,
			frozen: 0.01,
			held: 0.02,
			reserved: 0.03,
			total: 1_000_000.06,
			currency: 'BRL',
			environment: 'PRODUCTION',
			updatedAt: expect.any(String),
		});
		expect(run.hints).toEqual([]);
	});

	it('says that a test key always reads zero', async () => {
		const run = await bench.run(operation('balance.get'), [{}, {}]);

		expect(run.json.map(({ available }) => available)).toEqual([0, 0]);
		expect(run.hints).toEqual(['With a test key, the balance is always zero.']);
	});
});
