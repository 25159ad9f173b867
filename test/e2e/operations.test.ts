/**
 * Every operation of the node in a real n8n, with two items each. What each sends, and all that it returns, is
 * in test/engine/requests.
 */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { filesFolder } from '../../dev/n8n/process/environment';
import { getItems, type Item } from '../../dev/n8n/rest/executionData';
import { isN8nFrom } from '../../dev/n8n/paths';
import { waitFor } from '../../dev/n8n/process/waitFor';
import { brlPayments, manualStart, MANUAL, node, buildWorkflow } from '../../dev/n8n/rest/workflow';
import type { Payment } from '../../dev/sandbox';
import { resources } from '../../nodes/BrlPayments/resources';
import { decodedQrCode } from '../support/decodedQrCode';
import { makePng } from './support/png';
import { useWorld } from './support/n8nTestEnv';

const world = useWorld();

/** What an id may look like when a merchant chooses it: each of these breaks a careless URL. */
const AWKWARD = ['pedido/2026?nº 1 ç#%2F', 'a b/c?d=e&f ç'] as const;

interface Given {
	/** Default: the test key. */
	key?: 'test' | 'live';
	/** The two input items. */
	items: [IDataObject, IDataObject];
	parameters?: INodeParameters;
	/** Continues while the workflow runs. */
	meanwhile?: () => Promise<void>;
	/** Some fields of each output item, in order. */
	output?: object[];
	/** Looks at the output items, and at what the service did. */
	check?: (output: Item[]) => void | Promise<void>;
}

/** `resource.operation` -> how to try it out; each function runs on a fresh sandbox. */
const cases: Record<string, () => Given> = {};

const two = <T>(make: (index: number) => T): [T, T] => [make(0), make(1)];
const EMPTY_ITEMS: [IDataObject, IDataObject] = [{ n: 1 }, { n: 2 }];

const getJson = (output: Item[]) => output.map(({ json }) => json);
const pickId = ({ id }: { id: string }) => ({ id });
/** The IDs of two rows as items. */
const idsOf = ([one, other]: [{ id: string }, { id: string }]): [IDataObject, IDataObject] => [
	pickId(one),
	pickId(other),
];

const byId = (value: string) => ({ __rl: true, mode: 'id', value });
const productId = byId('={{ $json.id }}');

const seedPayments = (row: Partial<Payment> = {}) => two(() => world.sandbox.seed.payment(row));
const seedWithdrawals = () => two(() => world.sandbox.seed.withdrawal());
const seedCustomers = () =>
	two((index) =>
		world.sandbox.seed.customer({ customerId: `cus_maria-${index}`, externalId: AWKWARD[index] }),
	);

/** For operations that poll: both items were read, and at least one of them again. */
const untilAskedAgain = async () =>
	await waitFor(() => world.sandbox.requests.length >= 3, { what: 'a second look', pollMs: 20 });

cases['apiKey.get'] = () => ({
	items: EMPTY_ITEMS,
	output: two(() => ({ environment: 'SANDBOX', scopes: ['*'] })),
});

cases['balance.get'] = () => {
	world.sandbox.account.balanceCents = 1_234_567;
	return { key: 'live', items: EMPTY_ITEMS, output: two(() => ({ available: 12_345.67 })) };
};

cases['payment.create'] = () => ({
	items: [
		{ amount: 'R$ 1.234,56', reference: AWKWARD[0] },
		{ amount: '89,90', reference: AWKWARD[1] },
	],
	parameters: {
		chargeBy: 'amount',
		amount: '={{ $json.amount }}',
		methods: ['PIX', 'CARD'],
		mode: 'hosted',
		customer: { name: 'Maria', email: 'maria@example.com', document: '390.533.447-05' },
		additionalFields: { externalId: '={{ $json.reference }}' },
	},
	output: [123_456, 8_990].map((cents) => ({
		...{ amount: cents / 100, checkoutUrl: expect.stringContaining('/checkout/') },
	})),
	check: () => {
		const booked = world.sandbox.books.payments.map(({ externalId }) => externalId);
		expect(booked.sort()).toEqual([...AWKWARD].sort());
	},
});

cases['payment.get'] = () => {
	const payments = seedPayments();
	return {
		items: idsOf(payments),
		parameters: { paymentId: '={{ $json.id }}' },
		output: payments.map(pickId),
	};
};

