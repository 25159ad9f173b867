/** Charges with an External ID, in a real n8n whose clock can be moved: each is created once. */
import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { waitFor } from '../../dev/n8n/process/waitFor';
import { getItems, type Execution } from '../../dev/n8n/rest/executionData';
import type { WorkflowDefinition } from '../../dev/n8n/rest/rest';
import { brlPayments, buildWorkflow, node, webhookStart } from '../../dev/n8n/rest/workflow';
import { TimedWorld } from './examples/timedWorld';
import { use } from './support/n8nTestEnv';

const HOUR_MS = 60 * 60_000;
const PAYMENTS = { method: 'POST', path: '/v1/payments' } as const;

const world = use(new TimedWorld());

let shop = 0;
let orders: string[] = [];
beforeEach(() => {
	// n8n's table remembers the orders of the tests before.
	shop += 1;
	orders = Array.from({ length: 12 }, (_, index) => `P${shop}-${index + 1}`);
});

const create = (parameters: INodeParameters = {}) =>
	brlPayments(
		'Charge',
		'payment',
		'create',
		{
			// All charges look alike.
			...{ chargeBy: 'amount', amount: '50.02', methods: ['PIX'], mode: 'hosted' },
			additionalFields: { externalId: '={{ $json.body?.order ?? $json.order }}' },
			options: {},
			...parameters,
		},
		{ onError: 'continueRegularOutput' },
	);

/** A shop's request for a list of orders, answered at once. */
const ofShop = (path: string): WorkflowDefinition =>
	buildWorkflow(path, [...webhookStart(path), create()]);

/** How many charges each of the orders has. */
const charges = (): number[] =>
	orders.map(
		(order) => world.sandbox.books.payments.filter(({ externalId }) => externalId === order).length,
	);
const once = () => orders.map(() => 1);

const results = (execution: Execution): IDataObject[] =>
	getItems(execution, 'Charge').map(({ json }) => json);
const fieldOf = (items: IDataObject[], name: string) => items.map((item) => item[name]);

/** Every charge that is shown is the one that the books have for its order. */
function expectTrue(items: IDataObject[]): void {
	const shown = items.map(({ id }) =>
		world.sandbox.books.payments.find((payment) => payment.id === id),
	);
	expect(shown.map((payment) => payment?.externalId)).toEqual(orders);
}

async function send(path: string, workflowId: string): Promise<Execution> {
	const items = orders.map((order) => ({ order }));
	const id = await world.trigger(workflowId, path, { items });
	return await world.client.waitForExecution(id);
}

it('are created once for two identical requests of a shop, which both get the link', async () => {
	const path = `answering-${shop}`;
	const webhook = node(
		'Webhook',
		'webhook',
		2.1,
		{ httpMethod: 'POST', path, responseMode: 'lastNode', options: {} },
		{ webhookId: path },
	);
	await world.listen(buildWorkflow(path, [webhook, create()]));
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

	expect(charges()).toEqual(once());
	for (const [one, other] of pairs) {
		expect(other.id).toBe(one.id);
		expect(other.checkoutUrl).toBe(one.checkoutUrl);
		expect(one.checkoutUrl).toContain('/checkout/');
		expect(
			[one.alreadyCreated, other.alreadyCreated].filter((is) => is === false).length,
		).toBeLessThan(2);
	}
});

it('are created once if n8n is killed while it creates them, and the execution is retried', async () => {
	const path = `killed-${shop}`;
	const workflowId = await world.listen(ofShop(path));
	world.sandbox.faults.add({ ...PAYMENTS, kind: 'delay', ms: 300, times: Infinity });
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

	expect(charges()).toEqual(once());
	expectTrue(results(retried));
});

it('are returned as they are now a day later, with the link, whatever looks like them', async () => {
	const path = `later-${shop}`;
	const workflowId = await world.listen(ofShop(path));
	const first = results(await send(path, workflowId));
	expect(fieldOf(first, 'alreadyCreated')).toEqual(orders.map(() => false));
	await world.goTo(world.now() + 25 * HOUR_MS);
	orders.forEach(() =>
		world.sandbox.seed.payment({ amountCents: 5_002, status: 'NEW', environment: 'PRODUCTION' }),
	);
	world.sandbox.setPaymentStatus(first[0]?.id as string, 'PAID');

	const again = results(await send(path, workflowId));

	expect(charges()).toEqual(once());
	expectTrue(again);
	expect(fieldOf(again, 'alreadyCreated')).toEqual(orders.map(() => true));
	expect(fieldOf(again, 'checkoutUrl')).toEqual(fieldOf(first, 'checkoutUrl'));
	expect(again[0]?.status).toBe('PAID');
});

it('that got no answer are in doubt a day later beside what looks like them, until a person says which', async () => {
	const path = `doubt-${shop}`;
	orders = orders.slice(0, 2);
	const workflowId = await world.listen(ofShop(path));
	world.sandbox.faults.add({ ...PAYMENTS, kind: 'dropAfter', times: Infinity });
	await send(path, workflowId);
	world.sandbox.faults.clear();
	expect(charges()).toEqual(once());
	await world.goTo(world.now() + 25 * HOUR_MS);

	const doubtful = results(await send(path, workflowId));
	expect(doubtful.map(({ error }) => (error as IDataObject).code)).toEqual([
		'CHARGE_IN_DOUBT',
		'CHARGE_IN_DOUBT',
	]);
	// A person edits the rows in the editor of n8n, as the error says.
	for (const { id, externalId } of world.sandbox.books.payments) {
		const row = { reference: externalId, status: 'in doubt' };
		await world.editLedger(row, { status: 'created', paymentId: id });
	}
	const again = results(await send(path, workflowId));

	expect(charges()).toEqual(once());
	expectTrue(again);
	expect(fieldOf(again, 'alreadyCreated')).toEqual([true, true]);
});
