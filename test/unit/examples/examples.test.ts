import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { omit } from 'lodash';
import {
	NodeHelpers,
	type IConnections,
	type INode,
	type INodeParameters,
	type INodeProperties,
	type INodePropertyOptions,
	type INodeTypeDescription,
} from 'n8n-workflow';

import { BrlPayments } from '../../../nodes/BrlPayments/BrlPayments.node';
import { BrlPaymentsTrigger } from '../../../nodes/BrlPaymentsTrigger/BrlPaymentsTrigger.node';

const folder = join(__dirname, '..', '..', '..', 'examples');

const OUR_NODES: Record<string, INodeTypeDescription> = {
	'n8n-nodes-brl-payments.brlPayments': new BrlPayments().description,
	// The form that n8n derives for agents.
	'n8n-nodes-brl-payments.brlPaymentsTool': {
		...new BrlPayments().description,
		name: 'brlPaymentsTool',
	},
	'n8n-nodes-brl-payments.brlPaymentsTrigger': new BrlPaymentsTrigger().description,
};

interface Example {
	name: string;
	nodes: INode[];
	connections: IConnections;
	[key: string]: unknown;
}

const files = readdirSync(folder).filter((file) => file.endsWith('.json'));
const read = (file: string) => readFileSync(join(folder, file), 'utf8');
const isOurs = ({ type }: INode) => type in OUR_NODES;

const getText = ({ content }: INodeParameters) => content as string;
const isNote = ({ type }: INode) => type === 'n8n-nodes-base.stickyNote';
const getNotes = ({ nodes }: Example) => nodes.filter(isNote);

/** The fields that an Edit Fields node sets. */
function getFields({ parameters }: INode): Record<string, string> {
	const { assignments } = parameters.assignments as {
		assignments: Array<{ name: string; value: string }>;
	};
	return Object.fromEntries(assignments.map(({ name, value }) => [name, value]));
}

/** Marks of Markdown are no words. */
const countWords = (text: string): number =>
	text.split(/\s+/).filter((word) => /[\p{L}\p{N}]/u.test(word)).length;

/** All texts among the parameters of a node. */
function getTexts(value: unknown): string[] {
	if (typeof value === 'string') return [value];
	return typeof value === 'object' && value !== null ? Object.values(value).flatMap(getTexts) : [];
}

type Fields = readonly INodeProperties[];

/** One sentence for each parameter or choice that our node does not have, or does not show there. */
function findProblems(node: INode): string[] {
	const description = OUR_NODES[node.type]!;
	const isChoice = (field: INodeProperties, value: unknown) =>
		(field.options as INodePropertyOptions[]).some((option) => option.value === value);

	const inField = (field: INodeProperties, value: unknown, path: string): string[] => {
		if (typeof value === 'string' && value.startsWith('=')) return [];
		if (field.type === 'options') return isChoice(field, value) ? [] : [`${path}: no such choice`];
		if (field.type === 'multiOptions') {
			const wrong = (value as unknown[]).filter((each) => !isChoice(field, each));
			return wrong.map((each) => `${path}: no such choice ${String(each)}`);
		}
		if (field.type === 'collection') return inFields(field.options as Fields, value, `${path}.`);
		return [];
	};
	const inFields = (fields: Fields, values: unknown, prefix = ''): string[] =>
		Object.entries(values as object).flatMap(([name, value]) => {
			const field = fields.find(
				(each) =>
					each.name === name &&
					NodeHelpers.displayParameter(node.parameters, each, node, description),
			);
			return field ? inField(field, value, prefix + name) : [`${prefix}${name}: no such field`];
		});
	return inFields(description.properties, node.parameters);
}

const page = readFileSync(join(folder, '..', 'docs', 'examples.md'), 'utf8');

