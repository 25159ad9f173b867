import {
	NodeHelpers,
	NodeOperationError,
	type IDataObject,
	type IHookFunctions,
	type INodeParameters,
	type IPollFunctions,
	type WorkflowActivateMode,
} from 'n8n-workflow';
import { BrlPaymentsTrigger } from '../../../../nodes/BrlPaymentsTrigger/BrlPaymentsTrigger.node';
import { EVENTS } from '../../../../nodes/BrlPaymentsTrigger/events/events';
import { NODE } from '../../support/nodeContext';
import { SECRET } from './support/delivery';
import { fakeWebhook } from './support/webhookContext';

const node = new BrlPaymentsTrigger();
const { default: hooks } = node.webhookMethods;

const hookWith = (credential: IDataObject, mode: WorkflowActivateMode = 'activate') =>
	({
		getActivationMode: () => mode,
		getCredentials: async (name: string) => {
			expect(name).toBe('brlPaymentsWebhookApi');
			return credential;
		},
		getNode: () => NODE,
	}) as unknown as IHookFunctions;

describe('activation', () => {
	test('with a secret', async () => {
		const context = hookWith({ signingSecrets: SECRET });
		expect(await hooks.checkExists.call(context)).toBe(false);
		expect(await hooks.create.call(context)).toBe(true);
		expect(await hooks.delete.call(context)).toBe(true);
	});

	test.each<[string, IDataObject, RegExp]>([
		['without a secret', {}, /no signing secret/],
		['with a fragment', { signingSecrets: `${SECRET}\nabc` }, /too short/],
	])('%s fails, and says what to do', async (_, credential, message) => {
		const error = await hooks.create.call(hookWith(credential)).catch((thrown: unknown) => thrown);
		expect(error).toBeInstanceOf(NodeOperationError);
		expect((error as NodeOperationError).message).toMatch(message);
		expect((error as NodeOperationError).description).toBeTruthy();
		expect(JSON.stringify(error)).not.toContain(SECRET);
	});
});

// There, n8n never calls `execute`, in which repeated events are recognized.
describe('Engine 2.0 of n8n', () => {
	const onEngine = <T extends object>(context: T, engineType: 'v1' | 'v2'): T =>
		Object.assign(context, { getWorkflowSettings: () => ({ engineType }) });
	const hook = (engineType: 'v1' | 'v2', mode?: WorkflowActivateMode) =>
		onEngine(hookWith({ signingSecrets: SECRET }, mode), engineType);
	const pollWith = (parameters: IDataObject) =>
		onEngine(
			{
				getNode: () => NODE,
				getWorkflow: () => ({ id: 'example' }),
				getWorkflowStaticData: () => ({}),
				getNodeParameter: (name: string, fallback: unknown) => parameters[name] ?? fallback,
			},
			'v2',
		) as unknown as IPollFunctions;

	test('cannot be published on, and the error says what to change', async () => {
		const error = await hooks.create.call(hook('v2')).catch((thrown: unknown) => thrown);
		expect(error).toBeInstanceOf(NodeOperationError);
		expect(error).toMatchObject({
			message: expect.stringContaining('Engine 2.0'),
			description: expect.stringContaining('engineType'),
		});
		expect(await hooks.create.call(hook('v1'))).toBe(true);
	});

	test('keeps its address when n8n starts: deliveries get 503', async () => {
		expect(await hooks.create.call(hook('v2', 'init'))).toBe(true);
		const { context, response, logs } = fakeWebhook();
		const result = await node.webhook.call(onEngine(context, 'v2'));
		expect(result).toEqual({ noWebhookResponse: true });
		expect(response.answers).toMatchObject([{ status: 503 }]);
		expect(logs.join()).toContain('Engine 2.0');
	});

	test('is not polled on, where polling is on', async () => {
		await expect(node.poll.call(pollWith({ receiveBy: 'polling' }))).rejects.toThrow('Engine 2.0');
		expect(await node.poll.call(pollWith({ receiveBy: 'webhook' }))).toBeNull();
	});
});

