import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import {
	NodeHelpers,
	type IConnections,
	type INode,
	type INodeTypeDescription,
} from 'n8n-workflow';

import { BrlPayments } from '../../../nodes/BrlPayments/BrlPayments.node';

const folder = join(__dirname, '..', '..', '..', 'examples');
const OUR_NODE = 'n8n-nodes-brl-payments.brlPayments';

/**
 * n8n's own nodes that the examples use, in versions that exist: test/e2e/examples.test.ts checks
 * them against the real n8n. Anything else here is a typing error or a node that users may not have.
 */
const N8N_NODES: Record<string, number[]> = {
	'n8n-nodes-base.stickyNote': [1],
	'n8n-nodes-base.manualTrigger': [1],
	'n8n-nodes-base.scheduleTrigger': [1.2],
	'n8n-nodes-base.formTrigger': [2.5],
	'n8n-nodes-base.readWriteFile': [1.1],
	'n8n-nodes-base.extractFromFile': [1.1],
	'n8n-nodes-base.if': [2.3],
	'n8n-nodes-base.set': [3.4],
	'n8n-nodes-base.merge': [3.2],
	'n8n-nodes-base.sort': [1],
	'n8n-nodes-base.summarize': [1.1],
	'n8n-nodes-base.emailSend': [2.1],
	'n8n-nodes-base.dataTable': [1.1],
};

interface Example {
	name: string;
	nodes: INode[];
	connections: IConnections;
	[key: string]: unknown;
}

const files = readdirSync(folder).filter((file) => file.endsWith('.json'));
const read = (file: string) => readFileSync(join(folder, file), 'utf8');
const description: INodeTypeDescription = new BrlPayments().description;

/** Every path of the parameters: `filters.status`, `customer.name` and so on. */
function pathsOf(value: unknown, path = ''): string[] {
	if (typeof value !== 'object' || value === null || Array.isArray(value)) return [path];
	const entries = Object.entries(value);
	if (entries.length === 0) return [path];
	return entries.flatMap(([key, inner]) => pathsOf(inner, path ? `${path}.${key}` : key));
}

/** What n8n makes of a node's parameters: those that do not exist or are not shown fall out. */
const accepted = (node: INode) =>
	NodeHelpers.getNodeParameters(
		description.properties,
		node.parameters,
		true,
		false,
		node,
		description,
	)!;

it('is three examples', () => {
	expect(files.sort()).toEqual([
		'daily-reconciliation.json',
		'payment-link-with-email.json',
		'payouts-from-spreadsheet.json',
	]);
});

describe.each(files)('%s', (file) => {
	const example = JSON.parse(read(file)) as Example;
	const ours = example.nodes.filter(({ type }) => type === OUR_NODE);

	it('has nodes with different names and ids, of types that exist', () => {
		const { nodes } = example;
		expect(new Set(nodes.map(({ name }) => name)).size).toBe(nodes.length);
		expect(new Set(nodes.map(({ id }) => id)).size).toBe(nodes.length);
		for (const { type, typeVersion } of nodes) {
			expect(type === OUR_NODE ? description.version : N8N_NODES[type]).toEqual(
				type === OUR_NODE ? typeVersion : expect.arrayContaining([typeVersion]),
			);
		}
	});

	it('uses our node, with nothing but parameters and options that it has', () => {
		expect(ours.length).toBeGreaterThan(0);
		for (const node of ours) {
			expect(pathsOf(accepted(node))).toEqual(expect.arrayContaining(pathsOf(node.parameters)));
			expect(NodeHelpers.getNodeParametersIssues(description.properties, node, description)).toBe(
				null,
			);
		}
	});

	it('would be told of a parameter that our node does not have', () => {
		const [node] = ours as [INode];
		const wrong = { ...node, parameters: { ...node.parameters, amonut: '1' } };
		expect(pathsOf(accepted(wrong))).not.toContain('amonut');
		const wrongOption = { ...node, parameters: { ...node.parameters, operation: 'pay' } };
		expect(
			NodeHelpers.getNodeParametersIssues(description.properties, wrongOption, description),
		).not.toBe(null);
	});

	it('connects only nodes that it has, and every node but the notes', () => {
		const names = new Set(example.nodes.map(({ name }) => name));
		const connected = new Set(Object.keys(example.connections));
		for (const outputs of Object.values(example.connections)) {
			for (const target of outputs.main!.flat()) connected.add(target!.node);
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

	it('names its credentials and holds none', () => {
		for (const { credentials } of example.nodes) {
			for (const credential of Object.values(credentials ?? {})) {
				expect(credential).toEqual({ id: null, name: expect.stringMatching(/ account$/) });
			}
		}
		const text = read(file);
		expect(text).not.toMatch(/_(test|live)_\w{10}/);
		expect(text).not.toMatch(/bearer|password|apiKey|secret/i);
		expect(text).not.toMatch(/https?:\/\/(?!.*\.example\b)/);
	});

	it('explains itself and is laid out without nodes on top of each other', () => {
		const isNote = ({ type }: INode) => type === 'n8n-nodes-base.stickyNote';
		const notes = example.nodes.filter(isNote);
		expect(notes.length).toBeGreaterThanOrEqual(4);
		const nodes = example.nodes.filter((node) => !isNote(node));
		for (const [index, { position }] of nodes.entries()) {
			for (const other of nodes.slice(index + 1)) {
				const apart =
					Math.abs(position[0] - other.position[0]) >= 150 ||
					Math.abs(position[1] - other.position[1]) >= 120;
				expect({ position, other: other.position, apart }).toMatchObject({ apart: true });
			}
		}
	});
});
