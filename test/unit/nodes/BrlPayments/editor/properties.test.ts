import { PAYMENT_STATUSES, WITHDRAWAL_STATUSES } from '../../../../../dev/sandbox/store/types';
/** What an agent reads about the node, by n8n's own way of making a tool of it. */
import {
	type INodeProperties,
	type INodePropertyOptions,
	NodeHelpers,
	type INode,
	type INodeParameters,
	type INodeType,
} from 'n8n-workflow';
import { mapValues } from 'lodash';
import { BrlPayments } from '../../../../../nodes/BrlPayments/BrlPayments.node';
import { properties, buildSubtitle } from '../../../../../nodes/BrlPayments/editor/properties';
import { findOperation, resources } from '../../../../../nodes/BrlPayments/resources';
import { OPERATIONS } from '../../../../support/operations';
import { getRefusal } from '../../../support/refusal';
import { runInNewContext } from 'node:vm';
import { NODE } from '../../../support/nodeContext';

const COLLECTIONS: Record<string, string[]> = {
	'payment.create.customer': ['name', 'email', 'document', 'documentType'],
	'payment.create.additionalFields': ['completionUrl', 'returnUrl', 'passFeeToPayer', 'metadata'],
	'payment.getAll.filters': ['status', 'method', 'startDate', 'endDate', 'minAmount', 'maxAmount'],
	'product.create.additionalFields': ['description', 'externalId', 'metadata'],
	'product.getAll.filters': ['search', 'isActive'],
	'withdrawal.getAll.filters': ['status', 'method', 'currency', 'startDate', 'endDate'],
};

const names = Object.keys(OPERATIONS);
const selector = (name: string) => name.split('.') as [resource: string, operation: string];
const getEntries = ({ options = [] }: INodeProperties) =>
	(options as INodeProperties[]).map(({ name }) => name);
const getValues = ({ options = [] }: INodeProperties) =>
	(options as INodePropertyOptions[]).map(({ value }) => value);

/** What the editor shows for one operation. */
const shownFor = (name: string) => {
	const [resource, operation] = selector(name);
	return properties.filter(
		({ displayOptions: { show = {} } = {} }) =>
			show.operation?.includes(operation) && show.resource?.includes(resource),
	);
};

const isForAgents = ({ displayOptions }: INodeProperties) =>
	displayOptions?.show?.['@tool']?.includes(true) === true;

/** The fields among it that a workflow without an agent has. */
const getFields = (name: string) =>
	shownFor(name).filter((field) => field.type !== 'notice' && !isForAgents(field));

test('there are the 30 operations of these names, and no other', () => {
	expect(names).toHaveLength(30);
	const offered = resources.flatMap(({ option, operations }) =>
		operations.map((operation) => `${option.value}.${operation.option.value}`),
	);
	expect(offered.sort()).toEqual([...names].sort());
});

test.each(names)('%s has its parameters, and options once, behind them', (name) => {
	const { names: parameters, options } = OPERATIONS[name]!;
	const fields = getFields(name);

	expect(fields.map((field) => field.name)).toEqual([...parameters, 'options']);
	expect(getEntries(fields.at(-1) as INodeProperties).sort()).toEqual([...options].sort());
});

test('the collections have their entries, and there is no other collection', () => {
	const found = names.flatMap((name) =>
		getFields(name)
			.filter((field) => field.type === 'collection' && field.name !== 'options')
			.map((field) => [`${name}.${field.name}`, getEntries(field).sort()] as const),
	);

	expect(Object.fromEntries(found)).toEqual(mapValues(COLLECTIONS, (entries) => entries.sort()));
});

describe('the statuses that can be chosen', () => {
	test.each([
		['payment.getAll', 'filters', PAYMENT_STATUSES],
		['payment.waitForStatus', 'statuses', PAYMENT_STATUSES],
		['payment.simulate', 'status', ['CANCELLED', 'EXPIRED', 'PAID', 'REFUNDED']],
		['withdrawal.getAll', 'filters', WITHDRAWAL_STATUSES],
		['withdrawal.waitForStatus', 'statuses', WITHDRAWAL_STATUSES],
	])('of %s are all there are', (name, parameter, statuses) => {
		const field = getFields(name).find((one) => one.name === parameter) as INodeProperties;
		const list =
			parameter === 'filters'
				? (field.options as INodeProperties[]).find((one) => one.name === 'status')
				: field;

		expect(getValues(list as INodeProperties).sort()).toEqual([...statuses].sort());
	});
});

test('what cannot be undone begins with a notice, and nothing else does', () => {
	const isNotice = ({ type }: INodeProperties) => type === 'notice';
	const notices = names.flatMap((name) => {
		const [first] = shownFor(name).filter((field) => !isForAgents(field));
		return first && isNotice(first) ? [[name, first.displayName]] : [];
	});
	expect(notices).toEqual([
		['payment.refund', expect.stringContaining('cannot be undone')],
		['payment.simulate', expect.stringContaining('test keys only')],
		['withdrawal.create', expect.stringContaining('Fill in Reference')],
	]);
});

