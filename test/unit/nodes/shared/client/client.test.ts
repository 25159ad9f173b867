import type { IDataObject, IHttpRequestOptions } from 'n8n-workflow';
import { KeyOnlyRequest } from '../../../../../nodes/BrlPayments/orders/keyOnly';
import { ApiClient, type ApiCall } from '../../../../../nodes/shared/client/client';
import { ApiFailure, type Failure } from '../../../../../nodes/shared/failures/failure';
import type { KeyedRequest } from '../../../../../nodes/shared/client/keyed';
import { readRecord } from '../../../../../nodes/shared/transport/schemas';
import { answer, htmlPage, networkError, refusal } from '../../../support/answers';
import { credentialWith } from '../../../support/credential';
import {
	fakeNodeContext,
	type NodeContextOptions,
	type Respond,
} from '../../../support/nodeContext';
import { VirtualTime } from '../../../support/virtualTime';

const ID = '3fa85f64-5717-4562-b3fc-2c963f66afa6';
const WITHDRAWAL = { id: ID, status: 'PENDING' };
const paid = () => answer(201, { withdrawal: WITHDRAWAL });
const lost = (): never => {
	throw networkError('ECONNRESET');
};

const NOW = Date.parse('2026-11-21T12:00:00Z');

async function open(respond: Respond, options: NodeContextOptions = {}) {
	const fake = fakeNodeContext({ respond, ...options });
	return { ...fake, client: await ApiClient.open(fake.context, new VirtualTime(NOW)) };
}
/** Answers one request after the other, and the last one forever. */
const script =
	(...steps: Respond[]): Respond =>
	(request) =>
		(steps.length > 1 ? steps.shift()! : steps[0]!)(request);

/** A payout of ten reais; tests change one aspect. */
const payout = (changed: Partial<ApiCall> = {}): ApiCall => ({
	method: 'POST',
	path: '/v1/withdrawals',
	body: { amount: 10 },
	kind: 'keyed',
	order: new KeyOnlyRequest('n8n-key-0', undefined, false, false, 'content'),
	read: readRecord('withdrawal'),
	scope: 'withdrawals:write',
	timeoutMs: 30_000,
	...changed,
});

const READ: ApiCall = {
	method: 'GET',
	path: '/v1/withdrawals/w1',
	kind: 'read',
	read: readRecord('withdrawal'),
	scope: 'withdrawals:read',
	timeoutMs: 30_000,
};

async function getFailure(pending: Promise<unknown>): Promise<Failure> {
	const error = await pending.then(
		() => new Error('The call succeeded'),
		(reason: unknown) => reason,
	);
	if (error instanceof ApiFailure) return error.failure;
	throw error;
}

test('a run sends every request with the credential that it began with, which is read once', async () => {
	const fake = fakeNodeContext({ respond: script(lost, paid) });
	const read = vi.spyOn(fake.context, 'getCredentials');
	const client = await ApiClient.open(fake.context, new VirtualTime(NOW));
	await client.request(payout());

	expect(read).toHaveBeenCalledTimes(1);
	expect(fake.credentialsSent).toEqual([credentialWith(), credentialWith()]);
});

test('where n8n cannot read the credential, it is not known what earlier runs have paid', async () => {
	const { context } = fakeNodeContext({ respond: paid });
	const credentials = { brlPaymentsApi: { id: '1', name: 'BRL Payments' } };
	vi.spyOn(context, 'getNode').mockReturnValue({ ...context.getNode(), credentials });
	const error = new Error('the database system is not yet accepting connections');
	vi.spyOn(context, 'getCredentials').mockRejectedValue(error);

	await expect(ApiClient.open(context)).rejects.toMatchObject({
		message: `n8n could not read the credential: ${error.message}`,
		failure: { effect: 'unknown' },
	});
});

test('a read asks caches for nothing, and has no key', async () => {
	const { client, requests } = await open(paid);
	await client.request(READ);

	expect(requests[0]?.body).toBeUndefined();
	expect(requests[0]?.headers).toEqual({
		...{ Accept: 'application/json, */*;q=0.5', 'Cache-Control': 'no-cache' },
	});
});

/** A key whose attempts others decide about. */
const keyed = (changed: Partial<KeyedRequest> = {}): KeyedRequest => ({
	...{ key: 'n8n-key-1', isUnclear: false, hasOwnKey: false, hasNextKey: false },
	...{ firstUsedAt: undefined, retrySafeUntil: undefined, reference: undefined, again: undefined },
	beforeAttempt: vi.fn(),
	recordSuccess: vi.fn(),
	recordOutcome: vi.fn(),
	useNextKey: vi.fn(),
	recordUsedUp: vi.fn(),
	...changed,
});

