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
import type { Parameters } from '../support/workflow';

const bench = usePayouts();
const FOLDER = join(__dirname, '../../../nodes/BrlPayments/__schema__/v2.0.0');
const getFile = (name: string) => join(FOLDER, `${name.replace('.', '/')}.json`);

function readSchema(name: string): Shape | undefined {
	if (!existsSync(getFile(name))) return undefined;
	return JSON.parse(readFileSync(getFile(name), 'utf8')) as Shape;
}

/** What the API says of objects whose content it leaves open. */
const DOCUMENTED = { methodData: ['type', 'cardFundingType'], metadata: [] };

const PAYER = {
	name: 'Maria Exemplo',
	document: CPF,
	documentType: 'CPF' as const,
	institutionName: 'Banco Exemplo',
	institutionIspb: '00000000',
};
const payments = () => {
	const { seed } = bench.sandbox;
	return [
		seed.payment({ status: 'PAID', payer: PAYER, environment: 'PRODUCTION' }),
		seed.payment({
			status: 'PAID',
			methods: ['CARD'],
			cardFundingType: 'credit',
			environment: 'PRODUCTION',
		}),
	];
};
const boleto = () => bench.sandbox.seed.payment({ methods: ['BOLETO'], environment: 'PRODUCTION' });
const withdrawals = () => [
	bench.sandbox.seed.withdrawal({
		status: 'COMPLETED',
		processedAt: bench.clock.now(),
		environment: 'PRODUCTION',
	}),
	bench.sandbox.seed.withdrawal({
		status: 'FAILED',
		processedAt: bench.clock.now(),
		errorMessage: 'Example',
		environment: 'PRODUCTION',
	}),
];
const product = () =>
	bench.sandbox.seed.product({ externalId: 'plan-monthly', environment: 'PRODUCTION' });
const customer = () =>
	bench.sandbox.seed.customer({ externalId: 'customer-7', environment: 'PRODUCTION' });

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
interface Sample {
	parameters?: Parameters;
	items: () => Items | Promise<Items>;
	credential?: () => { apiKey: string };
}

const paymentId = '={{ $json.id }}';
const withdrawalId = '={{ $json.id }}';
const productId = { __rl: true, mode: 'id', value: '={{ $json.id }}' };
const getIds = (rows: Array<{ id: string }>): Items => rows.map(({ id }) => ({ id }));
const list = (seed: () => unknown) => ({
	parameters: { returnAll: true },
	items: () => {
		seed();
		return [{}];
	},
});

