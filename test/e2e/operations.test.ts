/** Every operation of the node in a real n8n, with two items each. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { filesFolder } from '../../dev/n8n/process/environment';
import { getItems, type Execution, type Item } from '../../dev/n8n/rest/executionData';
import { isN8nFrom } from '../../dev/n8n/paths';
import { waitFor } from '../../dev/n8n/process/waitFor';
import { brlPayments, manualStart, MANUAL, node, buildWorkflow } from '../../dev/n8n/rest/workflow';
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
	/** Looks at the output items, and at what the service was asked or did. */
	check: (output: Item[], execution: Execution) => void | Promise<void>;
}

/** `resource.operation` -> how to try it out; each function runs on a fresh sandbox. */
const cases: Record<string, () => Given> = {};

const two = <T>(make: (index: number) => T): [T, T] => [make(0), make(1)];

const getJson = (output: Item[]) => output.map(({ json }) => json);

/** Requests to the service, as `METHOD raw-path`. */
const requested = () =>
	world.sandbox.requests.map(({ method, url }) => `${method} ${url.split('?', 1)[0]}`);

/** For operations that poll: both items were read, and at least one of them again. */
const untilAskedAgain = async () =>
	await waitFor(() => requested().length >= 3, { what: 'a second look', pollMs: 20 });

/** The operation under test must have asked for exactly these, in any order. */
function expectRequests(...expected: string[]): void {
	expect(requested().sort()).toEqual([...expected].sort());
}

/** The response of the service itself, for comparison. */
async function fetchDirectly(path: string, key: 'test' | 'live' = 'test'): Promise<Response> {
	return await fetch(`${world.sandbox.url}${path}`, {
		headers: { authorization: `Bearer ${world.sandbox.keys[key]}` },
	});
}

const byId = (value: string) => ({ __rl: true, mode: 'id', value });

const EMPTY_ITEMS: [IDataObject, IDataObject] = [{ n: 1 }, { n: 2 }];

cases['apiKey.get'] = () => ({
	items: EMPTY_ITEMS,
	check: (output) => {
		expect(getJson(output)).toEqual(
			two(() => expect.objectContaining({ environment: 'SANDBOX', scopes: ['*'] })),
		);
		expectRequests('GET /v1/auth/self', 'GET /v1/auth/self');
	},
});

cases['balance.get'] = () => {
	world.sandbox.account.balanceCents = 1_234_567;
	world.sandbox.account.frozenCents = 89;
	return {
		key: 'live',
		items: EMPTY_ITEMS,
		check: (output) => {
			expect(getJson(output)).toEqual(
				two(() =>
					expect.objectContaining({ available: 12_345.67, frozen: 0.89, total: 12_346.56 }),
				),
			);
		},
	};
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
	check: (output) => {
		const booked = world.sandbox.books.payments;
		expect(booked.map(({ externalId, amountCents }) => [externalId, amountCents]).sort()).toEqual(
			[
				[AWKWARD[0], 123_456],
				[AWKWARD[1], 8_990],
			].sort(),
		);
		for (const [index, { json }] of output.entries()) {
			const { id } = booked.find(({ externalId }) => externalId === AWKWARD[index])!;
			expect(json).toMatchObject({ id, checkoutUrl: `${world.sandbox.url}/checkout/${id}` });
		}
	},
});

cases['payment.get'] = () => {
	const payments = two((index) => world.sandbox.seed.payment({ amountCents: 12_345 + index }));
	return {
		items: two((index) => ({ id: payments[index]!.id })),
		parameters: { paymentId: '={{ $json.id }}' },
		check: (output) => {
			expect(getJson(output)).toEqual(
				two((index) =>
					expect.objectContaining({ id: payments[index]!.id, amount: (12_345 + index) / 100 }),
				),
			);
			expectRequests(...payments.map(({ id }) => `GET /v1/payments/${id}`));
		},
	};
};

cases['payment.getByTxId'] = () => {
	const payments = two((index) => world.sandbox.seed.payment({ txId: AWKWARD[index] }));
	return {
		items: two((index) => ({ txId: AWKWARD[index] })),
		parameters: { txId: '={{ $json.txId }}' },
		check: (output) => {
			expect(getJson(output)).toEqual(
				two((index) => expect.objectContaining({ id: payments[index]!.id, txId: AWKWARD[index] })),
			);
			expectRequests(...AWKWARD.map((id) => `GET /v1/payments/txid/${encodeURIComponent(id)}`));
		},
	};
};

