/**
 * Every operation of the node in a real n8n, with two items each. What each sends, and all that it returns, is
 * in test/engine/requests and test/engine/schemas.
 */
import { randomBytes } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import type { IDataObject, INode, INodeParameters } from 'n8n-workflow';

import { filesFolder } from '../../dev/n8n/process/environment';
import { getItems, type Item } from '../../dev/n8n/rest/executionData';
import { brlPayments, buildWorkflow, MANUAL, manualStart, node } from '../../dev/n8n/rest/workflow';
import { resources } from '../../nodes/BrlPayments/resources';
import { decodedQrCode } from '../support/decodedQrCode';
import { useWorld } from './support/n8nTestEnv';

const world = useWorld();

/** What an id may look like when a merchant chooses it: each of these breaks a careless URL. */
const AWKWARD = ['pedido/2026?nº 1 ç#%2F', 'a b/c?d=e&f ç'] as const;

interface Case {
	parameters?: INodeParameters;
	/** The two input items, on a fresh sandbox; the fields that they have in common with the output are compared. */
	items: () => IDataObject[];
	/** Default: the test key. */
	key?: 'live';
}

/** With bytes of every value: nothing that takes it for text, or cuts it off, gets it through unchanged. */
const makeImage = () =>
	Buffer.concat([Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'), randomBytes(100_000)]);

const two = <T>(make: (index: number) => T): T[] => [make(0), make(1)];
const nothing = () => two((index) => ({ n: index }));
const pick = (field: string, make: (index: number) => object) => () =>
	two((index) => ({ [field]: (make(index) as IDataObject)[field] }) as IDataObject);

const payment = () => world.sandbox.seed.payment({ status: 'PAID' });
const openPayment = () => world.sandbox.seed.payment();
const boleto = () => world.sandbox.seed.payment({ paymentMethod: 'BOLETO' });
const withdrawal = () => world.sandbox.seed.withdrawal({ status: 'COMPLETED' });
const product = (index: number) =>
	world.sandbox.seed.product({ externalId: AWKWARD[index], image: makeImage() });
const customer = (index: number) =>
	world.sandbox.seed.customer({ customerId: `cus_maria-${index}`, externalId: AWKWARD[index] });

const paymentId = '={{ $json.id }}';
const withdrawalId = '={{ $json.id }}';
const productId = { __rl: true, mode: 'id', value: '={{ $json.id }}' };
const customerId = '={{ $json.customerId }}';
const amount = '={{ $json.amount }}';
const pixKey = '={{ $json.pixKey }}';
const externalId = '={{ $json.externalId }}';
const FILTERED = { returnAll: true, filters: { status: '={{ $json.status }}' } };

const CASES: Record<string, Case> = {
	'apiKey.get': { items: nothing },
	'balance.get': { items: nothing, key: 'live' },
	'customer.delete': { items: pick('customerId', customer), parameters: { customerId } },
	'customer.get': { items: pick('customerId', customer), parameters: { customerId } },
	'customer.getByExternalId': { items: pick('externalId', customer), parameters: { externalId } },
	'document.getReceipt': { items: pick('id', payment), parameters: { paymentId } },
	'document.getStatement': {
		items: nothing,
		parameters: { startDate: '2026-01-01', endDate: '2026-01-31', format: 'html' },
		key: 'live',
	},
	'payment.create': {
		items: () => two((index) => ({ amount: 89.9 + index, externalId: AWKWARD[index] })),
		parameters: {
			...{ chargeBy: 'amount', amount, methods: ['PIX', 'CARD'], mode: 'hosted' },
			customer: { name: 'Maria', email: 'maria@example.com', document: '390.533.447-05' },
			additionalFields: { externalId },
		},
	},
	'payment.downloadBoleto': { items: pick('id', boleto), parameters: { paymentId } },
	'payment.get': { items: pick('id', payment), parameters: { paymentId } },
	'payment.getAll': { items: pick('status', payment), parameters: FILTERED },
	'payment.getByTxId': { items: pick('txId', payment), parameters: { txId: '={{ $json.txId }}' } },
	'payment.getPixQrCode': { items: pick('id', openPayment), parameters: { paymentId } },
	'payment.refund': {
		items: () => two(() => ({ paymentId: payment().id })),
		parameters: { paymentId: '={{ $json.paymentId }}' },
	},
	'payment.simulate': {
		items: pick('id', openPayment),
		parameters: { paymentId, status: 'EXPIRED' },
	},
	'payment.waitForStatus': { items: pick('id', payment), parameters: { paymentId } },
	'product.create': {
		items: () => two((index) => ({ name: `Course ${index}`, amount: 99.9 + index })),
		parameters: { name: '={{ $json.name }}', amount },
	},
	'product.delete': { items: pick('id', product), parameters: { productId } },
	'product.deleteImage': { items: pick('id', product), parameters: { productId } },
	'product.getAll': { items: pick('isActive', product), parameters: { returnAll: true } },
	'product.getByExternalId': { items: pick('externalId', product), parameters: { externalId } },
	'withdrawal.checkBatch': {
		items: () => two((index) => ({ amount: 100 + index, pixKey: `maria-${index}@example.com` })),
		parameters: { amount, pixKey },
		key: 'live',
	},
	'withdrawal.create': {
		items: () => two((index) => ({ amount: 100 + index, pixKey: `maria-${index}@example.com` })),
		parameters: { amount, pixKey },
		key: 'live',
	},
	'withdrawal.get': { items: pick('id', withdrawal), parameters: { withdrawalId } },
	'withdrawal.getAll': { items: pick('status', withdrawal), parameters: FILTERED },
	'withdrawal.getByReference': {
		items: () => two((index) => ({ reference: `Never sent ${index}` })),
		parameters: { reference: '={{ $json.reference }}' },
	},
	'withdrawal.getLimits': { items: nothing, key: 'live' },
	'withdrawal.waitForStatus': { items: pick('id', withdrawal), parameters: { withdrawalId } },
};

const operation = (name: string, parameters: INodeParameters = {}): INode => {
	const [resource, value] = name.split('.') as [string, string];
	return brlPayments('Operation', resource, value, { options: {}, ...parameters });
};

/** The output of one operation behind other nodes. */
async function run(...nodes: INode[]): Promise<Item[]> {
	const execution = await world.run(buildWorkflow('Operation', nodes));
	const { error } = execution.data.resultData;
	expect(error && `${error.message}: ${error.description}`).toBeUndefined();
	return getItems(execution, 'Operation');
}

it.each(Object.keys(CASES))('%s', async (name) => {
	world.assume('customerAuthorization', 'documentParameters');
	const { key = 'test', items, parameters } = CASES[name]!;
	await world.useKey(world.sandbox.keys[key]);
	const input = items();

	const output = await run(...manualStart(input), operation(name, parameters));

	// Each item knows which one it came from, in input order, and is about that one.
	const sources = output.map(({ pairedItem }) => (pairedItem as { item: number }).item);
	expect(sources).toEqual([...sources].sort());
	expect(new Set(sources)).toEqual(new Set([0, 1]));
	for (const [index, { json }] of output.entries()) {
		for (const [field, value] of Object.entries(input[sources[index]!]!)) {
			if (field in json) expect([field, json[field]]).toEqual([field, value]);
		}
	}
});

it('covers all that the node offers', () => {
	const offered = resources.flatMap(({ option, operations }) =>
		operations.map(({ option: { value } }) => `${option.value}.${value}`),
	);
	// What is in doubt is settled in test/e2e/references.test.ts, and files need more than a row.
	const elsewhere = ['product.uploadImage', 'withdrawal.settleReference'];
	expect([...Object.keys(CASES), ...elsewhere].sort()).toEqual(offered.sort());
});

describe('files, which n8n keeps on disk', () => {
	beforeEach(async () => await world.useKey(world.sandbox.keys.test));

	it.each([
		['payment.downloadBoleto', boleto, 'application/pdf'],
		['payment.getPixQrCode', openPayment, 'image/png'],
	] as const)('are put out by %s', async (name, seed, mimeType) => {
		const items = pick('id', seed)();
		const parameters = { paymentId, binaryPropertyName: 'file' };
		const output = await run(...manualStart(items), operation(name, parameters));

		expect(output).toHaveLength(2);
		const files: Buffer[] = [];
		for (const { binary } of output) {
			expect(binary!.file).toMatchObject({ mimeType, fileExtension: mimeType.split('/')[1] });
			expect(binary!.file!.id).toMatch(/^filesystem/);
			files.push(await world.client.getBinary(binary!.file!.id!));
		}
		if (mimeType === 'application/pdf') {
			for (const file of files) expect(file.toString()).toMatch(/^%PDF-[^]*%%EOF\s*$/);
		} else {
			// Decoding takes so long that n8n would close the connection in between.
			expect(files.map(decodedQrCode)).toEqual(output.map(({ json }) => json.pixCode));
		}
	});

	it('are taken by product.uploadImage', async () => {
		const images = two(makeImage);
		const products = two(() => world.sandbox.seed.product());
		const folder = filesFolder(world.n8n.userFolder);
		for (const [index, image] of images.entries()) {
			await writeFile(join(folder, `image-${index}.png`), image);
		}
		const ids = products.map(({ id }) => `'${id}'`).join(', ');
		const value = `={{ [${ids}][Number($json.fileName.match(/\\d/)[0])] }}`;

		const output = await run(
			node(MANUAL, 'manualTrigger', 1),
			node('Read', 'readWriteFile', 1.1, {
				...{ operation: 'read', fileSelector: '.n8n-files/image-*.png' },
				options: { dataPropertyName: 'picture' },
			}),
			operation('product.uploadImage', {
				...{ productId: { ...productId, value }, binaryPropertyName: 'picture' },
			}),
		);

		expect(output).toHaveLength(2);
		for (const [index, { image }] of products.entries()) {
			expect(image?.equals(images[index]!)).toBe(true);
		}
	});
});
