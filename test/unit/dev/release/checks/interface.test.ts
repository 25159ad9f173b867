import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { cloneDeep } from 'lodash';
import type { INodeProperties, INodePropertyOptions } from 'n8n-workflow';
import { BrlPaymentsApi } from '../../../../../credentials/BrlPaymentsApi.credentials';
import { BrlPaymentsWebhookApi } from '../../../../../credentials/BrlPaymentsWebhookApi.credentials';
import { BrlPayments } from '../../../../../nodes/BrlPayments/BrlPayments.node';
import { BrlPaymentsTrigger } from '../../../../../nodes/BrlPaymentsTrigger/BrlPaymentsTrigger.node';
import { checkInterface, type Loaded } from '../../../../../dev/release/checks/interface';
import { isSentenceCase, isTitleCase } from '../../../../../dev/release/checks/interface/text';
import type { Codex } from '../../../../../dev/release/checks/interface/node';

const root = join(__dirname, '../../../../..');
const read = (path: string) => readFileSync(join(root, path), 'utf8');
const getCodex = (name: string) => JSON.parse(read(`nodes/${name}/${name}.node.json`)) as Codex;

/** The package as it is loaded, for a test to break. */
const open = () => {
	const files = new Map(
		['brlPayments.svg', 'brlPayments.dark.svg'].map((icon) => [
			`dist/icons/${icon}`,
			read(`icons/${icon}`),
		]),
	);
	const action = cloneDeep(new BrlPayments().description);
	const trigger = cloneDeep(new BrlPaymentsTrigger().description);
	const api = new BrlPaymentsApi();
	const codex = getCodex('BrlPayments');
	const loaded: Loaded = {
		packageName: 'n8n-nodes-brl-payments',
		nodes: [
			{ description: action, codex, folder: 'dist/nodes/BrlPayments' },
			{
				description: trigger,
				codex: getCodex('BrlPaymentsTrigger'),
				folder: 'dist/nodes/BrlPaymentsTrigger',
			},
		],
		credentials: [
			{ credential: api, folder: 'dist/credentials' },
			{ credential: new BrlPaymentsWebhookApi(), folder: 'dist/credentials' },
		],
		files,
	};
	return { loaded, action, trigger, api, codex, files };
};
type Opened = ReturnType<typeof open>;

const getField = (
	{ action: { properties } }: Opened,
	name: string,
	resource: string,
	operation?: string,
) =>
	properties.find(
		({ name: found, displayOptions: { show = {} } = {} }) =>
			found === name &&
			show.resource?.includes(resource) &&
			(operation === undefined || show.operation?.includes(operation)),
	) as INodeProperties;
const getOperation = (opened: Opened, resource: string, operation: string) =>
	(getField(opened, 'operation', resource).options as INodePropertyOptions[]).find(
		({ value }) => value === operation,
	) as INodePropertyOptions;

test('nothing is found in the nodes and credentials of this package', () => {
	expect(checkInterface(open().loaded)).toEqual([]);
});

