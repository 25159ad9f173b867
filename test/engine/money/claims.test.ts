/** What people enter in the table BRL Payouts, or by Settle Reference, is checked against what the service says. */
import { randomUUID } from 'node:crypto';
import { omit } from 'lodash';
import { checkReferenced, wasPaidBefore } from '../support/checks';
import type { Execution } from '../support/execution';
import { dataTables } from '../support/ledger';
import { DOUBTS, FINE, useMoney } from '../support/money';
import {
	alike,
	CORRECTED,
	HOUR,
	INVOICES,
	MINUTE,
	MISMATCHES,
	rowsOf,
} from '../support/references';
import { restart } from '../support/restart';

const bench = useMoney();
const TWO = alike('NF-1', 'NF-2');
const [FIRST = {}, SECOND = {}] = TWO;
const EACH_ONCE = { 'NF-1': 1, 'NF-2': 1 };

/** Neither has an answer; only the second one was paid. */
const loseBoth = async (): Promise<string> => {
	await bench.pay(TWO, { lost: { 'NF-1': 'dropBefore', 'NF-2': 'dropAfter' } });
	bench.clock.advance(10 * MINUTE);
	return bench.idOf('NF-2')!;
};
const edit = (id: number, cells: Record<string, string | number | null>): void => {
	bench.clock.advance(1_000);
	dataTables().editRow(id, cells);
};
/** A person calls the first one paid. */
const enterPaid = (withdrawalId: string): void =>
	edit(rowsOf('NF-1')[0]!.id, { status: 'paid', withdrawalId });
const addPaid = (withdrawalId: string): void =>
	void dataTables().addRow({
		...{ reference: 'NF-1', status: 'paid', environment: 'test', withdrawalId },
	});
/** These are in doubt, because of one withdrawal. */
const expectDoubtedFor = (id: string | undefined, { errors }: Execution): void =>
	expect(errors).toMatchObject(
		errors.map(() => ({ code: 'PAYOUT_IN_DOUBT', effect: 'unknown', withdrawalIds: [id] })),
	);
const expectPaidInTheEnd = async (...earlier: Execution[]): Promise<void> => {
	const last = await bench.pay(TWO);
	expect(last.codes).toEqual(FINE);
	bench.expectLiving(EACH_ONCE, ...earlier, last);
};

describe('one withdrawal that is entered for another reference by mistake', () => {
	it.each<[string, (id: string) => unknown]>([
		[
			'by Settle Reference',
			async (id) => expect((await bench.settle('NF-1', 'paid', id)).error).toBeUndefined(),
		],
		['in the table', enterPaid],
	])(
		'%s: is named as soon as the service says whose it is, and both are paid once',
		async (_where, enter) => {
			const own = await loseBoth();
			await enter(own);

			const first = await bench.pay([FIRST]);
			bench.clock.advance(2 * MINUTE);
			const second = await bench.pay([SECOND]);

			expect(first.ids).toEqual([own]);
			expectDoubtedFor(own, second);
			expect(second.errors[0]?.message).toMatch(/"NF-2" and .*NF-1/);
			expect(second.errors[0]?.description).toContain('change Status to not paid');
			expect((await bench.pay(TWO)).codes).toEqual(DOUBTS);
			bench.clock.advance(2 * MINUTE);
			edit(rowsOf('NF-1').find(({ status }) => status === 'paid')!.id, { status: 'not paid' });
			await expectPaidInTheEnd();
		},
	);

	it('in the table, after the other reference has it: is not shown as paid', async () => {
		const own = await loseBoth();
		expect((await bench.pay([SECOND])).ids).toEqual([own]);
		enterPaid(own);
		expectDoubtedFor(own, await bench.pay([FIRST]));
	});
});

describe('a row that is added by hand beside another one', () => {
	// After a restore, the table knew only the first withdrawal: both operations denied the second one.
	it.each([
		['pays the reference whose withdrawal the bank has refused', true],
		['names one that the bank has refused, and denies not the one that has paid', false],
	])('%s, to everybody who asks', async (_what, isAddedOneAlive) => {
		const [known = ''] = (await bench.pay([FIRST])).ids;
		const added = bench.sandbox.seed.withdrawal({
			...{ pixKey: FIRST.pixKey as string, amountCents: 1001, description: 'by hand' },
		});
		const [living, refused] = isAddedOneAlive ? [added.id, known] : [known, added.id];
		bench.sandbox.setWithdrawalStatus(refused, 'FAILED');
		bench.clock.advance(HOUR);
		addPaid(added.id);

		expect(wasPaidBefore(await checkReferenced(bench, [FIRST]))).toEqual([true]);
		const shown = { status: 'paid', withdrawalId: living };
		expect(await bench.getReference('NF-1')).toMatchObject(shown);
		expect((await bench.pay([FIRST])).json).toMatchObject([{ id: living, alreadyPaid: true }]);
		expect(bench.idsPaid).toEqual([known]);
	});
});

