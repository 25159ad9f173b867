/**
 * Every operation of the node in a real n8n, with at least two items each. What each sends, and all that it returns, is
 * in test/engine/requests and test/engine/schemas.
 */
import { randomBytes } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import type { INode, INodeParameters } from 'n8n-workflow';

import { filesFolder } from '../../dev/n8n/process/environment';
import { getItems, type Item } from '../../dev/n8n/rest/executionData';
import { brlPayments, buildWorkflow, MANUAL, manualStart, node } from '../../dev/n8n/rest/workflow';
import { decodedQrCode } from '../support/decodedQrCode';
import { OPERATIONS, rowsFor } from '../support/operations';
import { useWorld } from './support/n8nTestEnv';

const world = useWorld();

/** With bytes of every value: nothing that takes it for text, or cuts it off, gets it through unchanged. */
const makeImage = () =>
	Buffer.concat([Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'), randomBytes(100_000)]);

const two = <T>(make: () => T): T[] => [make(), make()];
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

// What is in doubt is settled in test/engine/money/byHand.test.ts, and files need more than a row.
const ELSEWHERE = ['product.uploadImage', 'withdrawal.settleReference'];
const HERE = Object.keys(OPERATIONS).filter((name) => !ELSEWHERE.includes(name));

it.each(HERE)('%s', async (name) => {
	const sample = OPERATIONS[name]!;
	const { keys, seed } = world.sandbox;
	await world.useKey(sample.isTest ? keys.test : keys.live);
	const input = rowsFor(sample, seed);

	const output = await run(...manualStart(input), operation(name, sample.parameters));

	// Each item knows which one it came from, in input order, and is about that one.
	const sources = output.map(({ pairedItem }) => (pairedItem as { item: number }).item);
	expect(sources).toEqual([...sources].sort());
	expect(new Set(sources)).toEqual(new Set(input.keys()));
	for (const [index, { json }] of output.entries()) {
		for (const [field, value] of Object.entries(input[sources[index]!]!)) {
			if (field in json) expect([field, json[field]]).toEqual([field, value]);
		}
	}
});

describe('files, which n8n keeps on disk', () => {
	beforeEach(async () => await world.useKey(world.sandbox.keys.live));

	it.each([
		['payment.downloadBoleto', 'application/pdf'],
		['payment.getPixQrCode', 'image/png'],
	])('are put out by %s', async (name, mimeType) => {
		const sample = OPERATIONS[name]!;
		const items = rowsFor(sample, world.sandbox.seed);
		const parameters = { ...sample.parameters, binaryPropertyName: 'file' };
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
		const products = two(() => world.sandbox.seed.product({ environment: 'PRODUCTION' }));
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
				...{ productId: { __rl: true, mode: 'id', value }, binaryPropertyName: 'picture' },
			}),
		);

		expect(output).toHaveLength(2);
		for (const [index, { image }] of products.entries()) {
			expect(image?.equals(images[index]!)).toBe(true);
		}
	});
});
