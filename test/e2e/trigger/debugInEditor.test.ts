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
	const execution = await world.client.runToEnd(workflowId, TRIGGER);
	return execution.data?.resultData.error?.message;
}

it.each([
	['of today', 'automatic', 0, 'so it was not paid again'],
	['of yesterday', 'never', 25, 'The event that is run again arrived on'],
])('pays nobody again for an event %s', async (_, duplicateGuard, hours, message) => {
	const { workflowId, event } = await payPartner(duplicateGuard);
	const receivedAt = new Date(Date.parse(event.receivedAt as string) - hours * HOUR).toISOString();
	const paid = world.sandbox.books.withdrawals.length;

	expect(await pressExecute(workflowId, { ...event, receivedAt })).toContain(message);

	expect(world.sandbox.books.withdrawals).toHaveLength(paid);
});
