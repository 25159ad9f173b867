import { existsSync, readdirSync, readFileSync } from 'node:fs';
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

import { readPayout } from '../../../nodes/BrlPayments/payouts/payout';
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

/** A rectangle of the canvas: left, top, right and bottom in pixels. */
type Box = [number, number, number, number];

/** A node is 96 pixels wide and high, and its name is below it. */
function toBox({ position: [x, y], parameters, type }: INode): Box {
	if (type !== 'n8n-nodes-base.stickyNote') return [x, y, x + 96, y + 130];
	return [x, y, x + Number(parameters.width), y + Number(parameters.height)];
}

const overlaps = (one: Box, other: Box) =>
	one[0] < other[2] && other[0] < one[2] && one[1] < other[3] && other[1] < one[3];
const contains = (outer: Box, inner: Box) =>
	outer[0] <= inner[0] && outer[1] <= inner[1] && outer[2] >= inner[2] && outer[3] >= inner[3];

/** How far down the text of a note reaches, in pixels, as n8n draws it. */
function textHeight({ parameters }: INode): number {
	const width = Number(parameters.width) - 24;
	const lines = getText(parameters).split('\n');
	const heights = lines.map((line) => {
		const isHeading = line.startsWith('#');
		const text = line.replace(/^#+ |\*\*|`/g, '');
		const rows = Math.max(1, Math.ceil((text.length * (isHeading ? 9 : 6.6)) / width));
		return line === '' ? 8 : rows * (isHeading ? 26 : 19);
	});
	return 16 + heights.reduce((sum, height) => sum + height, 0);
}

/** The fields that an Edit Fields node sets. */
function getFields({ parameters }: INode): Record<string, string> {
	const { assignments } = parameters.assignments as {
		assignments: Array<{ name: string; value: string }>;
	};
	return Object.fromEntries(assignments.map(({ name, value }) => [name, value]));
}

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

it('is the examples that docs/examples.md explains', () => {
	expect(files.sort()).toEqual([
		'agent-with-approval.json',
		'alert.json',
		'charge-by-whatsapp.json',
		'daily-reconciliation.json',
		'dispute-desk.json',
		'low-balance.json',
		'month-end.json',
		'once-with-data-table.json',
		'once-with-redis.json',
		'overdue-boletos.json',
		'payment-link-with-email.json',
		'payouts-audit.json',
		'payouts-from-google-sheets.json',
		'payouts-from-spreadsheet.json',
		'pix-received-notification.json',
		'refund-desk.json',
		'salaries.json',
		'statement-archive.json',
		'wait-for-payment.json',
	]);
	for (const file of files) {
		const { name } = JSON.parse(read(file)) as Example;
		expect(page).toContain(`(../examples/${file})`);
		expect(page).toContain(`## ${name}`);
	}
});

describe.each(files)('%s', (file) => {
	const example = JSON.parse(read(file)) as Example;
	const ours = example.nodes.filter(isOurs);

	// The types and versions of n8n's own nodes: test/e2e/examples.test.ts.
	it('has nodes with different names and ids, and ours in their latest version', () => {
		const { nodes } = example;
		expect(new Set(nodes.map(({ name }) => name)).size).toBe(nodes.length);
		expect(new Set(nodes.map(({ id }) => id)).size).toBe(nodes.length);
		for (const { type, typeVersion } of ours) {
			expect(typeVersion).toBe(Math.max(...[OUR_NODES[type]!.version].flat()));
		}
	});

	it('has at most twelve nodes besides its notes', () => {
		expect(example.nodes.filter((node) => !isNote(node)).length).toBeLessThanOrEqual(12);
	});

	it('has a picture in its section of docs/examples.md', () => {
		const [section] = page.split(`(../examples/${file})`)[1]!.split('\n## ');
		const pictures = [...section!.matchAll(/^!\[[^\]]+\]\((images\/[\w-]+\.png)\)$/gm)];
		expect(pictures).toHaveLength(1);
		expect(existsSync(join(folder, '..', 'docs', pictures[0]![1]!))).toBe(true);
	});

	it('has one node for what its user sets, and no address in another if that has them', () => {
		const isSettings = ({ name }: INode) => ['Your Columns', 'Your Settings'].includes(name);
		const [settings, ...more] = example.nodes.filter(isSettings);
		expect(more).toEqual([]);
		expect(settings!.type).toBe('n8n-nodes-base.set');
		const fields = Object.keys(getFields(settings!));
		const others = example.nodes.filter((node) => node !== settings && !isNote(node));
		const texts = others.flatMap(({ parameters }) => getTexts(parameters)).join('\n');
		const unread = fields.filter((field) => !new RegExp(`\\b${field}\\b`).test(texts));
		expect(unread).toEqual([]);
		if (settings!.name === 'Your Columns') return;
		const senders = example.nodes.filter(({ type }) => type.includes('.emailSend'));
		for (const { parameters } of senders) {
			expect([parameters.fromEmail, parameters.toEmail]).toEqual([
				expect.stringMatching(/^=/),
				expect.stringMatching(/^=/),
			]);
		}
	});

	it('uses our nodes, with nothing but parameters and options that they have', () => {
		expect(ours.length).toBeGreaterThan(0);
		for (const node of ours) {
			expect(findProblems(node)).toEqual([]);
			// Required fields that are empty.
			const description = OUR_NODES[node.type]!;
			expect(NodeHelpers.getNodeParametersIssues(description.properties, node, description)).toBe(
				null,
			);
		}
	});

	it('would be warned of what our nodes do not have', () => {
		const [node] = ours as [INode];
		const changed = (changes: INodeParameters) =>
			findProblems({ ...node, parameters: { ...node.parameters, ...changes } });
		expect(changed({ amonut: '1' })).toEqual(['amonut: no such field']);
		expect(changed({ options: { timeuot: 1 } })).toEqual(['options.timeuot: no such field']);
		if ('events' in node.parameters) {
			expect(changed({ events: ['PIX_PAID'] })).toEqual(['events: no such choice PIX_PAID']);
		} else {
			expect(changed({ operation: 'pay' })).toContain('operation: no such choice');
			expect(changed({ resource: 'money' })).toContain('resource: no such choice');
		}
	});

	it('connects only nodes that it has, and every node but the notes', () => {
		const names = new Set(example.nodes.map(({ name }) => name));
		const connected = new Set(Object.keys(example.connections));
		for (const outputs of Object.values(example.connections)) {
			for (const target of Object.values(outputs).flat(2)) connected.add(target!.node);
		}
		for (const name of connected) expect(names).toContain(name);
		const loose = example.nodes.filter(
			({ name, type }) => !connected.has(name) && type !== 'n8n-nodes-base.stickyNote',
		);
		expect(loose).toEqual([]);
	});

	it('refers in its expressions only to nodes that it has', () => {
		const names = new Set(example.nodes.map(({ name }) => name));
		const text = JSON.stringify(example.nodes.map(({ parameters }) => parameters));
		for (const [, name] of text.matchAll(/\$\('([^']+)'\)/g)) expect(names).toContain(name);
	});

	it('names its credentials and contains none', () => {
		for (const { credentials } of example.nodes) {
			for (const credential of Object.values(credentials ?? {})) {
				expect(credential).toEqual({ id: null, name: expect.stringMatching(/ account$/) });
			}
		}
		// The resource of that name is no key.
		const text = read(file).replaceAll('"resource": "apiKey"', '');
		expect(text).not.toMatch(/_(test|live)_\w{10}/);
		expect(text).not.toMatch(/bearer|password|apiKey|secret/i);
		expect(text).not.toMatch(/https?:\/\/(?!.*\.example\b)/);
	});

	it('pays under a distinct number where a list or a form may ask for the same thing again', () => {
		const isAskedByPeople = example.nodes.some(
			({ type, parameters }) =>
				[
					'n8n-nodes-base.extractFromFile',
					'n8n-nodes-base.formTrigger',
					'n8n-nodes-base.googleSheets',
				].includes(type) && !('columns' in parameters),
		);
		const writes = ours.filter(
			({ parameters: { resource, operation } }) =>
				operation === 'create' && ['payment', 'withdrawal'].includes(resource as string),
		);
		for (const { name, parameters } of isAskedByPeople ? writes : []) {
			const { idempotencyKey } = parameters.options as { idempotencyKey?: string };
			const { externalId } = (parameters.additionalFields ?? {}) as { externalId?: string };
			const number = parameters.reference ?? externalId ?? idempotencyKey;
			expect([name, number]).toEqual([name, expect.stringContaining('$json.')]);
		}
	});

	it('reads the day in Brazilian time', () => {
		expect(example.settings).toMatchObject({ timezone: 'America/Sao_Paulo' });
	});

	it('contains nothing about the person who ran it', () => {
		expect(example.pinData).toEqual({});
		expect(Object.keys(example).sort()).toEqual([
			'connections',
			'name',
			'nodes',
			'pinData',
			'settings',
		]);
		for (const [address] of read(file).matchAll(/[\w.-]+@[\w-]+\.[\w.]+/g)) {
			expect(address).toMatch(/@example\.com$|\.example$/);
		}
	});

	it('explains itself in notes', () => {
		expect(getNotes(example).length).toBeGreaterThanOrEqual(4);
		const [about] = getNotes(example);
		const text = getText(about!.parameters);
		expect(text).toContain(`## ${example.name}`);
		expect(text).toMatch(/^1\. /m);
		const all = getNotes(example).map(({ parameters }) => getText(parameters));
		expect(all.join('\n').includes('goes wrong') || file === 'once-with-redis.json').toBe(true);
		// A note speaks of nodes that are there.
		const names = example.nodes.map(({ name }) => name);
		const meant = [...text.matchAll(/\bin \*\*([^*]+)\*\*/g)].map(([, name]) => name!);
		for (const name of meant) expect(names.some((each) => each.startsWith(name))).toBe(true);
	});

	it('is laid out without nodes on top of each other or of what a note says', () => {
		const nodes = example.nodes.filter((node) => !isNote(node));
		for (const [index, { position }] of nodes.entries()) {
			for (const other of nodes.slice(index + 1)) {
				const apart =
					Math.abs(position[0] - other.position[0]) >= 150 ||
					Math.abs(position[1] - other.position[1]) >= 120;
				expect({ position, other: other.position, apart }).toMatchObject({ apart: true });
			}
		}
		for (const note of getNotes(example)) {
			const box = toBox(note);
			for (const node of nodes) {
				const { name, position } = node;
				const isApart = !overlaps(box, toBox(node));
				const isOnFreePart =
					contains(box, toBox(node)) && position[1] >= note.position[1] + textHeight(note);
				expect([note.name, name, isApart || isOnFreePart]).toEqual([note.name, name, true]);
			}
			for (const other of getNotes(example)) {
				if (other === note) continue;
				expect([note.name, other.name, overlaps(box, toBox(other))]).toEqual([
					note.name,
					other.name,
					false,
				]);
			}
			expect([note.name, textHeight(note) <= Number(note.parameters.height)]).toEqual([
				note.name,
				true,
			]);
		}
	});
});

describe('the payouts from a list', () => {
	const examples = ['payouts-from-spreadsheet.json', 'payouts-from-google-sheets.json'].map(
		(file) => [file, JSON.parse(read(file)) as Example] as const,
	);

	it.each(examples)('reach the payment over an approval alone: %s', (_file, example) => {
		const sources = (target: string) =>
			Object.entries(example.connections).flatMap(([source, { main }]) =>
				main!.flatMap((targets, output) =>
					targets!.filter(({ node }) => node === target).map(() => `${source} ${output}`),
				),
			);
		const node = (name: string) => example.nodes.find((each) => each.name === name)!;
		expect(sources('Pay')).toEqual(['Rows to Pay 0']);
		expect(sources('Rows to Pay')).toEqual(['What Next? 0']);
		const { rules } = node('What Next?').parameters as {
			rules: { values: Array<{ conditions: { conditions: unknown[] } }> };
		};
		expect(rules.values[0]!.conditions.conditions).toEqual([
			expect.objectContaining({
				leftValue: '={{ $json.approved && $json.outcomes.length === 0 }}',
				operator: expect.objectContaining({ type: 'boolean', operation: 'true' }),
			}),
		]);
		expect(getFields(node('Checked List')).approved).toBe(
			"={{ $('Ask for Approval').isExecuted && $('Ask for Approval').first().json.data?.['Decisão'] === 'Pagar' }}",
		);
	});

	it.each(examples)('name the columns of the list in one node: %s', (_file, { nodes }) => {
		const columns = ['invoice', 'name', 'document', 'pixKey', 'amount', 'description'];
		expect(getFields(nodes.find(({ name }) => name === 'Your Columns')!)).toEqual(
			Object.fromEntries(columns.map((name) => [name, `={{ $json.${name} }}`])),
		);
		// Only the report on a list that has none of them looks past it.
		const readers = nodes.filter((node) =>
			JSON.stringify(node.parameters).includes("$('Rows of the Spreadsheet')"),
		);
		expect(readers.map(({ name }) => name)).toEqual(['Send Report']);
	});

	it.each(examples)('have no expression of several lines: %s', (_file, { nodes }) => {
		const texts = nodes.flatMap(({ parameters }) => getTexts(parameters));
		const expressions = texts.flatMap((text) => text.match(/\{\{[^]*?\}\}/g) ?? []);
		expect(expressions.length).toBeGreaterThan(20);
		expect(expressions.filter((expression) => expression.includes('\n'))).toEqual([]);
	});

	it.each([...examples, ['salaries.json', JSON.parse(read('salaries.json')) as Example] as const])(
		'have Portuguese words for each result and problem: %s',
		(_file, { nodes }) => {
			const { words, reasons } = getFields(nodes.find(({ name }) => name === 'Checked List')!);
			const results = ['paid', 'paid before', 'under way', 'refused', 'failed', 'not known', 'new'];
			expect(Object.keys(JSON.parse(words!)).sort()).toEqual(results.sort());
			const codes = ['payouts/payout', 'payouts/texts', 'withdrawal/assessBatch'].flatMap(
				(file) => {
					const source = readFileSync(join(folder, `../nodes/BrlPayments/${file}.ts`), 'utf8');
					return [...source.matchAll(/code: '([A-Z_]+)'|'(INVALID_[A-Z_]+)'/g)].map(
						([, code, other]) => code ?? other!,
					);
				},
			);
			const ofCreate = ['POSSIBLE_DUPLICATE', 'WITHDRAWAL_NOT_PAID'];
			const ofCheck = codes.filter((code) => !ofCreate.includes(code));
			expect(Object.keys(JSON.parse(reasons!))).toEqual(expect.arrayContaining(ofCheck));
		},
	);

	it.each(examples)(
		'pay the reference that they check, and continue after a failure: %s',
		(_file, { nodes }) => {
			const reference = '={{ $json.invoice }}';
			expect(nodes.find(({ name }) => name === 'Check Batch')).toMatchObject({
				parameters: { operation: 'checkBatch', reference },
			});
			expect(nodes.find(({ name }) => name === 'Pay')).toMatchObject({
				parameters: { operation: 'create', reference },
				onError: 'continueRegularOutput',
			});
		},
	);

	it('differ only in the nodes that read the list', () => {
		const isReader = ({ name }: INode) => ['Read File', 'Rows of the Spreadsheet'].includes(name);
		const [fromFile, fromSheets] = examples.map(([, { nodes }]) =>
			nodes
				.filter((node) => !isNote(node) && !isReader(node))
				// Ids differ: see below.
				.map((node) =>
					JSON.parse(
						JSON.stringify(omit(node, 'id', 'webhookId')).replace(/"id":"[\w-]{36}"/g, '"id":""'),
					),
				),
		);
		expect(fromSheets).toEqual(fromFile);

		const [afterFile, afterSheets] = examples.map(([, { connections }]) =>
			omit(connections, 'When Clicking Execute Workflow', 'Read File'),
		);
		expect(afterSheets).toEqual(afterFile);
	});

	it('share no id, so that n8n keeps what each has paid apart', () => {
		const [ids, others] = examples.map(([, { nodes }]) => nodes.map(({ id }) => id));
		expect(ids!.filter((id) => others!.includes(id))).toEqual([]);
	});

	it('give one item also for an empty list, so that the report can say so', () => {
		for (const [, { nodes }] of examples) {
			expect(nodes.find(({ name }) => name === 'Rows of the Spreadsheet')).toMatchObject({
				alwaysOutputData: true,
			});
		}
	});

	it('leave spreadsheet and account of Google Sheets to be chosen', () => {
		const [, { nodes }] = examples[1]!;
		const nothing = { __rl: true, mode: 'list', value: '' };
		expect(nodes.find(({ name }) => name === 'Rows of the Spreadsheet')).toMatchObject({
			type: 'n8n-nodes-base.googleSheets',
			parameters: { operation: 'read', documentId: nothing, sheetName: nothing },
			credentials: { googleSheetsOAuth2Api: { id: null, name: 'Google Sheets account' } },
		});
	});
});

it('a table of salaries from the sample has what the example reads', () => {
	const [header, ...rows] = readFileSync(join(folder, 'salaries.csv'), 'utf8').trim().split('\n');
	expect(header).toBe('name,cpf,pixKey,amount');
	expect(rows.length).toBeGreaterThan(1);
	for (const row of rows) {
		const [, cpf, pixKey, amount] = row.split(',') as [string, string, string, string];
		const payout = readPayout({ amount, pixKey, recipientDocument: cpf });
		expect([row, 'payout' in payout]).toEqual([row, true]);
	}
});

it('nothing ever upserts what decides between copies', () => {
	const { nodes } = JSON.parse(read('once-with-data-table.json')) as Example;
	const tables = nodes.filter(({ type }) => type === 'n8n-nodes-base.dataTable');
	expect(tables.map(({ parameters }) => parameters.operation)).toEqual([
		...['get', 'update', 'create', 'insert'],
	]);
	const { filters } = tables.find(({ name }) => name === 'Take It')!.parameters as {
		filters: { conditions: unknown };
	};
	expect(filters.conditions).toEqual([
		{ keyName: 'id', condition: 'eq', keyValue: '={{ $json.id }}' },
		{ keyName: 'turn', condition: 'eq', keyValue: '={{ $json.turn }}' },
	]);
});