test.each<[string, Respond, object]>([
	['answered', paid, { kind: 'success', body: WITHDRAWAL }],
	['refused', () => refusal(503, 'INTERNAL_ERROR'), { kind: 'refused', status: 503 }],
	['lost', lost, { kind: 'unclear', cause: 'connectionLost' }],
])('an attempt that is %s is sent once, and nothing is recorded', async (_, respond, outcome) => {
	const world = await open(respond);
	const order = keyed();

	expect(await world.client.attempt(payout({ order }))).toMatchObject(outcome);
	expect(world.requests).toHaveLength(1);
	expect(order.beforeAttempt).toHaveBeenCalledWith(NOW);
	expect(order.recordOutcome).not.toHaveBeenCalled();
	expect(order.recordSuccess).not.toHaveBeenCalled();
});

const unavailable = () => refusal(502, 'PROVIDER_TEMPORARILY_UNAVAILABLE');
const getKeys = (requests: IHttpRequestOptions[]) =>
	requests.map(({ headers }) => (headers as IDataObject)['X-Idempotency-Key']);

test.each<[string, Respond]>([
	['another response', () => refusal(500, 'INTERNAL_ERROR')],
	['a lost one', lost],
])('a boleto keeps its key where %s came between two 502 responses', async (_, between) => {
	const { client, requests } = await open(script(unavailable, between, unavailable, paid));

	await client.request(payout({ kind: 'boletoCreation' }));

	expect([requests.length, new Set(getKeys(requests)).size]).toEqual([4, 1]);
});

test('the keys of a boleto are bounded', async () => {
	const { client, requests } = await open(unavailable);

	await getFailure(client.request(payout({ kind: 'boletoCreation' })));

	expect([requests.length, new Set(getKeys(requests)).size]).toEqual([10, 5]);
});

test.each<[string, Respond]>([
	['a lost response', lost],
	['the page of a gateway', () => htmlPage(502)],
])('five minutes under a limit begin again after %s', async (_, other) => {
	const limited = () => refusal(429, 'RATE_LIMIT_EXCEEDED', { 'Retry-After': '200' });
	const world = await open(script(limited, other, limited));

	await getFailure(world.client.request(payout()));

	expect(world.requests).toHaveLength(4);
});

describe('a key whose attempts others decide about', () => {
	test('is not sent again where they no longer agree, after a lost response that they know of', async () => {
		const world = await open(lost);
		let attempts = 0;
		const order = keyed({
			async beforeAttempt() {
				attempts += 1;
				await Promise.resolve();
				if (attempts > 1) throw new Error('Overtaken');
			},
		});

		await expect(world.client.request(payout({ order }))).rejects.toThrow('Overtaken');
		expect(world.requests).toHaveLength(1);
		expect(order.recordOutcome).toHaveBeenCalledWith(
			expect.objectContaining({ kind: 'unclear', cause: 'connectionLost' }),
			'unknown',
			NOW,
		);
	});

	test.each([
		['WITHDRAWAL_PROVIDER_UNAVAILABLE', 'keyed', false, 1],
		['WITHDRAWAL_PROVIDER_UNAVAILABLE', 'keyed', true, 0],
		['PROVIDER_TEMPORARILY_UNAVAILABLE', 'boletoCreation', true, 1],
	] as const)(
		'%s of a request %s (unclear: %o) is called kept %i times, and no other key is used',
		async (code, kind, isUnclear, times) => {
			const world = await open(() => refusal(503, code));
			const order = keyed({ isUnclear });

			await getFailure(world.client.request(payout({ order, kind })));

			expect(order.recordUsedUp).toHaveBeenCalledTimes(times);
			expect(order.useNextKey).not.toHaveBeenCalled();
		},
	);
});

test('an execution that is stopped while it waits at the gate has had no effect', async () => {
	const stop = new AbortController();
	const limited = () => {
		setImmediate(() => stop.abort());
		return refusal(429, 'RATE_LIMIT_EXCEEDED', { 'Retry-After': '60' });
	};
	const world = await open(limited, { abortSignal: stop.signal });

	const failure = await getFailure(world.client.request(payout()));

	expect(world.requests).toHaveLength(1);
	expect(failure).toMatchObject({ code: 'CANCELLED', effect: 'none' });
	expect(failure.description).toContain('Nothing was sent.');
});
