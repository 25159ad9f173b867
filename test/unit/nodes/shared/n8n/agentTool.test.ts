import { isToolNode } from '../../../../../nodes/shared/n8n/agentTool';

test.each([
	['n8n-nodes-brl-payments.brlPaymentsTool', true],
	['n8n-nodes-brl-payments.brlPayments', false],
	['n8n-nodes-brl-payments.brlPaymentsTrigger', false],
	['CUSTOM.brlPaymentsTool', true],
])('%s is a tool of an agent: %s', (type, isTool) => {
	expect(isToolNode({ type })).toBe(isTool);
});