it('is the examples that docs/examples.md lists, under their names', () => {
	const listed = [...page.matchAll(/\[([^\]]+)\]\(\.\.\/examples\/([\w-]+\.json)\)/g)];
	expect(listed.map(([, , file]) => file).sort()).toEqual(files.sort());
	for (const [, name, file] of listed) expect((JSON.parse(read(file!)) as Example).name).toBe(name);
	expect(countWords(page)).toBeLessThanOrEqual(1_600);
});

describe.each(files)('%s', (file) => {
	const example = JSON.parse(read(file)) as Example;
	const ours = example.nodes.filter(isOurs);

	// The types and versions of n8n's own nodes: test/e2e/examples/accounting.test.ts.
	it('has nodes with different names and ids, and ours in their latest version', () => {
		const { nodes } = example;
		expect(new Set(nodes.map(({ name }) => name)).size).toBe(nodes.length);
		expect(new Set(nodes.map(({ id }) => id)).size).toBe(nodes.length);
		for (const { type, typeVersion } of ours) {
			expect(typeVersion).toBe(Math.max(...[OUR_NODES[type]!.version].flat()));
		}
	});

	it('has one node for what its user sets, one for the columns of a list, and no address elsewhere', () => {
		const isSettings = ({ name }: INode) => ['Your Columns', 'Your Settings'].includes(name);
		const settings = example.nodes.filter(isSettings);
		const readsList = example.nodes.some(({ name }) => name === 'Each Row');
		const expected = readsList ? ['Your Settings', 'Your Columns'] : ['Your Settings'];
		expect(settings.map(({ name }) => name)).toEqual(expected);
		const others = example.nodes.filter((node) => !isSettings(node) && !isNote(node));
		const texts = others.flatMap(({ parameters }) => getTexts(parameters)).join('\n');
		const fields = settings.flatMap((node) => Object.keys(getFields(node)));
		const unread = fields.filter((field) => !new RegExp(`\\b${field}\\b`).test(texts));
		expect(unread).toEqual([]);
		const senders = example.nodes.filter(({ type }) => type.includes('.emailSend'));
		for (const { parameters } of senders) {
			expect([parameters.fromEmail, parameters.toEmail]).toEqual([
				expect.stringMatching(/^=/),
				expect.stringMatching(/^=/),
			]);
		}
	});

	it('fails when a payout is in doubt, so that an error workflow is called', () => {
		if (!example.nodes.some(({ name }) => name === 'Each Row')) return;
		const [next] = example.connections['Send Report']!.main![0]!;
		const [stop] = example.connections[next!.node]!.main![0]!;
		expect(example.nodes.find(({ name }) => name === stop!.node)!.type).toBe(
			'n8n-nodes-base.stopAndError',
		);
	});

	it('asks people by a link that opens a page, never by one that decides', () => {
		const questions = example.nodes.filter(
			({ parameters }) => parameters.operation === 'sendAndWait',
		);
		for (const { parameters } of questions) {
			expect(parameters.responseType).toBe('customForm');
			// In these messages, n8n makes < of &lt;: what people write would be HTML.
			expect(parameters.message).not.toContain('&lt;');
		}
	});

	it('uses our nodes, with nothing but parameters and options that they have', () => {
		expect(ours.length).toBeGreaterThan(0);
		for (const node of ours) {
			expect(findProblems(node)).toEqual([]);
			const description = OUR_NODES[node.type]!;
			const { properties } = description;
			// Required fields that are empty.
			expect(NodeHelpers.getNodeParametersIssues(properties, node, description)).toBe(null);
		}
	});

	it('contains no credential, so that n8n fills it in, no secret and no address', () => {
		// With one that it does not have, n8n 2.40 shows the person's choice and does not save it.
		expect(example.nodes.filter((node) => 'credentials' in node)).toEqual([]);
		// The resource of that name is no key, nor is what the Evolution API calls its header.
		const text = read(file).replace(/"resource": "apiKey"|`apikey`/g, '');
		expect(text).not.toMatch(/_(test|live)_\w{10}/);
		expect(text).not.toMatch(/bearer|password|apiKey|secret/i);
		expect(text).not.toMatch(/https?:\/\/(?!.*\.example\b)/);
	});

	it('pays under a distinct number where a list or a form may ask for the same thing again', () => {
		const readers = /\.(?:extractFromFile|formTrigger|googleSheets)$/;
		const isAskedByPeople = example.nodes.some(
			({ type, parameters }) => readers.test(type) && !('columns' in parameters),
		);
		const writes = ours.filter(
			({ parameters: { resource, operation } }) =>
				operation === 'create' && ['payment', 'withdrawal'].includes(resource as string),
		);
		for (const { name, parameters } of isAskedByPeople ? writes : []) {
			const { idempotencyKey } = parameters.options as { idempotencyKey?: string };
			const number = parameters.reference ?? parameters.externalId ?? idempotencyKey;
			expect([name, number]).toEqual([name, expect.stringContaining('$json.')]);
		}
	});

	it('reads the day in Brazilian time, and contains nothing about the person who ran it', () => {
		expect(example.settings).toMatchObject({ timezone: 'America/Sao_Paulo' });
		expect(example.pinData).toEqual({});
		expect(Object.keys(example).sort()).toEqual([
			...['connections', 'name', 'nodes', 'pinData', 'settings'],
		]);
		for (const [address] of read(file).matchAll(/[\w.-]+@[\w-]+\.[\w.]+/g)) {
			expect(address).toMatch(/@example\.com$|\.example$/);
		}
	});

	it('explains itself in short notes, in Portuguese and in English, and what to do if something goes wrong', () => {
		const notes = new Map(getNotes(example).map((node) => [node.name, getText(node.parameters)]));
		const about = notes.get('About This Workflow')!;
		expect(about).toContain(`## ${example.name}`);
		for (const name of ['Sobre este fluxo', 'About This Workflow']) {
			expect(notes.get(name)).toMatch(/^1\. /m);
		}
		const ifWrong = ['Se algo der errado', 'If Something Goes Wrong'];
		expect([...notes.keys()]).toEqual(expect.arrayContaining(ifWrong));
		for (const [name, text] of notes) {
			expect([name, countWords(text)]).toEqual([name, expect.toSatisfy((words) => words <= 60)]);
		}
		// A note speaks of nodes that are there.
		const nodes = example.nodes.map(({ name }) => name);
		const meant = [...about.matchAll(/\bin \*\*([^*]+)\*\*/g)].map(([, name]) => name!);
		for (const name of meant) expect(nodes.some((each) => each.startsWith(name))).toBe(true);
	});
});

