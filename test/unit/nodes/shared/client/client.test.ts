import type { IDataObject, IHttpRequestOptions } from 'n8n-workflow';
import { ApiClient, type ApiCall } from '../../../../../nodes/shared/client/client';
import { ApiFailure, type Failure } from '../../../../../nodes/shared/failures/failure';
import { InputError } from '../../../../../nodes/shared/validation/inputError';
import { DAY_MS, KEY_LIFE_MS, keyOfGeneration } from '../../../../../nodes/shared/orders/key';
import type { KeyedOrder, Order } from '../../../../../nodes/shared/orders/order';
import { OrderBook } from '../../../../../nodes/shared/orders/orderBook';
import { parseReference } from '../../../../../nodes/shared/orders/reference';
import { readRecord } from '../../../../../nodes/shared/transport/schemas';
import { AdaptiveLimiter } from '../../../../../nodes/shared/concurrency/adaptiveLimiter';
import { answer, htmlPage, networkError, refusal } from '../../../support/answers';
import { credentialWith, SECRET, TEST_KEY } from '../../../support/credential';
import {
	fakeNodeContext,
	savedAndLoaded,
	type FakeNodeContext,
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

/** Each test has its own time, since the process remembers which execution uses which key. */
let moment = Date.parse('2026-11-21T12:00:00Z');
beforeEach(() => {
	moment += 1;
});

interface World extends FakeNodeContext {
	client: ApiClient;
	book: OrderBook;
	time: VirtualTime;
}

async function open(respond: Respond, options: NodeContextOptions = {}): Promise<World> {
	const time = new VirtualTime(moment);
	const fake = fakeNodeContext({ respond, establishedAt: moment, ...options });
	return {
		...fake,
		time,
		client: await ApiClient.open(fake.context, undefined, time),
		book: new OrderBook(fake.context),
	};
}

/** Answers one request after the other, and the last one forever. */
const script = (...steps: Respond[]): Respond => {
	let next = 0;
	return (request) => {
		const step = steps[Math.min(next, steps.length - 1)];
		next += 1;
		if (!step) throw new Error('The script is empty');
		return step(request);
	};
};

/** What is asked for with each item: tests change one aspect. */
const REQUEST = {
	operation: 'withdrawal.create',
	identity: { amount: 1000, pixKey: 'maria@customer.example' },
	ownKey: '',
	keyId: 'key-id-1',
	keyPrefix: 'brlpay_test_examplekid',
	isLive: false,
	allowLate: false,
};

const getOrder = ({ book }: Pick<World, 'book'>, itemIndex = 0): Order =>
	book.assign(itemIndex, REQUEST);

/** A payout of ten reais; tests change one aspect. */
const payout = (world: Pick<World, 'book'>, changed: Partial<ApiCall> = {}): ApiCall => ({
	method: 'POST',
	path: '/v1/withdrawals',
	body: { amount: 10 },
	kind: 'keyed',
	order: getOrder(world),
	read: readRecord('withdrawal'),
	scope: 'withdrawals:write',
	timeoutMs: 30_000,
	...changed,
});

const look: ApiCall = {
	method: 'GET',
	path: '/v1/withdrawals/w1',
	query: { page: 1 },
	kind: 'read',
	read: readRecord('withdrawal'),
	scope: 'withdrawals:read',
	timeoutMs: 30_000,
};

const getKey = ({ headers }: IHttpRequestOptions) => (headers as IDataObject)['X-Idempotency-Key'];
const getKeys = ({ requests }: World) => requests.map(getKey);

async function getFailure(pending: Promise<unknown>): Promise<Failure> {
	const error = await pending.then(
		() => new Error('The call succeeded'),
		(reason: unknown) => reason,
	);
	if (error instanceof ApiFailure) return error.failure;
	throw error;
}

describe('a request', () => {
	test('of a write has the key, the body as text and its content type', async () => {
		const world = await open(paid);
		const call = payout(world);

		expect(await world.client.call(call)).toEqual(WITHDRAWAL);

		expect(world.requests).toHaveLength(1);
		expect(world.requests[0]).toMatchObject({
			method: 'POST',
			url: 'https://api.example.com/v1/withdrawals',
			body: '{"amount":10}',
			timeout: 30_000,
			headers: {
				'Content-Type': 'application/json',
				'X-Idempotency-Key': call.order?.key,
			},
		});
		expect(getKeys(world)[0]).toMatch(/^n8n-/);
	});

	test('is sent with the credential that the run began with, which is read once', async () => {
		const fake = fakeNodeContext({ respond: script(lost, paid), establishedAt: moment });
		const read = vi.spyOn(fake.context, 'getCredentials');
		const client = await ApiClient.open(fake.context, undefined, new VirtualTime(moment));
		await client.call(payout({ book: new OrderBook(fake.context) }));

		expect(read).toHaveBeenCalledTimes(1);
		expect(fake.credentialsSent).toEqual([credentialWith(), credentialWith()]);
	});

	test('of a read has neither key nor body', async () => {
		const world = await open(() => answer(200, { withdrawal: WITHDRAWAL }));

		await world.client.call(look);

		expect(world.requests[0]).toMatchObject({ method: 'GET', qs: { page: 1 } });
		expect(world.requests[0]?.body).toBeUndefined();
		expect(Object.keys(world.requests[0]?.headers ?? {})).toEqual(['Accept', 'Cache-Control']);
	});

	test('with a file sends its bytes as they are', async () => {
		const world = await open(paid);
		const bytes = Buffer.from([0x89, 0x50, 0x00]);

		await world.client.call({
			...look,
			method: 'POST',
			kind: 'repeatable',
			body: { bytes, contentType: 'multipart/form-data; boundary=x' },
		});

		expect(world.requests[0]?.body).toBe(bytes);
		expect(world.requests[0]?.headers).toMatchObject({
			'Content-Type': 'multipart/form-data; boundary=x',
		});
	});
});

describe('what a call returns', () => {
	test.each([
		['says when the service responded, by its own clock', 'Sat, 21 Nov 2026 12:00:30 GMT', 30_000],
		['says no time where the service says none', undefined, undefined],
		['says no time where the service says no date', 'soon', undefined],
	])('%s', async (_, date, afterNoon) => {
		const world = await open(() => answer(201, { withdrawal: WITHDRAWAL }, { date }));

		expect(await world.client.request(payout(world))).toEqual({
			body: WITHDRAWAL,
			date: afterNoon && Date.parse('2026-11-21T12:00:00Z') + afterNoon,
		});
	});
});

describe('after a lost response', () => {
	test.each<[string, Respond]>([
		['connection lost', lost],
		['timeout', () => Promise.reject(networkError('ECONNABORTED'))],
		['a gateway page', () => htmlPage(502)],
		['a gateway page with status 200', () => htmlPage(200)],
		['500', () => refusal(500, 'INTERNAL_ERROR')],
		['still processing', () => refusal(409, 'IDEMPOTENCY_CONFLICT')],
		['abandoned', () => refusal(503, 'WITHDRAWAL_TEMPORARILY_UNAVAILABLE')],
		['not recorded', () => refusal(503, 'WITHDRAWAL_PROCESSING_FAILED')],
		['rate limit', () => refusal(429, 'RATE_LIMIT_EXCEEDED')],
	])('(%s) the same request goes out again under the same key', async (_, trouble) => {
		const world = await open(script(trouble, trouble, paid));

		expect(await world.client.call(payout(world))).toEqual(WITHDRAWAL);

		expect(world.requests).toHaveLength(3);
		expect(new Set(getKeys(world)).size).toBe(1);
		expect(new Set(world.requests.map(({ body }) => body)).size).toBe(1);
		expect(world.time.waits).toHaveLength(2);
	});

	test('attempts are bounded, and the failure says that the outcome is unknown', async () => {
		const world = await open(lost);
		const call = payout(world);

		const failure = await getFailure(world.client.call(call));

		expect(world.requests).toHaveLength(5);
		expect(new Set(getKeys(world)).size).toBe(1);
		expect(failure).toMatchObject({
			code: 'CONNECTION_LOST',
			effect: 'unknown',
			retryable: true,
			idempotencyKey: call.order?.key,
		});
		expect(failure.description).toContain(new Date(moment + KEY_LIFE_MS).toISOString());
	});

	test('is waited for while the service still works on it, under the same key', async () => {
		const busy: Respond[] = Array.from({ length: 11 }, () => () => {
			return refusal(409, 'IDEMPOTENCY_CONFLICT');
		});
		const world = await open(script(lost, lost, ...busy, lost, lost, paid));

		expect(await world.client.call(payout(world))).toEqual(WITHDRAWAL);

		expect(new Set(getKeys(world)).size).toBe(1);
		expect(world.time.now() - moment).toBeGreaterThan(90_000);
	});

	test('is not waited for forever while the service still works on it', async () => {
		const world = await open(() => refusal(409, 'IDEMPOTENCY_CONFLICT'));

		const failure = await getFailure(world.client.call(payout(world)));

		expect(failure).toMatchObject({ code: 'IDEMPOTENCY_CONFLICT', effect: 'unknown' });
		expect(world.requests).toHaveLength(14);
		expect((world.time.now() - moment) / 60_000).toBeCloseTo(2, 0);
	});

	test.each([
		['that never reached it', 401, 'INVALID_API_KEY'],
		['of the order itself', 400, 'INSUFFICIENT_BALANCE'],
	])('a refusal %s leaves it unknown', async (_, status, code) => {
		const world = await open(script(lost, () => refusal(status, code)));

		expect(await getFailure(world.client.call(payout(world)))).toMatchObject({
			code,
			effect: 'unknown',
		});
	});

	test('a refusal that asks for a new key gets none, and leaves it unknown', async () => {
		const unavailable = () => refusal(503, 'WITHDRAWAL_PROVIDER_UNAVAILABLE');
		const world = await open(script(lost, unavailable));

		expect(await getFailure(world.client.call(payout(world)))).toMatchObject({
			code: 'WITHDRAWAL_PROVIDER_UNAVAILABLE',
			effect: 'unknown',
		});
		expect(new Set(getKeys(world)).size).toBe(1);
	});
});

test('what took effect is remembered before anything else is done with the response', async () => {
	const fake = fakeNodeContext({ respond: paid, establishedAt: moment });
	const time = new VirtualTime(moment);
	const pace = new AdaptiveLimiter(1, time);
	vi.spyOn(pace, 'note').mockImplementation(() => {
		throw new TypeError('A fault of the pace');
	});
	const client = await ApiClient.open(fake.context, pace, time);
	const book = new OrderBook(fake.context);

	await expect(client.call(payout({ book }))).rejects.toThrow('A fault of the pace');

	expect(getOrder({ book })).toMatchObject({ isDone: true, doneId: ID });
});

test('what took effect is not sent under another key, whatever the response to its repetition', async () => {
	const first = await open(paid);
	await first.client.call(payout(first));
	const again = await open(() => refusal(503, 'WITHDRAWAL_PROVIDER_UNAVAILABLE'), {
		nodeContext: savedAndLoaded(first.nodeContext),
	});

	await getFailure(again.client.call(payout(again)));

	expect(new Set(getKeys(again))).toEqual(new Set(getKeys(first)));
	expect(getOrder(again).isDone).toBe(true);
});

describe('a refusal', () => {
	test('that needs someone to act is not tried again', async () => {
		const world = await open(() => refusal(400, 'INVALID_PIX_KEY'));

		expect(await getFailure(world.client.call(payout(world)))).toMatchObject({
			code: 'INVALID_PIX_KEY',
			httpStatus: 400,
			effect: 'none',
			retryable: false,
		});
		expect(world.requests).toHaveLength(1);
		expect(world.time.waits).toEqual([]);
	});

	test('that repeats the API key does not bring it to the user', async () => {
		const world = await open(() =>
			answer(400, {
				error: {
					code: 'VALIDATION_ERROR',
					message: `Bearer ${TEST_KEY}`,
					details: { secret: SECRET },
				},
			}),
		);

		const failure = await getFailure(world.client.call(payout(world)));

		expect(JSON.stringify(failure)).not.toContain(SECRET);
		expect(failure.description).toContain('[API key]');
	});
});

describe('after WITHDRAWAL_PROVIDER_UNAVAILABLE', () => {
	const unavailable = () => refusal(503, 'WITHDRAWAL_PROVIDER_UNAVAILABLE');

	test('the next request has the same key: something else may have made the response up', async () => {
		const world = await open(script(unavailable, paid));

		await world.client.call(payout(world));

		expect(getKeys(world)).toHaveLength(2);
		expect(new Set(getKeys(world)).size).toBe(1);
	});

	test('once it was repeated, this run sends nothing more, and says that nothing was paid', async () => {
		const world = await open(script(unavailable, unavailable, paid));

		const failure = await getFailure(world.client.call(payout(world)));

		expect(getKeys(world)).toHaveLength(2);
		expect(new Set(getKeys(world)).size).toBe(1);
		expect(failure).toMatchObject({
			code: 'WITHDRAWAL_PROVIDER_UNAVAILABLE',
			effect: 'none',
			idempotencyKey: getKeys(world)[0],
		});
	});

	/** What a run sends that begins after one that was refused for good. */
	const keysAfter = async (
		toOptions: (refused: World) => NodeContextOptions,
	): Promise<{ first: string; later: unknown[] }> => {
		const refused = await open(unavailable);
		await getFailure(refused.client.call(payout(refused)));
		const later = await open(paid, toOptions(refused));
		await later.client.call(payout(later));
		return { first: getKeys(refused)[0] as string, later: getKeys(later) };
	};
	const RETRY = { executionId: '999', mode: 'retry' } as const;

	test('the retry of the execution has the next key', async () => {
		const { first, later } = await keysAfter(({ nodeContext }) => ({
			nodeContext: savedAndLoaded(nodeContext),
			...RETRY,
		}));

		expect(later).toEqual([keyOfGeneration(first, 1)]);
	});
});

describe('after PROVIDER_TEMPORARILY_UNAVAILABLE', () => {
	const unavailable = () => refusal(502, 'PROVIDER_TEMPORARILY_UNAVAILABLE');

	test('a boleto is sent under another key once the service has repeated that response', async () => {
		const world = await open(script(unavailable, unavailable, paid));

		await world.client.call(payout(world, { kind: 'boletoCreation' }));

		const [first] = getKeys(world) as string[];
		expect(getKeys(world)).toEqual([first, first, keyOfGeneration(first ?? '', 1)]);
	});

	test.each<[string, Respond]>([
		['another response', () => refusal(500, 'INTERNAL_ERROR')],
		['a lost one', lost],
	])('a boleto keeps its key where %s came in between', async (_, between) => {
		const world = await open(script(unavailable, between, unavailable, paid));

		await world.client.call(payout(world, { kind: 'boletoCreation' }));

		expect(new Set(getKeys(world)).size).toBe(1);
	});

	test('the node context knows the new key of a boleto before the request goes out', async () => {
		const remembered: unknown[] = [];
		const world: World = await open((request) => {
			// What a retry would find if n8n were killed now.
			const saved = savedAndLoaded(world.nodeContext);
			const { context } = fakeNodeContext({ nodeContext: saved, establishedAt: moment });
			const { key } = getOrder({ book: new OrderBook(context) });
			remembered.push(key);
			expect(key).toBe(getKey(request));
			return world.requests.length < 5 ? unavailable() : paid();
		});

		await world.client.call(payout(world, { kind: 'boletoCreation' }));

		expect(remembered).toEqual(getKeys(world));
		expect(new Set(remembered).size).toBe(3);
	});

	test('the keys of a boleto are bounded', async () => {
		const world = await open(unavailable);

		const failure = await getFailure(world.client.call(payout(world, { kind: 'boletoCreation' })));

		expect(world.requests).toHaveLength(10);
		expect(new Set(getKeys(world)).size).toBe(5);
		expect(failure.code).toBe('PROVIDER_TEMPORARILY_UNAVAILABLE');
	});

	test('PIX and cards keep their key: nothing says that no charge was made', async () => {
		const world = await open(unavailable);

		const failure = await getFailure(world.client.call(payout(world)));

		expect(world.requests).toHaveLength(5);
		expect(new Set(getKeys(world)).size).toBe(1);
		expect(failure.effect).toBe('unknown');
	});
});

describe('a failure', () => {
	test('of an order with a reference names it', async () => {
		const world = await open(() => refusal(400, 'INVALID_PIX_KEY'));
		const order = world.book.assign(0, { ...REQUEST, reference: parseReference(' NF-1042 ') });

		const failure = await getFailure(world.client.call(payout(world, { order })));

		expect(failure.reference).toBe(' NF-1042 ');
	});

	test('says when the key was first sent, with which the item can come back', async () => {
		const world = await open(lost);

		const failure = await getFailure(world.client.call(payout(world)));

		expect(failure.firstSentAt).toBe(new Date(moment).toISOString());
		expect(failure.retrySafeUntil).toBe(new Date(moment + KEY_LIFE_MS).toISOString());
	});

	test("of the user's own key promises no time", async () => {
		const world = await open(lost);
		const order = world.book.assign(0, { ...REQUEST, ownKey: 'invoice-1042' });

		const failure = await getFailure(world.client.call(payout(world, { order })));

		expect(failure.idempotencyKey).toBe('invoice-1042');
		expect(failure).not.toHaveProperty('retrySafeUntil');
	});
});

describe('a 429 response', () => {
	test('closes the gate for all calls of the run until the time that the server names', async () => {
		const sentAt: number[] = [];
		const world: World = await open((request) => {
			sentAt.push(world.time.now() - moment);
			void request;
			return sentAt.length === 1
				? refusal(429, 'RATE_LIMIT_EXCEEDED', { 'Retry-After': '7' })
				: paid();
		});
		const first = world.client.call(payout(world));
		// The first response is there before the others begin.
		await Promise.resolve().then(() => new Promise((resolve) => setImmediate(resolve)));
		const others = [1, 2, 3].map(
			async (item) => await world.client.call(payout(world, { order: getOrder(world, item) })),
		);

		await Promise.all([first, ...others]);

		expect(sentAt[0]).toBe(0);
		expect(sentAt.slice(1)).toEqual([7_000, 7_000, 7_000, 7_000]);
	});

	test.each([
		['7', '20'],
		['20', '7'],
	])('is waited for as long as the latest time says: %s and %s seconds', async (...hints) => {
		const sentAt: number[] = [];
		const world: World = await open(() => {
			sentAt.push(world.time.now() - moment);
			const hint = hints.shift();
			return hint === undefined
				? paid()
				: refusal(429, 'RATE_LIMIT_EXCEEDED', { 'Retry-After': hint });
		});

		await Promise.all(
			[0, 1].map(
				async (item) => await world.client.call(payout(world, { order: getOrder(world, item) })),
			),
		);

		expect(sentAt).toEqual([0, 0, 20_000, 20_000]);
	});

	test('that asks for too long a wait fails at once and says until when', async () => {
		const world = await open(() => refusal(429, 'RATE_LIMIT_EXCEEDED', { 'Retry-After': '3600' }));

		const failure = await getFailure(world.client.call(payout(world)));

		expect(world.requests).toHaveLength(1);
		expect(failure).toMatchObject({ code: 'RATE_LIMIT_EXCEEDED', effect: 'none' });
		expect(failure.description).toContain(new Date(moment + 3_600_000).toISOString());
	});

	test('does not come forever', async () => {
		const world = await open(() => refusal(429, 'RATE_LIMIT_EXCEEDED', { 'Retry-After': '60' }));

		const failure = await getFailure(world.client.call(payout(world)));

		expect(world.requests).toHaveLength(6);
		expect(failure).toMatchObject({ effect: 'none', retryable: true });
		expect(failure.description).toContain(
			'The service accepted no request of this run for five minutes',
		);
	});

	test.each<[string, Respond]>([
		['a success', paid],
		['a refusal', () => refusal(400, 'INVALID_PIX_KEY')],
	])('starts its five minutes again with %s of another item', async (_, other) => {
		const limited = () => refusal(429, 'RATE_LIMIT_EXCEEDED', { 'Retry-After': '240' });
		const world = await open(script(limited, other, limited, limited, paid));
		const call = async (item: number) =>
			await world.client.call(payout(world, { order: getOrder(world, item) }));

		const first = call(0);
		await Promise.allSettled([call(1)]);
		await first;

		expect(world.time.waits).toEqual([240_000, 240_000, 240_000]);
	});

	test.each<[string, Respond]>([
		['a lost response', lost],
		['the page of a gateway', () => htmlPage(502)],
	])('continues after %s', async (_, other) => {
		const limited = () => refusal(429, 'RATE_LIMIT_EXCEEDED', { 'Retry-After': '200' });
		const world = await open(script(limited, other, limited));

		await getFailure(world.client.call(payout(world)));

		expect(world.requests).toHaveLength(4);
	});
});

describe('an order whose attempts others decide about', () => {
	const keyed = (beforeAttempt: () => Promise<void>): KeyedOrder => ({
		key: 'n8n-key-1',
		isUnclear: false,
		isDone: false,
		hasOwnKey: false,
		hasNextKey: true,
		firstUsedAt: undefined,
		retrySafeUntil: undefined,
		reference: undefined,
		beforeAttempt,
		recordSuccess: vi.fn(),
		recordOutcome: vi.fn(),
		useNextKey: vi.fn(),
		recordUsedUp: vi.fn(),
	});

	test('is sent only once they have agreed, at each attempt', async () => {
		const events: string[] = [];
		const world: World = await open(() => {
			events.push('sent');
			return world.requests.length === 1 ? lost() : paid();
		});
		const order = keyed(async () => {
			await world.time.wait(5_000);
			events.push('agreed');
		});

		await world.client.call(payout(world, { order }));

		expect(events).toEqual(['agreed', 'sent', 'agreed', 'sent']);
		expect(order.recordSuccess).toHaveBeenCalledTimes(1);
	});

	test('is not sent where they do not', async () => {
		const world = await open(paid);
		const order = keyed(async () => await Promise.reject(new Error('Overtaken')));

		await expect(world.client.call(payout(world, { order }))).rejects.toThrow('Overtaken');
		expect(world.requests).toEqual([]);
	});

	test('is not sent again where they no longer do, after a lost response that they were told of', async () => {
		const world = await open(lost);
		let agreements = 0;
		const order = keyed(async () => {
			agreements += 1;
			await Promise.resolve();
			if (agreements > 1) throw new Error('Overtaken');
		});

		await expect(world.client.call(payout(world, { order }))).rejects.toThrow('Overtaken');
		expect(world.requests).toHaveLength(1);
		expect(order.recordOutcome).toHaveBeenCalledWith(
			expect.objectContaining({ kind: 'unclear', cause: 'connectionLost' }),
			'unknown',
			moment,
		);
	});

	test('is told of a failure that the service keeps under the key, and gets no other key', async () => {
		const world = await open(() => refusal(503, 'WITHDRAWAL_PROVIDER_UNAVAILABLE'));
		const order = keyed(async () => await Promise.resolve());

		await getFailure(world.client.call(payout(world, { order })));

		expect(order.recordUsedUp).toHaveBeenCalledTimes(1);
		expect(order.useNextKey).not.toHaveBeenCalled();
	});
});

describe('when the execution is stopped', () => {
	test('nothing is sent any more, also not after a wait that it cuts short', async () => {
		const stop = new AbortController();
		const world: World = await open(
			() => {
				setImmediate(() => stop.abort());
				return lost();
			},
			{ abortSignal: stop.signal },
		);

		const failure = await getFailure(world.client.call(payout(world)));

		expect(world.requests).toHaveLength(1);
		expect(failure).toMatchObject({ code: 'CANCELLED', effect: 'unknown' });
	});

	test('while it waits at the gate, nothing took effect', async () => {
		const stop = new AbortController();
		const world: World = await open(
			() => {
				setImmediate(() => stop.abort());
				return refusal(429, 'RATE_LIMIT_EXCEEDED', { 'Retry-After': '60' });
			},
			{ abortSignal: stop.signal },
		);

		const failure = await getFailure(world.client.call(payout(world)));

		expect(world.requests).toHaveLength(1);
		expect(failure).toMatchObject({ code: 'CANCELLED', effect: 'none' });
		expect(failure.description).toContain('Nothing was sent.');
		expect(world.client.isCancelled).toBe(true);
	});
});

test('a key that grows too old while waiting is not sent again', async () => {
	const world: World = await open(() => {
		world.time.pass(DAY_MS);
		return lost();
	});

	const pending = world.client.call(payout(world));

	await expect(pending).rejects.toThrow(InputError);
	await expect(pending).rejects.toMatchObject({ effect: 'unknown' });
	expect(world.requests).toHaveLength(1);
});

describe('an impatient call', () => {
	const impatient: ApiCall = { ...look, isImpatient: true };

	test('waits for no limit', async () => {
		const world = await open(() => refusal(429, 'RATE_LIMIT_EXCEEDED'));
		expect(await getFailure(world.client.call(impatient))).toMatchObject({ httpStatus: 429 });
		expect(world.requests).toHaveLength(1);
	});

	test('is tried three times', async () => {
		const world = await open(lost);
		await getFailure(world.client.call(impatient));
		expect(world.requests).toHaveLength(3);
	});
});