describe('the scope', () => {
	const hints = new BrlPayments().description.hints ?? [];
	const getHints = (resource: string, operation: string) =>
		hints.filter(({ displayCondition = '' }) =>
			displayCondition.includes(
				`($parameter.resource === '${resource}' && $parameter.operation === '${operation}')`,
			),
		);

	test.each(names)('of %s is shown in the editor until the node has run, and once', (name) => {
		const { scope } = findOperation(...selector(name));
		const told = getHints(...selector(name));

		expect(told.map(({ message }) => message)).toEqual(
			scope === null
				? []
				: [expect.stringMatching(new RegExp(`^The API key needs the scope ${scope}[.,]`))],
		);
		for (const { whenToDisplay, location } of told) {
			expect([whenToDisplay, location]).toEqual(['beforeExecution', 'outputPane']);
		}
	});
});

test('one operation is chosen for each resource, and never one that deletes', () => {
	const fields = properties.filter(({ name }) => name === 'operation');
	expect(fields).toHaveLength(resources.length);
	for (const field of fields) {
		expect(getValues(field)).toContain(field.default);
		expect(field.default).not.toMatch(/delete/i);
	}
});

test.each([
	['payment', 'pay'],
	['payment', 'constructor'],
	['wallet', 'get'],
])('there is no operation %s.%s', (resource, operation) => {
	expect(getRefusal(() => findOperation(resource, operation)).message).toContain('no operation');
});

test('the node keeps its own names', () => {
	const { description, methods } = new BrlPayments();

	expect(description).toMatchObject({
		...{ name: 'brlPayments', displayName: 'BRL Payments', version: 2, usableAsTool: true },
		credentials: [{ name: 'brlPaymentsApi', required: true, testedBy: 'testBrlPaymentsApi' }],
	});
	expect(description.properties).toBe(properties);
	expect(Object.keys(methods.credentialTest)).toEqual(['testBrlPaymentsApi']);
	expect(Object.keys(methods.listSearch)).toEqual([
		...['searchPayments', 'searchProducts', 'searchWithdrawals'],
	]);
});

test('every operation has words below its node', () => {
	const code = /^=\{\{ (.+) \}\}$/.exec(buildSubtitle(resources))?.[1];
	for (const { option, operations } of resources) {
		for (const operation of operations) {
			const $parameter = { resource: option.value, operation: operation.option.value };
			const words = runInNewContext(String(code), { $parameter }) as string;
			expect(words).toBe(`${operation.option.name}: ${option.name}`);
		}
	}
});

const TYPE = 'n8n-nodes-brl-payments.brlPayments';

/** In the form that n8n derives for agents, or as it is; with the defaults filled in, as before a run. */
const node = new BrlPayments();
const describedAs = (name: string): INodeType => ({ description: { ...node.description, name } });

function getParameters(given: INodeParameters, typeName: string): INodeParameters {
	const { description } = describedAs(typeName);
	return NodeHelpers.getNodeParameters(
		description.properties,
		given,
		...([true, false, NODE, description] as const),
	) as INodeParameters;
}

function getDescription(given: INodeParameters): string {
	const tool: INode = { ...NODE, parameters: getParameters(given, `${TYPE}Tool`) };
	return NodeHelpers.getToolDescriptionForNode(tool, describedAs(`${TYPE}Tool`));
}

const MOVES_MONEY = ['payment.refund', 'withdrawal.create'];

test.each(names)('%s says what it does, and to what', (name) => {
	const [resource, operation] = selector(name);
	const { option, isWrite } = findOperation(resource, operation);
	const told = getDescription({ resource, operation });

	const isMoney = MOVES_MONEY.includes(name);
	const effect = isMoney ? 'MOVES MONEY' : isWrite ? 'Changes data' : 'Reads only';
	expect(told.split('.')[0]).toBe(effect);
	expect(told).toContain(option.description);
	if (isMoney) expect(told).toContain('This cannot be undone');
	expect(told.includes('If it fails, do not call it again')).toBe(isMoney);
});

describe('the fields of a tool', () => {
	const shownIn = (given: INodeParameters, typeName: string) =>
		Object.keys(getParameters(given, typeName));

	test('are not shown in a workflow without an agent', () => {
		const given = { resource: 'balance', operation: 'get' };
		expect(shownIn(given, `${TYPE}Tool`)).toContain('toolDescription');
		expect(shownIn(given, TYPE)).not.toContain('toolDescription');
	});

	test('begin with the limits, where it pays', () => {
		const pay = { resource: 'withdrawal', operation: 'create' };
		expect(shownIn(pay, `${TYPE}Tool`).slice(0, 7)).toEqual([
			...['resource', 'operation', 'toolDescription', 'moneyNotice'],
			...['largestAmount', 'largestTotal', 'allowedPixKeys'],
		]);
		expect(shownIn(pay, TYPE)).not.toContain('largestAmount');
	});
});