describe('a reference in doubt whose attempt somebody has removed from the table', () => {
	/** The key is dead, and the list shows a candidate. */
	const removeAttempt = async () => {
		bench.clock.advance(25 * HOUR);
		await bench.pay([FIRST]);
		dataTables().deleteRow(rowsOf('NF-1').find(({ status }) => status === 'sending')!.id);
	};

	it.each([0, 25])('is not paid again: %i hours later', async (hours) => {
		await bench.pay([FIRST], { lost: 'dropAfter' });
		await removeAttempt();
		bench.clock.advance(MINUTE + hours * HOUR);

		for (const row of [FIRST, { ...FIRST, description: 'corrected' }]) {
			const { errors } = await bench.pay([row]);
			expect(errors).toMatchObject([{ code: 'PAYOUT_IN_DOUBT', effect: 'unknown' }]);
		}
		expect(await bench.getReference('NF-1')).toMatchObject({ status: 'in doubt' });
		expect(bench.living).toEqual({ 'NF-1': 1 });
	});

	it('is paid after a person has looked, and found another tool’s payout', async () => {
		await bench.pay([FIRST], { lost: 'dropBefore' });
		await bench.payElsewhere([FIRST]);
		await removeAttempt();
		bench.clock.advance(10 * MINUTE);
		expect((await bench.settle('NF-1', 'notPaid')).error).toBeUndefined();
		bench.clock.advance(10 * MINUTE);

		bench.expectOnce(await bench.pay([FIRST]), [false], { 'NF-1': 1, 'other tool': 1 });
	});
});

/** The next answer about a reference is the one that the other reference has got. */
const mixUp = (
	reference: string,
	other: string,
	process: boolean,
	change: object = {},
	headers: Record<string, string> = {},
): void => {
	const { id, amountCents, createdAt, status } = bench.sandbox.books.withdrawals.find(
		({ description }) => description === other,
	)!;
	bench.strike(reference, {
		...{ kind: 'status', status: 201, process, times: 1, headers },
		body: {
			withdrawal: {
				...{ id, status, txId: 'WIT1763943000000ABCDE', isSandbox: true, currency: 'BRL' },
				...{ netAmount: amountCents / 100, grossAmount: amountCents / 100 + 1.5, feeAmount: 1.5 },
				...{ createdAt: new Date(createdAt).toISOString(), paymentMethod: 'PIX' },
				...change,
			},
		},
	});
};

describe('one withdrawal in the answers to two references', () => {
	it.each([
		['at once, and paid', 0, true],
		['at once, and not sent', 0, false],
		['minutes later, and paid', 10, true],
		['minutes later, and not sent', 10, false],
	])(
		'%s: is not taken for its own, and the next run pays once',
		async (_what, minutes, process) => {
			const first = await bench.pay([FIRST]);
			mixUp('NF-2', 'NF-1', process);
			bench.clock.advance(minutes * MINUTE);

			expectDoubtedFor(first.ids[0], await bench.pay([SECOND]));
			await expectPaidInTheEnd(first);
		},
	);

	/** As a cache gives it back: nothing shows that it is old. */
	const replay = (reference: string, other: string): void => {
		const made = bench.sandbox.books.withdrawals.find(({ description }) => description === other)!;
		mixUp(reference, other, false, {}, { Date: new Date(made.createdAt).toUTCString() });
	};

	it('word for word, in another process: is not taken for its own, and the next run pays once', async () => {
		const first = await bench.pay([FIRST]);
		restart();
		bench.clock.advance(10 * MINUTE);
		replay('NF-2', 'NF-1');

		const mixed = await bench.pay([SECOND]);

		expectDoubtedFor(first.ids[0], mixed);
		expect(mixed.errors[0]?.message).toMatch(/"NF-2" and NF-1/);
		expect(await bench.getReference('NF-2')).toMatchObject({ status: 'in doubt' });
		await expectPaidInTheEnd(first);
	});

	it('of two processes at once: one of them notices, and is not paid until a person decides', async () => {
		let inserts = 0;
		let second: Promise<Execution> | undefined;
		dataTables().onStep = async (operation) => {
			if (operation !== 'insert' || (inserts += 1) !== 2) return;
			// The first one is about to record its payout.
			restart();
			replay('NF-2', 'NF-1');
			second = bench.pay([SECOND]);
			await second;
		};

		const first = await bench.pay([FIRST]);
		dataTables().onStep = () => undefined;

		expect((await second)?.ids).toEqual([bench.idOf('NF-1')]);
		expect(first.codes).toEqual(['PAYOUT_IN_DOUBT']);
		for (const { codes } of [await bench.pay(TWO), await bench.pay(TWO)]) {
			expect(codes).toEqual(['PAYOUT_IN_DOUBT', undefined]);
		}
		expect(bench.living).toEqual({ 'NF-1': 1 });
	});

	it('after n8n was started again, for ever: is in doubt until the answers are right', async () => {
		await bench.pay([FIRST]);
		for (let runs = 0; runs < 3; runs += 1) {
			restart();
			mixUp('NF-2', 'NF-1', false);
			bench.clock.advance(10 * MINUTE);
			expect((await bench.pay(TWO)).codes).toEqual([undefined, 'PAYOUT_IN_DOUBT']);
		}
		await expectPaidInTheEnd();
	});
});

