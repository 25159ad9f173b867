/** Payouts behind the trigger: however many executions the copies of a delivery start, each pays once. */
import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { useBench } from '../support/harness';
import { TRIGGER_NODE } from '../support/nodeTypes';
import { payEach } from '../support/payouts';
import { buildWorkflow } from '../support/workflow';

const bench = useBench();

/** What the trigger passes on; the payout is of what it says. */
const event = (deliveryId: string, more: IDataObject = {}): IDataObject => ({
	event: 'PAYMENT_PAID',
	deliveryId,
	receivedAt: new Date(bench.clock.now()).toISOString(),
	...more,
});

/** Two payouts for each event, as a split between two partners. */
const twoPartners = () =>
	buildWorkflow({
		startType: TRIGGER_NODE,
		isDoubled: true,
		parameters: payEach({}, { amount: '50', pixKey: 'partner@shop.example' }),
	});

it('pays once for all copies of a delivery, and returns the same withdrawals for each', async () => {
	const workflow = twoPartners();

	const first = await bench.start(workflow, [event('delivery-1')]);
	const copies = [
		await bench.start(workflow, [event('delivery-1')]),
		await bench.start(workflow, [event('delivery-1')]),
	];

	expect(bench.paid).toEqual([5000, 5000]);
	for (const copy of copies) {
		expect(copy.error).toBeUndefined();
		expect(copy.ids).toEqual(first.ids);
	}
});

it('pays once for copies that run at the same time', async () => {
	const workflow = twoPartners();

	const runs = await Promise.all(
		[1, 2, 3].map(async () => await bench.start(workflow, [event('delivery-1')])),
	);

	expect(runs.map(({ error }) => error)).toEqual([undefined, undefined, undefined]);
	expect(bench.paid).toEqual([5000, 5000]);
});

it('pays for each delivery, though all else is the same', async () => {
	const workflow = twoPartners();
	const establishedAt = bench.clock.now();

	await bench.start(workflow, [event('delivery-1')], { establishedAt });
	await bench.start(workflow, [event('delivery-2')], { establishedAt });

	expect(bench.paid).toEqual([5000, 5000, 5000, 5000]);
});

describe('what is signed decides, and not the headers', () => {
	const about = (deliveryId: string, status: string, more: IDataObject = {}) =>
		event(deliveryId, { body: { txId: 'PAY1', status }, ...more });

	it('pays once for one payment under two delivery IDs and two event names', async () => {
		const workflow = twoPartners();
		await bench.start(workflow, [about('delivery-1', 'PAID')]);
		bench.clock.advance(60_000);
		const { json } = await bench.start(workflow, [
			about('delivery-2', 'PAID', { event: 'PAYMENT_CONFIRMED' }),
		]);
		expect(json).toMatchObject([{ alreadyPaid: true }]);
		expect(bench.paid).toEqual([5000, 5000]);
	});

	it('pays again when the payment has another status', async () => {
		const workflow = twoPartners();
		await bench.start(workflow, [about('delivery-1', 'PAID')]);
		await bench.start(workflow, [about('delivery-1', 'CHARGEBACK')]);
		expect(bench.paid).toEqual([5000, 5000, 5000, 5000]);
	});

	it('does not pay again when a won dispute sends the same event within the life of its key', async () => {
		const workflow = twoPartners();
		await bench.start(workflow, [about('delivery-1', 'PAID')]);
		bench.clock.advance(23 * 60 * 60 * 1000);
		await bench.start(workflow, [about('delivery-2', 'PAID')]);
		expect(bench.paid).toEqual([5000, 5000]);
	});
});

describe('the refunds of a payment', () => {
	const refund = (deliveryId: string, body: IDataObject) =>
		event(deliveryId, { event: 'PAYMENT_REFUNDED', body: { paymentId: 'uuid-1', ...body } });

	it('are paid for once when the service renders a delivery again with one ID more', async () => {
		const workflow = twoPartners();
		const first = { status: 'REFUNDED' };
		for (const body of [first, { ...first, txId: 'PAY1' }, first]) {
			await bench.start(workflow, [refund('delivery-1', body)]);
		}
		expect(bench.paid).toEqual([5000, 5000]);
	});

	it('are paid for one by one while they are partial', async () => {
		const workflow = twoPartners();
		for (const refundId of ['refund-1', 'refund-2', 'refund-1']) {
			const body = { refundId, status: 'PARTIAL_REFUND' };
			await bench.start(workflow, [refund(`of ${refundId}`, body)]);
		}
		expect(bench.paid).toEqual([5000, 5000, 5000, 5000]);
	});
});

