/** What n8n's Debug in Editor does: it pins the event of a past execution, and a person presses Execute. */
import type { IDataObject } from 'n8n-workflow';

import { getItems, type Item } from '../../../dev/n8n/rest/executionData';
import { payEachItem } from '../../../dev/n8n/rest/workflow';
import { deliver, paymentPaid } from '../support/deliveries';
import { Listener, TRIGGER } from '../support/listener';
import { useWorld } from '../support/n8nTestEnv';

const world = useWorld();
const HOUR = 60 * 60_000;

// For how long a payout is found, and what stops after that: test/engine/money/deliveries.test.ts.
it('pays nobody again for an event of yesterday: it shows the payout that was made', async () => {
	const partner = { amount: '50', pixKey: 'partner@shop.example' };
	const pay = payEachItem({}, { duplicateGuard: 'never' }, partner);
	const listener = await Listener.open(world, { after: [pay] });
	await deliver(listener.url, paymentPaid());
	const [[item]] = (await listener.emitted()) as [[Item]];
	const [paid] = world.sandbox.books.withdrawals;

	const receivedAt = Date.parse(item.json.receivedAt as string) - 25 * HOUR;
	const json = { ...item.json, receivedAt: new Date(receivedAt).toISOString() };
	const address = `/rest/workflows/${listener.workflowId}`;
	const workflow = await world.client.request<IDataObject>('GET', address);
	const pinData = { [TRIGGER]: [{ json }] };
	await world.client.request('PATCH', `${address}?forceSave=true`, { ...workflow, pinData });
	const items = getItems(await world.client.runToEnd(listener.workflowId, TRIGGER), 'Pay');

	expect(items.map((each) => each.json)).toMatchObject([{ id: paid!.id, alreadyPaid: true }]);
	expect(world.sandbox.books.withdrawals).toHaveLength(1);
});
