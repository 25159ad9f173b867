import { createContext, Script } from 'node:vm';
import {
	resolveWebhookDescriptionField,
	Workflow,
	type IDataObject,
	type INodeTypes,
} from 'n8n-workflow';
import { EVENTS } from '../../../../../nodes/BrlPaymentsTrigger/events/events';
import {
	buildSubtitle,
	getOutputIndex,
	outputsExpression,
	webhookDescription,
} from '../../../../../nodes/BrlPaymentsTrigger/description/properties';
import { BrlPaymentsTrigger } from '../../../../../nodes/BrlPaymentsTrigger/BrlPaymentsTrigger.node';

/** @returns what n8n makes of an expression, with nothing around it but the parameters */
function compile(expression: string) {
	const code = /^=\{\{([^]*)\}\}$/.exec(expression)?.[1] ?? '';
	// n8n ends an expression at the first pair of closing braces.
	expect(code).not.toContain('}}');
	const script = new Script(`toJson(${code})`);
	const surroundings = { $parameter: {}, toJson: JSON.stringify };
	const context = createContext(surroundings);
	return (parameters: IDataObject): unknown => {
		surroundings.$parameter = parameters;
		return JSON.parse(script.runInContext(context) as string);
	};
}

test.each<[string, string[] | string | undefined, string]>([
	['events', ['PAYMENT_PAID', 'MED_RECEIVED'], 'Payment Paid, MED Received'],
	['all events', ['*'], 'All Events'],
	['one event, from an expression', 'PAYMENT_PAID', 'Payment Paid'],
	['an event without a name', ['PAYMENT_SEEN'], 'PAYMENT_SEEN'],
	['nothing', undefined, ''],
])('the subtitle shows %s in words', (_, events, words) => {
	expect(compile(buildSubtitle())({ events })).toBe(words);
});

test.each<[IDataObject, string]>([
	[{ receiveBy: 'webhook' }, 'POST'],
	[{ receiveBy: 'both' }, 'POST'],
	// n8n registers none without a method.
	[{ receiveBy: 'polling' }, ''],
	[{}, 'POST'],
])('with %o, the webhook has the method "%s", with and without an expression engine', (...row) => {
	const [given, method] = row;
	const parameters = given as Record<string, string>;
	const workflow = new Workflow({
		...{ id: 'example', active: false, connections: {} },
		nodes: [{ id: '1', name: 'On', type: 't', typeVersion: 2, position: [0, 0], parameters }],
		nodeTypes: { getByNameAndVersion: () => new BrlPaymentsTrigger() } as unknown as INodeTypes,
	});
	const node = workflow.getNode('On')!;
	const { httpMethod } = webhookDescription;

	expect(workflow.expression.getSimpleParameterValue(node, httpMethod, 'internal', {})).toBe(
		method,
	);
	const resolved = resolveWebhookDescriptionField(node, webhookDescription, 'httpMethod');
	expect(resolved).toEqual({ resolved: true, value: method });
});

describe('the outputs', () => {
	const NAMES = Object.keys(EVENTS);
	let evaluate: ReturnType<typeof compile>;
	beforeAll(() => {
		evaluate = compile(outputsExpression());
	});
	const outputNames = (events: string[] | string | undefined, oneOutputPerEvent: unknown = true) =>
		(evaluate({ events, options: { oneOutputPerEvent } } as IDataObject) as IDataObject[]).map(
			({ displayName }) => displayName,
		);

	test.each([undefined, {}])('are one with options %o', (options) => {
		expect(evaluate({ events: NAMES, options })).toEqual([{ type: 'main' }]);
	});

	test.each([
		...[false, 'false', 'False', '0', 0].map((given) => [given, 1] as const),
		...['true', 'True ', '1', 1].map((given) => [given, NAMES.length + 1] as const),
	])('of an expression that returns %o: %i', (oneOutputPerEvent, count) => {
		expect(outputNames(NAMES, oneOutputPerEvent)).toHaveLength(count);
	});

	test.each<[string | undefined, string[]]>([
		[undefined, ['Other']],
		// In the order of the list. An event whose name begins like another one is not that one.
		['payment_refund_failed, PAYMENT_PAID', ['Payment Paid', 'Payment Refund Failed', 'Other']],
	])('for %o are %o', (events, expected) => {
		expect(outputNames(events)).toEqual(expected);
	});

	test.each([
		['PAYMENT_PAID', 'PAID', 0],
		['PAYMENT_PAID', 'CANCELLED', 2],
		['PAYMENT_PAID', 'REFUNDED', 2],
		['WITHDRAWAL_SENT', 'FAILED', 2],
	])('%s whose body says %s leaves by output %i of several', (event, status, index) => {
		const selected = ['PAYMENT_PAID', 'WITHDRAWAL_SENT'];
		expect(getOutputIndex({ event, status }, selected, true)).toBe(index);
		expect(getOutputIndex({ event, status }, selected, false)).toBe(0);
	});

	test('each event of each selection arrives at the output with its name', () => {
		const countOutputs = (selected: string[]) => {
			const outputs = outputNames(selected);
			for (const event of [...NAMES, 'TEST', 'webhook.test', 'NEW', 'constructor', '*']) {
				const isShown =
					Object.hasOwn(EVENTS, event) && (selected.includes('*') || selected.includes(event));
				const name = isShown ? EVENTS[event]?.name : 'Other';
				const index = getOutputIndex({ event, status: null }, selected, true);
				if (outputs[index] !== name) throw new Error(`${event} of ${selected.join()}: ${index}`);
			}
			return outputs.length;
		};

		for (let bits = 0; bits < 2 ** NAMES.length; bits += 1) {
			const selected = NAMES.filter((_, index) => (bits >> index) % 2 === 1);
			expect(countOutputs(selected)).toBe(selected.length + 1);
			if (bits % 16 === 0) expect(countOutputs(['*', ...selected])).toBe(NAMES.length + 1);
		}
		// An event that was selected and is no longer known adds no output.
		expect(countOutputs(['REMOVED_EVENT', 'PAYMENT_PAID'])).toBe(2);
	});
});
