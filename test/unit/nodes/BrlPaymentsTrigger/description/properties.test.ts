import { runInNewContext } from 'node:vm';
import {
	buildSubtitle,
	webhookDescription,
} from '../../../../../nodes/BrlPaymentsTrigger/description/properties';
import { resolveWebhookDescriptionField, Workflow, type INodeTypes } from 'n8n-workflow';
import { BrlPaymentsTrigger } from '../../../../../nodes/BrlPaymentsTrigger/BrlPaymentsTrigger.node';

/** What n8n makes of the expression. */
function show(events: unknown): unknown {
	const code = /^=\{\{ (.+) \}\}$/.exec(buildSubtitle())?.[1];
	return runInNewContext(String(code), { $parameter: { events } });
}

test.each<[string, unknown, string]>([
	['events', ['PAYMENT_PAID', 'MED_RECEIVED'], 'Payment Paid, MED Received'],
	['all events', ['*'], 'All Events'],
	['one event, from an expression', 'PAYMENT_PAID', 'Payment Paid'],
	['an event without a name', ['PAYMENT_SEEN'], 'PAYMENT_SEEN'],
	['nothing', undefined, ''],
])('shows %s in words', (_, events, words) => {
	expect(show(events)).toBe(words);
});

describe.each([
	['webhook', 'POST'],
	['both', 'POST'],
	// n8n registers none without a method.
	['polling', ''],
	[undefined, 'POST'],
])('the method of the webhook, receiving by %s', (receiveBy, method) => {
	const parameters = receiveBy === undefined ? {} : { receiveBy };
	const workflow = new Workflow({
		...{ id: 'example', active: false, connections: {} },
		nodes: [{ id: '1', name: 'On', type: 't', typeVersion: 2, position: [0, 0], parameters }],
		nodeTypes: { getByNameAndVersion: () => new BrlPaymentsTrigger() } as unknown as INodeTypes,
	});
	const node = workflow.getNode('On')!;
	const { httpMethod } = webhookDescription;

	test('is what the expression says', () => {
		const { expression } = workflow;
		expect(expression.getSimpleParameterValue(node, httpMethod, 'internal', {})).toBe(method);
	});

	test('needs no expression engine', () => {
		const resolved = resolveWebhookDescriptionField(node, webhookDescription, 'httpMethod');
		expect(resolved).toEqual({ resolved: true, value: method });
	});
});
