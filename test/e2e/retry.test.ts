/** n8n's two ways to try again: the books must still show each payout once. */
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

let payouts: Payout[] = [];
beforeEach(() => {
	payouts = makePayouts(6);
});

/** The node itself asks five times under one key before an item fails. */
const MAX_ATTEMPTS = 5;

const payAll = (name: string, extras?: NodeExtras) =>
	buildWorkflow(name, [...manualStart(payouts), payEachItem(extras)]);

const requestsOf = ({ pixKey }: Payout) =>
	world.sandbox.requests.filter(
		({ method, rawBody }) => method === 'POST' && rawBody.includes(pixKey),
	);

/** Responses about the third payout are lost, after it was booked. */
const loseAnswers = (times: number) =>
	world.sandbox.faults.add({
		...{ method: 'POST', path: '/v1/withdrawals', kind: 'dropAfter', times },
		when: ({ rawBody }) => rawBody.includes(payouts[2]!.pixKey),
	});

it('Retry On Fail tries again under the same key, and each is paid once', async () => {
	// More lost responses than one try of the node gets over, fewer than two.
	loseAnswers(MAX_ATTEMPTS + 1);

	const execution = await world.run(
		payAll('Retry On Fail', { retryOnFail: true, maxTries: 3, waitBetweenTries: 200 }),
	);

	expect(execution.status).toBe('success');
	const requests = requestsOf(payouts[2]!);
	expect(requests.length).toBeGreaterThan(MAX_ATTEMPTS);
	expect(new Set(requests.map(({ idempotencyKey }) => idempotencyKey)).size).toBe(1);
	expect(booked(world.sandbox.books.withdrawals)).toEqual(intended(payouts));
});

it.each([
	['as it was executed', false],
	['as it is saved now', true],
])(
	'Retry execution of the workflow %s pays what is missing and nothing again',
	async (_, saved) => {
		const findAnswers = loseAnswers(Infinity);
		const failed = await world.run(payAll('Retry execution'));
		expect(failed.status).toBe('error');
		findAnswers();

		const retried = await world.client.retryExecution(failed, saved);

		expect(retried.status).toBe('success');
		expect(retried.id).not.toBe(failed.id);
		expect(getItems(retried, 'Pay')).toHaveLength(payouts.length);
		expect(booked(world.sandbox.books.withdrawals)).toEqual(intended(payouts));
	},
);
