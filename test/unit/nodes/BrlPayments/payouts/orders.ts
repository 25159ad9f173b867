import type { ExecutionFacts } from '../../../../../nodes/shared/orders/executionIdentity';
import type { OrderRecord } from '../../../../../nodes/shared/orders/order';

/** What the process remembers of an order before its first attempt; tests change one aspect. */
export const recordWith = (changed: Partial<OrderRecord> = {}): OrderRecord => ({
	key: 'key-1',
	content: 'content-1',
	keyId: 'key-id-1',
	state: 'new',
	generation: 0,
	...changed,
});

/** An execution that a trigger started; tests change one aspect. */
export const factsWith = (changed: Partial<ExecutionFacts> = {}): ExecutionFacts => ({
	executionId: '101',
	mode: 'trigger',
	isStartedByHand: false,
	establishedAt: undefined,
	delivery: undefined,
	isSubExecution: false,
	isAgentTool: false,
	run: 'run-1',
	...changed,
});