/** How each operation is made to return all that it can. */
const SAMPLES: Record<string, Sample> = {
	'apiKey.get': {
		items: () => [{}],
		credential: () => ({
			apiKey: bench.sandbox.createKey({
				environment: 'PRODUCTION',
				scopes: ['*'],
				ipAllowlist: ['127.0.0.1'],
				rateLimitPerMinute: 600,
				expiresAt: new Date(bench.clock.now() + 1_000_000).toISOString(),
			}),
		}),
	},
	'balance.get': { items: () => [{}] },
	'customer.delete': {
		parameters: { customerId: '={{ $json.customerId }}' },
		items: () => [{ customerId: customer().customerId }],
	},
	'customer.get': {
		parameters: { customerId: '={{ $json.customerId }}' },
		items: () => [{ customerId: customer().customerId }],
	},
	'customer.getByExternalId': {
		parameters: { externalId: 'customer-7' },
		items: () => [{ id: customer().id }],
	},
	'document.getReceipt': { parameters: { paymentId }, items: () => getIds(payments()) },
	'document.getStatement': {
		parameters: { startDate: '2026-10-01', endDate: '2026-10-31' },
		items: () => [{}],
	},
	'payment.create': {
		parameters: {
			amount: 10,
			mode: '={{ $json.mode }}',
			methods: '={{ $json.methods }}',
			customer: { name: 'Maria Silva', email: 'maria@example.com', document: CPF },
			additionalFields: { description: 'Order 1042' },
		},
		items: () => [
			{ mode: 'hosted', methods: ['PIX'] },
			{ mode: 'hosted', methods: ['CARD'] },
			{ mode: 'headless', methods: ['PIX'] },
			{ mode: 'headless', methods: ['BOLETO'] },
		],
	},
	'payment.downloadBoleto': { parameters: { paymentId }, items: () => getIds([boleto()]) },
	'payment.get': { parameters: { paymentId }, items: () => getIds([...payments(), boleto()]) },
	'payment.getAll': list(payments),
	'payment.getByTxId': {
		parameters: { txId: '={{ $json.txId }}' },
		items: () => [...payments(), boleto()].map(({ txId }) => ({ txId })),
	},
	'payment.getPixQrCode': {
		parameters: { paymentId },
		items: () => getIds([bench.sandbox.seed.payment({ environment: 'PRODUCTION' })]),
	},
	'payment.refund': {
		parameters: { paymentId, reason: 'Order cancelled' },
		items: () => getIds(payments()),
	},
	'payment.simulate': {
		parameters: { paymentId },
		items: () => getIds([bench.sandbox.seed.payment()]),
		credential: () => ({ apiKey: bench.sandbox.keys.test }),
	},
	'payment.waitForStatus': { parameters: { paymentId }, items: () => getIds(payments()) },
	'product.create': {
		parameters: {
			name: 'Monthly plan',
			amount: 10,
			additionalFields: { description: 'All courses', externalId: 'plan-monthly' },
		},
		items: () => [{}],
	},
	'product.delete': { parameters: { productId }, items: () => getIds([product()]) },
	'product.deleteImage': { parameters: { productId }, items: () => getIds([product()]) },
	'product.getAll': list(product),
	'product.getByExternalId': {
		parameters: { externalId: 'plan-monthly' },
		items: () => getIds([product()]),
	},
	'product.uploadImage': {
		parameters: { productId },
		items: async () => [await itemWithFile(PNG, 'image/png', 'plan.png', { id: product().id })],
	},
	'withdrawal.checkBatch': {
		parameters: {
			amount: '={{ $json.amount }}',
			pixKey: '={{ $json.pixKey }}',
			recipientDocument: '={{ $json.document }}',
			reference: '={{ $json.invoice }}',
		},
		items: async () => {
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
	},
	'withdrawal.create': {
		parameters: { amount: 10, pixKey: EMAIL },
		items: () => [{}],
	},
	'withdrawal.get': { parameters: { withdrawalId }, items: () => getIds(withdrawals()) },
	'withdrawal.getAll': list(withdrawals),
	'withdrawal.getByReference': {
		parameters: { reference: '={{ $json.invoice }}' },
		items: async () => {
			await references();
			return ['NF-1', 'NF-2', 'NF-3'].map((invoice) => ({ invoice }));
		},
	},
	'withdrawal.getLimits': { items: () => [{}] },
	'withdrawal.settleReference': {
		parameters: {
			reference: '={{ $json.invoice }}',
			outcome: '={{ $json.outcome }}',
			withdrawalId: '={{ $json.id }}',
		},
		items: async () => {
			await references();
			return [
				{ invoice: 'NF-3', outcome: 'paid', id: bench.idOf('NF-3') },
				{ invoice: 'NF-4', outcome: 'notPaid' },
			];
		},
	},
	'withdrawal.waitForStatus': {
		parameters: { withdrawalId },
		items: () => getIds(withdrawals()),
	},
};

/** What the API does not show at all is not promised. */
const UNDOCUMENTED: Record<string, (shape: Shape) => Shape> = {
	'payment.simulate': (shape) =>
		shape.type === 'object' ? { type: 'object', properties: { id: shape.properties.id! } } : shape,
};

async function shapeOfOutput(name: string): Promise<Shape> {
	const [resource = '', operation = ''] = name.split('.');
	const sample = SAMPLES[name];
	if (!sample) {
		throw new Error(
			`SAMPLES in this file has no ${name}. Add how it puts out all that it can, then run "npm run schemas".`,
		);
	}
	const { parameters = {}, items, credential = () => bench.liveCredential } = sample;
	const run = await bench.run(
		{ resource, operation, options: {}, ...parameters },
		(await items()) as IDataObject[],
		{ credential: credential() },
	);
	expect(run.error?.message).toBeUndefined();
	const shape = onlyDocumented(toShape(run.json), DOCUMENTED);
	return withTypesFrom(UNDOCUMENTED[name]?.(shape) ?? shape, readSchema(name));
}

const names = resources.flatMap(({ option, operations }) =>
	operations.map((operation) => `${option.value}.${String(operation.option.value)}`),
);

if (process.env.WRITE_SCHEMAS === '1') {
	it.each(names)('%s: the schema is written', async (name) => {
		mkdirSync(dirname(getFile(name)), { recursive: true });
		const text = JSON.stringify(await shapeOfOutput(name), null, 2);
		writeFileSync(getFile(name), `${text}\n`);
	});
} else {
	it.each(names)('%s puts out what its schema says', async (name) => {
		const shape = await shapeOfOutput(name);
		expect(readSchema(name)).toBeDefined();
		expect(shape).toEqual(readSchema(name));
		// The type of a field that was null in all samples is to be filled in by hand.
		expect(JSON.stringify(readSchema(name))).not.toContain('"null"');
	});
}
