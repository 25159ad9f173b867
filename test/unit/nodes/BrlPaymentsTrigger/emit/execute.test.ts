import type { IDataObject, IExecuteFunctions, WorkflowExecuteMode } from 'n8n-workflow';
import { executeDelivery } from '../../../../../nodes/BrlPaymentsTrigger/emit/execute';
import { POLL_MARK } from '../../../../../nodes/BrlPaymentsTrigger/polling/deliveryMetadata';
import { MARK } from '../../../../../nodes/BrlPaymentsTrigger/receive/webhook';
import { answer } from '../../../support/answers';
import { fakeNodeContext } from '../../../support/nodeContext';
import { BODY, dotSignature, NOW, PAYMENT_ID, validHeaders } from '../support/delivery';
import { deliver, freshNodeId } from '../support/webhookContext';

/** n8n's store, shared by the executions of one test. */
function fakeStore() {
	let entries: unknown[] = [];
	let running = 0;
	const together: number[] = [];
	const bounds: number[] = [];
	return {
		together,
		bounds,
		entries: () => entries,
		helpers: {
			checkProcessedAndRecord: async (
				items: unknown[],
				_scope: unknown,
				{ maxEntries }: { maxEntries: number },
			) => {
				bounds.push(maxEntries);
				running += 1;
				together.push(running);
				const before = [...entries];
				await new Promise((resolve) => setImmediate(resolve));
				entries = [...before, ...items.filter((item) => !before.includes(item))];
				running -= 1;
				return {
					new: items.filter((item) => !before.includes(item)),
					processed: items.filter((item) => before.includes(item)),
				};
			},
			removeProcessed: async (items: unknown[]) => {
				entries = entries.filter((entry) => !items.includes(entry));
			},
			getProcessedDataCount: async () => entries.length,
		},
	};
}

interface Run {
	items: IDataObject[];
	store?: ReturnType<typeof fakeStore>;
	mode?: WorkflowExecuteMode;
	events?: string[];
	receiveBy?: string;
	options?: IDataObject;
	fetchCurrentState?: boolean;
	nodeId?: string;
	continueOnFail?: boolean;
	respond?: Parameters<typeof fakeNodeContext>[0] extends { respond?: infer R } | undefined
		? R
		: never;
}

async function execute(run: Run) {
	const { items, store = fakeStore(), mode = 'webhook', nodeId = 'trigger', options = {} } = run;
	const logs: string[] = [];
	const fake = fakeNodeContext({
		mode,
		nodeId,
		continueOnFail: run.continueOnFail,
		parameters: [
			{
				events: run.events ?? ['*'],
				receiveBy: run.receiveBy,
				fetchCurrentState: run.fetchCurrentState ?? false,
				options,
			},
		],
		respond: run.respond,
	});
	const context = Object.assign(fake.context, {
		getInputData: () => items.map((json) => ({ json })),
		logger: { warn: (message: string) => void logs.push(message) },
		helpers: { ...fake.context.helpers, ...store.helpers },
	}) as unknown as IExecuteFunctions;
	return { outputs: await executeDelivery(context), logs, requests: fake.requests };
}

/** The item as the webhook of the same node emits it. */
async function emitted(changed: IDataObject = {}): Promise<IDataObject> {
	const { emitted: json } = await deliver({ nodeId: freshNodeId() });
	if (!json) throw new Error('Nothing was emitted');
	return { ...json, ...changed };
}

beforeEach(() => {
	vi.spyOn(Date, 'now').mockReturnValue(NOW);
});

afterEach(() => {
	vi.restoreAllMocks();
});

test('a new delivery continues, without what was only meant for this node', async () => {
	const item = await emitted();
	const { outputs } = await execute({ items: [item] });

	const { [MARK]: mark, ...rest } = item;
	expect(mark).toBeDefined();
	expect(outputs).toEqual([
		[{ json: expect.objectContaining(rest) as unknown, pairedItem: { item: 0 } }],
	]);
	expect(Object.keys(outputs[0]?.[0]?.json ?? {})).toEqual([
		...['event', 'status', 'amount', 'payerName', 'description', 'externalId', 'paidAt'],
		...['paymentId', 'withdrawalId', 'txId', 'source', 'deliveryId', 'sentAt', 'receivedAt'],
		...['resourceType', 'isTest', 'body'],
	]);
});