cases['payment.getAll'] = () => {
	// More than one page of PAID payments, and some that a filter has to keep out.
	const paid = Array.from({ length: 120 }, () => world.sandbox.seed.payment({ status: 'PAID' }));
	const fresh = Array.from({ length: 3 }, () => world.sandbox.seed.payment({ status: 'NEW' }));
	return {
		items: [{ status: 'PAID' }, { status: 'NEW' }],
		parameters: { returnAll: true, filters: { status: '={{ $json.status }}' } },
		check: (output) => {
			const of = (item: number) =>
				output
					.filter(({ pairedItem }) => (pairedItem as { item: number }).item === item)
					.map(({ json }) => json.id)
					.sort();
			expect(of(0)).toEqual(paid.map(({ id }) => id).sort());
			expect(of(1)).toEqual(fresh.map(({ id }) => id).sort());
		},
	};
};

cases['payment.refund'] = () => {
	const payments = two(() => world.sandbox.seed.payment({ status: 'PAID', amountCents: 5_001 }));
	return {
		items: two((index) => ({ id: payments[index]!.id })),
		parameters: { paymentId: '={{ $json.id }}', reason: 'Returned goods' },
		check: (output) => {
			expect(getJson(output)).toEqual(
				two(() => expect.objectContaining({ status: 'PENDING', amount: 50.01 })),
			);
			expect(
				world.sandbox.books.refunds
					.map(({ paymentId, amountCents }) => [paymentId, amountCents])
					.sort(),
			).toEqual(payments.map(({ id }) => [id, 5_001]).sort());
		},
	};
};

cases['payment.downloadBoleto'] = () => {
	const payments = two((index) =>
		world.sandbox.seed.payment({ paymentMethod: 'BOLETO', amountCents: 30_000 + index }),
	);
	return {
		items: two((index) => ({ id: payments[index]!.id })),
		parameters: { paymentId: '={{ $json.id }}', binaryPropertyName: 'slip' },
		check: async (output) => {
			expect(output).toHaveLength(2);
			for (const [index, { binary }] of output.entries()) {
				const { slip } = binary!;
				expect(slip).toMatchObject({ mimeType: 'application/pdf', fileExtension: 'pdf' });
				// The file itself is on disk, not in the execution.
				expect(slip!.id).toMatch(/^filesystem/);
				const received = await world.client.getBinary(slip!.id!);
				const answer = await fetchDirectly(`/v1/payments/${payments[index]!.id}/boleto`);
				const sent = Buffer.from(await answer.arrayBuffer());
				expect(sent.subarray(0, 5).toString()).toBe('%PDF-');
				expect(received.equals(sent)).toBe(true);
			}
		},
	};
};

cases['payment.getPixQrCode'] = () => {
	const payments = two((index) => world.sandbox.seed.payment({ amountCents: 30_000 + index }));
	return {
		items: two((index) => ({ id: payments[index]!.id })),
		parameters: { paymentId: '={{ $json.id }}', binaryPropertyName: 'qr' },
		check: async (output) => {
			expect(output).toHaveLength(2);
			const pictures: Buffer[] = [];
			for (const { binary } of output) {
				const { qr } = binary!;
				expect(qr).toMatchObject({ mimeType: 'image/png', fileExtension: 'png' });
				pictures.push(await world.client.getBinary(qr!.id!));
			}
			// Decoding takes so long that n8n would close the connection in between.
			expect(pictures.map(decodedQrCode)).toEqual(output.map(({ json }) => json.pixCode));
		},
	};
};

cases['payment.simulate'] = () => {
	const payments = two(() => world.sandbox.seed.payment());
	return {
		items: [
			{ id: payments[0].id, status: 'PAID' },
			{ id: payments[1].id, status: 'EXPIRED' },
		],
		parameters: { paymentId: '={{ $json.id }}', status: '={{ $json.status }}' },
		check: (output) => {
			expect(payments.map(({ status }) => status)).toEqual(['PAID', 'EXPIRED']);
			const isTold = world.sandbox.dialect.simulateBody.answer === 'payment';
			expect(getJson(output)).toEqual(
				payments.map(({ id, status }) => expect.objectContaining(isTold ? { id, status } : { id })),
			);
		},
	};
};