describe('a poll that brings several events', () => {
	const onePartner = () =>
		buildWorkflow({
			startType: TRIGGER_NODE,
			parameters: payEach({}, { amount: '50', pixKey: 'partner@shop.example' }),
		});
	const polled = (id: number, status = 'PAID', name = 'PAYMENT_PAID') =>
		event(`poll-${name}-${id}`, {
			...{ event: name, source: 'polling' },
			body: { id: `uuid-${id}`, txId: `PAY${id}`, status },
		});

	it('pays for each, and not again for their webhooks in another order', async () => {
		const workflow = onePartner();
		await bench.start(workflow, [polled(1), polled(2), polled(3)]);
		bench.clock.advance(60_000);
		for (const id of [3, 1, 2]) {
			const body = { paymentId: `uuid-${id}`, txId: `PAY${id}`, status: 'PAID' };
			const { json } = await bench.start(workflow, [event(`delivery-${id}`, { body })]);
			expect(json).toMatchObject([{ alreadyPaid: true }]);
		}
		expect(bench.paid).toEqual([5000, 5000, 5000]);
	});

	it('pays for each when one of the webhooks came first', async () => {
		const workflow = onePartner();
		await bench.start(workflow, [event('delivery-2', { body: { txId: 'PAY2', status: 'PAID' } })]);
		bench.clock.advance(60_000);
		const { json } = await bench.start(workflow, [polled(1), polled(2), polled(3)]);
		expect(json.map(({ alreadyPaid }) => alreadyPaid === true)).toEqual([false, true, false]);
		expect(bench.paid).toEqual([5000, 5000, 5000]);
	});

	it('pays once per event and partner', async () => {
		const workflow = twoPartners();
		await bench.start(workflow, [polled(1), polled(2)]);
		await bench.start(workflow, [event('delivery-2', { body: { txId: 'PAY2', status: 'PAID' } })]);
		expect(bench.paid).toEqual([5000, 5000, 5000, 5000]);
	});

	it.each(['MED_RECEIVED', 'PAYMENT_REFUNDED'])(
		'knows the webhook of %s, which has no txId',
		async (name) => {
			const workflow = onePartner();
			await bench.start(workflow, [polled(1, 'REFUNDED', name), polled(2, 'REFUNDED', name)]);
			const body = { id: 'refund-1', paymentId: 'uuid-2', status: 'REFUNDED' };
			await bench.start(workflow, [event('delivery-2', { event: name, body })]);
			expect(bench.paid).toEqual([5000, 5000]);
		},
	);
});

it('pays once when a copy was killed and is retried', async () => {
	const workflow = twoPartners();
	const establishedAt = bench.clock.now();
	await bench.start(workflow, [event('delivery-1')]);
	const killed = await bench.start(workflow, [event('delivery-1')], { establishedAt });

	const again = await bench.retryAfterKill(killed);

	bench.expectPaid([5000, 5000], again);
});

it('pays once on an old n8n that lets go of everything but the delivery', async () => {
	const workflow = twoPartners();
	await bench.onOldN8n(async () => {
		const killed = await bench.start(workflow, [event('delivery-1')]);
		const { error } = await bench.retryAfterKill(killed, { establishedAt: null });
		expect(error).toBeUndefined();
	});

	expect(bench.paid).toEqual([5000, 5000]);
});

it('does not take an id that an item happens to carry for a delivery', async () => {
	const workflow = buildWorkflow({ parameters: payEach({}, { amount: '50' }) });
	const items = [{ deliveryId: 'delivery-1', pixKey: 'partner@shop.example' }];

	await bench.start(workflow, items);
	await bench.start(workflow, items);

	expect(bench.paid).toEqual([5000, 5000]);
});

it('pays once when a copy of a delivery slips through after 23 hours', async () => {
	const workflow = twoPartners();
	await bench.start(workflow, [event('delivery-1')]);
	bench.clock.advance(23 * 60 * 60 * 1000);

	const late = await bench.start(workflow, [event('delivery-1')]);

	expect(late.error).toBeUndefined();
	expect(late.json).toMatchObject([{ alreadyPaid: true }]);
	expect(bench.paid).toEqual([5000, 5000]);
});

describe('Debug in Editor: a person runs an event again that is pinned there', () => {
	const HOUR = 60 * 60 * 1000;
	const BY_HAND = { mode: 'manual' } as const;
	/** The event was received now, and a day later a person runs it again. */
	const runLater = async (hours: number, isLive: boolean, options: INodeParameters = {}) => {
		const settings = isLive ? { credential: bench.liveCredential } : {};
		const pinned = event('delivery-1');
		await bench.start(twoPartners(), [pinned], settings);
		bench.clock.advance(hours * HOUR);
		const again = buildWorkflow({
			startType: TRIGGER_NODE,
			isDoubled: true,
			parameters: payEach(options, { amount: '50', pixKey: 'partner@shop.example' }),
		});
		return await bench.start(again, [pinned], { ...settings, ...BY_HAND });
	};

	it('finds what was paid within 24 hours', async () => {
		const { error } = await runLater(20, true);

		expect(error?.message).toContain('so it was not paid again');
		expect(bench.paid).toEqual([5000, 5000]);
	});

	it('stops after that: the event may have been paid for', async () => {
		const { error } = await runLater(25, true);

		expect(error).toMatchObject({ effect: 'unknown' });
		expect(error?.message).toContain('arrived on');
		expect(bench.paid).toEqual([5000, 5000]);
	});

	it('pays when the person says so', async () => {
		const { error } = await runLater(25, true, { allowRetryAfter24Hours: true });

		expect(error).toBeUndefined();
		expect(bench.paid).toEqual([5000, 5000, 5000, 5000]);
	});

	it('pays with a test key, with which people try things', async () => {
		const { error } = await runLater(25, false);

		expect(error).toBeUndefined();
	});
});
