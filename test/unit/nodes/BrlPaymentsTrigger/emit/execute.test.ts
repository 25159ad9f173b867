import type { IExecuteFunctions } from 'n8n-workflow';
import type { IDataObject } from 'n8n-workflow';
import { executeDelivery } from '../../../../../nodes/BrlPaymentsTrigger/emit/execute';
import { POLL_MARK } from '../../../../../nodes/BrlPaymentsTrigger/deduplication/persistentDedup';
import { answer } from '../../../support/answers';
import { FakeDeduplication } from '../../../support/deduplicationStore';
import { fakeNodeContext, type NodeContextOptions } from '../../../support/nodeContext';
import { PAYMENT_ID, stopClock } from '../support/delivery';
import { deliver, freshNodeId } from '../support/webhookContext';

// Deliveries and polled events from the request to the next node: test/engine/trigger.

interface Run extends NodeContextOptions {
	items: IDataObject[];
	store?: FakeDeduplication;
	/** What differs from a trigger for all events. */
	changed?: IDataObject;
}

async function execute({ items, store = new FakeDeduplication(), changed, ...options }: Run) {
	const fake = fakeNodeContext({
		...{ mode: 'webhook', nodeId: 'trigger', inputs: items, ...options },
		parameters: [{ events: ['*'], options: {}, ...changed }],
		helpers: store.context(options.nodeId ?? 'trigger').helpers,
	});
	const logger = { warn: () => undefined };
	const executeWorkflow = async () => ({ data: [[]] });
	const context = Object.assign(fake.context, {
		logger,
		executeWorkflow,
	}) as unknown as IExecuteFunctions;
	return { outputs: await executeDelivery(context), requests: fake.requests };
}

/** The item as the webhook of the same node, in another process, emits it. */
async function emitted(changed: IDataObject = {}, nodeId = freshNodeId()): Promise<IDataObject> {
	const { emitted: json } = await deliver({ nodeId });
	return { ...json!, ...changed };
}

stopClock();

test.each([
	['a delivery that another process has received', 'webhook', 63_000],
	['a delivery next to polling', 'both', 80_000],
	['a polled event, next to other processes', 'polling', 80_000],
])('the store has room for what is received otherwise: %s', async (_, receiveBy, least) => {
	const store = new FakeDeduplication();
	const nodeId = freshNodeId();
	const { helpers, ...context } = store.context(nodeId);
	const record = vi.spyOn(helpers, 'checkProcessedAndRecord');
	vi.spyOn(store, 'context').mockReturnValue({ ...context, helpers });
	const polled = { [POLL_MARK]: { identities: ['a'], emission: 'b' }, event: 'PAYMENT_PAID' };
	const delivered = await emitted({}, receiveBy === 'both' ? nodeId : undefined);
	const items = [receiveBy === 'polling' ? polled : delivered];

	await execute({ store, nodeId, changed: { receiveBy }, items });

	const bounds = record.mock.calls.map(([, , { maxEntries }]) => maxEntries!);
	expect(bounds).not.toEqual([]);
	expect(Math.min(...bounds)).toBeGreaterThanOrEqual(least);
	expect(Math.max(...bounds)).toBeLessThan(least + 100);
});

describe('current state', () => {
	const masked = { fetchCurrentState: true, options: { maskPersonalData: true } };

	test('is added, masked like the event, and not asked for a copy', async () => {
		const store = new FakeDeduplication();
		const payment = { id: PAYMENT_ID, status: 'REFUNDED', payer: { document: '52998224725' } };
		const run = { store, changed: masked, respond: () => answer(200, { payment }) };
		const first = await execute({ ...run, items: [await emitted()] });
		expect(first.outputs[0]?.[0]?.json).toMatchObject({
			status: 'PAID',
			current: { ...payment, payer: { document: '***.982.247-**' } },
		});
		expect((await execute({ ...run, items: [await emitted()] })).requests).toEqual([]);
	});

	test('gives a withdrawal that has only a txId its ID; without it, the item says what to do', async () => {
		const found = { id: PAYMENT_ID, txId: 'WIT1', status: 'COMPLETED' };
		const only = { event: 'WITHDRAWAL_SENT', resourceType: 'withdrawal', status: null };
		const items = [await emitted({ ...only, txId: 'WIT1', paymentId: null })];
		const respond = () => answer(200, { withdrawals: [found] });

		const fetched = await execute({ items, changed: masked, respond });
		expect(fetched.outputs[0]?.[0]?.json).toMatchObject({ withdrawalId: found.id, current: found });
		const { outputs, requests } = await execute({ items });
		expect(outputs[0]?.[0]?.json).toMatchObject({
			withdrawalId: null,
			withdrawalIdMissing: expect.stringMatching(/Turn on Fetch Current State/) as string,
		});
		expect(requests).toEqual([]);
	});
});
