/** Webhooks and sub-workflows: equal content that is meant to be paid again. */
import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { getItems } from '../../dev/n8n/rest/executionData';
import {
	MANUAL,
	manualStart,
	node,
	payEachItem,
	webhookStart,
	buildWorkflow,
} from '../../dev/n8n/rest/workflow';
import { booked, intended, makePayouts, type Payout } from './support/payouts';
import { useWorld } from './support/n8nTestEnv';

const world = useWorld();
let payout: Payout | undefined;
beforeEach(() => {
	[payout] = makePayouts(1);
});

const PAYOUT_OF_BODY = {
	amount: '={{ $json.body.amount }}',
	pixKey: '={{ $json.body.pixKey }}',
	description: '={{ $json.body.description }}',
};

/** One request to a webhook that is there already. */
async function call(path: string, body: IDataObject): Promise<void> {
	const response = await fetch(`${world.n8n.url}/webhook/${path}`, {
		method: 'POST',
		headers: { 'content-type': 'application/json' },
		body: JSON.stringify(body),
	});
	expect(response.status).toBe(200);
}

it('pays again for each call of a webhook, also when they come at the same time', async () => {
	const path = 'pay-again';
	const id = await world.listen(buildWorkflow(path, [...webhookStart(path), payEachItem()]));
	await world.client.waitForExecution(await world.trigger(id, path, { items: [payout!] }));
	const calls = 8;
	await Promise.all(
		Array.from({ length: calls }, async () => await call(path, { items: [payout!] })),
	);
	for (const { id: execution } of await world.client.listExecutions(id)) {
		expect((await world.client.waitForExecution(execution)).status).toBe('success');
	}
	expect(booked(world.sandbox.books.withdrawals)).toEqual(
		intended(Array.from({ length: calls + 1 }, () => payout!)),
	);
});

it('pays once for two identical requests at once whose reference is the ID of the sender', async () => {
	const path = 'pay-order';
	const [webhook] = webhookStart(path);
	const reference = '={{ $json.body.orderId }}';
	const pay = payEachItem({}, {}, { ...PAYOUT_OF_BODY, reference });
	const id = await world.listen(buildWorkflow(path, [webhook!, pay]));
	const first = await world.client.waitForExecution(
		await world.trigger(id, path, { ...payout!, orderId: 'order-1' }),
	);

	// All ask for the same payout. The first order is paid already.
	const ids = ['order-2', 'order-2', 'order-3', 'order-3', 'order-1', 'order-4'];
	await Promise.all(ids.map(async (orderId) => await call(path, { ...payout!, orderId })));

	const listed = await world.client.listExecutions(id);
	expect(listed).toHaveLength(ids.length + 1);
	const executions = await Promise.all(
		listed.map(async (one) => await world.client.waitForExecution(one.id)),
	);
	expect(executions.map(({ status }) => status)).toEqual(listed.map(() => 'success'));
	expect(booked(world.sandbox.books.withdrawals)).toEqual(
		intended(Array.from({ length: 4 }, () => payout!)),
	);
	const paid = new Map<unknown, Set<unknown>>();
	for (const execution of [first, ...executions]) {
		const { reference: order, id: withdrawal } = getItems(execution, 'Pay')[0]!.json;
		paid.set(order, new Set([...(paid.get(order) ?? []), withdrawal]));
	}
	// Both executions of a pair show the same withdrawal.
	expect([...paid.values()].map(({ size }) => size)).toEqual([1, 1, 1, 1]);
});

it('is not reached behind Remove Duplicates of n8n once its history is full', async () => {
	const remember = (operation: string, more: INodeParameters) =>
		node('Once', 'removeDuplicates', 2, { operation, ...more });
	const once = remember('removeItemsSeenInPreviousExecutions', {
		...{ logic: 'removeItemsWithAlreadySeenKeyValues', dedupeValue: '={{ $json.pixKey }}' },
		options: { historySize: 3 },
	});
	const items = makePayouts(4);
	const { id } = await world.client.createWorkflow(
		buildWorkflow('Once', [...manualStart(items.slice(0, 2)), once, payEachItem()]),
	);
	const runWith = async (rows: Payout[], dedupe = once) => {
		const workflow = buildWorkflow('Once', [...manualStart(rows), dedupe, payEachItem()]);
		// The history belongs to a node of a workflow.
		await world.client.updateWorkflow(id, workflow);
		return (await world.client.runToEnd(id, MANUAL)).data.resultData.error?.message;
	};
	expect(await runWith(items.slice(0, 2))).toBeUndefined();
	expect(await runWith(items.slice(1, 3))).toContain('exceeds the maximum history size');
	expect(await runWith(items.slice(2))).toContain('exceeds the maximum history size');
	expect(booked(world.sandbox.books.withdrawals)).toEqual(intended(items.slice(0, 2)));

	const clear = remember('clearDeduplicationHistory', { mode: 'cleanDatabase', options: {} });
	await runWith([items[0]!], { ...clear, id: once.id });
	world.sandbox.reset();
	expect(await runWith(items.slice(2))).toBeUndefined();
	expect(booked(world.sandbox.books.withdrawals)).toEqual(intended(items.slice(2)));
});

describe('calls of a sub-workflow', () => {
	/** Three equal payouts, each in a separate call. */
	it.each<[string, INodeParameters, number, string | undefined]>([
		['are paid under separate references', { reference: '={{ $json.invoice }}' }, 3, undefined],
		[
			'stop where nothing distinguishes the second call from a repetition of the first',
			...([{}, 1, 'so it was not paid again'] as const),
		],
	])('%s', async (_does, parameters, count, told) => {
		// An amount of its own: the table of this n8n knows what the tests before have paid without references.
		const own = { ...payout!, amount: '177,50' };
		const items = ['1041', '1042', '1043'].map((invoice) => ({ ...own, invoice }));
		const sub = await world.listen(
			buildWorkflow('Sub-workflow', [
				node('Called', 'executeWorkflowTrigger', 1.1, { inputSource: 'passthrough' }),
				payEachItem({}, {}, parameters),
			]),
		);
		const call = node('Call', 'executeWorkflow', 1.2, {
			...{ workflowId: { __rl: true, mode: 'id', value: sub }, mode: 'each', options: {} },
		});

		const execution = await world.run(buildWorkflow('Calls', [...manualStart(items), call]));

		const message = execution.data.resultData.error?.message;
		if (told === undefined) expect(message).toBeUndefined();
		else expect(message).toContain(told);
		expect(booked(world.sandbox.books.withdrawals)).toEqual(
			intended(Array.from({ length: count }, () => own)),
		);
	});
});
