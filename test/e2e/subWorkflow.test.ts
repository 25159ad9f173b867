/**
 * A workflow pays in a sub-workflow. When the calling node or its execution is tried again, n8n starts
 * the sub-workflow again and keeps nothing of its first run.
 */
import type { INodeParameters } from 'n8n-workflow';

import { getItems } from '../../dev/n8n/rest/executionData';
import {
	node,
	payEachItem,
	webhookStart,
	buildWorkflow,
	type NodeExtras,
} from '../../dev/n8n/rest/workflow';
import { booked, intended, makePayouts, type Payout } from './support/payouts';
import { useWorld } from './support/n8nTestEnv';

const world = useWorld();

let payouts: Payout[] = [];
beforeEach(() => {
	payouts = makePayouts(4);
});

/** The last of the payouts is refused once, after the others were paid. */
function refuseLastOnce(): void {
	world.sandbox.faults.add({
		method: 'POST',
		path: '/v1/withdrawals',
		kind: 'error',
		code: 'INSUFFICIENT_BALANCE',
		when: ({ rawBody }) => rawBody.includes(payouts.at(-1)!.pixKey),
	});
}

/** Saves both workflows, starts the calling one and waits for its end. */
async function call(path: string, pay: INodeParameters, extras: NodeExtras = {}) {
	const called = await world.saveCallable(
		buildWorkflow(`${path}, called`, [
			node('When Called', 'executeWorkflowTrigger', 1.1, { inputSource: 'passthrough' }),
			payEachItem({}, { maxConcurrency: 1, ...pay }),
		]),
	);
	const calling = await world.listen(
		buildWorkflow(`${path}, calling`, [
			...webhookStart(path),
			node(
				'Call',
				'executeWorkflow',
				1.2,
				{ workflowId: { __rl: true, mode: 'id', value: called }, options: {} },
				extras,
			),
		]),
	);
	const id = await world.trigger(calling, path, { items: payouts });
	return await world.client.waitForExecution(id);
}

const OWN_KEY = { idempotencyKey: '={{ "invoice-" + $json.pixKey }}' };

it('pays each once when the calling execution is retried, and names what was paid', async () => {
	refuseLastOnce();
	const failed = await call('sub-retried', {});
	expect(failed.status).toBe('error');
	expect(booked(world.sandbox.books.withdrawals)).toEqual(intended(payouts.slice(0, -1)));

	const retried = await world.client.retryExecution(failed);

	expect(retried.status).toBe('error');
	expect(JSON.stringify(retried.data.resultData)).toContain(world.sandbox.books.withdrawals[0]!.id);
	expect(booked(world.sandbox.books.withdrawals)).toEqual(intended(payouts));
});

it('pays each once when the calling node has Retry On Fail', async () => {
	refuseLastOnce();
	const extras = { retryOnFail: true, maxTries: 3, waitBetweenTries: 200 };

	const failed = await call('sub-retry-on-fail', {}, extras);

	expect(failed.status).toBe('error');
	expect(booked(world.sandbox.books.withdrawals)).toEqual(intended(payouts));
});

it('continues where it ended when the payouts have their own keys', async () => {
	refuseLastOnce();
	const failed = await call('sub-own-keys', OWN_KEY);
	expect(failed.status).toBe('error');

	const retried = await world.client.retryExecution(failed);

	expect(retried.status).toBe('success');
	expect(getItems(retried, 'Call')).toHaveLength(payouts.length);
	expect(booked(world.sandbox.books.withdrawals)).toEqual(intended(payouts));
});
