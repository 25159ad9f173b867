/** Charges with an External ID, in a real n8n: each is created once. */
import type { IDataObject } from 'n8n-workflow';

import { waitFor } from '../../dev/n8n/process/waitFor';
import { getItems } from '../../dev/n8n/rest/executionData';
import { brlPayments, buildWorkflow, webhook, webhookStart } from '../../dev/n8n/rest/workflow';
import { useWorld } from './support/n8nTestEnv';

const world = useWorld();

/** n8n's table remembers the orders of the tests before. */
const makeOrders = (shop: string) => Array.from({ length: 12 }, (_, index) => `${shop}-${index}`);

/** All charges look alike. */
const create = () =>
	brlPayments(
		'Charge',
		'payment',
		'create',
		{
			...{ chargeBy: 'amount', amount: '50.02', methods: ['PIX'], mode: 'hosted' },
			additionalFields: { externalId: '={{ $json.body?.order ?? $json.order }}' },
			options: {},
		},
		{ onError: 'continueRegularOutput' },
	);

const externalIdOf = (id: unknown) =>
	world.sandbox.books.payments.find((payment) => payment.id === id)?.externalId;
const booked = () => world.sandbox.books.payments.map(({ externalId }) => externalId).sort();

it('are created once for two identical requests of a shop, which both get the link', async () => {
	const path = 'shop-at-once';
	const orders = makeOrders(path);
	const start = webhook(path, { responseMode: 'lastNode' }, { webhookId: path });
	await world.listen(buildWorkflow(path, [start, create()]));
	const ask = async (order: string): Promise<IDataObject> => {
		const response = await waitFor(
			async () => {
				const got = await fetch(`${world.webhookUrl}/webhook/${path}`, {
					method: 'POST',
					headers: { 'content-type': 'application/json' },
					body: JSON.stringify({ order }),
				});
				return got.status === 404 ? false : got;
			},
			{ what: 'the webhook', timeoutMs: 15_000 },
		);
		return (await response.json()) as IDataObject;
	};

	const pairs = await Promise.all(
		orders.map(async (order) => await Promise.all([ask(order), ask(order)])),
	);

	expect(booked()).toEqual([...orders].sort());
	for (const [one, other] of pairs) {
		expect(other.id).toBe(one.id);
		expect(other.checkoutUrl).toBe(one.checkoutUrl);
		expect(one.checkoutUrl).toContain('/checkout/');
		expect([one, other].filter((is) => is.alreadyCreated === false).length).toBeLessThan(2);
	}
});

it('are created once if n8n is killed while it creates them, and the execution is retried', async () => {
	const path = 'shop-killed';
	const orders = makeOrders(path);
	const workflowId = await world.listen(buildWorkflow(path, [...webhookStart(path), create()]));
	world.sandbox.faults.add({
		...{ method: 'POST', path: '/v1/payments', kind: 'delay', ms: 300, times: Infinity },
	});
	const items = orders.map((order) => ({ order }));
	const id = await world.trigger(workflowId, path, { items });
	await waitFor(() => world.sandbox.books.payments.length >= 2, {
		...{ what: 'the moment to kill n8n', pollMs: 5, timeoutMs: 30_000 },
	});
	await world.n8n.kill9();
	expect(world.sandbox.books.payments.length).toBeLessThan(orders.length);
	await world.startN8n();
	const crashed = await world.client.waitForExecution(id);
	expect(crashed.status).toBe('crashed');
	world.sandbox.faults.clear();

	const retried = await world.client.retryExecution(crashed);

	expect(booked()).toEqual([...orders].sort());
	expect(getItems(retried, 'Charge').map(({ json }) => externalIdOf(json.id))).toEqual(orders);
});
