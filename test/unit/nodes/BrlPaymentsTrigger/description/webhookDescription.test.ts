import { resolveWebhookDescriptionField, Workflow, type INodeTypes } from 'n8n-workflow';
import { BrlPaymentsTrigger } from '../../../../../nodes/BrlPaymentsTrigger/BrlPaymentsTrigger.node';
import { webhookDescription } from '../../../../../nodes/BrlPaymentsTrigger/description/webhookDescription';

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