cases['payment.waitForStatus'] = () => {
	const payments = two(() => world.sandbox.seed.payment());
	const [first, second] = payments;
	return {
		items: two((index) => ({ id: payments[index]!.id })),
		parameters: { paymentId: '={{ $json.id }}', statuses: ['PAID', 'CANCELLED'], timeout: 60 },
		meanwhile: async () => {
			await untilAskedAgain();
			world.sandbox.setPaymentStatus(first.id, 'PAID');
			world.sandbox.setPaymentStatus(second.id, 'CANCELLED');
		},
		check: (output) => {
			expect(getJson(output).map(({ status }) => status)).toEqual(['PAID', 'CANCELLED']);
		},
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
	check: (output) => {
		const booked = [...world.sandbox.books.withdrawals].sort(
			(a, b) => b.amountCents - a.amountCents,
		);
		expect(booked).toEqual([
			expect.objectContaining({ amountCents: 123_456, recipientDocument: '12ABC34501DE35' }),
			expect.objectContaining({
				amountCents: 7_500,
				pixKey: 'maria@example.com',
				recipientDocument: '39053344705',
			}),
		]);
		expect(getJson(output)).toEqual(
			two((index) =>
				expect.objectContaining({ id: booked[index]!.id, status: expect.any(String) }),
			),
		);
	},
});

cases['withdrawal.get'] = () => {
	const rows = two((index) => world.sandbox.seed.withdrawal({ amountCents: 2_000 + index }));
	return {
		items: two((index) => ({ id: rows[index]!.id })),
		parameters: { withdrawalId: '={{ $json.id }}' },
		check: (output) => {
			expect(getJson(output)).toEqual(
				two((index) =>
					expect.objectContaining({ id: rows[index]!.id, netAmount: (2_000 + index) / 100 }),
				),
			);
		},
	};
};

cases['withdrawal.getByReference'] = () => ({
	items: two((index) => ({ invoice: `Never sent ${index}` })),
	parameters: { reference: '={{ $json.invoice }}' },
	check: (output) => {
		expect(getJson(output)).toEqual(
			two((index) =>
				expect.objectContaining({ reference: `Never sent ${index}`, status: 'never sent' }),
			),
		);
		expectRequests();
	},
});

cases['withdrawal.getAll'] = () => {
	const done = two(() => world.sandbox.seed.withdrawal({ status: 'COMPLETED' }));
	const failed = two(() => world.sandbox.seed.withdrawal({ status: 'FAILED' }));
	return {
		items: [{ status: 'COMPLETED' }, { status: 'FAILED' }],
		parameters: { returnAll: false, limit: 10, filters: { status: '={{ $json.status }}' } },
		check: (output) => {
			expect(getJson(output).map(({ id }) => id)).toHaveLength(4);
			expect(
				getJson(output)
					.slice(0, 2)
					.map(({ id }) => id)
					.sort(),
			).toEqual(done.map(({ id }) => id).sort());
			expect(
				getJson(output)
					.slice(2)
					.map(({ id }) => id)
					.sort(),
			).toEqual(failed.map(({ id }) => id).sort());
		},
	};
};

cases['withdrawal.getLimits'] = () => {
	world.sandbox.account.feeCents = 275;
	return {
		key: 'live',
		items: EMPTY_ITEMS,
		check: (output) => {
			expect(getJson(output)).toEqual(
				two(() => expect.objectContaining({ fee: 2.75, minAmount: 10, used: 0 })),
			);
		},
	};
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
		check: (output) => {
			const [good, bad] = getJson(output);
			expect(good).toMatchObject({ ok: true, problems: [], amount: 100, fee: 1.5, total: 101.5 });
			expect(bad).toMatchObject({
				ok: false,
				problems: [{ code: 'WITHDRAWAL_BELOW_MINIMUM' }],
				pixKey: '+5511987654321',
				pixKeyType: 'PHONE',
			});
			expect(good!.batch).toMatchObject({ ok: true, count: 2, okCount: 1, sumTotal: 101.5 });
			// Limits and balance once for both items, and no money.
			expectRequests('GET /v1/balance', 'GET /v1/withdrawals/limits');
			expect(world.sandbox.books.withdrawals).toHaveLength(0);
		},
	};
};

