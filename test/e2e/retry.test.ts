/** Every way in which one payout is attempted again: the books must still show it once. */
import { getItems } from '../../dev/n8n/rest/executionData';
import {
	manualStart,
	payEachItem,
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
