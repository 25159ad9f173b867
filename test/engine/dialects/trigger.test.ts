/** Deliveries that differ from what is assumed: none is lost for good, and the log or the docs help. */
import { parseDialect, signedRequest } from '../../../dev/sandbox';
import { createDelivery, paymentPaid, SECRET, type Delivery } from '../../e2e/support/deliveries';
import { logged } from '../support/container';
import { useTriggerBench } from '../support/triggerBench';

const bench = useTriggerBench();

/** Sends it as the service would in another dialect, this many milliseconds after it was signed. */
async function deliver(delivery: Delivery, text: string, lateMs = 0): Promise<number> {
	const headers = signedRequest(delivery, SECRET, parseDialect(text), Date.now() - lateMs);
	return await bench.start().deliver(delivery, headers);
}

it('signature=bodyFirst is asked for again, and the custom scheme reads it', async () => {
	const delivery = paymentPaid();
	expect(await deliver(delivery, 'signature=bodyFirst')).toBe(503);
	expect(bench.wentOn).toEqual([]);
	Object.assign(bench.credential, {
		signatureScheme: 'custom',
		hash: 'sha256',
		layout: '{body}{timestamp}',
	});

	expect(await deliver(delivery, 'signature=bodyFirst')).toBe(200);

	expect(bench.wentOn).toEqual([delivery.id]);
});

it('retriedDelivery=ofFirst: a retry after the window is asked for again, and a longer window helps', async () => {
	const delivery = paymentPaid();
	expect(await deliver(delivery, 'retriedDelivery=ofFirst', 320_000)).toBe(503);
	expect(JSON.stringify(logged)).toMatch(/32\d seconds in the past/);
	expect(JSON.stringify(logged)).toContain("increase 'Options > Replay Window'");
	bench.configure({ replayWindow: 3_600 });

	expect(await deliver(delivery, 'retriedDelivery=ofFirst', 320_000)).toBe(200);

	expect(bench.wentOn).toEqual([delivery.id]);
});

it.each(['WITHDRAWAL_CANCELLED', 'PAYMENT_CREATED'])(
	'an event without a row in the list, %s, continues where all events are selected',
	async (event) => {
		const delivery = createDelivery(event, { txId: 'X', status: 'CANCELLED' });
		expect(await deliver(delivery, '')).toBe(200);
		expect(bench.wentOn).toEqual([delivery.id]);
		bench.configure({}, ['PAYMENT_PAID']);
		expect(await deliver({ ...delivery, id: 'another-id' }, '')).toBe(200);
		expect(bench.wentOn).toEqual([delivery.id]);
	},
);
