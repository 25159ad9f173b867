/**
 * n8n's ways to try again, also after it was killed, and of a workflow that pays in a sub-workflow: the books must
 * still show each payout, and each charge, once.
 */
import type { INode, INodeParameters } from 'n8n-workflow';

import { getItems } from '../../dev/n8n/rest/executionData';
import {
	brlPayments,
	buildWorkflow,
	MANUAL,
	manualStart,
	node,
	payEachItem,
	webhookStart,
} from '../../dev/n8n/rest/workflow';
import { killWhilePaying } from './support/kill';
import { booked, intended, loseAnswers, makePayouts, type Payout } from './support/payouts';
import { useWorld } from './support/n8nTestEnv';

const world = useWorld();

let payouts: Payout[] = [];
beforeEach(() => {
	payouts = makePayouts(6);
});

const RETRY_ON_FAIL = { retryOnFail: true, maxTries: 3, waitBetweenTries: 200 };
/** The node itself asks five times under one key before an item fails. */
const MAX_ATTEMPTS = 5;

const expectEachOnce = () =>
	expect(booked(world.sandbox.books.withdrawals)).toEqual(intended(payouts));

it('Retry On Fail tries again under the same key, and each is paid once', async () => {
	// More lost responses than one try of the node gets over, fewer than two.
	loseAnswers(world, payouts[2]!.pixKey, MAX_ATTEMPTS + 1);

	const execution = await world.run(
		buildWorkflow('Retry On Fail', [...manualStart(payouts), payEachItem(RETRY_ON_FAIL)]),
	);

	expect(execution.status).toBe('success');
	const requests = world.sandbox.requests.filter(
		({ method, rawBody }) => method === 'POST' && rawBody.includes(payouts[2]!.pixKey),
	);
	expect(requests.length).toBeGreaterThan(MAX_ATTEMPTS);
	expect(new Set(requests.map(({ idempotencyKey }) => idempotencyKey)).size).toBe(1);
	expectEachOnce();
});

it.each([
	['as it was executed', 'dropAfter'],
	['as it is saved now, with a document filled in', 'dropBefore'],
] as const)(
	'Retry execution of the workflow %s pays what is missing and nothing again',
	async (_, kind) => {
		const isEdited = kind === 'dropBefore';
		const findAnswers = world.sandbox.faults.add({
			...{ method: 'POST', path: '/v1/withdrawals', kind, times: Infinity },
			when: ({ rawBody }) => rawBody.includes(payouts[2]!.pixKey),
		});
		const pay = payEachItem();
		const workflow = buildWorkflow('Retry execution', [...manualStart(payouts), pay]);
		const { id } = await world.client.createWorkflow(workflow);
		const failed = await world.client.runToEnd(id, MANUAL);
		expect(failed.status).toBe('error');
		findAnswers();
		if (isEdited) {
			pay.parameters.recipientDocument = '529.982.247-25';
			await world.client.updateWorkflow(id, workflow);
		}

		const retried = await world.client.retryExecution(failed, isEdited);

		expect(retried.status).toBe('success');
		expect(retried.id).not.toBe(failed.id);
		expect(getItems(retried, 'Pay')).toHaveLength(payouts.length);
		expectEachOnce();
	},
);

describe('a workflow that pays in a sub-workflow, of which n8n keeps nothing when it starts it again', () => {
	/** Runs it; the last of the payouts is refused once, after the others were paid. */
	async function call(path: string, parameters: INodeParameters) {
		world.sandbox.faults.add({
			...{ method: 'POST', path: '/v1/withdrawals', kind: 'error', code: 'INSUFFICIENT_BALANCE' },
			when: ({ rawBody }) => rawBody.includes(payouts.at(-1)!.pixKey),
		});
		const called = await world.listen(
			buildWorkflow(`${path}, called`, [
				node('When Called', 'executeWorkflowTrigger', 1.1, { inputSource: 'passthrough' }),
				payEachItem({}, { maxConcurrency: 1 }, parameters),
			]),
		);
		const workflowId = { __rl: true, mode: 'id', value: called };
		const callIt = node('Call', 'executeWorkflow', 1.2, { workflowId, options: {} });
		const calling = await world.listen(
			buildWorkflow(`${path}, calling`, [...webhookStart(path), callIt]),
		);
		const id = await world.trigger(calling, path, { items: payouts });
		const failed = await world.client.waitForExecution(id);
		expect(failed.status).toBe('error');
		return failed;
	}

	it('continues where it ended when its execution is retried', async () => {
		const failed = await call('sub-retried', { reference: '={{ "invoice-" + $json.pixKey }}' });
		expect(booked(world.sandbox.books.withdrawals)).toEqual(intended(payouts.slice(0, -1)));

		const retried = await world.client.retryExecution(failed);

		expect(retried.status).toBe('success');
		const output = JSON.stringify(retried.data.resultData);
		expect(output).toContain(world.sandbox.books.withdrawals[0]!.id);
		expectEachOnce();
	});

	it('pays nothing without references, and says so', async () => {
		const failed = await call('sub-without', {});
		expect(failed.data.resultData.error?.message).toContain('a payout without a reference');
		expect(world.sandbox.books.withdrawals).toEqual([]);
	});
});

describe('kill -9 and retry of the crashed execution', () => {
	const inOneGo = (path: string, pay: INode) => buildWorkflow(path, [...webhookStart(path), pay]);

	it('pays each once in the middle of a batch', async () => {
		// More than the node ever has under way at the same time.
		const many = makePayouts(30);
		const { withdrawals } = world.sandbox.books;
		const sent = () => world.sandbox.requests.filter(({ method }) => method === 'POST');
		const workflowId = await world.listen(inOneGo('crash-batch', payEachItem()));
		const isMoment = () => withdrawals.length >= 4 && sent().length > withdrawals.length;
		const crashed = await killWhilePaying(world, workflowId, 'crash-batch', many, { isMoment });

		const retried = await world.client.retryExecution(crashed);

		expect(retried.status).toBe('success');
		expect(booked(world.sandbox.books.withdrawals)).toEqual(intended(many));
	});

	it('creates each of many charges that look alike once, by its External ID', async () => {
		const path = 'crash-charges';
		const orders = Array.from({ length: 12 }, (_, index) => ({ order: `shop-${index}` }));
		const charge = brlPayments(
			'Charge',
			'payment',
			'create',
			{
				...{ chargeBy: 'amount', amount: '50.02', methods: ['PIX'], mode: 'hosted' },
				// One by one: ten at a time, all are created before n8n is killed.
				...{ externalId: '={{ $json.order }}', options: { maxConcurrency: 1 } },
			},
			{ onError: 'continueRegularOutput' },
		);
		const workflowId = await world.listen(inOneGo(path, charge));
		const { payments } = world.sandbox.books;
		const isMoment = () => payments.length >= 2;
		const crashed = await killWhilePaying(world, workflowId, path, orders, { isMoment });

		const retried = await world.client.retryExecution(crashed);

		const idOf = ({ order }: { order: string }) =>
			world.sandbox.books.payments
				.filter(({ externalId }) => externalId === order)
				.map(({ id }) => id);
		expect(world.sandbox.books.payments).toHaveLength(orders.length);
		expect(getItems(retried, 'Charge').map(({ json }) => [json.id])).toEqual(orders.map(idOf));
	});
});
