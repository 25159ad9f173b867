/**
 * The editor offers the fields of a node that has not run yet by the schemas in `__schema__`. Here
 * each operation runs, and its schema has to match the output. `npm run schemas` rewrites them.
 */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { IDataObject, INodeExecutionData } from 'n8n-workflow';
import { resources } from '../../../nodes/BrlPayments/resources';
import { itemWithFile } from '../support/harness';
import { alike, HOUR, referenced, usePayouts } from '../support/references';
import { onlyDocumented, toShape, withTypesFrom, type Shape } from '../support/shape';
import { CPF, EMAIL, PNG } from '../support/values';
import { operation, type Parameters } from '../support/workflow';

const bench = usePayouts();
const FOLDER = join(__dirname, '../../../nodes/BrlPayments/__schema__/v2.0.0');
const getFile = (name: string) => join(FOLDER, `${name.replace('.', '/')}.json`);

function readSchema(name: string): Shape | undefined {
	if (!existsSync(getFile(name))) return undefined;
	return JSON.parse(readFileSync(getFile(name), 'utf8')) as Shape;
}

/** What the API says of objects whose content it leaves open. */
const DOCUMENTED = { methodData: ['type', 'cardFundingType'], metadata: [] };

const LIVE = { environment: 'PRODUCTION' } as const;
const PAYER = {
	name: 'Maria Exemplo',
	document: CPF,
	documentType: 'CPF' as const,
	institutionName: 'Banco Exemplo',
	institutionIspb: '00000000',
};
const payments = () => [
	bench.sandbox.seed.payment({ ...LIVE, status: 'PAID', payer: PAYER }),
	bench.sandbox.seed.payment({
		...{ ...LIVE, status: 'PAID', methods: ['CARD'], cardFundingType: 'credit' },
	}),
];
const boleto = () => bench.sandbox.seed.payment({ ...LIVE, methods: ['BOLETO'] });
const withdrawals = () => {
	const ended = { ...LIVE, processedAt: bench.clock.now() };
	return [
		bench.sandbox.seed.withdrawal({ ...ended, status: 'COMPLETED' }),
		bench.sandbox.seed.withdrawal({ ...ended, status: 'FAILED', errorMessage: 'Example' }),
	];
};
const product = () => bench.sandbox.seed.product({ ...LIVE, externalId: 'plan-monthly' });
const customer = () => bench.sandbox.seed.customer({ ...LIVE, externalId: 'customer-7' });

/** References of which two were paid, and the answers to the others were lost more than a day ago. */
const references = async () => {
	const [one, two, ...unclear] = alike('NF-1', 'NF-2', 'NF-3', 'NF-4');
	const settings = { credential: bench.liveCredential };
	const workflow = referenced();
	await bench.start(workflow, unclear, { ...settings, lost: 'dropAfter' });
	bench.clock.advance(25 * HOUR);
	await bench.start(workflow, [one!, two!, ...unclear], settings);
	bench.sandbox.setWithdrawalStatus(bench.idOf('NF-1')!, 'COMPLETED');
	bench.sandbox.setWithdrawalStatus(bench.idOf('NF-2')!, 'FAILED', 'Example');
};

type Items = Array<IDataObject | INodeExecutionData>;
type Sample = [
	parameters: Parameters,
	items: () => Items | Promise<Items>,
	/** The live key where it is left out. */
	apiKey?: () => string,
];

const ID = '={{ $json.id }}';
const productId = { __rl: true, mode: 'id', value: ID };
const getIds = (rows: Array<{ id: string }>): Items => rows.map(({ id }) => ({ id }));
const one = () => [{}];
const list = (seed: () => unknown): Sample => [{ returnAll: true }, () => (seed(), [{}])];
const byCustomerId: Sample = [
	{ customerId: ID },
	() => [{ id: customer().customerId } as IDataObject],
];
const byProductId: Sample = [{ productId }, () => getIds([product()])];

