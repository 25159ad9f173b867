import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { cloneDeep } from 'lodash';
import type { INodeProperties, INodePropertyOptions } from 'n8n-workflow';
import { BrlPaymentsApi } from '../../../../../credentials/BrlPaymentsApi.credentials';
import { BrlPaymentsWebhookApi } from '../../../../../credentials/BrlPaymentsWebhookApi.credentials';
import { BrlPayments } from '../../../../../nodes/BrlPayments/BrlPayments.node';
import { BrlPaymentsTrigger } from '../../../../../nodes/BrlPaymentsTrigger/BrlPaymentsTrigger.node';
import {
	checkInterface,
	isSentenceCase,
	isTitleCase,
	type Codex,
	type Loaded,
} from '../../../../../dev/release/checks/interface';

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

const ICON = 'file:../../icons/brlPayments.svg';

test.each<[place: string, text: string, break_: (opened: Opened) => void]>([
	['brlPayments', 'subtitle', ({ action }) => delete action.subtitle],
	['brlPayments', 'Title Case', ({ action }) => (action.displayName = 'BRL payments')],
	['brlPayments', 'as a tool', ({ action }) => delete action.usableAsTool],
	['brlPaymentsTrigger', 'called Trigger', ({ trigger }) => (trigger.displayName = 'Events')],
	[
		'brlPayments',
		'icon for dark',
		({ action }) => (action.icon = { light: ICON, dark: 'file:no.svg' }),
	],
	['brlPayments', 'same icon', ({ action }) => (action.icon = { light: ICON, dark: ICON })],
	['brlPayments', 'otherApi', ({ action }) => action.credentials?.push({ name: 'otherApi' })],
	['brlPayments', 'another node', ({ codex }) => Object.assign(codex, { node: 'other' })],
	['brlPayments', 'category', ({ codex }) => Object.assign(codex, { categories: [] })],
	['brlPayments', 'documentation', ({ codex }) => Object.assign(codex, { resources: {} })],
	['brlPaymentsApi.apiKey', 'secret', ({ api }) => delete api.properties[0]!.typeOptions],
	['brlPaymentsApi', 'documentation', ({ api }) => (api.documentationUrl = 'brlPayments')],
	['brlPaymentsApi', 'API at the end', ({ api }) => (api.displayName = 'BRL Payments Key')],
])('%s is found: %s', (place, text, break_) => {
	const opened = open();
	break_(opened);

	expect(checkInterface(opened.loaded)).toEqual([{ place, text: expect.stringContaining(text) }]);
});

test.each<[text: string, broken: Partial<INodePropertyOptions>]>([
	['no action', { action: '' }],
	['sentence case', { action: 'Get Payment' }],
	['article', { action: 'Get a payment' }],
	['no description', { description: '' }],
])('an operation is found: %s', (text, broken) => {
	const opened = open();
	Object.assign(getOperation(opened, 'payment', 'get'), broken);

	expect(checkInterface(opened.loaded)).toContainEqual({
		place: 'brlPayments.payment.get',
		text: expect.stringContaining(text),
	});
});

test('a list is found under another name, and one that returns all or another number by default', () => {
	const opened = open();
	getOperation(opened, 'product', 'getAll').name = 'List';
	getField(opened, 'returnAll', 'product', 'getAll').default = true;
	getField(opened, 'limit', 'product', 'getAll').default = 100;

	expect(checkInterface(opened.loaded).map(({ place, text }) => [place, text.slice(0, 9)])).toEqual(
		['is called', 'lacks Ret', 'lacks Lim'].map((text) => ['brlPayments.product.getAll', text]),
	);
});

test.each<[text: string, field: [string, string, string], broken: object]>([
	['Title Case', ['paymentId', 'payment', 'get'], { displayName: 'payment ID' }],
	['sentence', ['paymentId', 'payment', 'get'], { description: 'the ID' }],
	['Whether', ['simplify', 'payment', 'get'], { description: 'Return less' }],
	['e.g.', ['amount', 'payment', 'refund'], { placeholder: '1.234,56' }],
	['list first', ['productId', 'product', 'delete'], { default: { mode: 'id', value: '' } }],
	['English', ['reason', 'payment', 'refund'], { description: 'Razão' }],
])('a field is found: %s', (text, [name, resource, operation], broken) => {
	const opened = open();
	Object.assign(getField(opened, name, resource, operation), broken);

	expect(checkInterface(opened.loaded)).toEqual([
		{ place: `brlPayments.${name}`, text: expect.stringContaining(text) },
	]);
});

test('what is inside a collection or a list is looked at too', () => {
	const opened = open();
	const { options = [] } = getField(opened, 'customer', 'payment', 'create');
	const email = options.find(({ name }) => name === 'email') as INodeProperties;
	email.placeholder = 'nathan@example.com';
	const mode = getField(opened, 'mode', 'payment', 'create');
	(mode.options as INodePropertyOptions[])[0]!.name = 'Página';

	expect(
		checkInterface(opened.loaded)
			.map(({ place }) => place)
			.sort(),
	).toEqual(['brlPayments.customer.email', 'brlPayments.mode']);
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
