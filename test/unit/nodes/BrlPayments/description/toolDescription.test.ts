/** What an agent reads about the node, by n8n's own way of making a tool of it. */
import { NodeHelpers, type INode, type INodeParameters, type INodeType } from 'n8n-workflow';
import { BrlPayments } from '../../../../../nodes/BrlPayments/BrlPayments.node';
import { resources } from '../../../../../nodes/BrlPayments/resources';
import { NODE } from '../../../support/nodeContext';

const TYPE = 'n8n-nodes-brl-payments.brlPayments';

/** The node type as n8n knows it, and in the form that it derives for agents. */
const node = new BrlPayments();
const described = (name: string): INodeType => ({
	description: { ...node.description, name },
});

/** With the defaults filled in, as n8n does before a run. */
function getParameters(given: INodeParameters, typeName: string): INodeParameters {
	const type = described(typeName);
	const { properties } = type.description;
	return NodeHelpers.getNodeParameters(
		properties,
		given,
		true,
		false,
		NODE,
		type.description,
	) as INodeParameters;
}

function getDescription(given: INodeParameters): string {
	const type = described(`${TYPE}Tool`);
	const tool: INode = { ...NODE, parameters: getParameters(given, `${TYPE}Tool`) };
	return NodeHelpers.getToolDescriptionForNode(tool, type);
}

const operations = resources.flatMap(({ option, operations }) =>
	operations.map((operation) => ({
		resource: String(option.value),
		operation: String(operation.option.value),
		...operation,
	})),
);
const MOVES_MONEY = ['payment.refund', 'withdrawal.create'];

test.each(operations)('$resource.$operation says what it does, and to what', (each) => {
	const { resource, operation, option, isWrite } = each;
	const told = getDescription({ resource, operation });

	const isMoney = MOVES_MONEY.includes(`${resource}.${operation}`);
	expect(told.split('.')[0]).toBe(
		isMoney ? 'MOVES MONEY' : isWrite ? 'Changes data' : 'Reads only',
	);
	expect(told).toContain(option.description);
	expect(told).toMatch(/\.$/);
	expect(told).not.toContain('..');
});

test.each(MOVES_MONEY)('%s says that it cannot be undone, and not to try it again', (name) => {
	const found = operations.find((each) => `${each.resource}.${each.operation}` === name);
	const told = getDescription({ resource: found!.resource, operation: found!.operation });
	expect(told).toContain('This cannot be undone');
	expect(told).toContain('After an error, do not call it again');
});

test('no two operations are described alike', () => {
	const told = operations.map(({ resource, operation }) => getDescription({ resource, operation }));
	expect(new Set(told).size).toBe(30);
});

test('the user may describe it otherwise', () => {
	const given = { resource: 'balance', operation: 'get', toolDescription: 'Only on Mondays.' };
	expect(getDescription(given)).toBe('Only on Mondays.');
});

test('a workflow without an agent has no such field', () => {
	const given = { resource: 'balance', operation: 'get' };
	expect(getParameters(given, `${TYPE}Tool`)).toHaveProperty('toolDescription');
	expect(getParameters(given, TYPE)).not.toHaveProperty('toolDescription');
});

describe('the fields of a tool', () => {
	const shownIn = (given: INodeParameters, typeName: string) =>
		Object.keys(getParameters(given, typeName));
	const pay = { resource: 'withdrawal', operation: 'create' };

	test('begin with the limits, where it pays', () => {
		expect(shownIn(pay, `${TYPE}Tool`).slice(0, 7)).toEqual([
			...['resource', 'operation', 'toolDescription', 'moneyNotice'],
			...['largestAmount', 'largestTotal', 'allowedPixKeys'],
		]);
		expect(shownIn(pay, TYPE)).not.toContain('largestAmount');
	});

	test.each([
		['payment', 'get'],
		['payment', 'getAll'],
		['withdrawal', 'getAll'],
		['apiKey', 'get'],
	])('have Output in place of Simplify: %s > %s', (resource, operation) => {
		const given = { resource, operation };
		const tool = shownIn(given, `${TYPE}Tool`);
		expect(tool).toContain('output');
		expect(tool).not.toContain('simplify');
		expect(tool).not.toContain('fields');
		expect(shownIn({ ...given, output: 'fields' }, `${TYPE}Tool`)).toContain('fields');
		expect(shownIn(given, TYPE)).toContain('simplify');
		expect(shownIn(given, TYPE)).not.toContain('output');
	});
});

test('builders are advised to check a batch first, and to give a reference', () => {
	expect(node.description.builderHint!.searchHint).toMatch(/Check Batch.*Reference/);
	const create = operations.find(
		({ resource, operation }) => `${resource}.${operation}` === 'withdrawal.create',
	)!;
	expect(create.option.builderHint!.propertyHint).toContain('Check Batch');
	const reference = create.fields.find(({ name }) => name === 'reference')!;
	expect(reference.builderHint!.propertyHint).toContain('Always set it');
});