// What they do with the list: payoutList.test.ts. What they pay: test/e2e/examples/payouts.test.ts.
describe('the payouts from a list', () => {
	const examples = ['payouts-from-spreadsheet.json', 'payouts-from-google-sheets.json'].map(
		(file) => [file, JSON.parse(read(file)) as Example] as const,
	);

	it('differ only in what starts them and reads the list', () => {
		const readers = [
			...['Upload the List', 'CSV?', 'Rows of the CSV File', 'Rows of the Excel File'],
			...['Every Friday at 09:00', 'Rows of the Spreadsheet'],
		];
		const [fromFile, fromSheets] = examples.map(([, { nodes }]) =>
			nodes
				.filter((node) => !isNote(node) && !readers.includes(node.name))
				// Ids differ: see below.
				.map((node) =>
					JSON.parse(
						JSON.stringify(omit(node, 'id', 'webhookId')).replace(/"id":"[\w-]{36}"/g, '"id":""'),
					),
				),
		);
		expect(fromSheets).toEqual(fromFile);

		const [afterFile, afterSheets] = examples.map(([, { connections }]) =>
			omit(connections, ...readers, 'Your Columns'),
		);
		expect(afterSheets).toEqual(afterFile);
	});

	it('share no id, so that n8n keeps what each has paid apart', () => {
		const [ids, others] = examples.map(([, { nodes }]) => nodes.map(({ id }) => id));
		expect(ids!.filter((id) => others!.includes(id))).toEqual([]);
	});
});