describe('a copy', () => {
	test('ends its execution', async () => {
		const store = fakeStore();
		expect((await execute({ store, items: [await emitted()] })).outputs).toEqual([
			[expect.anything()],
		]);
		// Another process, whose claims know nothing, emitted the same delivery.
		const { outputs, logs } = await execute({ store, items: [await emitted()] });
		expect(outputs).toEqual([[]]);
		expect(logs).toEqual([]);
	});

	test('at the same time: one of ten continues, and the store is used by one at a time', async () => {
		const store = fakeStore();
		const items = await Promise.all(Array.from({ length: 10 }, async () => await emitted()));
		const runs = await Promise.all(items.map((item) => execute({ store, items: [item] })));
		expect(runs.filter(({ outputs }) => outputs[0]?.length === 1)).toHaveLength(1);
		expect(new Set(store.together)).toEqual(new Set([1]));
	});

	test('continues where deduplication is off, and nothing is remembered', async () => {
		const store = fakeStore();
		const options = { deduplicate: false };
		for (let time = 0; time < 2; time += 1) {
			const { outputs } = await execute({ store, options, items: [await emitted()] });
			expect(outputs[0]).toHaveLength(1);
		}
		expect(store.entries()).toEqual([]);
	});

	test('continues in a test run, and nothing is remembered', async () => {
		const store = fakeStore();
		for (let time = 0; time < 2; time += 1) {
			const { outputs } = await execute({ store, mode: 'manual', items: [await emitted()] });
			expect(outputs[0]).toHaveLength(1);
		}
		expect(store.entries()).toEqual([]);
	});
});

test('a signature that came with another delivery fails its execution, which says why, and a retry continues', async () => {
	const store = fakeStore();
	const first = await emitted();
	await execute({ store, items: [first] });
	const foreign = {
		...first,
		[MARK]: { ...(first[MARK] as IDataObject), id: 'b', key: 'b', emission: 'other' },
	};
	await expect(execute({ store, items: [foreign] })).rejects.toThrow(
		'The signature of this delivery was used before with another delivery ID or event',
	);
	const continued = await execute({ store, items: [foreign], continueOnFail: true });
	expect(continued.outputs).toEqual([[]]);
	expect(continued.logs).toEqual([expect.stringMatching(/used before with another delivery ID/)]);

	const { outputs } = await execute({ store, items: [foreign], mode: 'retry' });
	expect(outputs[0]).toHaveLength(1);
});

describe('a verdict at the head of the execution reaches the claim of the same process', () => {
	const again = (nodeId: string, at: number) => {
		vi.mocked(Date.now).mockReturnValue(at);
		const timestamp = String(at / 1000);
		const signature = dotSignature(BODY, timestamp);
		const changed = { 'x-webhook-timestamp': timestamp, 'x-webhook-signature': signature };
		return deliver({ nodeId, headers: validHeaders(changed) });
	};

	test('first, while n8n has not responded: a copy is accepted', async () => {
		const nodeId = freshNodeId();
		const { emitted: item, response } = await deliver({ nodeId });
		response.breakOff();
		expect((await again(nodeId, NOW + 5_000)).response.statusCode).toBe(503);
		await execute({ nodeId, items: [item!] });
		expect((await again(nodeId, NOW + 10_000)).response.statusCode).toBe(200);
	});
});

describe('an event that its signed status contradicts', () => {
	test('does not leave where the user lets failures continue', async () => {
		const items = [await emitted({ status: 'CANCELLED' })];
		const { outputs, logs } = await execute({ items, continueOnFail: true });
		expect(outputs).toEqual([[]]);
		expect(logs).toEqual([expect.stringMatching(/signed body is CANCELLED$/)]);
	});

	test('leaves when things may only have moved on since', async () => {
		const item = await emitted({ status: 'REFUNDED', statusContradictsEvent: true });
		const { outputs } = await execute({ items: [item] });
		expect(outputs[0]?.[0]?.json).toMatchObject({ statusContradictsEvent: true });
	});
});

describe('the store', () => {
	const polled = { [POLL_MARK]: { identities: ['a'], emission: 'b' }, event: 'PAYMENT_PAID' };

	test.each([
		['a delivery that another process has received', 'webhook', 63_000],
		['a delivery next to polling', 'both', 60_000],
		['a polled event, next to other processes', 'polling', 63_000],
	])('has room for what is received otherwise: %s', async (_, receiveBy, least) => {
		const store = fakeStore();
		const nodeId = freshNodeId();
		const here = receiveBy === 'both' ? (await deliver({ nodeId })).emitted : await emitted();
		const item = receiveBy === 'polling' ? polled : here!;
		await execute({ store, nodeId, receiveBy, items: [item] });
		expect(store.bounds).not.toEqual([]);
		for (const bound of store.bounds) {
			expect(bound).toBeGreaterThanOrEqual(least);
			expect(bound).toBeLessThan(least + 100);
		}
	});
});

test('a store that fails does not cost the event, and the log says what was wrong', async () => {
	const store = fakeStore();
	store.helpers.checkProcessedAndRecord = async () => {
		throw new Error('The database is gone');
	};
	const { outputs, logs } = await execute({ store, items: [await emitted()] });
	expect(outputs[0]).toHaveLength(1);
	expect(logs).toHaveLength(5);
	expect(logs[0]).toMatch(/^BRL Payments Trigger: .*The database is gone$/);
});