describe('the answer to one reference that went to another one', () => {
	it('is not taken for its own if it comes from the other environment', async () => {
		await bench.pay([SECOND]);
		mixUp('NF-1', 'NF-2', false, { id: randomUUID(), isSandbox: false });

		const { codes, errors } = await bench.pay([FIRST]);

		expect(codes).toEqual(['PAYOUT_IN_DOUBT']);
		expect(errors[0]?.message).toContain('a payout of another amount, PIX key or environment');
		bench.expectLiving(EACH_ONCE, await bench.pay([FIRST]));
	});

	it('leaves the first one in doubt when its key is dead, too, until a person decides', async () => {
		await bench.pay([SECOND], { lost: 'dropAfter' });
		const own = bench.idOf('NF-2')!;
		mixUp('NF-1', 'NF-2', false);
		expect((await bench.pay([FIRST])).ids).toEqual([own]);
		expectDoubtedFor(own, await bench.pay([SECOND]));
		bench.clock.advance(25 * HOUR);
		expectDoubtedFor(own, await bench.pay([SECOND]));
		expect(bench.living).toEqual({ 'NF-2': 1 });

		expect((await bench.settle('NF-2', 'notPaid')).error).toBeUndefined();
		expect((await bench.pay([SECOND])).codes).toEqual([undefined]);
		expect(bench.living).toEqual({ 'NF-2': 2 });
	});
});

// n8n dates imported rows anew, so nothing shows that a person made it.
it('a copy of a row with the withdrawal of another reference is not taken for its own, and the other one stays paid', async () => {
	const { ids } = await bench.pay(TWO);
	const row = dataTables()
		.rows()
		.find(({ reference }) => reference === 'NF-1');
	dataTables().addRow({ ...omit(row, 'id', 'createdAt', 'updatedAt'), withdrawalId: ids[1]! });

	const again = await bench.pay(TWO);

	expect(again.codes).toEqual(['PAYOUT_IN_DOUBT', undefined]);
	expect(again.errors[0]).toMatchObject({ withdrawalIds: [ids[1]] });
	expect(again.ids).toEqual([undefined, ids[1]]);
	expect(await bench.getReference('NF-1')).toMatchObject({ status: 'in doubt' });
	expect(await bench.getReference('NF-2')).toMatchObject({ status: 'paid' });
	expect(bench.living).toEqual(EACH_ONCE);
});

describe('paid, in a row that somebody has edited', () => {
	it.each([
		['without an ID', '', 'has the ID of its withdrawal'],
		['with the ID of nothing', randomUUID(), 'Check the ID in the table BRL Payouts'],
		['with something else for an ID', 'see the bank', 'Check the ID in the table BRL Payouts'],
	])('%s: nothing is sent or called paid', async (_what, withdrawalId, advice) => {
		await loseBoth();
		enterPaid(withdrawalId);

		const run = await bench.pay(TWO);

		expect(run.codes).toEqual(['PAYOUT_IN_DOUBT', undefined]);
		expect(run.errors[0]?.description).toContain(advice);
		expect(bench.living).toEqual({ 'NF-2': 1 });
	});

	it('with the ID of a payout of another amount: is a mismatch', async () => {
		await loseBoth();
		const [other = ''] = await bench.payElsewhere([CORRECTED[0]!]);
		enterPaid(other);

		const { errors } = await bench.pay([FIRST]);

		expect(errors).toMatchObject([{ code: 'REFERENCE_MISMATCH', withdrawalIds: [other] }]);
	});
});

