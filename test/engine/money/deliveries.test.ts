/** Payouts behind the trigger: however many executions the copies of a delivery start, each pays once. */
import type { IDataObject } from 'n8n-workflow';
import { type RunSettings } from '../support/harness';
import { slowDownTables, usePayouts } from '../support/money';
import { NODE } from '../support/names';
import { TRIGGER_NODE } from '../support/nodeTypes';
import { payEach } from '../support/payouts';
import { EMAIL, HOUR, MINUTE } from '../support/values';
import { buildWorkflow, edit } from '../support/workflow';

const bench = usePayouts();
const PARTNER = 'partner@shop.example';

/** What the trigger passes on; the payout is of what it says. */
const event = (deliveryId: string, more: IDataObject = {}): IDataObject => ({
	event: 'PAYMENT_PAID',
	deliveryId,
	receivedAt: new Date(bench.clock.now()).toISOString(),
	...more,
});
const about = (deliveryId: string, body: IDataObject, more: IDataObject = {}) =>
	event(deliveryId, { body, ...more });
const PAID = { txId: 'PAY1', status: 'PAID' };

/** Two payouts for each event, as a split between two partners, or one. */
const partners = (isDoubled: boolean) => {
	const workflow = buildWorkflow({
		startType: TRIGGER_NODE,
		isDoubled,
		parameters: payEach({}, { amount: '50', pixKey: PARTNER }),
	});
	if (isDoubled) edit({ workflow }, { pixKey: EMAIL }, `${NODE} 2`);
	return workflow;
};
let workflow: ReturnType<typeof partners>;
beforeEach(() => (workflow = partners(true)));
const start = async (events: IDataObject[], settings: RunSettings = {}) =>
	await bench.start(workflow, events, settings);

it('pays once for all copies of a delivery, also 23 hours later, and returns the same withdrawals', async () => {
	const first = await start([event('delivery-1')]);
	const copies = [await start([event('delivery-1')])];
	bench.clock.advance(23 * HOUR);
	copies.push(await start([event('delivery-1')]));

	bench.expectPaid([5000, 5000], ...copies);
	for (const { ids } of copies) expect(ids).toEqual(first.ids);
	expect(copies[1]?.json).toMatchObject([{ alreadyPaid: true }]);
});

it('pays once for copies that run at the same time', async () => {
	const runs = await Promise.all([1, 2, 3].map(async () => await start([event('delivery-1')])));
	bench.expectPaid([5000, 5000], ...runs);
});

it('pays once for one payment under two delivery IDs and two event names: what is signed decides, not the headers', async () => {
	await start([about('delivery-1', PAID)]);
	bench.clock.advance(MINUTE);
	const { json } = await start([about('delivery-2', PAID, { event: 'PAYMENT_CONFIRMED' })]);
	expect(json).toMatchObject([{ alreadyPaid: true }]);
	expect(bench.paid).toEqual([5000, 5000]);
});

describe('a poll that brings several events', () => {
	beforeEach(() => (workflow = partners(false)));
	const polled = (id: number, status = 'PAID', name = 'PAYMENT_PAID') =>
		about(
			`poll-${name}-${id}`,
			{ id: `uuid-${id}`, txId: `PAY${id}`, status },
			{ event: name, source: 'polling' },
		);

	it('pays for each, and not again for their webhooks in another order', async () => {
		await start([polled(1), polled(2), polled(3)]);
		bench.clock.advance(MINUTE);
		for (const id of [3, 1, 2]) {
			const body = { paymentId: `uuid-${id}`, txId: `PAY${id}`, status: 'PAID' };
			const { json } = await start([about(`delivery-${id}`, body)]);
			expect(json).toMatchObject([{ alreadyPaid: true }]);
		}
		expect(bench.paid).toEqual([5000, 5000, 5000]);
	});
});

it('pays once when a copy was killed and is retried', async () => {
	await start([event('delivery-1')]);
	const killed = await start([event('delivery-1')], bench.begunNow);
	bench.expectPaid([5000, 5000], await bench.retryAfterKill(killed));
});

it('pays once on an old n8n that lets go of everything but the delivery', async () => {
	const retried = await bench.onOldN8n(async () => {
		const killed = await start([event('delivery-1')]);
		return await bench.retryAfterKill(killed, { establishedAt: null });
	});
	bench.expectPaid([5000, 5000], retried);
});

it('stops the second of two payouts that nothing tells apart', async () => {
	edit({ workflow }, { pixKey: PARTNER }, `${NODE} 2`);
	const { data } = await start([event('delivery-1')]);
	expect(data.resultData.error?.message).toContain('is the same in every field');
	expect(bench.paid).toEqual([5000]);
});

it('stops what was edited before a copy came: the event was paid for', async () => {
	await start([event('delivery-1')]);
	edit({ workflow }, { amount: '60' });
	const { error } = await start([event('delivery-1')]);
	expect(error?.message).toContain('and has not come up again');
	// n8n offers no retry for the first execution.
	expect(error?.description).toContain(
		'If that was paid for the same event, nothing is left to do.',
	);
	expect(bench.paid).toEqual([5000, 5000]);
});

it('pays at most once for two events about the same at once, whose amounts are computed in two ways', async () => {
	const pay = payEach({}, { amount: '={{ $json.amount }}', pixKey: PARTNER });
	workflow = buildWorkflow({ startType: TRIGGER_NODE, parameters: pay });
	slowDownTables();
	const events = [50, 60].map((amount, index) => about(`delivery-${index}`, PAID, { amount }));
	const runs = await Promise.all(events.map(async (one) => await start([one])));

	expect(bench.paid.length).toBeLessThan(2);
	const failed = runs.find(({ error }) => error !== undefined)!;
	expect(failed.error?.description).toContain('If that was paid for the same event');
	bench.clock.advance(5 * MINUTE);
	await bench.retry(failed);
	expect(bench.paid).toHaveLength(1);
});

describe('Debug in Editor: a person runs an event again that is pinned there', () => {
	const runLater = async (days: number) => {
		const credential = bench.liveCredential;
		const pinned = event('delivery-1');
		await start([pinned], { credential });
		bench.clock.advance(days * 24 * HOUR);
		return await start([pinned], { credential, mode: 'manual' });
	};

	it.each([0.8, 17])('finds what was paid %d days ago', async (days) => {
		const { json } = await runLater(days);
		expect(json).toMatchObject([{ alreadyPaid: true }]);
		expect(bench.paid).toEqual([5000, 5000]);
	});

	it('stops after that: the event may have been paid for', async () => {
		const { error } = await runLater(21);
		expect(error?.message).toContain('cannot be told from an earlier attempt');
		expect(bench.paid).toEqual([5000, 5000]);
	});
});
