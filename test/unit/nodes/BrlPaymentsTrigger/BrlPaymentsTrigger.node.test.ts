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
import { NODE } from '../../support/nodeContext';
import { SECRET } from './support/delivery';

const node = new BrlPaymentsTrigger();
const { default: hooks } = node.webhookMethods;

/** The credential, or undefined if it is gone. */
const hookWith = (credential: IDataObject | undefined, mode: WorkflowActivateMode = 'activate') =>
	({
		getActivationMode: () => mode,
		getCredentials: async (name: string) => {
			if (!credential || name !== 'brlPaymentsApi') throw new Error(`No ${name}`);
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

	test.each<[WorkflowActivateMode, string, IDataObject, RegExp]>([
		['activate', 'without a secret', {}, /no signing secret/],
		['update', 'without a secret', {}, /no signing secret/],
		['create', 'without a secret', {}, /no signing secret/],
		['manual', 'without a secret', {}, /no signing secret/],
		['activate', 'with a fragment', { signingSecrets: `${SECRET}\nabc` }, /too short/],
	])('by a person (%s) %s fails, and says what to do', async (mode, _, credential, message) => {
		const context = hookWith(credential, mode);
		const error = await hooks.create.call(context).catch((thrown: unknown) => thrown);
		expect(error).toBeInstanceOf(NodeOperationError);
		expect((error as NodeOperationError).message).toMatch(message);
		expect((error as NodeOperationError).description).toBeTruthy();
		expect(JSON.stringify(error)).not.toContain(SECRET);
	});

	// An address that is not registered returns 404, and the sender gives up for good.
	test.each<WorkflowActivateMode>(['init', 'leadershipChange'])(
		'by n8n (%s) registers the address, whatever is wrong with the credential',
		async (mode) => {
			for (const credential of [{}, undefined]) {
				expect(await hooks.create.call(hookWith(credential, mode))).toBe(true);
			}
		},
	);
});

// There, n8n never calls `execute`, in which repeated events are recognized. n8n polls at each activation.
test.each(['webhook', 'polling', 'both'])(
	'a workflow on Engine 2.0 of n8n cannot be published, by %s',
	async (receiveBy) => {
		const pollOn = (engineType: string) =>
			node.poll.call({
				getNode: () => NODE,
				getWorkflow: () => ({ id: 'example' }),
				getWorkflowSettings: () => ({ engineType }),
				getWorkflowStaticData: () => ({}),
				getNodeParameter: (name: string, fallback: unknown) => ({ receiveBy })[name] ?? fallback,
				logger: { warn: () => undefined },
			} as unknown as IPollFunctions);
		await expect(pollOn('v2')).rejects.toMatchObject({
			name: 'NodeOperationError',
			message: expect.stringContaining('Engine 2.0'),
			description: expect.stringContaining('engineType'),
		});
		await expect(pollOn('v1')).resolves.not.toThrow();
	},
);

describe('what is public', () => {
	const { description } = node;

	test('the names that saved workflows contain', () => {
		const names = (all: Array<{ name: string }> = []) => all.map(({ name }) => name);
		expect(description).toMatchObject({ name: 'brlPaymentsTrigger', version: 2 });
		expect(description.credentials).toEqual([
			{ name: 'brlPaymentsApi', required: true, testedBy: 'testBrlPaymentsApi' },
		]);
		expect(new Set(names(description.properties))).toEqual(
			new Set([
				...['receiveBy', 'setupNotice', 'pollingNotice', 'pollTimes', 'events'],
				...['fetchCurrentState', 'options'],
			]),
		);
		expect(description.webhooks).toMatchObject([
			{
				name: 'default',
				ndvHideUrl: '={{ $parameter["receiveBy"] === "polling" }}',
				responseMode: 'onReceived',
				path: 'webhook',
			},
		]);
	});

	test('every test of a credential exists', () => {
		for (const { testedBy } of description.credentials!) {
			expect(node.methods.credentialTest).toHaveProperty(testedBy as string);
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
		test('poll times', () => {
			const everyMinute = { item: [{ mode: 'everyMinute' }] };
			expect(resolve({}).pollTimes).toEqual({ item: [] });
			expect(resolve({ receiveBy: 'polling' }).pollTimes).toEqual(everyMinute);
		});

		test('options that are about deliveries alone, and those about polling', () => {
			const all = { replayWindow: 60, lookBack: 5, maskPersonalData: true };
			const getOptions = (receiveBy: string) => resolve({ receiveBy, options: all }).options;
			expect(getOptions('webhook')).toEqual({ replayWindow: 60, maskPersonalData: true });
			expect(getOptions('polling')).toEqual({ lookBack: 5, maskPersonalData: true });
			expect(getOptions('both')).toEqual(all);
		});
	});

	test('the events that are selected at first', () => {
		const selected = description.properties.find(({ name }) => name === 'events')?.default;
		expect(selected).toEqual(['PAYMENT_PAID', 'PAYMENT_CONFIRMED']);
	});
});
