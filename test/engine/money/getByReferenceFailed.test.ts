/** References in doubt: payouts that look alike prove nothing, and a person decides. */
import { useBench } from '../support/harness';
import { getIds, getReference, INVOICES, referenced } from '../support/references';

const bench = useBench();
const [ONE = {}] = INVOICES;

describe('Get by Reference', () => {
	it('does not call it paid where the bank has refused it', async () => {
		const first = await bench.start(referenced(), [ONE]);
		bench.sandbox.setWithdrawalStatus(getIds(first)[0]!, 'FAILED');

		const shown = await getReference(bench, 'NF-1');

		expect(shown.withdrawal).toMatchObject({ status: 'FAILED' });
		expect(shown.status).not.toBe('paid');
	});
});
