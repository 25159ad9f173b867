import { CNPJ, freshKey, HOUR_MS, useBench, withdrawalBody } from './support';

const bench = useBench();

const pay = (idempotencyKey: string, body: unknown = withdrawalBody()) =>
	bench.post('/v1/withdrawals', body, { idempotencyKey, key: bench.sandbox.keys.live });
const effects = () => bench.sandbox.books.withdrawals.length;

test('the same request gets the same bytes and has one effect', async () => {
	const key = freshKey();
	const first = await pay(key);
	bench.clock.advance(6_000);
	const again = await pay(key);
	expect([first.status, again.status]).toEqual([201, 201]);
	expect(again.bytes.equals(first.bytes)).toBe(true);
	expect(effects()).toBe(1);
	expect(bench.sandbox.account.balanceCents).toBe(100_000_000 - 10_150);
});

test('other spellings of the same JSON are the same payload', async () => {
	const key = freshKey();
	const destination = '{"pixKey":"52998224725","recipientDocument":"52998224725"}';
	const turned = '{ "recipientDocument":"52998224725", "pixKey":"52998224725"}';
	await pay(key, `{"amount":100,"destination":${destination}}`);
	expect((await pay(key, `{ "destination": ${turned}, "amount": 100.00 }`)).status).toBe(201);
	expect(effects()).toBe(1);
});

test('a different payload under the same key moves nothing, even one that is invalid', async () => {
	const key = freshKey();
	await pay(key);
	for (const body of [{ ...withdrawalBody(), description: 'x' }, { amount: -1 }]) {
		expect((await pay(key, body)).code).toBe('IDEMPOTENCY_PAYLOAD_MISMATCH');
	}
	expect(effects()).toBe(1);
});

test('the key is free again 24 hours after its first use, not earlier', async () => {
	const key = freshKey();
	await pay(key);
	bench.clock.advance(24 * HOUR_MS - 1);
	await pay(key);
	expect(effects()).toBe(1);
	bench.clock.advance(1);
	await pay(key);
	expect(effects()).toBe(2);
});

test('environments and endpoints have separate keys; two payments to refund do not', async () => {
	const idempotencyKey = freshKey();
	const { seed, books } = bench.sandbox;
	const post = (path: string, body: unknown) => bench.post(path, body, { idempotencyKey });
	const [one, two] = [1, 2].map(() => seed.payment({ status: 'PAID' }).id);
	await pay(idempotencyKey);
	expect((await post('/v1/withdrawals', withdrawalBody())).status).toBe(201);
	expect((await post('/v1/products', { name: 'A', amount: 1 })).status).toBe(201);
	expect((await post(`/v1/payments/${one}/refund`, {})).status).toBe(201);
	expect((await post(`/v1/payments/${two}/refund`, {})).code).toBe('IDEMPOTENCY_PAYLOAD_MISMATCH');
	const environments = books.withdrawals.map(({ environment }) => environment);
	expect(environments).toEqual(['PRODUCTION', 'SANDBOX']);
});

test('an error that is not stored frees the key for any payload', async () => {
	const key = freshKey();
	bench.sandbox.account.balanceCents = 0;
	expect((await pay(key)).code).toBe('INSUFFICIENT_BALANCE');
	bench.sandbox.account.balanceCents = 1_000_000;
	expect((await pay(key, { amount: 20, destination: { pixKey: CNPJ } })).status).toBe(201);
});

test('WITHDRAWAL_PROVIDER_UNAVAILABLE stays under its key and succeeds under a new one', async () => {
	const key = freshKey();
	bench.sandbox.account.withdrawalProviderUnavailable = true;
	const refused = await pay(key);
	bench.sandbox.account.withdrawalProviderUnavailable = false;
	const again = await pay(key);
	expect(again.status).toBe(503);
	expect(again.bytes.equals(refused.bytes)).toBe(true);
	expect((await pay(freshKey())).status).toBe(201);
	expect(effects()).toBe(1);
});

test('many requests at once with one key have one effect', async () => {
	const key = freshKey();
	const answers = await Promise.all(Array.from({ length: 20 }, () => pay(key)));
	expect(answers.every(({ status }) => status === 201 || status === 409)).toBe(true);
	expect(effects()).toBe(1);
});

test('100 characters are a key, 101 are not, none is required', async () => {
	expect((await pay('k'.repeat(100))).status).toBe(201);
	const long = await pay('k'.repeat(101));
	expect([long.status, long.code]).toEqual([400, 'VALIDATION_ERROR']);
	const body = { name: 'A', amount: 1 };
	const none = await bench.send({ method: 'POST', path: '/v1/products', body });
	expect([none.status, none.code]).toEqual([400, 'IDEMPOTENCY_KEY_REQUIRED']);
});