test.each<[what: string, break_: (opened: Opened) => void, place: string, text: string]>([
	['a node without subtitle', ({ action }) => delete action.subtitle, 'brlPayments', 'subtitle'],
	[
		'a node in lower case',
		({ action }) => (action.displayName = 'BRL payments'),
		'brlPayments',
		'Title Case',
	],
	[
		'a node that agents cannot use',
		({ action }) => delete action.usableAsTool,
		'brlPayments',
		'as a tool',
	],
	[
		'a trigger without the word',
		({ trigger }) => (trigger.displayName = 'BRL Payments Events'),
		'brlPaymentsTrigger',
		'called Trigger',
	],
	[
		'a node with a missing icon',
		({ action }) =>
			(action.icon = { light: 'file:../../icons/brlPayments.svg', dark: 'file:no.svg' }),
		'brlPayments',
		'no icon for dark',
	],
	[
		'a node with one icon for both screens',
		({ action }) =>
			(action.icon = {
				light: 'file:../../icons/brlPayments.svg',
				dark: 'file:../../icons/brlPayments.svg',
			}),
		'brlPayments',
		'same icon',
	],
	[
		'a credential that is not there',
		({ action }) => action.credentials?.push({ name: 'otherApi' }),
		'brlPayments',
		'otherApi',
	],
	[
		'a codex of another node',
		({ codex }) => Object.assign(codex, { node: 'n8n-nodes-brl-payments.other' }),
		'brlPayments',
		'another node',
	],
	[
		'a codex without category',
		({ codex }) => Object.assign(codex, { categories: [] }),
		'brlPayments',
		'category',
	],
	[
		'a codex without documentation',
		({ codex }) => Object.assign(codex, { resources: {} }),
		'brlPayments',
		'documentation',
	],
	[
		'an operation without action',
		(opened) => delete getOperation(opened, 'payment', 'get').action,
		'brlPayments.payment.get',
		'no action',
	],
	[
		'an action in Title Case',
		(opened) => (getOperation(opened, 'payment', 'get').action = 'Get Payment'),
		'brlPayments.payment.get',
		'sentence case',
	],
	[
		'an action with an article',
		(opened) => (getOperation(opened, 'payment', 'get').action = 'Get a payment'),
		'brlPayments.payment.get',
		'article',
	],
	[
		'an operation without description',
		(opened) => delete getOperation(opened, 'payment', 'get').description,
		'brlPayments.payment.get',
		'no description',
	],
	[
		'a list under another name',
		(opened) => (getOperation(opened, 'product', 'getAll').name = 'List'),
		'brlPayments.product.getAll',
		'Get Many',
	],
	[
		'a list that returns all by default',
		(opened) => (getField(opened, 'returnAll', 'product', 'getAll').default = true),
		'brlPayments.product.getAll',
		'Return All',
	],
	[
		'a list with another limit',
		(opened) => (getField(opened, 'limit', 'product', 'getAll').default = 100),
		'brlPayments.product.getAll',
		'Limit',
	],
	[
		'an operation that takes an expression',
		(opened) => delete getField(opened, 'operation', 'payment').noDataExpression,
		'brlPayments.operation',
		'expression',
	],
	[
		'a label in lower case',
		(opened) => (getField(opened, 'paymentId', 'payment', 'get').displayName = 'payment ID'),
		'brlPayments.paymentId',
		'Title Case',
	],
	[
		'a description that begins in lower case',
		(opened) => (getField(opened, 'paymentId', 'payment', 'get').description = 'the ID'),
		'brlPayments.paymentId',
		'sentence',
	],
	[
		'a switch that does not say whether',
		(opened) => (getField(opened, 'simplify', 'payment', 'get').description = 'Return less'),
		'brlPayments.simplify',
		'Whether',
	],
	[
		'a placeholder that looks like a value',
		(opened) => (getField(opened, 'amount', 'payment', 'refund').placeholder = '1.234,56'),
		'brlPayments.amount',
		'e.g.',
	],
	[
		'a placeholder like that in a collection',
		(opened) => {
			const { options = [] } = getField(opened, 'customer', 'payment', 'create');
			const email = options.find(({ name }) => name === 'email') as INodeProperties;
			email.placeholder = 'nathan@example.com';
		},
		'brlPayments.customer.email',
		'e.g.',
	],
	[
		'a product that has to be typed',
		(opened) =>
			(getField(opened, 'productId', 'product', 'delete').default = {
				mode: 'id',
				value: '',
			}),
		'brlPayments.productId',
		'list first',
	],
	[
		'Portuguese',
		(opened) => (getField(opened, 'reason', 'payment', 'refund').description = 'Razão'),
		'brlPayments.reason',
		'English',
	],
	[
		'Portuguese in an entry of a list',
		(opened) => {
			const { options = [] } = getField(opened, 'mode', 'payment', 'create');
			(options as INodePropertyOptions[])[0]!.name = 'Página';
		},
		'brlPayments.mode',
		'English',
	],
	[
		'a secret that is shown',
		({ api }) => delete api.properties[0]!.typeOptions,
		'brlPaymentsApi.apiKey',
		'secret',
	],
	[
		'a credential without documentation',
		({ api }) => (api.documentationUrl = 'brlPayments'),
		'brlPaymentsApi',
		'documentation',
	],
	[
		'a credential under another name',
		({ api }) => (api.displayName = 'BRL Payments Key'),
		'brlPaymentsApi',
		'API at the end',
	],
])('%s is found', (_what, break_, place, text) => {
	const opened = open();
	break_(opened);

	expect(checkInterface(opened.loaded)).toEqual([{ place, text: expect.stringContaining(text) }]);
});

test.each([
	['Get by External ID', true],
	['Max Concurrency', true],
	['Put Output File in Field', true],
	['Timeout (Seconds)', true],
	['TxID', true],
	['Get By external ID', false],
	['the Amount', false],
	['amount', false],
])('%s is Title Case: %s', (text, expected) => {
	expect(isTitleCase(text)).toBe(expected);
});

test.each([
	['Get payment by tx ID', true],
	['Get API key', true],
	['get payment', false],
	['Get Payment', false],
	['', false],
])('"%s" is sentence case: %s', (text, expected) => {
	expect(isSentenceCase(text)).toBe(expected);
});