cases['payment.getByTxId'] = () => {
	const payments = two((index) => world.sandbox.seed.payment({ txId: AWKWARD[index] }));
	return {
		items: two((index) => ({ txId: AWKWARD[index] })),
		parameters: { txId: '={{ $json.txId }}' },
		output: payments.map(pickId),
	};
};

cases['payment.getAll'] = () => {
	const [paid] = seedPayments({ status: 'PAID' });
	const fresh = world.sandbox.seed.payment({ status: 'NEW' });
	return {
		items: [{ status: 'PAID' }, { status: 'NEW' }],
		parameters: { limit: 1, filters: { status: '={{ $json.status }}' } },
		output: [{ status: 'PAID', amount: paid.amountCents / 100 }, pickId(fresh)],
	};
};

cases['payment.refund'] = () => {
	return {
		items: idsOf(seedPayments({ status: 'PAID', amountCents: 5_001 })),
		parameters: { paymentId: '={{ $json.id }}', reason: 'Returned goods' },
		output: two(() => ({ status: 'PENDING', amount: 50.01 })),
		check: () => expect(world.sandbox.books.refunds).toHaveLength(2),
	};
};

cases['payment.downloadBoleto'] = () => ({
	items: idsOf(seedPayments({ paymentMethod: 'BOLETO' })),
	parameters: { paymentId: '={{ $json.id }}', binaryPropertyName: 'slip' },
	check: async (output) => {
		for (const { binary } of output) {
			const { slip } = binary!;
			expect(slip).toMatchObject({ mimeType: 'application/pdf', fileExtension: 'pdf' });
			// The file itself is on disk, not in the execution.
			expect(slip!.id).toMatch(/^filesystem/);
			const received = await world.client.getBinary(slip!.id!);
			expect(received.toString()).toMatch(/^%PDF-[^]*%%EOF\s*$/);
		}
	},
});

cases['payment.getPixQrCode'] = () => ({
	items: idsOf(seedPayments()),
	parameters: { paymentId: '={{ $json.id }}', binaryPropertyName: 'qr' },
	check: async (output) => {
		const pictures: Buffer[] = [];
		for (const { binary } of output) {
			const { qr } = binary!;
			expect(qr).toMatchObject({ mimeType: 'image/png', fileExtension: 'png' });
			pictures.push(await world.client.getBinary(qr!.id!));
		}
		// Decoding takes so long that n8n would close the connection in between.
		expect(pictures.map(decodedQrCode)).toEqual(output.map(({ json }) => json.pixCode));
	},
});

cases['payment.simulate'] = () => {
	const payments = seedPayments();
	return {
		items: [
			{ id: payments[0].id, status: 'PAID' },
			{ id: payments[1].id, status: 'EXPIRED' },
		],
		parameters: { paymentId: '={{ $json.id }}', status: '={{ $json.status }}' },
		output: payments.map(pickId),
	};
};

cases['payment.waitForStatus'] = () => {
	const payments = seedPayments();
	return {
		items: idsOf(payments),
		parameters: { paymentId: '={{ $json.id }}', statuses: ['PAID', 'CANCELLED'], timeout: 60 },
		meanwhile: async () => {
			await untilAskedAgain();
			world.sandbox.setPaymentStatus(payments[0].id, 'PAID');
			world.sandbox.setPaymentStatus(payments[1].id, 'CANCELLED');
		},
		output: [{ status: 'PAID' }, { status: 'CANCELLED' }],
	};
};

cases['withdrawal.create'] = () => ({
	key: 'live',
	items: [
		{ amount: 'R$ 1.234,56', pixKey: '12.ABC.345/01DE-35', document: '' },
		{ amount: '75', pixKey: 'maria@example.com', document: '390.533.447-05' },
	],
	parameters: {
		amount: '={{ $json.amount }}',
		pixKey: '={{ $json.pixKey }}',
		recipientDocument: '={{ $json.document }}',
		description: 'Two payouts',
	},
	output: [
		{ netAmount: 1_234.56, pixKey: '12ABC34501DE35' },
		{ netAmount: 75, pixKey: 'maria@example.com' },
	],
});

cases['withdrawal.get'] = () => {
	const rows = seedWithdrawals();
	return {
		items: idsOf(rows),
		parameters: { withdrawalId: '={{ $json.id }}' },
		output: rows.map(pickId),
	};
};

cases['withdrawal.getByReference'] = () => ({
	items: two((index) => ({ invoice: `Never sent ${index}` })),
	parameters: { reference: '={{ $json.invoice }}' },
	output: two((index) => ({ reference: `Never sent ${index}`, status: 'never sent' })),
});

