/**
 * n8n is killed while it pays or charges, started again, and the crashed execution is retried, as n8n's own
 * "Retry execution" does it. Afterwards the books must show each once.
 */
import type { INode } from 'n8n-workflow';

import { getItems } from '../../dev/n8n/rest/executionData';
import {
	brlPayments,
	buildWorkflow,
	loopWorkflow,
	node,
	payEachItem,
	webhookStart,
} from '../../dev/n8n/rest/workflow';
import { killWhilePaying, slowDown, untilKill } from './support/kill';
import { booked, intended, makePayouts } from './support/payouts';
import { useWorld } from './support/n8nTestEnv';

const world = useWorld();

const CONTINUE = { onError: 'continueRegularOutput' } as const;
const sentRequests = () => world.sandbox.requests.filter(({ method }) => method === 'POST');
const inOneGo = (path: string, ...nodes: INode[]) =>
	buildWorkflow(path, [...webhookStart(path), ...nodes]);
const paid = () => booked(world.sandbox.books.withdrawals);

describe('kill -9 and retry of the crashed execution', () => {
	it.each([
		// More than the node ever has under way at the same time.
		['in the middle of a batch', inOneGo('crash-batch', payEachItem()), 30, 300],
		// Killed in the third round: the run index matters only then.
		[
			'inside a loop',
			loopWorkflow('crash-loop', webhookStart('crash-loop'), 2, payEachItem()),
			8,
			150,
		],
	] as const)('pays each once %s', async (_where, workflow, count, ms) => {
		const payouts = makePayouts(count);
		const workflowId = await world.listen(workflow);
		const isMoment = () => paid().length >= 4 && sentRequests().length > paid().length;
		const { name } = workflow;
		const crashed = await killWhilePaying(world, workflowId, name, payouts, { ms, isMoment });

		const retried = await world.client.retryExecution(crashed);

		expect(retried.status).toBe('success');
		expect(paid()).toEqual(intended(payouts));
	});

	it('pays each once inside a loop when the retry fails, and its own retry is killed as well', async () => {
		const payouts = makePayouts(6);
		const path = 'crash-twice';
		const pay = payEachItem({}, { maxConcurrency: 1 });
		const { nodes, ...workflow } = loopWorkflow(path, webhookStart(path), 3, pay);
		// The run that n8n reconstructs stays for the first retry if another node stands behind this one.
		const workflowId = await world.listen({ ...workflow, nodes: nodes.reverse() });
		const killInNextRequest = async () => {
			const { length } = sentRequests();
			await untilKill(() => sentRequests().length > length);
			await world.crashAndRestart();
			world.sandbox.faults.clear();
		};
		slowDown(world, 1_000);
		const first = await world.trigger(workflowId, path, { items: payouts });
		await killInNextRequest();
		world.sandbox.faults.add({
			...{ method: 'POST', path: '/v1/withdrawals', kind: 'dropBefore', times: Infinity },
			when: ({ rawBody }) => rawBody.includes(payouts[1]!.pixKey),
		});
		const failed = await world.client.retryExecution(await world.client.waitForExecution(first));
		expect(failed.status).toBe('error');
		world.sandbox.faults.clear();
		slowDown(world, 1_000);
		// n8n responds to a retry when it has ended, before which this n8n is killed.
		const retry = world.client.retryExecution(failed).catch(() => undefined);
		await killInNextRequest();
		await retry;
		const [latest] = await world.client.listExecutions(workflowId);
		const killed = await world.client.waitForExecution(latest!.id);
		expect(killed).toMatchObject({ mode: 'retry', status: 'crashed' });

		const retried = await world.client.retryExecution(killed);

		expect(retried.status).toBe('success');
		expect(paid()).toEqual(intended(payouts));
	});

	it('pays nobody twice if a person has taken the first rows out of the list', async () => {
		const path = 'crash-edited';
		const payouts = makePayouts(30);
		const unpaid = node('Unpaid', 'limit', 1, { maxItems: 30 });
		const workflow = inOneGo(path, unpaid, payEachItem());
		const workflowId = await world.listen(workflow);
		const crashed = await killWhilePaying(world, workflowId, path, payouts);
		unpaid.parameters = { maxItems: 20, keep: 'lastItems' };
		await world.client.updateWorkflow(workflowId, workflow);

		const retried = await world.client.retryExecution(crashed, true);

		expect(retried.status).toBe('success');
		expect(paid()).toEqual([...new Set(paid())]);
		expect(paid()).toEqual(expect.arrayContaining(intended(payouts.slice(10))));
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
				...{ additionalFields: { externalId: '={{ $json.order }}' }, options: {} },
			},
			CONTINUE,
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
