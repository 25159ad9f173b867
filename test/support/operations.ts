/**
 * Every operation of the node, once: the names that saved workflows contain, the scope, and parameters with
 * which it returns every field that it can. Unit, engine and end-to-end tests go through this table.
 */
import type { IDataObject, INodeParameters } from 'n8n-workflow';
import type { Sandbox } from '../../dev/sandbox';

type Seeds = Sandbox['seed'];

interface OperationSample {
	/** Names of the parameters without `options`; a rename breaks saved workflows. */
	names: string[];
	/** Names of the entries of `options`, likewise. */
	options: string[];
	/** As docs/api.md names it; left out where none is documented. */
	scope?: string;
	/** Expressions name a field of the row, nothing else. */
	parameters?: INodeParameters;
	/** Other valid ones, in place of those of the same name. */
	variants?: INodeParameters[];
	/**
	 * At least two input items, on a service that has the rows which they name; two without fields where
	 * left out. What an output item has of the fields of its row is the same there.
	 */
	rows?: (seed: Seeds) => IDataObject[];
	/** Whether only a test key can do it. */
	isTest?: true;
}

const COMMON = ['additionalQueryParameters', 'maskPersonalData', 'maxConcurrency', 'timeout'];
const WRITES = [...COMMON, 'additionalBodyFields'];
const KEYED = [...WRITES, 'allowRetryAfter24Hours', 'idempotencyKey'];
const LIST = ['returnAll', 'limit', 'filters'];
const PAYOUT = ['amount', 'pixKey', 'pixKeyType', 'recipientDocument'];

const LIVE = { environment: 'PRODUCTION' } as const;
/** An ID that a merchant chooses: each of these breaks a careless address. */
const AWKWARD = ['pedido/2026?nº 1 ç#%2F', 'a b/c?d=e&f ç'] as const;
const PAYER = {
	...{ name: 'Maria Exemplo', document: '52998224725', documentType: 'CPF' as const },
	...{ institutionName: 'Banco Exemplo', institutionIspb: '00000000' },
};

const two = <T>(make: (index: 0 | 1) => T): T[] => [make(0), make(1)];
/** Of each row only this field. */
const only = (field: string, rows: object[]) =>
	rows.map((row) => ({ [field]: (row as IDataObject)[field] }));
/** As a node that has paid them hands them on. */
const referenced = (rows: object[]) =>
	only('id', rows).map((row, index) => ({ ...row, reference: `NF-${index + 1}` }));

const payments = (seed: Seeds) => [
	seed.payment({ ...LIVE, status: 'PAID', payer: PAYER }),
	seed.payment({ ...LIVE, status: 'PAID', methods: ['CARD'], cardFundingType: 'credit' }),
];
const boletos = (seed: Seeds) => two(() => seed.payment({ ...LIVE, methods: ['BOLETO'] }));
const withdrawals = (seed: Seeds) => {
	const ended = { ...LIVE, processedAt: Date.parse('2026-10-15T12:00:00Z') };
	return [
		seed.withdrawal({ ...ended, status: 'COMPLETED' }),
		seed.withdrawal({ ...ended, status: 'FAILED', errorMessage: 'Example' }),
	];
};
const products = (seed: Seeds) =>
	two((index) => seed.product({ ...LIVE, externalId: AWKWARD[index] }));
const customers = (seed: Seeds) =>
	two((index) =>
		seed.customer({ ...LIVE, customerId: `cus_maria-${index}`, externalId: AWKWARD[index] }),
	);
const payees = () =>
	two((index) => ({ amount: 100 + index, pixKey: `maria-${index}@example.com` }));

const paymentId = '={{ $json.id }}';
const withdrawalId = '={{ $json.id }}';
const customerId = '={{ $json.customerId }}';
const externalId = '={{ $json.externalId }}';
const productId = { __rl: true, mode: 'id', value: '={{ $json.id }}' };
const PAY = { amount: '={{ $json.amount }}', pixKey: '={{ $json.pixKey }}' };
const FILTERED = { returnAll: true, filters: { status: '={{ $json.status }}' } };