cases['withdrawal.getAll'] = () => {
	const done = world.sandbox.seed.withdrawal({ status: 'COMPLETED' });
	const failed = world.sandbox.seed.withdrawal({ status: 'FAILED' });
	return {
		items: [{ status: 'COMPLETED' }, { status: 'FAILED' }],
		parameters: { returnAll: true, filters: { status: '={{ $json.status }}' } },
		output: [done, failed].map(pickId),
	};
};

cases['withdrawal.getLimits'] = () => {
	world.sandbox.account.feeCents = 275;
	return { key: 'live', items: EMPTY_ITEMS, output: two(() => ({ fee: 2.75, minAmount: 10 })) };
};

cases['withdrawal.checkBatch'] = () => {
	world.sandbox.account.minWithdrawalCents = 5_000;
	return {
		key: 'live',
		items: [
			{ amount: 'R$ 100,00', pixKey: 'maria@example.com', document: '390.533.447-05' },
			{ amount: '20,00', pixKey: '+5511987654321', document: '' },
		],
		parameters: {
			amount: '={{ $json.amount }}',
			pixKey: '={{ $json.pixKey }}',
			recipientDocument: '={{ $json.document }}',
		},
		output: [
			{ ok: true, problems: [], total: 101.5, batch: { ok: true, count: 2, okCount: 1 } },
			{ ok: false, problems: [{ code: 'WITHDRAWAL_BELOW_MINIMUM' }], pixKeyType: 'PHONE' },
		],
		check: () => expect(world.sandbox.books.withdrawals).toHaveLength(0),
	};
};

cases['withdrawal.waitForStatus'] = () => {
	const rows = seedWithdrawals();
	return {
		items: idsOf(rows),
		parameters: { withdrawalId: '={{ $json.id }}', statuses: ['COMPLETED', 'FAILED'], timeout: 60 },
		meanwhile: async () => {
			await untilAskedAgain();
			for (const { id } of rows) world.sandbox.setWithdrawalStatus(id, 'COMPLETED');
		},
		output: rows.map(({ id }) => ({ id, status: 'COMPLETED' })),
	};
};

cases['product.create'] = () => ({
	items: two((index) => ({ name: `Course ${index}`, amount: `${99 + index},9` })),
	parameters: {
		name: '={{ $json.name }}',
		amount: '={{ $json.amount }}',
		additionalFields: { description: 'Evening course' },
	},
	output: two((index) => ({ name: `Course ${index}`, amount: 99.9 + index, isActive: true })),
});

cases['product.getAll'] = () => {
	const { id } = world.sandbox.seed.product({ name: 'Yoga' });
	world.sandbox.seed.product({ name: 'Pilates' });
	world.sandbox.seed.product({ name: 'Yoga long ago', isActive: false });
	return {
		items: EMPTY_ITEMS,
		parameters: { returnAll: true, filters: { search: 'Yoga', isActive: true } },
		output: two(() => ({ id })),
	};
};

cases['product.getByExternalId'] = () => {
	const products = two((index) => world.sandbox.seed.product({ externalId: AWKWARD[index] }));
	return {
		items: two((index) => ({ ref: AWKWARD[index] })),
		parameters: { externalId: '={{ $json.ref }}' },
		output: products.map(pickId),
	};
};

cases['product.delete'] = () => {
	const products = two(() => world.sandbox.seed.product());
	return {
		items: idsOf(products),
		parameters: { productId },
		output: two(() => ({ deleted: true })),
	};
};

cases['product.deleteImage'] = () => {
	const products = two((index) =>
		world.sandbox.seed.product({ image: makePng(`old ${index}`, 10) }),
	);
	return { items: idsOf(products), parameters: { productId }, output: products.map(pickId) };
};

cases['customer.get'] = () => {
	const customers = seedCustomers();
	return {
		items: two((index) => ({ id: customers[index]!.customerId })),
		parameters: { customerId: '={{ $json.id }}' },
		output: customers.map(({ customerId }) => ({ customerId })),
	};
};

cases['customer.getByExternalId'] = () => {
	world.assume('customerAuthorization');
	const customers = seedCustomers();
	return {
		items: two((index) => ({ ref: AWKWARD[index] })),
		parameters: { externalId: '={{ $json.ref }}' },
		output: customers.map(pickId),
	};
};

cases['customer.delete'] = () => {
	const customers = seedCustomers();
	return {
		items: two((index) => ({ id: customers[index]!.customerId })),
		parameters: { customerId: '={{ $json.id }}' },
		output: two(() => ({ deleted: true })),
	};
};