/** How each operation is made to return all that it can. */
const SAMPLES: Record<string, Sample> = {
	'apiKey.get': [
		{},
		one,
		() =>
			bench.sandbox.createKey({
				...LIVE,
				scopes: ['*'],
				ipAllowlist: ['127.0.0.1'],
				rateLimitPerMinute: 600,
				expiresAt: new Date(bench.clock.now() + 1_000_000).toISOString(),
			}),
	],
	'balance.get': [{}, one],
	'customer.delete': byCustomerId,
	'customer.get': byCustomerId,
	'customer.getByExternalId': [{ externalId: 'customer-7' }, () => getIds([customer()])],
	'document.getReceipt': [{ paymentId: ID }, () => getIds(payments())],
	'document.getStatement': [{ startDate: '2026-10-01', endDate: '2026-10-31' }, one],
	'payment.create': [
		{
			amount: 10,
			mode: '={{ $json.mode }}',
			methods: '={{ $json.methods }}',
			customer: { name: 'Maria Silva', email: 'maria@example.com', document: CPF },
			additionalFields: { description: 'Order 1042', externalId: '={{ $json.order }}' },
		},
		() => [
			{ mode: 'hosted', methods: ['PIX'], order: '1042' },
			{ mode: 'hosted', methods: ['CARD'], order: '1043' },
			{ mode: 'headless', methods: ['PIX'], order: '1044' },
			{ mode: 'headless', methods: ['BOLETO'], order: '1045' },
		],
	],
	'payment.downloadBoleto': [{ paymentId: ID }, () => getIds([boleto()])],
	'payment.get': [{ paymentId: ID }, () => getIds([...payments(), boleto()])],
	'payment.getAll': list(payments),
	'payment.getByTxId': [
		{ txId: ID },
		() => [...payments(), boleto()].map(({ txId }) => ({ id: txId })),
	],
	'payment.getPixQrCode': [{ paymentId: ID }, () => getIds([bench.sandbox.seed.payment(LIVE)])],
	'payment.refund': [{ paymentId: ID, reason: 'Order cancelled' }, () => getIds(payments())],
	'payment.simulate': [
		{ paymentId: ID },
		() => getIds([bench.sandbox.seed.payment()]),
		() => bench.sandbox.keys.test,
	],
	'payment.waitForStatus': [{ paymentId: ID }, () => getIds(payments())],
	'product.create': [
		{
			...{ name: 'Monthly plan', amount: 10 },
			additionalFields: { description: 'All courses', externalId: 'plan-monthly' },
		},
		one,
	],
	'product.delete': byProductId,
	'product.deleteImage': byProductId,
	'product.getAll': list(product),
	'product.getByExternalId': [{ externalId: 'plan-monthly' }, () => getIds([product()])],
	'product.uploadImage': [
		{ productId },
		async () => [await itemWithFile(PNG, 'image/png', 'plan.png', { id: product().id })],
	],
	'withdrawal.checkBatch': [
		{
			amount: '={{ $json.amount }}',
			pixKey: '={{ $json.pixKey }}',
			recipientDocument: '={{ $json.document }}',
			reference: '={{ $json.invoice }}',
		},
		async () => {
			await references();
			const rows = [
				{ amount: 10, pixKey: CPF, document: CPF },
				{ amount: 1, pixKey: 'nobody' },
				{ amount: 10, pixKey: CPF },
				{ amount: 5000, pixKey: EMAIL },
			];
			// The last two were paid before, and are in doubt.
			return [
				...rows.map((row, index) => ({ ...row, invoice: `N-${index}` })),
				...alike('NF-1', 'NF-3'),
			];
		},
	],
	'withdrawal.create': [{ amount: 10, pixKey: EMAIL }, one],
	'withdrawal.get': [{ withdrawalId: ID }, () => getIds(withdrawals())],
	'withdrawal.getAll': list(withdrawals),
	'withdrawal.getByReference': [
		{ reference: ID },
		async () => {
			await references();
			return ['NF-1', 'NF-2', 'NF-3'].map((id) => ({ id }));
		},
	],
	'withdrawal.getLimits': [{}, one],
	'withdrawal.settleReference': [
		{ reference: '={{ $json.invoice }}', outcome: '={{ $json.outcome }}', withdrawalId: ID },
		async () => {
			await references();
			return [
				{ invoice: 'NF-3', outcome: 'paid', id: bench.idOf('NF-3') },
				{ invoice: 'NF-4', outcome: 'notPaid' },
			];
		},
	],
	'withdrawal.waitForStatus': [{ withdrawalId: ID }, () => getIds(withdrawals())],
};

/** What the API does not show at all is not promised. */
const UNDOCUMENTED: Record<string, (shape: Shape) => Shape> = {
	'payment.simulate': (shape) =>
		shape.type === 'object' ? { type: 'object', properties: { id: shape.properties.id! } } : shape,
};

async function shapeOfOutput(name: string): Promise<Shape> {
	const sample = SAMPLES[name];
	if (!sample) {
		throw new Error(
			`SAMPLES in this file has no ${name}. Add how it puts out all that it can, then run "npm run schemas".`,
		);
	}
	const [parameters, items, apiKey = () => bench.sandbox.keys.live] = sample;
	const run = await bench.run(operation(name, parameters), (await items()) as IDataObject[], {
		credential: { apiKey: apiKey() },
	});
	expect(run.error?.message).toBeUndefined();
	const shape = onlyDocumented(toShape(run.json), DOCUMENTED);
	return withTypesFrom(UNDOCUMENTED[name]?.(shape) ?? shape, readSchema(name));
}

const operations = resources.flatMap(({ option, operations: all }) =>
	all.map(({ option: { value }, fields }) => ({
		name: `${option.value}.${String(value)}`,
		isSimplified: fields.some(({ name }) => name === 'simplify'),
	})),
);

if (process.env.WRITE_SCHEMAS === '1') {
	it.each(operations)('$name: the schema is written', async ({ name }) => {
		mkdirSync(dirname(getFile(name)), { recursive: true });
		const text = JSON.stringify(await shapeOfOutput(name), null, 2);
		writeFileSync(getFile(name), `${text}\n`);
	});
} else {
	it.each(operations)('$name puts out what its schema says', async ({ name, isSimplified }) => {
		const shape = await shapeOfOutput(name);
		expect(readSchema(name)).toBeDefined();
		expect(shape).toEqual(readSchema(name));
		// In the order in which people read them.
		if (isSimplified) expect(JSON.stringify(shape)).toBe(JSON.stringify(readSchema(name)));
		// The type of a field that was null in all samples is to be filled in by hand.
		expect(JSON.stringify(readSchema(name))).not.toContain('"null"');
	});
}
