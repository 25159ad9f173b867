/** What people enter in the table BRL Payouts, or by Settle Reference, is checked against what the service says. */
import { omit } from 'lodash';
import type { Workflow } from 'n8n-workflow';
import { checkReferenced, wasPaidBefore } from '../support/checks';
import { dataTables } from '../support/ledger';
import {
	alike,
	CORRECTED,
	HOUR,
	INVOICES,
	MINUTE,
	referenced,
	rowsOf,
	usePayouts,
} from '../support/references';
import type { Execution } from '../support/execution';
import { restart } from '../support/restart';

const bench = usePayouts();
const TWO = alike('NF-1', 'NF-2');
const [FIRST = {}, SECOND = {}] = TWO;
const [ONE = {}] = INVOICES;

/** Neither has an answer; only the second one was paid. */
const loseBoth = async (workflow: Workflow): Promise<string> => {
	await bench.start(workflow, TWO, { lost: { 'NF-1': 'dropBefore', 'NF-2': 'dropAfter' } });
	bench.clock.advance(10 * MINUTE);
	return bench.idOf('NF-2')!;
};
const editRow = (reference: string, cells: Parameters<typeof edit>[1]): void => {
	const [row] = rowsOf(reference);
	edit(row!.id, cells);
};
const edit = (id: number, cells: Record<string, string | number | null>): void => {
	bench.clock.advance(1_000);
	dataTables().editRow(id, cells);
};

describe('one withdrawal that is entered for another reference by mistake', () => {
	const enterings: Array<[string, (id: string) => Promise<void>]> = [
		[
			'by Settle Reference',
			async (id) => {
				const settled = await bench.settle('NF-1', 'paid', id);
				expect(settled.error).toBeUndefined();
			},
		],
		[
			'in the table',
			async (id) => {
				editRow('NF-1', { status: 'paid', withdrawalId: id });
				return await Promise.resolve();
			},
		],
	];

	it.each(enterings)(
		'%s: is named as soon as the service says whose it is, and both are paid once',
		async (_where, enter) => {
			const workflow = referenced();
			const own = await loseBoth(workflow);
			await enter(own);

			const first = await bench.start(workflow, [FIRST]);
			bench.clock.advance(2 * MINUTE);
			const second = await bench.start(workflow, [SECOND]);
			const both = await bench.start(workflow, TWO);
			const wrong = dataTables()
				.rows()
				.find((row) => row.reference === 'NF-1' && row.status === 'paid');
			bench.clock.advance(2 * MINUTE);
			edit(wrong!.id, { status: 'not paid' });
			const last = await bench.start(workflow, TWO);

			expect(first.ids).toEqual([own]);
			expect(second.errors).toMatchObject([
				{ code: 'PAYOUT_IN_DOUBT', effect: 'unknown', withdrawalIds: [own] },
			]);
			expect(second.errors[0]?.message).toMatch(/"NF-2" and .*NF-1/);
			expect(second.errors[0]?.description).toContain('change Status to not paid');
			expect(both.codes).toEqual(['PAYOUT_IN_DOUBT', 'PAYOUT_IN_DOUBT']);
			expect(last.codes).toEqual([undefined, undefined]);
			bench.expectLiving({ 'NF-1': 1, 'NF-2': 1 }, last);
		},
	);

	it('in the table, after the other reference has it: is not shown as paid', async () => {
		const workflow = referenced();
		const own = await loseBoth(workflow);
		const second = await bench.start(workflow, [SECOND]);
		editRow('NF-1', { status: 'paid', withdrawalId: own });

		const first = await bench.start(workflow, [FIRST]);

		expect(second.ids).toEqual([own]);
		expect(first.errors).toMatchObject([{ code: 'PAYOUT_IN_DOUBT', withdrawalIds: [own] }]);
	});
});

