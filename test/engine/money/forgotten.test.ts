/**
 * Retries after n8n was killed: nothing of the first attempt is remembered. Payouts look alike, and other
 * tools pay the same: effects are told apart by their descriptions.
 */
import type { IDataObject, INodeParameters } from 'n8n-workflow';
import type { Execution } from '../support/execution';
import type { RunSettings } from '../support/harness';
import { DOUBTS, FINE, useMoney } from '../support/money';
import { payEach } from '../support/payouts';
import { CONTINUE, HOUR, MINUTE, payReferenced } from '../support/references';
import { CPF, EMAIL } from '../support/values';
import { edit, type Parameters } from '../support/workflow';

const bench = useMoney();
const row = (invoice: string, amount: number, pixKey = CPF): IDataObject => ({
	...{ invoice, amount, pixKey },
});
const payNamed = payEach({}, { description: '={{ $json.invoice }}' });
const begun = () => {
	bench.clock.advance(1);
	return { ...CONTINUE, establishedAt: bench.clock.now() };
};
const namesPaid = () => bench.sandbox.books.withdrawals.map(({ description }) => description);
const payElsewhere = async (invoice: string, amount: number) => {
	const { codes } = await bench.run(payNamed, [row(invoice, amount)], begun());
	expect(codes).toEqual([undefined]);
};
/** Runs, and n8n is killed before it saves anything of that. */
const kill = async (rows: IDataObject[], lost: RunSettings['lost'] = {}) => {
	const killed = await bench.run(payNamed, rows, { ...begun(), lost });
	bench.clock.advance(MINUTE);
	return killed;
};
/** Only the first of the rows is in doubt: this may be its payout. */
const expectFirstDoubted = ({ codes, errors }: Execution, name: string) => {
	expect(codes).toEqual(['PAYOUT_IN_DOUBT', undefined]);
	expect(errors[0]).toMatchObject({ effect: 'unknown', withdrawalIds: [bench.idOf(name)] });
};

describe('references that the table does not know', () => {
	const ROWS = [row('NF-1', 50), row('NF-2', 60, EMAIL)];
	/** n8n is killed before the table knows of the references. Nothing is paid, if nothing else is said. */
	const killEarly = async (lost: RunSettings['lost'] = 'dropBefore', options: Parameters = {}) => {
		const killed = await kill(ROWS, lost);
		edit(killed, payReferenced(options) as INodeParameters);
		return killed;
	};

	it.each<[string, string[], () => unknown, () => unknown]>([
		['the list shows nothing like them', [], () => undefined, () => undefined],
		[
			'the same was paid before the execution began',
			['other tool'],
			async () => {
				await payElsewhere('other tool', 50);
				bench.clock.advance(HOUR);
			},
			() => undefined,
		],
		[
			'the table knows whose the same payouts are',
			['NF-7', 'NF-8'],
			() => undefined,
			() => bench.run(payReferenced(), [row('NF-7', 50), row('NF-8', 60, EMAIL)], begun()),
		],
	])('are paid where %s', async (_why, others, before, since) => {
		await before();
		const killed = await killEarly();
		await since();

		expect((await bench.retryAfterKill(killed)).codes).toEqual(FINE);
		expect(namesPaid()).toEqual([...others, 'NF-1', 'NF-2']);
	});

	it('are paid where a person has looked, and says so', async () => {
		const killed = await killEarly('dropBefore', { allowRetryAfter24Hours: true });
		await payElsewhere('other tool', 50);

		expect((await bench.retryAfterKill(killed)).codes).toEqual(FINE);
		expect(namesPaid()).toEqual(['other tool', 'NF-1', 'NF-2']);
	});

	it('are in doubt where the first attempt may have paid without them, and the others are paid', async () => {
		const killed = await killEarly({ '"NF-2"': 'dropBefore' });
		expectFirstDoubted(await bench.retryAfterKill(killed), 'NF-1');
		expect(namesPaid()).toEqual(['NF-1', 'NF-2']);
	});

	it('are in doubt where another tool has paid the same since: nothing tells the two apart', async () => {
		const killed = await killEarly();
		await payElsewhere('other tool', 50);
		expectFirstDoubted(await bench.retryAfterKill(killed), 'other tool');
		expect(namesPaid()).toEqual(['other tool', 'NF-2']);
	});

	it('are in doubt where the list cannot be read', async () => {
		const killed = await killEarly();
		bench.sandbox.faults.add({ method: 'GET', kind: 'html', status: 404, times: Infinity });
		expect((await bench.retryAfterKill(killed)).codes).toEqual(DOUBTS);
		expect(namesPaid()).toEqual([]);
	});
});

describe('another amount that was paid to the PIX key of a row', () => {
	it('is that of another row, as long as rows ask for it: each shows its own withdrawal', async () => {
		const killed = await kill([row('A', 50), row('B', 60), row('C', 60)]);
		const { ids } = await bench.retryAfterKill(killed);
		expect(ids).toEqual(['A', 'B', 'C'].map((name) => bench.idOf(name)));
		expect(namesPaid()).toEqual(['A', 'B', 'C']);
	});

	it('beyond what the rows ask for stops the row that was changed: it may be its earlier self', async () => {
		const killed = await kill([row('A', 50), row('B', 50), row('C', 50, EMAIL)]);
		killed.items[1]!.json = row('B', 61);

		const retried = await bench.retryAfterKill(killed);

		expect(retried.codes).toEqual([undefined, 'PAYOUT_IN_DOUBT', undefined]);
		const [candidate] = retried.errors[1]?.withdrawalIds ?? [];
		expect([bench.idOf('A'), bench.idOf('B')]).toContain(candidate);
		expect(namesPaid()).toEqual(['A', 'B', 'C']);
	});

	it('by another tool stops the rows to that PIX key: nothing tells it from an earlier self', async () => {
		const killed = await kill([row('A', 50), row('B', 50, EMAIL)], 'dropBefore');
		await payElsewhere('other tool', 70);
		expectFirstDoubted(await bench.retryAfterKill(killed), 'other tool');
		expect(namesPaid()).toEqual(['other tool', 'B']);
	});

	it('before the execution began, or refused by the bank, stops nobody', async () => {
		await payElsewhere('last month', 70);
		bench.clock.advance(HOUR);
		const killed = await kill([row('A', 50), row('B', 50)], 'dropBefore');
		bench.sandbox.seed.withdrawal({ pixKey: CPF, amountCents: 8000, status: 'FAILED' });

		expect((await bench.retryAfterKill(killed)).codes).toEqual(FINE);
		expect(namesPaid()).toEqual(['last month', 'A', 'B']);
	});
});