cases['document.getReceipt'] = () => {
	world.assume('documentParameters');
	const [one, other] = seedPayments({ status: 'PAID' });
	return {
		items: [
			{ id: one.id, format: 'html' },
			{ id: other.id, format: 'text' },
		],
		parameters: { paymentId: '={{ $json.id }}', format: '={{ $json.format }}' },
		output: [
			{ content: expect.stringMatching(new RegExp(`<html[^]*${one.txId}`)) },
			{ content: expect.stringMatching(new RegExp(`^[^<]*${other.txId}[^<]*$`)) },
		],
	};
};

cases['document.getStatement'] = () => {
	world.assume('documentParameters');
	return {
		key: 'live',
		items: [
			{ from: '2026-01-01', to: '2026-01-31', format: 'text' },
			{ from: '2026-02-01', to: '2026-02-28', format: 'html' },
		],
		parameters: {
			startDate: '={{ $json.from }}',
			endDate: '={{ $json.to }}',
			format: '={{ $json.format }}',
		},
		output: [
			{ content: expect.stringMatching(/2026-01-01 to 2026-01-31/) },
			{ content: expect.stringMatching(/<html[^]*2026-02-01/) },
		],
	};
};

describe('every operation with two items', () => {
	const NEEDS_TABLES = 'withdrawal.getByReference';
	const names = Object.keys(cases).filter((name) => name !== NEEDS_TABLES || isN8nFrom('2.3'));

	it.each(names)('%s', async (name) => {
		const { key = 'test', items, parameters, meanwhile, output: expected, check } = cases[name]!();
		const [resource, operation] = name.split('.') as [string, string];
		await world.useKey(world.sandbox.keys[key]);
		const [execution] = await Promise.all([
			world.run(
				buildWorkflow(name, [
					...manualStart(items),
					brlPayments('Operation', resource, operation, { options: {}, ...parameters }),
				]),
			),
			meanwhile?.(),
		]);
		const { error } = execution.data.resultData;
		expect(error && `${error.message}: ${error.description}`).toBeUndefined();
		const output = getItems(execution, 'Operation');
		// Each item knows which one it came from, in input order.
		const sources = output.map(({ pairedItem }) => (pairedItem as { item: number }).item);
		expect(sources).toEqual([...sources].sort());
		expect(new Set(sources)).toEqual(new Set([0, 1]));
		if (expected) expect(getJson(output)).toMatchObject(expected);
		await check?.(output);
	});

	it('product.uploadImage, with binary input that is on disk', async () => {
		const images = two((index) => makePng(`image ${index}`));
		const products = two(() => world.sandbox.seed.product());
		const folder = filesFolder(world.n8n.userFolder);
		for (const index of [0, 1]) await writeFile(join(folder, `image-${index}.png`), images[index]!);
		await world.useKey(world.sandbox.keys.test);

		const workflow = buildWorkflow('product.uploadImage', [
			node(MANUAL, 'manualTrigger', 1),
			node('Read', 'readWriteFile', 1.1, {
				operation: 'read',
				fileSelector: '.n8n-files/image-*.png',
				options: { dataPropertyName: 'picture' },
			}),
			brlPayments('Operation', 'product', 'uploadImage', {
				productId: byId(
					`={{ $json.fileName === 'image-0.png' ? '${products[0].id}' : '${products[1].id}' }}`,
				),
				binaryPropertyName: 'picture',
				options: {},
			}),
		]);
		const execution = await world.run(workflow);
		const { error } = execution.data.resultData;
		expect(error && `${error.message}: ${error.description}`).toBeUndefined();
		const [read] = getItems(execution, 'Read');
		expect(read!.binary!.picture!.id).toMatch(/^filesystem/);
		expect(
			getJson(getItems(execution, 'Operation'))
				.map(({ id }) => id)
				.sort(),
		).toEqual(products.map(({ id }) => id).sort());
		for (const index of [0, 1]) {
			const { image } = products[index]!;
			expect(image?.equals(images[index]!)).toBe(true);
		}
	});

	it('covers all that the node offers', () => {
		const offered = resources.flatMap(({ option, operations }) =>
			operations.map((operation) => `${option.value}.${operation.option.value}`),
		);
		// What is in doubt is settled in test/e2e/references.test.ts.
		const elsewhere = ['product.uploadImage', 'withdrawal.settleReference'];
		expect([...Object.keys(cases), ...elsewhere].sort()).toEqual(offered.sort());
	});
});