test('an item without a mark, such as pinned data, continues', async () => {
	const store = fakeStore();
	const json = { event: 'PAYMENT_PAID', deliveryId: 'a' };
	for (let time = 0; time < 2; time += 1) {
		expect((await execute({ store, items: [json] })).outputs).toEqual([
			[{ json, pairedItem: { item: 0 } }],
		]);
	}
});

describe('one output per event', () => {
	const events = ['PAYMENT_PAID', 'WITHDRAWAL_SENT'];
	const options = { oneOutputPerEvent: true };
	const counts = (outputs: unknown[][]) => outputs.map((items) => items.length);

	test.each([
		['PAYMENT_PAID', 'PAID', [1]],
		['WITHDRAWAL_SENT', 'COMPLETED', [0, 1]],
		['TEST', null, [0, 0, 1]],
		['SOMETHING_NEW', 'PAID', [0, 0, 1]],
		['PAYMENT_PAID', 'CANCELLED', [0, 0, 1]],
		['PAYMENT_PAID', 'REFUNDED', [0, 0, 1]],
	])('%s of a body that says %s', async (event, status, expected) => {
		const items = [await emitted({ event, status })];
		const { outputs } = await execute({ events, options, items });
		expect(counts(outputs)).toEqual(expected);
	});

	test('several items, each paired to its own', async () => {
		const { outputs } = await execute({
			events,
			options,
			items: [
				{ event: 'WITHDRAWAL_SENT' },
				{ event: 'PAYMENT_PAID' },
				{ event: 'WITHDRAWAL_SENT' },
			],
		});
		expect(outputs.map((items) => items.map(({ pairedItem }) => pairedItem))).toEqual([
			[{ item: 1 }],
			[{ item: 0 }, { item: 2 }],
		]);
	});
});

describe('current state', () => {
	const fetchCurrentState = true;

	test('is added', async () => {
		const { outputs, requests } = await execute({
			fetchCurrentState,
			items: [await emitted()],
			respond: () => answer(200, { payment: { id: PAYMENT_ID, status: 'REFUNDED' } }),
		});
		expect(outputs[0]?.[0]?.json).toMatchObject({
			status: 'PAID',
			current: { id: PAYMENT_ID, status: 'REFUNDED' },
		});
		expect(requests).toHaveLength(1);
	});

	test('is masked like the event, where that is wanted', async () => {
		const payer = { document: '52998224725' };
		const { outputs } = await execute({
			fetchCurrentState,
			options: { maskPersonalData: true },
			items: [await emitted()],
			respond: () => answer(200, { payment: { id: PAYMENT_ID, status: 'PAID', payer } }),
		});
		expect(outputs[0]?.[0]?.json).toMatchObject({
			deliveryId: expect.any(String),
			current: { id: PAYMENT_ID, payer: { document: '***.982.247-**' } },
		});
	});

	test('is not asked for a copy', async () => {
		const store = fakeStore();
		await execute({ store, items: [await emitted()] });
		const { requests } = await execute({ store, fetchCurrentState, items: [await emitted()] });
		expect(requests).toEqual([]);
	});

	test('is not there unless wanted', async () => {
		const { outputs } = await execute({ items: [await emitted()] });
		expect(outputs[0]?.[0]?.json).not.toHaveProperty('current');
	});
});

test('an option that cannot be read fails the execution, and says what to correct', async () => {
	const options = { maskPersonalData: 'sim' };
	await expect(execute({ items: [await emitted()], options })).rejects.toMatchObject({
		message: 'Mask Personal Data is "sim", which is neither true nor false',
		description: 'Set Mask Personal Data to true or false.',
	});
});

test('options that expressions deliver as text are obeyed', async () => {
	const options = { maskPersonalData: 'false', oneOutputPerEvent: 'false' };
	const { outputs } = await execute({ items: [await emitted()], options });
	expect(outputs).toHaveLength(1);
});

describe('a withdrawal of which the event carries only the txId', () => {
	const only = { event: 'WITHDRAWAL_SENT', resourceType: 'withdrawal', txId: 'WIT1', status: null };
	const item = async () => await emitted({ ...only, paymentId: null, body: { txId: 'WIT1' } });

	test('has the ID that the list shows', async () => {
		const id = '3fa85f64-5717-4562-b3fc-123456789012';
		const { outputs } = await execute({
			items: [await item()],
			fetchCurrentState: true,
			options: { maskPersonalData: true },
			respond: () => answer(200, { withdrawals: [{ id, txId: 'WIT1', status: 'COMPLETED' }] }),
		});
		expect(outputs[0]?.[0]?.json).toMatchObject({
			withdrawalId: id,
			txId: 'WIT1',
			current: { id, status: 'COMPLETED' },
		});
	});

	test('has no ID, and the reason', async () => {
		const { outputs, requests } = await execute({ items: [await item()] });
		expect(outputs[0]?.[0]?.json).toMatchObject({
			withdrawalId: null,
			withdrawalIdMissing: expect.stringMatching(/Turn on Fetch Current State/) as string,
		});
		expect(requests).toEqual([]);
	});
});
