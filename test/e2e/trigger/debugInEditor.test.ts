/** What n8n's Debug in Editor does: it pins the event of a past execution, and a person presses Execute. */
import type { IDataObject } from 'n8n-workflow';

import { getItems } from '../../../dev/n8n/rest/executionData';
import { payEachItem } from '../../../dev/n8n/rest/workflow';
import { deliver, paymentPaid } from '../support/deliveries';
import { Listener, TRIGGER } from '../support/listener';
import { useWorld } from '../support/n8nTestEnv';

const world = useWorld();
const HOUR = 60 * 60_000;

/** An execution that a delivery has started, and that has paid the partner. */
async function payPartner(duplicateGuard: string) {
	const pay = payEachItem({}, { duplicateGuard }, { amount: '50', pixKey: 'partner@shop.example' });
	const listener = await Listener.open(world, { after: [pay] });
	await deliver(listener.url, paymentPaid());
	const [{ id } = { id: '' }] = await listener.executions();
	const [item] = getItems(await world.client.waitForExecution(id), TRIGGER);
	return { workflowId: listener.workflowId, event: item!.json };
}

async function pressExecute(workflowId: string, event: IDataObject) {
	const address = `/rest/workflows/${workflowId}`;
	const workflow = await world.client.request<IDataObject>('GET', address);
	const pinData = { [TRIGGER]: [{ json: event }] };
	await world.client.request('PATCH', `${address}?forceSave=true`, { ...workflow, pinData });
	return await world.client.runToEnd(workflowId, TRIGGER);
}

it('pays nobody again for an event of yesterday: it shows the payout that was made', async () => {
	const { workflowId, event } = await payPartner('never');
	const receivedAt = new Date(Date.parse(event.receivedAt as string) - 25 * HOUR).toISOString();
	const [paid] = world.sandbox.books.withdrawals;

	const items = getItems(await pressExecute(workflowId, { ...event, receivedAt }), 'Pay');

	expect(items.map(({ json }) => json)).toMatchObject([{ id: paid!.id, alreadyPaid: true }]);
	expect(world.sandbox.books.withdrawals).toHaveLength(1);
});

it('pays nothing for an event that is older than the names of payouts are kept', async () => {
	const { workflowId, event } = await payPartner('never');
	const paid = world.sandbox.books.withdrawals.length;
	const receivedAt = new Date(Date.parse(event.receivedAt as string) - 480 * HOUR).toISOString();

	const execution = await pressExecute(workflowId, { ...event, receivedAt });

	expect(execution.data?.resultData.error?.message).toContain(
		'cannot be told from an earlier attempt',
	);
	expect(world.sandbox.books.withdrawals).toHaveLength(paid);
});
