import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';
import { executeDelivery } from '../../../../../nodes/BrlPaymentsTrigger/emit/execute';
import {
	POLL_MARK,
	DELIVERY_MARK,
} from '../../../../../nodes/BrlPaymentsTrigger/deduplication/persistentDedup';
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
	const logs: string[] = [];
	const fake = fakeNodeContext({
		...{ mode: 'webhook', nodeId: 'trigger', inputs: items, ...options },
		parameters: [{ events: ['*'], options: {}, ...changed }],
		helpers: store.context(options.nodeId ?? 'trigger').helpers,
	});
	const logger = { warn: (message: string) => void logs.push(message) };
	const executeWorkflow = async () => ({ data: [[]] });
	const context = Object.assign(fake.context, {
		logger,
		executeWorkflow,
	}) as unknown as IExecuteFunctions;
	return { outputs: await executeDelivery(context), logs, requests: fake.requests };
}

/** The item as the webhook of the same node, in another process, emits it. */
async function emitted(changed: IDataObject = {}, nodeId = freshNodeId()): Promise<IDataObject> {
	const { emitted: json } = await deliver({ nodeId });
	return { ...json!, ...changed };
}

stopClock();

test('of ten copies at the same time one continues, and the store is used by one at a time', async () => {
	const store = new FakeDeduplication();
	const items = await Promise.all(Array.from({ length: 10 }, async () => await emitted()));
	const runs = await Promise.all(items.map((item) => execute({ store, items: [item] })));
	expect(runs.filter(({ outputs }) => outputs[0]?.length === 1)).toHaveLength(1);
	expect(store.mostTogether).toBe(1);
});

test.each<[string, Partial<Run>]>([
	['where deduplication is off', { changed: { options: { deduplicate: false } } }],
	['in a test run', { mode: 'manual' }],
])('a copy continues %s, and nothing is remembered', async (_, run) => {
	const store = new FakeDeduplication();
	for (let time = 0; time < 2; time += 1) {
		const { outputs } = await execute({ store, items: [await emitted()], ...run });
		expect(outputs[0]).toHaveLength(1);
	}
	expect(store.calls).toEqual([]);
});

test.each([
	['the signature of another delivery', {}, { id: 'b', key: 'b' }, /used before with another/],
	['a status that denies the event', { status: 'CANCELLED' }, {}, /signed body is CANCELLED$/],
])(
	'%s fails the execution, and does not leave where failures continue',
	async (_, changed, changedMark, message) => {
		const store = new FakeDeduplication();
		const first = await emitted();
		await execute({ store, items: [first] });
		const mark = { ...(first[DELIVERY_MARK] as IDataObject), ...changedMark };
		const items = [{ ...first, ...changed, [DELIVERY_MARK]: mark }];

		await expect(execute({ store, items })).rejects.toThrow(message);
		const { outputs, logs } = await execute({ store, items, continueOnFail: true });
		expect(outputs).toEqual([[]]);
		expect(logs).toEqual([expect.stringMatching(message)]);
	},
);

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

test('a store that fails is named in the log', async () => {
	const store = new FakeDeduplication();
	store.failAt(1);
	const { outputs, logs } = await execute({ store, items: [await emitted()] });
	expect(outputs[0]).toHaveLength(1);
	expect(logs).toEqual([expect.stringMatching(/^BRL Payments Trigger: .*The database is gone$/)]);
});

test('an item without a mark, such as pinned data, continues as often as it comes', async () => {
	const store = new FakeDeduplication();
	const json = { event: 'PAYMENT_PAID', deliveryId: 'a' };
	for (let time = 0; time < 2; time += 1) {
		const { outputs } = await execute({ store, items: [json] });
		expect(outputs).toEqual([[{ json, pairedItem: { item: 0 } }]]);
	}
});

test('with one output per event, several items are each paired to their own', async () => {
	const events = ['PAYMENT_PAID', 'PAYMENT_REFUNDED', 'WITHDRAWAL_SENT'];
	const { outputs } = await execute({
		changed: { events, options: { oneOutputPerEvent: true } },
		items: [{ event: 'WITHDRAWAL_SENT' }, { event: 'PAYMENT_PAID' }, { event: 'WITHDRAWAL_SENT' }],
	});
	expect(outputs.map((items) => items.map(({ pairedItem }) => pairedItem))).toEqual([
		[{ item: 1 }],
		[],
		[{ item: 0 }, { item: 2 }],
	]);
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

test('an option that cannot be read fails the execution, and says what to correct', async () => {
	const changed = { options: { maskPersonalData: 'sim' } };
	await expect(execute({ items: [await emitted()], changed })).rejects.toMatchObject({
		message: 'Mask Personal Data is "sim", which is neither true nor false',
		description: 'Set Mask Personal Data to true or false.',
	});
});
