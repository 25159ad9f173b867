/** What n8n's spreadsheet nodes make of Brazilian amounts, and what Check Batch makes of that. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import type { IDataObject, INode, INodeParameters } from 'n8n-workflow';

import { filesFolder } from '../../dev/n8n/process/environment';
import { getItems } from '../../dev/n8n/rest/executionData';
import { brlPayments, buildWorkflow, MANUAL, node } from '../../dev/n8n/rest/workflow';
import { useWorld } from './support/n8nTestEnv';
import { loadXlsx } from './support/xlsx';

const world = useWorld();

/** As people write them, and as each is meant, in reais. */
const WRITTEN = ['150,00', '12,50', '1.234,56', '334.327,57', '15.500', 'R$ 1.234,56'];
const MEANT = [150, 12.5, 1234.56, 334_327.57, 15_500, 1234.56];

const LINES = [['invoice', 'amount'], ...WRITTEN.map((amount, index) => [`NF-${index}`, amount])];
const separateBy = (separator: string): string =>
	LINES.map((cells) => cells.join(separator)).join('\r\n');
const HTML = `<table>${LINES.map(
	(cells) => `<tr>${cells.map((cell) => `<td>${cell}</td>`).join('')}</tr>`,
).join('')}</table>`;

/** The amounts of a spreadsheet as cells: numbers shown as in Brazil, or text. */
function makeBook(
	bookType: 'xlsx' | 'xls' | 'ods',
	amounts: ReadonlyArray<string | number>,
): Buffer {
	const { utils, write } = loadXlsx(world.host);
	const rows = amounts.map((amount, index) => [`NF-${index}`, amount]);
	const sheet = utils.aoa_to_sheet([['invoice', 'amount'], ...rows]);
	for (const [index, amount] of amounts.entries()) {
		if (typeof amount === 'number') sheet[`B${index + 2}`]!.z = '"R$" #,##0.00';
	}
	return write({ SheetNames: ['Plan1'], Sheets: { Plan1: sheet } }, { bookType, type: 'buffer' });
}

const extract = (operation: string, options: INodeParameters = {}): INode =>
	node('Rows', 'extractFromFile', 1.1, { operation, binaryPropertyName: 'data', options });
const spreadsheetFile = (fileFormat: string, options: INodeParameters = {}): INode =>
	node('Rows', 'spreadsheetFile', 2, { fileFormat, binaryPropertyName: 'data', options });

const RAW = { rawData: true };

/** Reads a file with n8n's nodes, and checks the rows. */
async function check(name: string, content: Buffer | string, rows: INode) {
	await writeFile(join(filesFolder(world.n8n.userFolder), name), content);
	const workflow = buildWorkflow(name, [
		node(MANUAL, 'manualTrigger', 1),
		node('File', 'readWriteFile', 1.1, { fileSelector: `.n8n-files/${name}`, options: {} }),
		rows,
		brlPayments('Check', 'withdrawal', 'checkBatch', {
			amount: '={{ $json.amount }}',
			pixKey: '={{ $json.invoice }}@payee.example',
			recipientDocument: '529.982.247-25',
			options: {},
		}),
	]);
	const execution = await world.run(workflow);
	const read = (from: string): IDataObject[] => getItems(execution, from).map(({ json }) => json);
	return { rows: read('Rows').map(({ amount }) => amount), checked: read('Check') };
}

/** `1.234` and `15.500` are refused: nobody knows what they mean. */
const READ_FROM_TEXT = [150, 12.5, 1234.56, 334_327.57, undefined, 1234.56];

describe('reads what is written', () => {
	it.each([
		['semicolons.csv', separateBy(';'), extract('csv', { delimiter: ';' })],
		['tabs.csv', separateBy('\t'), extract('csv', { delimiter: '\t' })],
		['file.csv', separateBy(';'), spreadsheetFile('csv', { delimiter: ';' })],
		// As many banks and programs write them: text or HTML under the name of Excel.
		['text.xls', separateBy(';'), extract('xls', RAW)],
		['text.xlsx', separateBy('\t'), extract('xlsx', RAW)],
		['html.xls', HTML, extract('xls', RAW)],
		['table.html', HTML, extract('html', RAW)],
		['unknown.xls', separateBy(';'), spreadsheetFile('autodetect', RAW)],
	])('%s as text', async (name, content, rows) => {
		const { rows: amounts, checked } = await check(name, content, rows);

		expect(amounts).toEqual(WRITTEN);
		expect(checked.map(({ amount }) => amount)).toEqual(READ_FROM_TEXT);
	});

	it.each(['xlsx', 'xls', 'ods'] as const)(
		'in %s: numbers as numbers, text as text',
		async (type) => {
			for (const [name, written, read, options] of [
				['numbers', MEANT, MEANT, {}],
				['raw', MEANT, MEANT, RAW],
				['words', WRITTEN, READ_FROM_TEXT, {}],
			] as const) {
				const book = makeBook(type, written);
				const { rows, checked } = await check(`${name}.${type}`, book, extract(type, options));

				expect(rows).toEqual(written);
				expect(checked.map(({ amount }) => amount)).toEqual(read);
			}
		},
	);
});

describe('reads wrong numbers', () => {
	const WRONG = [15_000, 1250, 1.23456, 334.32757, 15.5, 'R$ 1.234,56'];

	it.each([
		['text.xls', separateBy(';'), extract('xls')],
		['text.xlsx', separateBy('\t'), extract('xlsx')],
		['html.xls', HTML, extract('xls')],
		['table.html', HTML, extract('html')],
		['unknown.xls', separateBy(';'), spreadsheetFile('autodetect')],
	])('of %s, of which Check Batch refuses or warns what it can', async (name, content, rows) => {
		const { rows: amounts, checked } = await check(name, content, rows);

		expect(amounts).toEqual(WRONG);
		// Nobody can see that 12,50 and 15.500 became 1250 and 15.5.
		expect(checked.map(({ amount, ok }) => [amount, ok] as unknown)).toEqual([
			[15_000, true],
			[1250, true],
			[undefined, false],
			[undefined, false],
			[15.5, true],
			[1234.56, true],
		]);
		expect(checked.map(({ warnings }) => (warnings as string[]).length)).toEqual([
			0, 0, 0, 0, 1, 0,
		]);
	});
});