describe('a row that is added by hand beside one whose withdrawal the bank has refused', () => {
	// After a restore, the table knew only the first withdrawal: both operations denied the second one.
	it('says what paid the reference, to everybody who asks', async () => {
		const workflow = referenced();
		await bench.start(workflow, [ONE]);
		const { id: refused } = bench.sandbox.books.withdrawals[0]!;
		bench.sandbox.setWithdrawalStatus(refused, 'FAILED');
		const { id } = bench.sandbox.seed.withdrawal({
			...{ pixKey: ONE.pixKey as string, amountCents: 1001 },
		});
		bench.clock.advance(HOUR);
		dataTables().addRow({
			...{ reference: 'NF-1', status: 'paid', environment: 'test', withdrawalId: id },
		});

		expect(wasPaidBefore(await checkReferenced(bench, [ONE]))).toEqual([true]);
		expect(await bench.getReference('NF-1')).toMatchObject({ status: 'paid', withdrawalId: id });
		const again = await bench.start(workflow, [ONE]);

		expect(again.ids).toEqual([id]);
		expect(again.paidBefore).toEqual([true]);
		expect(bench.sandbox.books.withdrawals).toHaveLength(1);
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
	bench.sandbox.faults.add({
		...{ method: 'POST', kind: 'status', status: 201, process, times: 1, headers },
		when: ({ rawBody }) => rawBody.includes(reference),
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
			const workflow = referenced();
			const first = await bench.start(workflow, [FIRST]);
			mixUp('NF-2', 'NF-1', process);
			bench.clock.advance(minutes * MINUTE);

			const mixed = await bench.start(workflow, [SECOND]);
			const last = await bench.start(workflow, TWO);

			expect(mixed.errors).toMatchObject([{ code: 'PAYOUT_IN_DOUBT', withdrawalIds: first.ids }]);
			expect(last.codes).toEqual([undefined, undefined]);
			bench.expectLiving({ 'NF-1': 1, 'NF-2': 1 }, first, last);
		},
	);

	/** As a cache gives it back: nothing shows that it is old. */
	const replay = (reference: string, other: string): void => {
		const made = bench.sandbox.books.withdrawals.find(({ description }) => description === other)!;
		mixUp(reference, other, false, {}, { Date: new Date(made.createdAt).toUTCString() });
	};

	it('word for word, in another process: is not taken for its own, and the next run pays once', async () => {
		const workflow = referenced();
		const first = await bench.start(workflow, [FIRST]);
		restart();
		bench.clock.advance(10 * MINUTE);
		replay('NF-2', 'NF-1');

		const mixed = await bench.start(workflow, [SECOND]);
		const unclear = await bench.getReference('NF-2');
		const last = await bench.start(workflow, TWO);

		expect(mixed.errors).toMatchObject([{ code: 'PAYOUT_IN_DOUBT', withdrawalIds: first.ids }]);
		expect(mixed.errors[0]?.message).toMatch(/"NF-2" and NF-1/);
		expect(unclear).toMatchObject({ status: 'in doubt' });
		expect(last.codes).toEqual([undefined, undefined]);
		bench.expectLiving({ 'NF-1': 1, 'NF-2': 1 }, first, last);
	});

	it('of two processes at once: one of them notices, and is not paid until a person decides', async () => {
		const workflow = referenced();
		let inserts = 0;
		let second: Promise<Execution> | undefined;
		dataTables().onStep = async (operation) => {
			if (operation !== 'insert' || (inserts += 1) !== 2) return;
			// The first one is about to record its payout.
			restart();
			replay('NF-2', 'NF-1');
			second = bench.start(workflow, [SECOND]);
			await second;
		};

		const first = await bench.start(workflow, [FIRST]);
		dataTables().onStep = () => undefined;
		const last = await bench.start(workflow, TWO);
		const settled = await bench.start(workflow, TWO);

		expect((await second)?.ids).toEqual([bench.idOf('NF-1')]);
		expect(first.codes).toEqual(['PAYOUT_IN_DOUBT']);
		expect(last.codes).toEqual(['PAYOUT_IN_DOUBT', undefined]);
		expect(settled.codes).toEqual(['PAYOUT_IN_DOUBT', undefined]);
		expect(bench.living).toEqual({ 'NF-1': 1 });
	});

	it('after n8n was started again, for ever: is in doubt until the answers are right', async () => {
		const workflow = referenced();
		await bench.start(workflow, [FIRST]);
		for (let runs = 0; runs < 3; runs += 1) {
			restart();
			mixUp('NF-2', 'NF-1', false);
			bench.clock.advance(10 * MINUTE);
			const run = await bench.start(workflow, TWO);
			expect(run.codes).toEqual([undefined, 'PAYOUT_IN_DOUBT']);
		}

		const last = await bench.start(workflow, TWO);

		expect(last.codes).toEqual([undefined, undefined]);
		bench.expectLiving({ 'NF-1': 1, 'NF-2': 1 }, last);
	});
});

describe('the answer to one reference that went to another one', () => {
	it('is not taken for its own if it comes from the other environment', async () => {
		const workflow = referenced();
		await bench.start(workflow, [SECOND]);
		mixUp('NF-1', 'NF-2', false, { id: crypto.randomUUID(), isSandbox: false });

		const mixed = await bench.start(workflow, [FIRST]);
		const last = await bench.start(workflow, [FIRST]);

		expect(mixed.codes).toEqual(['PAYOUT_IN_DOUBT']);
		expect(mixed.errors[0]?.message).toContain(
			'a payout of another amount, PIX key or environment',
		);
		bench.expectLiving({ 'NF-1': 1, 'NF-2': 1 }, last);
	});

	it('leaves the first one in doubt when its key is dead, too, until a person decides', async () => {
		const workflow = referenced();
		await bench.start(workflow, [SECOND], { lost: 'dropAfter' });
		const own = bench.idOf('NF-2')!;
		mixUp('NF-1', 'NF-2', false);
		const first = await bench.start(workflow, [FIRST]);
		const asked = await bench.start(workflow, [SECOND]);
		bench.clock.advance(25 * HOUR);

		const dead = await bench.start(workflow, [SECOND]);

		expect(first.ids).toEqual([own]);
		expect(asked.errors).toMatchObject([{ code: 'PAYOUT_IN_DOUBT', withdrawalIds: [own] }]);
		expect(dead.errors).toMatchObject([{ code: 'PAYOUT_IN_DOUBT', withdrawalIds: [own] }]);
		expect(bench.living).toEqual({ 'NF-2': 1 });

		const settled = await bench.settle('NF-2', 'notPaid');
		const last = await bench.start(workflow, [SECOND]);

		expect(settled.error).toBeUndefined();
		expect(last.codes).toEqual([undefined]);
		expect(bench.living).toEqual({ 'NF-2': 2 });
	});
});

describe('a copy of a row with the withdrawal of another reference', () => {
	// n8n dates imported rows anew, so nothing shows that a person made it.
	it('is not taken for its own, and the other one stays paid', async () => {
		const workflow = referenced();
		const both = await bench.start(workflow, TWO);
		const [row] = dataTables()
			.rows()
			.filter(({ reference }) => reference === 'NF-1');
		const cells = omit(row, 'id', 'createdAt', 'updatedAt');
		dataTables().addRow({ ...cells, withdrawalId: both.ids[1]! });

		const again = await bench.start(workflow, TWO);

		expect(again.codes).toEqual(['PAYOUT_IN_DOUBT', undefined]);
		expect(again.errors[0]).toMatchObject({ withdrawalIds: [both.ids[1]] });
		expect(again.ids).toEqual([undefined, both.ids[1]]);
		expect(await bench.getReference('NF-1')).toMatchObject({ status: 'in doubt' });
		expect(await bench.getReference('NF-2')).toMatchObject({ status: 'paid' });
		expect(bench.living).toEqual({ 'NF-1': 1, 'NF-2': 1 });
	});
});

describe('paid, in a row that somebody has edited', () => {
	it.each([
		['without an ID', '', 'has the ID of its withdrawal'],
		['with the ID of nothing', crypto.randomUUID(), 'Check the ID in the table BRL Payouts'],
		['with something else for an ID', 'see the bank', 'Check the ID in the table BRL Payouts'],
	])('%s: nothing is sent or called paid', async (_what, withdrawalId, advice) => {
		const workflow = referenced();
		await loseBoth(workflow);
		editRow('NF-1', { status: 'paid', withdrawalId });

		const run = await bench.start(workflow, TWO);

		expect(run.codes).toEqual(['PAYOUT_IN_DOUBT', undefined]);
		expect(run.errors[0]?.description).toContain(advice);
		expect(bench.living).toEqual({ 'NF-2': 1 });
	});

	it('with the ID of a payout of another amount: is a mismatch', async () => {
		const workflow = referenced();
		await loseBoth(workflow);
		const [other = ''] = await bench.payElsewhere([CORRECTED[0]!]);
		editRow('NF-1', { status: 'paid', withdrawalId: other });

		const run = await bench.start(workflow, [FIRST]);

		expect(run.errors).toMatchObject([{ code: 'REFERENCE_MISMATCH', withdrawalIds: [other] }]);
	});
});

describe('a corrected row whose withdrawal cannot be read', () => {
	it('is a mismatch by what the table says, and never shown as paid', async () => {
		const apiKey = bench.keyWith('withdrawals:write');
		const settings = { credential: { apiKey } };
		const workflow = referenced();
		const first = await bench.start(workflow, INVOICES, settings);
		restart();

		const corrected = await bench.start(workflow, CORRECTED, settings);
		const same = await bench.start(workflow, INVOICES, settings);

		expect(corrected.codes).toEqual(['REFERENCE_MISMATCH', 'REFERENCE_MISMATCH']);
		expect(same.ids).toEqual(first.ids);
		expect(bench.living).toEqual({ 'NF-1': 1, 'NF-2': 1 });
	});
});

describe('a key under which the service only ever answers with an error', () => {
	const breakKey = (): void => {
		let key: unknown;
		bench.sandbox.faults.add({
			...{ method: 'POST', kind: 'error', code: 'INTERNAL_ERROR', times: Infinity },
			when: ({ headers, rawBody }) => {
				if (!rawBody.includes('NF-1')) return false;
				key ??= headers['x-idempotency-key'];
				return headers['x-idempotency-key'] === key;
			},
		});
	};

	it('is left after a person has said that nothing was paid', async () => {
		const workflow = referenced();
		breakKey();
		const first = await bench.start(workflow, TWO);
		bench.clock.advance(10 * MINUTE);

		const second = await bench.start(workflow, TWO);
		bench.clock.advance(5 * MINUTE);
		const settled = await bench.settle('NF-1', 'notPaid');
		const last = await bench.start(workflow, TWO);

		expect(first.codes).toEqual(['INTERNAL_ERROR', undefined]);
		expect(second.codes).toEqual(['PAYOUT_IN_DOUBT', undefined]);
		expect(second.errors[0]?.description).toContain('wait five minutes without a run');
		expect(settled.error).toBeUndefined();
		expect(last.paidBefore).toEqual([false, true]);
		bench.expectLiving({ 'NF-1': 1, 'NF-2': 1 }, last);
	});

	it('is asked again after one that was said too early', async () => {
		const workflow = referenced();
		breakKey();
		await bench.start(workflow, [ONE]);
		bench.clock.advance(10 * MINUTE);
		await bench.start(workflow, [ONE]);

		await bench.settle('NF-1', 'notPaid');
		const early = await bench.start(workflow, [ONE]);

		expect(early.codes).toEqual(['PAYOUT_IN_DOUBT']);
		expect(bench.living).toEqual({});
	});

	it('leads to the list once it is dead', async () => {
		const workflow = referenced();
		breakKey();
		await bench.start(workflow, [ONE]);
		bench.clock.advance(25 * HOUR);

		const last = await bench.start(workflow, [ONE]);

		expect(last.paidBefore).toEqual([false]);
		expect(bench.living).toEqual({ 'NF-1': 1 });
	});
});

describe('one withdrawal that two people enter for two references at the same time', () => {
	it('is taken for at most one of them', async () => {
		const workflow = referenced();
		const own = await loseBoth(workflow);
		const settle = async (reference: string) => await bench.settle(reference, 'paid', own);

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

		const both = await Promise.all([settle('NF-1'), settle('NF-2')]);
		dataTables().onStep = () => undefined;

		const refused = both.flatMap(({ error }) =>
			error ? [(error as { message: string }).message] : [],
		);
		expect(refused).toContainEqual(expect.stringContaining('for another reference (NF-'));
		const paid = dataTables()
			.rows()
			.filter(({ status }) => status === 'paid');
		expect(paid).toHaveLength(2 - refused.length);
	});

	it('is not called not paid by who says so at the same time', async () => {
		const workflow = referenced();
		const own = await loseBoth(workflow);
		let paid: ReturnType<typeof bench.settle> | undefined;
		dataTables().onStep = async (operation) => {
			if (operation !== 'insert' || paid !== undefined) return;
			paid = bench.settle('NF-2', 'paid', own);
			await paid;
		};

		const { error } = await bench.settle('NF-2', 'notPaid');
		dataTables().onStep = () => undefined;
		const last = await bench.start(workflow, [SECOND]);

		expect((await paid)?.error).toBeUndefined();
		expect((error as { message: string }).message).toContain('was not settled');
		expect(last.ids).toEqual([own]);
	});

	it('is called paid by Get by Reference only for the reference that the service has named it for', async () => {
		const workflow = referenced();
		const own = await loseBoth(workflow);
		await bench.start(workflow, [SECOND]);
		editRow('NF-1', { status: 'paid', withdrawalId: own });

		expect(await bench.getReference('NF-1')).toMatchObject({
			...{ status: 'in doubt', withdrawalId: own, alsoNamedFor: ['NF-2'] },
		});
		expect(await bench.getReference('NF-2')).toMatchObject({
			...{ status: 'paid', withdrawalId: own, alsoNamedFor: ['NF-1'] },
		});
	});
});