/** By resource and operation. */
export const OPERATIONS: Readonly<Record<string, OperationSample>> = {
	'apiKey.get': { names: ['simplify'], options: COMMON },
	'balance.get': { names: [], options: COMMON, scope: 'balance:read' },
	'customer.delete': {
		...{ names: ['customerId'], options: COMMON, scope: 'customers:write' },
		parameters: { customerId },
		rows: (seed) => only('customerId', customers(seed)),
	},
	'customer.get': {
		...{ names: ['customerId', 'simplify'], options: COMMON, scope: 'customers:read' },
		parameters: { customerId },
		rows: (seed) => only('customerId', customers(seed)),
	},
	'customer.getByExternalId': {
		...{ names: ['externalId'], options: COMMON, scope: 'customers:read' },
		parameters: { externalId },
		rows: (seed) => only('externalId', customers(seed)),
	},
	'document.getReceipt': {
		...{ names: ['paymentId', 'format'], options: COMMON, scope: 'documents:read' },
		parameters: { paymentId },
		variants: [{ format: 'text' }],
		rows: (seed) => only('id', payments(seed)),
	},
	'document.getStatement': {
		...{ names: ['startDate', 'endDate', 'format'], options: COMMON, scope: 'documents:read' },
		parameters: { startDate: '2026-10-01', endDate: '2026-10-31' },
		variants: [{ format: 'html' }],
	},
	'payment.create': {
		names: [
			...['chargeBy', 'amount', 'productId', 'methods', 'mode', 'externalId', 'description'],
			...['customer', 'additionalFields'],
		],
		...{ options: [...KEYED, 'oncePerExternalId'], scope: 'payments:write' },
		parameters: {
			...{ amount: '={{ $json.amount }}', mode: '={{ $json.mode }}' },
			methods: '={{ $json.methods }}',
			customer: { name: 'Maria Silva', email: 'maria@example.com', document: '52998224725' },
			...{ description: 'Order 1042', externalId: '={{ $json.order }}' },
		},
		variants: [
			{ chargeBy: 'product', productId: { __rl: true, mode: 'externalId', value: 'plan' } },
			{ methods: ['BOLETO'], mode: 'headless' },
		],
		rows: () => [
			{ amount: 89.9, mode: 'hosted', methods: ['PIX'], order: '1042' },
			{ amount: 90.9, mode: 'hosted', methods: ['CARD'], order: '1043' },
			{ amount: 91.9, mode: 'headless', methods: ['PIX'], order: '1044' },
			{ amount: 92.9, mode: 'headless', methods: ['BOLETO'], order: '1045' },
		],
	},
	'payment.downloadBoleto': {
		...{ names: ['paymentId', 'binaryPropertyName'], options: COMMON, scope: 'payments:read' },
		parameters: { paymentId },
		rows: (seed) => only('id', boletos(seed)),
	},
	'payment.get': {
		...{ names: ['paymentId', 'simplify'], options: COMMON, scope: 'payments:read' },
		parameters: { paymentId },
		variants: [{ simplify: false }],
		rows: (seed) => only('id', [...payments(seed), ...boletos(seed)]),
	},
	'payment.getAll': {
		...{ names: [...LIST, 'simplify'], options: COMMON, scope: 'payments:read' },
		parameters: FILTERED,
		variants: [
			{
				...{ returnAll: false, limit: 7 },
				filters: { startDate: '2026-01-01', endDate: '2026-12-31', minAmount: '1' },
			},
		],
		rows: (seed) => only('status', payments(seed)),
	},
	'payment.getByTxId': {
		...{ names: ['txId', 'simplify'], options: COMMON, scope: 'payments:read' },
		parameters: { txId: '={{ $json.txId }}' },
		rows: (seed) => only('txId', [...payments(seed), ...boletos(seed)]),
	},
	'payment.getPixQrCode': {
		names: ['paymentId', 'binaryPropertyName'],
		...{ options: [...COMMON, 'margin', 'size'], scope: 'payments:read' },
		parameters: { paymentId },
		rows: (seed) =>
			only(
				'id',
				two(() => seed.payment(LIVE)),
			),
	},
	'payment.refund': {
		...{ names: ['paymentId', 'amount', 'reason'], options: KEYED, scope: 'payments:refund' },
		parameters: { paymentId: '={{ $json.paymentId }}', reason: 'Order cancelled' },
		rows: (seed) => payments(seed).map(({ id }) => ({ paymentId: id })),
	},
	'payment.simulate': {
		names: ['paymentId', 'status'],
		options: [...COMMON, 'additionalBodyFields', 'body'],
		parameters: { paymentId, status: 'EXPIRED' },
		rows: (seed) =>
			only(
				'id',
				two(() => seed.payment()),
			),
		isTest: true,
	},
	'payment.waitForStatus': {
		names: ['paymentId', 'statuses', 'timeout', 'simplify'],
		...{ options: COMMON, scope: 'payments:read' },
		parameters: { paymentId, statuses: ['PAID', 'CHARGEBACK'], timeout: 20 },
		variants: [{ simplify: false }],
		rows: (seed) => only('id', payments(seed)),
	},
	'product.create': {
		names: ['name', 'amount', 'additionalFields'],
		...{ options: KEYED, scope: 'products:write' },
		parameters: {
			...{ name: '={{ $json.name }}', amount: '={{ $json.amount }}' },
			additionalFields: { description: 'All courses', externalId },
		},
		rows: () =>
			two((index) => ({
				...{ name: `Course ${index}`, amount: 99.9 + index, externalId: AWKWARD[index] },
			})),
	},
	'product.delete': {
		...{ names: ['productId'], options: COMMON, scope: 'products:write' },
		parameters: { productId },
		rows: (seed) => only('id', products(seed)),
	},
	'product.deleteImage': {
		...{ names: ['productId'], options: COMMON, scope: 'products:write' },
		parameters: { productId },
		variants: [{ productId: { __rl: true, mode: 'externalId', value: 'plan' } }],
		rows: (seed) => only('id', products(seed)),
	},
	'product.getAll': {
		...{ names: LIST, options: COMMON, scope: 'products:read' },
		parameters: { returnAll: true },
		variants: [{ filters: { search: 'plan', isActive: true } }],
		rows: (seed) => only('isActive', products(seed)),
	},
	'product.getByExternalId': {
		...{ names: ['externalId'], options: COMMON, scope: 'products:read' },
		parameters: { externalId },
		rows: (seed) => only('externalId', products(seed)),
	},
	// Its items come with files, which each kind of test makes.
	'product.uploadImage': {
		...{ names: ['productId', 'binaryPropertyName'], options: COMMON, scope: 'products:write' },
		parameters: { productId },
		rows: (seed) => only('id', products(seed)),
	},
	// All items are judged together, so there is nothing to do side by side.
	'withdrawal.checkBatch': {
		names: [...PAYOUT, 'reference'],
		options: ['additionalQueryParameters', 'allowDuplicates', 'maskPersonalData', 'timeout'],
		scope: 'withdrawals:read and balance:read',
		parameters: PAY,
		variants: [{ reference: 'NF' }],
		rows: payees,
	},
	'withdrawal.create': {
		names: [...PAYOUT, 'reference', 'description'],
		options: [
			...[...WRITES, 'allowedPixKeys', 'duplicateGuard', 'largestAmount', 'largestTotal'],
			'whenOverLimit',
		],
		scope: 'withdrawals:write',
		parameters: PAY,
		variants: [{ reference: 'NF' }],
		rows: payees,
	},
	'withdrawal.get': {
		...{ names: ['withdrawalId', 'simplify'], options: COMMON, scope: 'withdrawals:read' },
		parameters: { withdrawalId },
		rows: (seed) => referenced(withdrawals(seed)),
	},
	'withdrawal.getAll': {
		...{ names: [...LIST, 'simplify'], options: COMMON, scope: 'withdrawals:read' },
		parameters: FILTERED,
		variants: [{ filters: { startDate: '2026-01-01', endDate: '2026-12-31' } }],
		rows: (seed) => only('status', withdrawals(seed)),
	},
	'withdrawal.getByReference': {
		...{ names: ['reference'], options: COMMON },
		parameters: { reference: '={{ $json.reference }}' },
		rows: () => [{ reference: 'Never sent 1' }, { reference: 'Never sent 2' }],
	},
	'withdrawal.getLimits': { names: [], options: COMMON, scope: 'withdrawals:read' },
	// Only what is in doubt can be settled.
	'withdrawal.settleReference': {
		...{ names: ['reference', 'outcome', 'withdrawalId', 'notThese'], options: COMMON },
		parameters: { reference: '={{ $json.reference }}', outcome: 'paid', withdrawalId },
		variants: [{ outcome: 'notPaid', withdrawalId: '', notThese: withdrawalId }],
		rows: () =>
			two((index) => ({ reference: `NF-${index}`, id: '3fa85f64-5717-4562-b3fc-2c963f66afa6' })),
	},
	'withdrawal.waitForStatus': {
		names: ['withdrawalId', 'statuses', 'timeout', 'simplify'],
		...{ options: COMMON, scope: 'withdrawals:read' },
		parameters: { withdrawalId, timeout: 20, statuses: ['COMPLETED', 'FAILED'] },
		rows: (seed) => referenced(withdrawals(seed)),
	},
};

/** The input items of an operation, on a service that has what they name. */
export const rowsFor = ({ rows = () => [{}, {}] }: OperationSample, seed: Seeds): IDataObject[] =>
	rows(seed);
