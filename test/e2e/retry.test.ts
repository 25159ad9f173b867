/** Every way in which one payout is attempted again: the books must still show it once. */
import { getItems } from '../../dev/n8n/rest/executionData';
import {
	brlPayments,
	manualStart,
	payEachItem,
	webhookStart,
	buildWorkflow,
	type NodeExtras,
} from '../../dev/n8n/rest/workflow';
import { booked, intended, makePayouts, type Payout } from './support/payouts';
import { useWorld } from './support/n8nTestEnv';

const world = useWorld();

const WITHDRAWALS = { method: 'POST', path: '/v1/withdrawals' } as const;
let payouts: Payout[] = [];
beforeEach(() => {
	payouts = makePayouts(6);
});

/** The node itself asks five times under one key before an item fails. */
const MAX_ATTEMPTS = 5;

const payAll = (name: string, extras?: NodeExtras) =>
	buildWorkflow(name, [...manualStart(payouts), payEachItem(extras)]);

const getKeys = (pixKey: string) =>
	world.sandbox.requests
		.filter(({ method, rawBody }) => method === 'POST' && rawBody.includes(pixKey))
		.map(({ idempotencyKey }) => idempotencyKey);

describe('lost responses', () => {
	it.each([
		['the connection is lost before the request is processed', { kind: 'dropBefore' }],
		['the connection is lost after the request was processed', { kind: 'dropAfter' }],
		['a gateway responds with HTML', { kind: 'html', status: 502, process: true }],
		['the response is cut off', { kind: 'truncate' }],
		['the server returns 500 although it has paid', { kind: 'status', status: 500, process: true }],
	] as const)('pays each once when %s', async (_case, fault) => {
		world.sandbox.faults.add({ ...WITHDRAWALS, ...fault, times: 4 });
		const execution = await world.run(payAll('Lost answers'));
		expect(execution.status).toBe('success');
		expect(getItems(execution, 'Pay')).toHaveLength(payouts.length);
		expect(world.sandbox.requests.length).toBeGreaterThan(payouts.length);
		expect(booked(world.sandbox.books.withdrawals)).toEqual(intended(payouts));
	});

	it('pays each once when a response comes later than the node waits', async () => {
		world.sandbox.faults.add({ ...WITHDRAWALS, kind: 'inFlight', ms: 2500, times: 2 });
		const execution = await world.run(
			buildWorkflow('Late answers', [...manualStart(payouts), payEachItem({}, { timeout: 1 })]),
		);
		expect(execution.status).toBe('success');
		expect(booked(world.sandbox.books.withdrawals)).toEqual(intended(payouts));
	});
});

describe('Retry On Fail', () => {
	it('tries again under the same key, and each is paid once', async () => {
		// More lost responses than one try of the node gets over, fewer than two.
		const target = payouts[2]!.pixKey;
		world.sandbox.faults.add({
			...WITHDRAWALS,
			kind: 'dropAfter',
			times: MAX_ATTEMPTS + 1,
			when: ({ rawBody }) => rawBody.includes(target),
		});
		const execution = await world.run(
			payAll('Retry On Fail', { retryOnFail: true, maxTries: 3, waitBetweenTries: 200 }),
		);
		expect(execution.status).toBe('success');
		expect(getKeys(target).length).toBeGreaterThan(MAX_ATTEMPTS);
		expect(new Set(getKeys(target)).size).toBe(1);
		expect(booked(world.sandbox.books.withdrawals)).toEqual(intended(payouts));
	});

	it('leaves a new key to the retry of the execution, where the service has stored its refusal', async () => {
		const target = payouts[1]!.pixKey;
		world.sandbox.faults.add({
			...WITHDRAWALS,
			kind: 'error',
			code: 'WITHDRAWAL_PROVIDER_UNAVAILABLE',
			stored: true,
			times: 2,
			when: ({ rawBody }) => rawBody.includes(target),
		});
		const execution = await world.run(payAll('New key'));
		expect(execution.status).toBe('error');
		expect(new Set(getKeys(target)).size).toBe(1);
		const again = await world.client.retryExecution(execution);
		expect(again.status).toBe('error');
		const last = await world.client.retryExecution(again);
		expect(last.status).toBe('success');
		expect(new Set(getKeys(target)).size).toBe(3);
		expect(booked(world.sandbox.books.withdrawals)).toEqual(intended(payouts));
	});
});