cases['withdrawal.waitForStatus'] = () => {
	const rows = two(() => world.sandbox.seed.withdrawal());
	return {
		items: two((index) => ({ id: rows[index]!.id })),
		parameters: { withdrawalId: '={{ $json.id }}', statuses: ['COMPLETED', 'FAILED'], timeout: 60 },
		meanwhile: async () => {
			await untilAskedAgain();
			for (const { id } of rows) world.sandbox.setWithdrawalStatus(id, 'COMPLETED');
		},
		check: (output) => {
			expect(getJson(output)).toEqual(
				two((index) => expect.objectContaining({ id: rows[index]!.id, status: 'COMPLETED' })),
			);
		},
	};
};

cases['product.create'] = () => ({
	items: two((index) => ({
		name: `Course ${index}`,
		amount: `${99 + index},9`,
		ref: AWKWARD[index],
	})),
	parameters: {
		name: '={{ $json.name }}',
		amount: '={{ $json.amount }}',
		additionalFields: { externalId: '={{ $json.ref }}', description: 'Evening course' },
	},
	check: (output) => {
		expect(getJson(output)).toEqual(
			two((index) =>
				expect.objectContaining({ name: `Course ${index}`, amount: 99.9 + index, isActive: true }),
			),
		);
		expect(world.sandbox.books.products.map(({ externalId }) => externalId).sort()).toEqual(
			[...AWKWARD].sort(),
		);
	},
});

cases['product.getAll'] = () => {
	const active = two((index) => world.sandbox.seed.product({ name: `Yoga ${index}` }));
	world.sandbox.seed.product({ name: 'Pilates', isActive: true });
	world.sandbox.seed.product({ name: 'Yoga long ago', isActive: false });
	return {
		items: EMPTY_ITEMS,
		parameters: { returnAll: true, filters: { search: 'Yoga', isActive: true } },
		check: (output) => {
			const ids = active.map(({ id }) => id).sort();
			expect(output).toHaveLength(4);
			for (const part of [output.slice(0, 2), output.slice(2)]) {
				expect(
					getJson(part)
						.map(({ id }) => id)
						.sort(),
				).toEqual(ids);
			}
		},
	};
};

cases['product.getByExternalId'] = () => {
	const products = two((index) => world.sandbox.seed.product({ externalId: AWKWARD[index] }));
	return {
		items: two((index) => ({ ref: AWKWARD[index] })),
		parameters: { externalId: '={{ $json.ref }}' },
		check: (output) => {
			expect(getJson(output).map(({ id }) => id)).toEqual(products.map(({ id }) => id));
			expectRequests(...AWKWARD.map((id) => `GET /v1/products/external/${encodeURIComponent(id)}`));
		},
	};
};

cases['product.delete'] = () => {
	const products = two(() => world.sandbox.seed.product());
	return {
		items: two((index) => ({ id: products[index]!.id })),
		parameters: { productId: byId('={{ $json.id }}') },
		check: (output) => {
			expect(getJson(output)).toEqual(two(() => expect.objectContaining({ deleted: true })));
			expect(products.map(({ isActive }) => isActive)).toEqual([false, false]);
		},
	};
};

cases['product.deleteImage'] = () => {
	const products = two((index) =>
		world.sandbox.seed.product({
			image: { bytes: makePng(`old ${index}`, 10), mediaType: 'image/png', fileName: 'a.png' },
		}),
	);
	return {
		items: two((index) => ({ id: products[index]!.id })),
		parameters: { productId: byId('={{ $json.id }}') },
		check: (output) => {
			expect(output).toHaveLength(2);
			expect(products.map(({ image }) => image)).toEqual([null, null]);
			expectRequests(...products.map(({ id }) => `DELETE /v1/products/${id}/image`));
		},
	};
};

const SLUGS = ['cus_maria-exemplo', 'cus_jo4o'] as const;

