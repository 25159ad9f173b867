/**
 * Retries after n8n was killed: nothing of the first attempt is remembered. Payouts look alike, and other
 * tools pay the same: effects are told apart by their descriptions.
 */
import type { IDataObject, INodeParameters } from 'n8n-workflow';
import type { Execution } from '../support/execution';
import { useBench, type RunSettings } from '../support/harness';
import { payEach } from '../support/payouts';
import { CONTINUE, HOUR, MINUTE, payReferenced } from '../support/references';
import { CPF, EMAIL } from '../support/values';
import { edit } from '../support/workflow';

const bench = useBench();
const row = (invoice: string, amount: number, pixKey = CPF): IDataObject => ({
	...{ invoice, amount, pixKey },
});
const payNamed = payEach({}, { description: '={{ $json.invoice }}' });
const begun = () => {
	bench.clock.advance(1);
	return { ...CONTINUE, establishedAt: bench.clock.now() };
};
const namesPaid = () => bench.sandbox.books.withdrawals.map(({ description }) => description);
const idOf = (name: string) =>
	bench.sandbox.books.withdrawals.find(({ description }) => description === name)?.id;
const payElsewhere = async (...rows: IDataObject[]) => {
	const { errors } = await bench.run(payNamed, rows, begun());
	expect(errors).toEqual(rows.map(() => undefined));
};
/** Runs, and n8n is killed before it saves anything of that. */
const kill = async (rows: IDataObject[], settings: RunSettings = {}) => {
	const killed = await bench.run(payNamed, rows, { ...begun(), ...settings });
	bench.clock.advance(MINUTE);
	return killed;
};
const editRows = ({ items }: Execution, rows: IDataObject[]) => {
	items.splice(0, items.length, ...rows.map((json) => ({ json })));
};

describe('references that the table does not know', () => {
	const ROWS = [row('NF-1', 50), row('NF-2', 60, EMAIL)];
	/** n8n is killed before the table knows of the references. Nothing is paid, if nothing else is said. */
	const killEarly = async (lost: RunSettings['lost'] = 'dropBefore') => {
		const killed = await kill(ROWS, { lost });
		edit(killed, payReferenced() as INodeParameters);
		return killed;
	};

	it('are paid where the list shows nothing like them', async () => {
		const retried = await bench.retryAfterKill(await killEarly());

		expect(retried.codes).toEqual([undefined, undefined]);
		expect(namesPaid()).toEqual(['NF-1', 'NF-2']);
	});

	it('are in doubt where the first attempt may have paid without them, and the others are paid', async () => {
		const killed = await killEarly({ '"NF-2"': 'dropBefore' });

		const retried = await bench.retryAfterKill(killed);

		expect(retried.codes).toEqual(['PAYOUT_IN_DOUBT', undefined]);
		expect(retried.errors[0]).toMatchObject({
			...{ effect: 'unknown', withdrawalIds: [idOf('NF-1')] },
		});
		expect(namesPaid()).toEqual(['NF-1', 'NF-2']);
	});

	it('are in doubt where another tool has paid the same since: nothing tells the two apart', async () => {
		const killed = await killEarly();
		await payElsewhere(row('other tool', 50));

		const retried = await bench.retryAfterKill(killed);

		expect(retried.codes).toEqual(['PAYOUT_IN_DOUBT', undefined]);
		expect(retried.errors[0]?.withdrawalIds).toEqual([idOf('other tool')]);
		expect(namesPaid()).toEqual(['other tool', 'NF-2']);
	});

	it('are paid where the same was paid before the execution began', async () => {
		await payElsewhere(row('other tool', 50));
		bench.clock.advance(HOUR);

		const retried = await bench.retryAfterKill(await killEarly());

		expect(retried.codes).toEqual([undefined, undefined]);
		expect(namesPaid()).toEqual(['other tool', 'NF-1', 'NF-2']);
	});
	it('are paid where the table knows whose the same payouts are', async () => {
		const killed = await killEarly();
		await bench.run(payReferenced(), [row('NF-7', 50), row('NF-8', 60, EMAIL)], begun());

		const retried = await bench.retryAfterKill(killed);

		expect(retried.codes).toEqual([undefined, undefined]);
		expect(namesPaid()).toEqual(['NF-7', 'NF-8', 'NF-1', 'NF-2']);
	});

	it('are paid where a person has looked, and says so', async () => {
		const killed = await killEarly();
		await payElsewhere(row('other tool', 50));
		edit(killed, payReferenced({ allowRetryAfter24Hours: true }) as INodeParameters);

		const retried = await bench.retryAfterKill(killed);

		expect(retried.codes).toEqual([undefined, undefined]);
		expect(namesPaid()).toEqual(['other tool', 'NF-1', 'NF-2']);
	});

	it('are in doubt where the list cannot be read', async () => {
		const killed = await killEarly();
		bench.sandbox.faults.add({ method: 'GET', kind: 'html', status: 404, times: Infinity });

		const retried = await bench.retryAfterKill(killed);

		expect(retried.codes).toEqual(['PAYOUT_IN_DOUBT', 'PAYOUT_IN_DOUBT']);
		expect(namesPaid()).toEqual([]);
	});
});

describe('another amount that was paid to the PIX key of a row', () => {
	it('is that of another row, as long as rows ask for it: each shows its own withdrawal', async () => {
		const rows = [row('A', 50), row('B', 60), row('C', 60)];
		const killed = await kill(rows);

		const retried = await bench.retryAfterKill(killed);

		expect(retried.ids).toEqual(['A', 'B', 'C'].map(idOf));
		expect(namesPaid()).toEqual(['A', 'B', 'C']);
	});

	it('beyond what the rows ask for stops the row that was changed: it may be its earlier self', async () => {
		const killed = await kill([row('A', 50), row('B', 50), row('C', 50, EMAIL)]);
		editRows(killed, [row('A', 50), row('B', 61), row('C', 50, EMAIL)]);

		const retried = await bench.retryAfterKill(killed);

		expect(retried.codes).toEqual([undefined, 'PAYOUT_IN_DOUBT', undefined]);
		const [candidate] = retried.errors[1]?.withdrawalIds ?? [];
		expect([idOf('A'), idOf('B')]).toContain(candidate);
		expect(namesPaid()).toEqual(['A', 'B', 'C']);
	});

	it('by another tool stops the rows to that PIX key: nothing tells it from an earlier self', async () => {
		const killed = await kill([row('A', 50), row('B', 50, EMAIL)], { lost: 'dropBefore' });
		await payElsewhere(row('other tool', 70));

		const retried = await bench.retryAfterKill(killed);

		expect(retried.codes).toEqual(['PAYOUT_IN_DOUBT', undefined]);
		expect(retried.errors[0]?.withdrawalIds).toEqual([idOf('other tool')]);
		expect(namesPaid()).toEqual(['other tool', 'B']);
	});

	it('before the execution began, or refused by the bank, stops nobody', async () => {
		await payElsewhere(row('last month', 70));
		bench.clock.advance(HOUR);
		const killed = await kill([row('A', 50), row('B', 50)], { lost: 'dropBefore' });
		bench.sandbox.seed.withdrawal({ pixKey: CPF, amountCents: 8000, status: 'FAILED' });

		const retried = await bench.retryAfterKill(killed);

		expect(retried.codes).toEqual([undefined, undefined]);
		expect(namesPaid()).toContain('A');
		expect(namesPaid()).toContain('B');
	});
});
