import { realRuntime } from '../../../nodes/shared/concurrency/runtime';
import { toBrasiliaTime } from '../../../nodes/shared/text/time';
import { usePayouts } from '../support/money';
import { payEach, TWO } from '../support/payouts';
import { CPF, HOUR } from '../support/values';

const bench = usePayouts();
const ONE_BY_ONE = { maxConcurrency: 1 };
const rows = (count: number) =>
	Array.from({ length: count }, (_, index) => ({ amount: 11 + index, pixKey: CPF }));

describe('a rate limit', () => {
	/** A request that contains a text is refused, with these headers. */
	const limit = (headers: Record<string, string>, times = 1, text = '') =>
		bench.strike(text, { kind: 'error', code: 'RATE_LIMIT_EXCEEDED', headers, times });
	const secondAfter = (now: number) => Math.ceil(now / 1_000) * 1_000 + 20_000;

	// How else it may say so: test/unit/nodes/shared/retry/backoff.test.ts.
	it('is waited for as Retry-After says, and not X-RateLimit-Reset', async () => {
		const now = bench.clock.now();
		limit({ 'Retry-After': new Date(secondAfter(now)).toUTCString(), 'X-RateLimit-Reset': '50' });

		bench.expectPaid([1001, 2002], await bench.payTwo({}, ONE_BY_ONE));

		expect(bench.waits).toEqual([secondAfter(now) - now]);
		expect(bench.keys).toHaveLength(2);
	});

	it('of the key delays the items and loses none', async () => {
		const apiKey = bench.sandbox.createKey({ environment: 'SANDBOX', rateLimitPerMinute: 2 });

		const run = await bench.run(payEach(), rows(7), { credential: { apiKey } });

		expect(run.json.map(({ netAmount }) => netAmount)).toEqual([11, 12, 13, 14, 15, 16, 17]);
		bench.expectPaid([1100, 1200, 1300, 1400, 1500, 1600, 1700], run);
		expect(bench.keys).toHaveLength(7);
		expect(bench.waits.some((ms) => ms > 10_000)).toBe(true);
	});

	it('holds back the other items of the run as well', async () => {
		limit({ 'Retry-After': '30' }, 1, '10.01');
		bench.strike('20.02', { kind: 'delay', ms: 1_000, times: 1 });
		// Item 0 has to wait, item 1 is still on its way; item 2 must not be sent before item 0.
		let open: () => void;
		const opened = new Promise<void>((resolve) => (open = resolve));
		const wait = vi.mocked(realRuntime.wait);
		wait.mockImplementationOnce(async () => {
			await bench.until(() => bench.posts === 2);
			bench.clock.advance(1_000);
			await opened;
		});
		wait.mockImplementationOnce(async (ms) => {
			expect(ms).toBe(29_000);
			expect(bench.posts).toBe(2);
			bench.clock.advance(ms);
			open();
		});

		const three = [...TWO, { amount: 30.03, pixKey: CPF }];
		bench.expectPaid([1001, 2002, 3003], await bench.run(payEach({ maxConcurrency: 2 }), three));

		expect(wait).toHaveBeenCalledTimes(2);
	});

	it('that lasts longer than five minutes fails the item and names the time', async () => {
		const until = new Date(secondAfter(bench.clock.now()) + HOUR);
		limit({ 'X-RateLimit-Reset': until.toUTCString() });

		const { error } = await bench.payTwo({}, ONE_BY_ONE);

		expect(bench.waits).toEqual([]);
		expect(error?.httpCode).toBe('429');
		expect(error?.description).toContain(
			`The server asks to wait until ${toBrasiliaTime(until.getTime(), 'up')}`,
		);
		expect(bench.paid).toEqual([]);
	});

	it('is waited for as long as other items get through, however often it says later', async () => {
		// Every fourth minute one item gets through.
		for (const { amount } of rows(5)) limit({ 'Retry-After': '6' }, 40, `"amount":${amount}`);

		const run = await bench.run(payEach(ONE_BY_ONE), rows(5));

		bench.expectPaid([1100, 1200, 1300, 1400, 1500], run);
		expect(bench.waits).toHaveLength(200);
	});
});
