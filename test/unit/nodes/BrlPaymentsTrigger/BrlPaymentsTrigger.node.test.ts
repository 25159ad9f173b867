import {
	NodeOperationError,
	type IDataObject,
	type IHookFunctions,
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
		['manual', 'without a secret', {}, /no signing secret/],
		['activate', 'with a fragment', { signingSecrets: `${SECRET}\nabc` }, /too short/],
	])('by a person (%s) %s fails, and says what to do', async (mode, _, credential, message) => {
		const error = (await hooks.create
			.call(hookWith(credential, mode))
			.catch((thrown: unknown) => thrown)) as NodeOperationError;
		expect(error).toBeInstanceOf(NodeOperationError);
		expect(error.message).toMatch(message);
		expect(error.description).toBeTruthy();
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

// Which fields and options are shown when: description.test.ts.
test('the names that saved workflows contain', () => {
	const { description } = node;
	expect(description).toMatchObject({ name: 'brlPaymentsTrigger', version: 2 });
	expect(description.credentials).toEqual([
		{ name: 'brlPaymentsApi', required: true, testedBy: 'testBrlPaymentsApi' },
	]);
	expect(node.methods.credentialTest).toHaveProperty('testBrlPaymentsApi');
	expect(new Set(description.properties.map(({ name }) => name))).toEqual(
		new Set([
			...['receiveBy', 'setupNotice', 'pollingNotice', 'pollTimes', 'events'],
			...['fetchCurrentState', 'options'],
		]),
	);
	expect(description.webhooks).toMatchObject([
		{ name: 'default', responseMode: 'onReceived', path: 'webhook' },
	]);
	const selected = description.properties.find(({ name }) => name === 'events')?.default;
	expect(selected).toEqual(['PAYMENT_PAID', 'PAYMENT_CONFIRMED']);
});
