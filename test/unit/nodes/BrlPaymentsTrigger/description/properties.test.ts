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

const NAME = 'Trigger';

function listen(receiveBy: string | undefined): Workflow {
	const parameters = receiveBy === undefined ? {} : { receiveBy };
	return new Workflow({
		...{ id: 'example', active: false, connections: {} },
		nodes: [{ id: '1', name: NAME, type: 't', typeVersion: 2, position: [0, 0], parameters }],
		nodeTypes: { getByNameAndVersion: () => new BrlPaymentsTrigger() } as unknown as INodeTypes,
	});
}

const evaluate = (workflow: Workflow) =>
	workflow.expression.getSimpleParameterValue(
		workflow.getNode(NAME)!,
		webhookDescription.httpMethod,
		'internal',
		{},
	);

describe.each([
	['webhook', 'POST'],
	['both', 'POST'],
	// n8n registers none without a method.
	['polling', ''],
	[undefined, 'POST'],
])('the method of the webhook, receiving by %s', (receiveBy, method) => {
	const workflow = listen(receiveBy);

	test('is what the expression says', () => {
		expect(evaluate(workflow)).toBe(method);
	});

	test('needs no expression engine', () => {
		expect(
			resolveWebhookDescriptionField(workflow.getNode(NAME)!, webhookDescription, 'httpMethod'),
		).toEqual({ resolved: true, value: method });
	});
});
