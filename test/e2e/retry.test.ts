/** n8n's ways to try again, also of a workflow that pays in a sub-workflow: the books must still show each payout once. */
import type { INodeParameters } from 'n8n-workflow';

import { getItems } from '../../dev/n8n/rest/executionData';
import {
	buildWorkflow,
	MANUAL,
	manualStart,
	node,
	payEachItem,
	webhookStart,
	type NodeExtras,
} from '../../dev/n8n/rest/workflow';
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
	const REFERENCE = { reference: '={{ "invoice-" + $json.pixKey }}' };

	/** Runs it; the last of the payouts is refused once, after the others were paid. */
	async function call(path: string, parameters: INodeParameters, extras?: NodeExtras) {
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
		const callIt = node('Call', 'executeWorkflow', 1.2, { workflowId, options: {} }, extras);
		const calling = await world.listen(
			buildWorkflow(`${path}, calling`, [...webhookStart(path), callIt]),
		);
		const id = await world.trigger(calling, path, { items: payouts });
		const failed = await world.client.waitForExecution(id);
		expect(failed.status).toBe('error');
		return failed;
	}

	it('pays each once when its node has Retry On Fail', async () => {
		await call('sub-retry-on-fail', {}, RETRY_ON_FAIL);
		expectEachOnce();
	});

	it.each<[string, INodeParameters, string]>([
		['pays each once, and names what was paid', {}, 'error'],
		['continues where it ended if the payouts have references', REFERENCE, 'success'],
	])('%s when its execution is retried', async (does, parameters, status) => {
		const failed = await call(`sub-retried-${does.slice(0, 4)}`, parameters);
		expect(booked(world.sandbox.books.withdrawals)).toEqual(intended(payouts.slice(0, -1)));

		const retried = await world.client.retryExecution(failed);

		expect(retried.status).toBe(status);
		const output = JSON.stringify(retried.data.resultData);
		expect(output).toContain(world.sandbox.books.withdrawals[0]!.id);
		expectEachOnce();
	});
});
