import { payEach, TWO } from '../support/payouts';
import { useBench } from '../support/bench';

const bench = useBench();

describe('an answer that is lost after the payment', () => {
	it('pays once when the connection breaks', async () => {
		bench.sandbox.faults.add({ method: 'POST', kind: 'dropAfter', times: 2 });

		const { json, error } = await bench.run(payEach(), TWO);

		expect(error).toBeUndefined();
		expect(json.map(({ netAmount }) => netAmount)).toEqual([10.01, 20.02]);
		expect(bench.paid).toEqual([1001, 2002]);
		expect(bench.requests('POST')).toHaveLength(4);
		expect(bench.keys).toHaveLength(2);
	});
});