cases['customer.get'] = () => {
	const customers = two((index) => world.sandbox.seed.customer({ customerId: SLUGS[index] }));
	return {
		items: two((index) => ({ id: SLUGS[index] })),
		parameters: { customerId: '={{ $json.id }}' },
		check: (output) => {
			expect(getJson(output)).toEqual(
				two((index) =>
					expect.objectContaining({ customerId: SLUGS[index], email: customers[index]!.email }),
				),
			);
			expectRequests(...SLUGS.map((id) => `GET /v1/customers/${encodeURIComponent(id)}`));
		},
	};
};

cases['customer.getByExternalId'] = () => {
	world.assume('customerAuthorization');
	const customers = two((index) => world.sandbox.seed.customer({ externalId: AWKWARD[index] }));
	return {
		items: two((index) => ({ ref: AWKWARD[index] })),
		parameters: { externalId: '={{ $json.ref }}' },
		check: (output) => {
			expect(getJson(output).map(({ id }) => id)).toEqual(customers.map(({ id }) => id));
			expectRequests(
				...AWKWARD.map((id) => `GET /v1/customers/external/${encodeURIComponent(id)}`),
			);
		},
	};
};

cases['customer.delete'] = () => {
	const customers = two((index) => world.sandbox.seed.customer({ customerId: SLUGS[index] }));
	return {
		items: two((index) => ({ id: SLUGS[index] })),
		parameters: { customerId: '={{ $json.id }}' },
		check: (output) => {
			expect(getJson(output)).toEqual(two(() => expect.objectContaining({ deleted: true })));
			expect(customers.map(({ isActive }) => isActive)).toEqual([false, false]);
			expectRequests(...SLUGS.map((id) => `DELETE /v1/customers/${encodeURIComponent(id)}`));
		},
	};
};

cases['document.getReceipt'] = () => {
	world.assume('documentParameters');
	const payments = two((index) =>
		world.sandbox.seed.payment({ status: 'PAID', amountCents: 77_700 + index }),
	);
	return {
		items: [
			{ id: payments[0].id, format: 'html' },
			{ id: payments[1].id, format: 'text' },
		],
		parameters: { paymentId: '={{ $json.id }}', format: '={{ $json.format }}' },
		check: async (output) => {
			for (const [index, format] of ['html', 'text'].entries()) {
				const path = `/v1/documents/payments/${payments[index]!.id}/receipt?format=${format}`;
				const document = await (await fetchDirectly(path)).text();
				expect(document.length).toBeGreaterThan(50);
				expect(Object.values(output[index]!.json)).toContain(document);
			}
		},
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
		check: async (output) => {
			const queries = [
				'startDate=2026-01-01&endDate=2026-01-31&format=text',
				'startDate=2026-02-01&endDate=2026-02-28&format=html',
			];
			for (const [index, query] of queries.entries()) {
				const answer = await fetchDirectly(`/v1/documents/statements?${query}`, 'live');
				const { content } = (await answer.json()) as { content: string };
				expect(output[index]!.json).toMatchObject({ content });
			}
		},
	};
};

describe('every operation with two items', () => {
	const NEEDS_TABLES = 'withdrawal.getByReference';
	const names = Object.keys(cases).filter((name) => name !== NEEDS_TABLES || isN8nFrom('2.3'));

	it.each(names)('%s', async (name) => {
		const { key = 'test', items, parameters, meanwhile, check } = cases[name]!();
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
		await check(output, execution);
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
			expect(image?.bytes.equals(images[index]!)).toBe(true);
		}
	});

	it('sends an id that is no customer id as it is, and shows what the service says of it', async () => {
		await world.useKey(world.sandbox.keys.test);
		const ids = ['cus_a/../b', 'cus_ç d?e=f'];
		const execution = await world.run(
			buildWorkflow('customer.get', [
				...manualStart(ids.map((id) => ({ id }))),
				brlPayments(
					'Operation',
					'customer',
					'get',
					{ customerId: '={{ $json.id }}', options: {} },
					{ onError: 'continueRegularOutput' },
				),
			]),
		);
		expectRequests(...ids.map((id) => `GET /v1/customers/${encodeURIComponent(id)}`));
		expect(getJson(getItems(execution, 'Operation'))).toEqual(
			two(() => ({ error: expect.objectContaining({ code: 'VALIDATION_ERROR' }) })),
		);
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