describe('a start of n8n', () => {
	// An address that is not registered returns 404, and the sender gives up for good.
	test.each<WorkflowActivateMode>(['init', 'leadershipChange'])(
		'registers the address in mode %s, whatever is wrong with the credential',
		async (mode) => {
			expect(await hooks.create.call(hookWith({}, mode))).toBe(true);
			const gone = Object.assign(hookWith({}, mode), {
				getCredentials: async () => {
					throw new Error('The credential is gone');
				},
			});
			expect(await hooks.create.call(gone)).toBe(true);
		},
	);

	test.each<WorkflowActivateMode>(['activate', 'update', 'create', 'manual'])(
		'is not what a person does in mode %s',
		async (mode) => {
			await expect(hooks.create.call(hookWith({}, mode))).rejects.toThrow(/no signing secret/);
		},
	);
});

describe('what is public', () => {
	const { description } = node;

	test('the names that saved workflows contain', () => {
		expect(description.name).toBe('brlPaymentsTrigger');
		expect(description.version).toBe(2);
		expect(description.credentials?.map(({ name }) => name)).toEqual([
			'brlPaymentsWebhookApi',
			'brlPaymentsApi',
		]);
		expect(description.properties.map(({ name }) => name)).toEqual([
			'receiveBy',
			'setupNotice',
			'pollingNotice',
			'pollTimes',
			'pollTimes',
			'events',
			'fetchCurrentState',
			'options',
			'usesApi',
			'usesApi',
		]);
		// Without what n8n keeps to itself.
		expect(JSON.parse(JSON.stringify(description.webhooks))).toEqual([
			{
				name: 'default',
				httpMethod: '={{ $parameter["receiveBy"] === "polling" ? "" : "POST" }}',
				ndvHideUrl: '={{ $parameter["receiveBy"] === "polling" }}',
				responseMode: 'onReceived',
				path: 'webhook',
			},
		]);
	});

	test('every test of a credential exists', () => {
		for (const { testedBy } of description.credentials ?? []) {
			expect(Object.keys(node.methods.credentialTest)).toContain(testedBy);
		}
	});

	describe('each way of receiving asks only for what it needs', () => {
		const stored = { ...NODE, typeVersion: 2 };
		/** As n8n resolves them for the editor and for executions. */
		const resolve = (given: INodeParameters) =>
			NodeHelpers.getNodeParameters(
				description.properties,
				given,
				true,
				false,
				stored,
				description,
			)!;
		const resolveCredentials = (given: INodeParameters) =>
			description.credentials
				?.filter((each) => NodeHelpers.displayParameter(resolve(given), each, stored, description))
				.map(({ name }) => name);

		test.each<[string, INodeParameters, string[]]>([
			['by default', {}, ['brlPaymentsWebhookApi']],
			['Webhook', { receiveBy: 'webhook' }, ['brlPaymentsWebhookApi']],
			[
				'Webhook, with the current state',
				{ receiveBy: 'webhook', fetchCurrentState: true },
				['brlPaymentsWebhookApi', 'brlPaymentsApi'],
			],
			['Polling', { receiveBy: 'polling' }, ['brlPaymentsApi']],
			['both', { receiveBy: 'both' }, ['brlPaymentsWebhookApi', 'brlPaymentsApi']],
		])('%s: credentials', (_, given, expected) => {
			expect(resolveCredentials(given)).toEqual(expected);
		});

		test('poll times', () => {
			expect(resolve({}).pollTimes).toEqual({ item: [] });
			expect(resolve({ receiveBy: 'polling' }).pollTimes).toEqual({
				item: [{ mode: 'everyMinute' }],
			});
		});

		test('options that are about deliveries alone, and those about polling', () => {
			const all = { replayWindow: 60, lookBack: 5, maskPersonalData: true };
			const getOptions = (receiveBy: string) => resolve({ receiveBy, options: all }).options;
			expect(getOptions('webhook')).toEqual({ replayWindow: 60, maskPersonalData: true });
			expect(getOptions('polling')).toEqual({ lookBack: 5, maskPersonalData: true });
			expect(getOptions('both')).toEqual(all);
		});
	});

	test('the events that are selected at first exist', () => {
		const selected = description.properties.find(({ name }) => name === 'events')?.default;
		expect(selected).toEqual(['PAYMENT_PAID', 'PAYMENT_CONFIRMED']);
		expect(Object.keys(EVENTS)).toEqual(expect.arrayContaining(selected as string[]));
	});
});