it('a corrected row whose withdrawal cannot be read is a mismatch by what the table says, and never shown as paid', async () => {
	const settings = { credential: { apiKey: bench.keyWith('withdrawals:write') } };
	const { ids } = await bench.pay(INVOICES, settings);
	restart();

	expect((await bench.pay(CORRECTED, settings)).codes).toEqual(MISMATCHES);
	expect((await bench.pay(INVOICES, settings)).ids).toEqual(ids);
	expect(bench.living).toEqual(EACH_ONCE);
});

describe('a key under which the service only ever answers with an error', () => {
	beforeEach(() => {
		let key: unknown;
		bench.sandbox.faults.add({
			...{ method: 'POST', kind: 'error', code: 'INTERNAL_ERROR', times: Infinity },
			when: ({ headers, rawBody }) => {
				if (!rawBody.includes('NF-1')) return false;
				key ??= headers['x-idempotency-key'];
				return headers['x-idempotency-key'] === key;
			},
		});
	});

	it('is left after a person has said that nothing was paid', async () => {
		const first = await bench.pay(TWO);
		bench.clock.advance(10 * MINUTE);
		const second = await bench.pay(TWO);
		bench.clock.advance(5 * MINUTE);

		expect(first.codes).toEqual(['INTERNAL_ERROR', undefined]);
		expect(second.codes).toEqual(['PAYOUT_IN_DOUBT', undefined]);
		expect(second.errors[0]?.description).toContain('wait 5 minutes without a run');
		expect((await bench.settle('NF-1', 'notPaid')).error).toBeUndefined();
		bench.expectOnce(await bench.pay(TWO), [false, true], EACH_ONCE);
	});

	it('is asked again after one that was said too early', async () => {
		await bench.pay([FIRST]);
		bench.clock.advance(10 * MINUTE);
		await bench.pay([FIRST]);

		await bench.settle('NF-1', 'notPaid');

		expect((await bench.pay([FIRST])).codes).toEqual(['PAYOUT_IN_DOUBT']);
		expect(bench.living).toEqual({});
	});

	it('leads to the list once it is dead', async () => {
		await bench.pay([FIRST]);
		bench.clock.advance(25 * HOUR);
		bench.expectOnce(await bench.pay([FIRST]), [false], { 'NF-1': 1 });
	});
});

describe('one withdrawal that two people enter for two references at the same time', () => {
	it('is taken for at most one of them', async () => {
		const own = await loseBoth();
		// Neither writes before the other one has read.
		const arrived: Array<() => void> = [];
		dataTables().onStep = async (operation) => {
			if (operation !== 'insert' || arrived.length === 2) return;
			const isFirst = arrived.length === 0;
			await new Promise<void>((resolve) => {
				arrived.push(resolve);
				if (!isFirst) arrived.forEach((go) => go());
			});
		};

		const both = await Promise.all(
			['NF-1', 'NF-2'].map(async (reference) => await bench.settle(reference, 'paid', own)),
		);
		dataTables().onStep = () => undefined;

		const refused = both.flatMap(({ error }) =>
			error ? [(error as { message: string }).message] : [],
		);
		expect(refused).toContainEqual(expect.stringContaining('for another reference (NF-'));
		expect(rowsOf().filter(({ status }) => status === 'paid')).toHaveLength(2 - refused.length);
	});

	it('is not called not paid by who says so at the same time', async () => {
		const own = await loseBoth();
		let paid: ReturnType<typeof bench.settle> | undefined;
		dataTables().onStep = async (operation) => {
			if (operation !== 'insert' || paid !== undefined) return;
			paid = bench.settle('NF-2', 'paid', own);
			await paid;
		};

		const { error } = await bench.settle('NF-2', 'notPaid');
		dataTables().onStep = () => undefined;

		expect((await paid)?.error).toBeUndefined();
		expect((error as { message: string }).message).toContain('was not settled');
		expect((await bench.pay([SECOND])).ids).toEqual([own]);
	});

	it('is called paid by Get by Reference only for the reference that the service has named it for', async () => {
		const own = await loseBoth();
		await bench.pay([SECOND]);
		enterPaid(own);

		expect(await bench.getReference('NF-1')).toMatchObject({
			...{ status: 'in doubt', withdrawalId: own, alsoNamedFor: ['NF-2'] },
		});
		expect(await bench.getReference('NF-2')).toMatchObject({
			...{ status: 'paid', withdrawalId: own, alsoNamedFor: ['NF-1'] },
		});
	});
});