describe('Retry execution', () => {
	it('pays what is missing and nothing again', async () => {
		const target = payouts[3]!.pixKey;
		world.sandbox.faults.add({
			...WITHDRAWALS,
			kind: 'dropAfter',
			times: Infinity,
			when: ({ rawBody }) => rawBody.includes(target),
		});
		const failed = await world.run(payAll('Retry execution'));
		expect(failed.status).toBe('error');
		world.sandbox.faults.clear();

		const retried = await world.client.retryExecution(failed);
		expect(retried.status).toBe('success');
		expect(retried.id).not.toBe(failed.id);
		expect(getItems(retried, 'Pay')).toHaveLength(payouts.length);
		expect(booked(world.sandbox.books.withdrawals)).toEqual(intended(payouts));
	});

	it('has the same result when the workflow is loaded as it is saved now', async () => {
		world.sandbox.faults.add({ ...WITHDRAWALS, kind: 'dropAfter', times: Infinity });
		const failed = await world.run(payAll('Retry with saved workflow'));
		expect(failed.status).toBe('error');
		world.sandbox.faults.clear();

		const retried = await world.client.retryExecution(failed, true);
		expect(retried.status).toBe('success');
		expect(booked(world.sandbox.books.withdrawals)).toEqual(intended(payouts));
	});

	it('is not needed for what was paid when another item is refused', async () => {
		const failed = await world.run(
			buildWorkflow('One refused', [
				...manualStart([...payouts, { ...payouts[0]!, amount: '2,00' }]),
				payEachItem(),
			]),
		);
		expect(failed.status).toBe('error');
		const paid = world.sandbox.books.withdrawals.length;
		await world.client.retryExecution(failed);
		// The refused one stays refused; no one is paid a second time by trying again.
		expect(world.sandbox.books.withdrawals.length).toBeGreaterThanOrEqual(paid);
		expect(new Set(booked(world.sandbox.books.withdrawals)).size).toBe(
			world.sandbox.books.withdrawals.length,
		);
	});
});

describe('Continue On Fail', () => {
	it('pays the others and says why one was not paid', async () => {
		const refused = { amount: '50,00', pixKey: 'blocked@example.com', description: 'Blocked' };
		world.sandbox.account.blocklist = [refused.pixKey];
		const items = [payouts[0]!, refused, payouts[1]!];
		const execution = await world.run(
			buildWorkflow('Continue', [
				...manualStart(items),
				payEachItem({ onError: 'continueRegularOutput' }),
			]),
		);
		expect(execution.status).toBe('success');
		const output = getItems(execution, 'Pay');
		expect(output.map(({ pairedItem }) => pairedItem)).toEqual([
			{ item: 0 },
			{ item: 1 },
			{ item: 2 },
		]);
		expect(output[1]!.json).toMatchObject({ error: { code: 'BLOCKLIST_DENIED' } });
		expect(booked(world.sandbox.books.withdrawals)).toEqual(intended([payouts[0]!, payouts[1]!]));
	});
});

describe('what is meant to happen twice', () => {
	it('happens twice in two executions with equal content', async () => {
		// Pressing Execute twice is guarded; a production execution is a new order.
		const path = 'twice';
		const id = await world.listen(buildWorkflow(path, [...webhookStart(path), payEachItem()]));
		for (let time = 0; time < 2; time += 1) {
			const execution = await world.trigger(id, path, { items: payouts });
			await world.client.waitForExecution(execution);
		}
		expect(booked(world.sandbox.books.withdrawals)).toEqual(intended([...payouts, ...payouts]));
	});

	it('happens twice for two equal items of one execution', async () => {
		const twice = [payouts[0]!, payouts[0]!];
		const execution = await world.run(
			buildWorkflow('Equal items', [...manualStart(twice), payEachItem()]),
		);
		expect(execution.status).toBe('success');
		expect(booked(world.sandbox.books.withdrawals)).toEqual(intended(twice));
	});
});

describe('lost responses of other writes', () => {
	const lose = (path: string) =>
		world.sandbox.faults.add({ method: 'POST', path, kind: 'dropAfter', times: 3 });

	it.each([
		[
			'payment.create',
			'/v1/payments',
			{ chargeBy: 'amount', amount: '={{ $json.amount }}', methods: ['PIX'], mode: 'headless' },
			() => world.sandbox.books.payments.map(({ amountCents }) => amountCents),
		],
		[
			'product.create',
			'/v1/products',
			{ name: '={{ $json.description }}', amount: '={{ $json.amount }}', additionalFields: {} },
			() => world.sandbox.books.products.map(({ amountCents }) => amountCents),
		],
	])('%s happens once for each item', async (name, path, parameters, amounts) => {
		lose(path);
		const [resource, operation] = name.split('.') as [string, string];
		const execution = await world.run(
			buildWorkflow(name, [
				...manualStart(payouts),
				brlPayments('Operation', resource, operation, { ...parameters, options: {} }),
			]),
		);
		expect(execution.status).toBe('success');
		expect(world.sandbox.requests.length).toBeGreaterThan(payouts.length);
		const cents = (amount: string) => Math.round(Number(amount.replace(',', '.')) * 100);
		expect(amounts().sort()).toEqual(payouts.map(({ amount }) => cents(amount)).sort());
	});

	it('payment.refund happens once for each item', async () => {
		const payments = [1, 2, 3].map((n) =>
			world.sandbox.seed.payment({
				environment: 'PRODUCTION',
				status: 'PAID',
				amountCents: 1_000 + n,
			}),
		);
		lose('/v1/payments/{id}/refund');
		const execution = await world.run(
			buildWorkflow('payment.refund', [
				...manualStart(payments.map(({ id }) => ({ id }))),
				brlPayments('Operation', 'payment', 'refund', {
					paymentId: '={{ $json.id }}',
					reason: 'Returned',
					options: {},
				}),
			]),
		);
		expect(execution.data.resultData.error?.message).toBeUndefined();
		expect(world.sandbox.books.refunds.map(({ paymentId }) => paymentId).sort()).toEqual(
			payments.map(({ id }) => id).sort(),
		);
	});
});
