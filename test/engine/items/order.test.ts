import { useBench } from '../support/harness';
import { payEach } from '../support/payouts';
import { CPF } from '../support/values';

const bench = useBench();
const payouts = (count: number) =>
	Array.from({ length: count }, (_, n) => ({ amount: 10 + n, pixKey: CPF }));

describe('items side by side', () => {
	it('keep the order of the input, however long each takes', async () => {
		// The later the item, the earlier its response.
		const items = payouts(5);
		items.forEach(({ amount }, n) => {
			bench.sandbox.faults.add({
				kind: 'delay',
				ms: 1_000 * (items.length - n),
				when: ({ rawBody }) => rawBody.includes(`"amount":${amount},`),
			});
		});

		const running = bench.run(payEach({ maxConcurrency: 5 }), items);
		await bench.until(() => bench.requests().length === 5);
		for (let answers = 1; answers <= 5; answers += 1) {
			bench.clock.advance(1_000);
			await bench.until(() => bench.sandbox.books.withdrawals.length === answers);
		}
		const run = await running;

		const processed = bench.sandbox.books.withdrawals.map(({ amountCents }) => amountCents);
		expect(processed).toEqual([1400, 1300, 1200, 1100, 1000]);
		expect(run.json.map(({ netAmount }) => netAmount)).toEqual([10, 11, 12, 13, 14]);
		expect(run.sources).toEqual([0, 1, 2, 3, 4]);
	});

	it.each([
		['1', { maxConcurrency: 1 }, Array<number>(40).fill(1)],
		['5', { maxConcurrency: 5 }, Array<number>(8).fill(5)],
		['its default', {}, Array<number>(4).fill(10)],
	])('are as many as Max Concurrency allows: %s', async (_name, options, rounds) => {
		// No response comes before the clock moves, so what has arrived until then is all there is.
		bench.sandbox.faults.add({ kind: 'delay', ms: 1_000, times: Infinity });
		const count = 40;

		const running = bench.run(payEach(options), payouts(count));
		// Those whose response waits for the clock: one that has just arrived would miss its move.
		const open = () =>
			bench.requests().filter(({ status, fault }) => status === undefined && fault === 'delay')
				.length;
		const seen: number[] = [];
		for (const most of rounds) {
			await bench.until(() => open() >= most);
			// Long enough for one too many to show itself.
			for (let turn = 0; turn < 20; turn += 1) await new Promise(setImmediate);
			seen.push(open());
			bench.clock.advance(1_000);
			await bench.answered();
		}
		await running;

		expect(seen).toEqual(rounds);
		expect(bench.paid).toHaveLength(count);
	});
});
