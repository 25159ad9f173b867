/** References in doubt: payouts that look alike prove nothing, and a person decides. */
import { randomUUID } from 'node:crypto';
import type { IDataObject } from 'n8n-workflow';
import { dataTables, restart } from '../support/ledger';
import { BEFORE, DOUBTS, NOW, namedTime, rowsOf, usePayouts } from '../support/money';
import { CORRECTED, INVOICES, alike, referenced } from '../support/payouts';
import { CPF, HOUR, MINUTE } from '../support/values';

const bench = usePayouts();
const THREE = alike('NF-1', 'NF-2', 'NF-3');
const [ONE = {}, TWO = {}] = INVOICES;
const [CORRECTED_ONE = {}] = CORRECTED;
const IN_DOUBT = ['PAYOUT_IN_DOUBT'];
/** Of the reference that most tests are about, alone or beside an equal payout of somebody else. */
const ONCE = { 'NF-1': 1 };
const BESIDE_OTHER = { 'NF-1': 1, 'other tool': 1 };

/** The request of a reference gets lost, or its answer does. */
const leaveOpen = async (lost: 'dropBefore' | 'dropAfter', items: IDataObject[] = [ONE]) => {
	expect((await bench.pay(items, { lost })).codes).not.toContain(undefined);
};
/** The last key of the reference is dead, and the list shows an equal payout of somebody else. */
const putInDoubt = async (kind: 'dropBefore' | 'dropAfter' = 'dropBefore') => {
	await leaveOpen(kind);
	const [foreign = ''] = await bench.payElsewhere([ONE]);
	bench.clock.advance(25 * HOUR);
	expect((await bench.pay([ONE])).codes).toEqual(IN_DOUBT);
	return foreign;
};
/** The request of the reference is lost, and arrives after something has happened. */
const arriveAfter = async (happen: () => unknown) => {
	await leaveOpen('dropBefore');
	const [request] = bench.requests('POST');
	await happen();
	expect(await bench.arrive(request!)).toBeLessThan(300);
};
/** Nothing is paid: the withdrawal that the reference has may be its own. */
const expectDoubted = async () => {
	const { errors } = await bench.pay([ONE]);
	const withdrawalIds = [bench.idOf('NF-1')];
	expect(errors).toMatchObject([{ code: 'PAYOUT_IN_DOUBT', withdrawalIds }]);
	expect(bench.living).toEqual(ONCE);
};

describe('payouts that look alike', () => {
	it.each([0, 25])(
		'are each paid once, and known by their own IDs, %d hours later',
		async (hours) => {
			const first = await bench.pay(THREE);
			await bench.payElsewhere([ONE, ONE]);
			bench.clock.advance(hours * HOUR);
			restart();

			const again = await bench.pay([...THREE].reverse());
			const other = await bench.start(referenced(), [...THREE, ...alike('NF-4')]);

			expect(again.ids).toEqual([...first.ids].reverse());
			expect(other.paidBefore).toEqual([true, true, true, false]);
			bench.expectTrue(first, again, other);
			expect(bench.living).toMatchObject({ 'NF-1': 1, 'NF-2': 1, 'NF-3': 1, 'NF-4': 1 });
		},
	);

	it.each(['dropBefore', 'dropAfter'] as const)(
		'are sent again under their keys while these live, whatever the list shows: %s',
		async (kind) => {
			await leaveOpen(kind, THREE);
			await bench.payElsewhere([ONE, ONE, ONE]);

			const again = await bench.pay(THREE);

			expect(again.error).toBeUndefined();
			bench.expectLiving({ 'NF-1': 1, 'NF-2': 1, 'NF-3': 1, 'other tool': 3 }, again);
		},
	);

	it('are not confused with an equal payout of last month', async () => {
		await bench.payElsewhere(INVOICES);
		bench.clock.advance(30 * 24 * HOUR);
		restart();
		await leaveOpen('dropBefore', INVOICES);
		bench.clock.advance(25 * HOUR);
		bench.expectOnce(await bench.pay(), NOW, { 'NF-1': 1, 'NF-2': 1, 'other tool': 2 });
	});

	it('of other references are no candidates: the table knows whose they are', async () => {
		await leaveOpen('dropBefore');
		await bench.start(referenced(), alike('NF-2', 'NF-3'));
		bench.clock.advance(25 * HOUR);
		bench.expectOnce(await bench.pay([ONE]), [false], { 'NF-1': 1, 'NF-2': 1, 'NF-3': 1 });
	});
});

describe('the list of withdrawals', () => {
	const page = (withdrawals: object[]) => {
		const total = withdrawals.length;
		return { withdrawals, pagination: { page: 1, limit: 100, total, totalPages: total } };
	};
	const ofLiveKey = { id: randomUUID(), netAmount: 7, pixKey: 'a@b.example', isSandbox: false };
	const hoursAgo = new Date(Date.now() - 3 * HOUR).toUTCString();

	it.each([
		['kept for a day', { headers: { Age: '90000' } }, 'came from a cache (age: 90000)'],
		['kept by a cache that sends no age', { headers: { 'X-Cache': 'HIT' } }, '(x-cache: HIT)'],
		['stale', { headers: { Warning: '110 - "Response is Stale"' } }, '(warning: 110'],
		['changed', { status: 203 }, 'response cannot be read'],
		['a part', { status: 206 }, 'response cannot be read'],
		['without counts', { body: { withdrawals: [] } }, 'does not say how many there are'],
		['kept with its time', { headers: { Date: hoursAgo } }, 'The list of withdrawals is as of '],
		['kept for a live key', { body: page([ofLiveKey]) }, 'is that of another API key'],
	])('that something on the way has changed proves nothing: %s', async (_what, change, why) => {
		await leaveOpen('dropAfter', INVOICES);
		bench.clock.advance(25 * HOUR);
		restart();
		const forget = bench.sandbox.faults.add({
			...{ method: 'GET', times: Infinity, kind: 'status', status: 200, body: page([]) },
			...change,
		});

		const cached = await bench.pay();
		forget();

		expect(cached.codes).toEqual(DOUBTS);
		for (const error of cached.errors) expect(error?.description).toContain(why);
		bench.expectOnce(await bench.payAsTold(), BEFORE);
	});

	it.each([
		['is right', 0],
		['is ahead', 10],
		['is behind', -10],
	])(
		'hides no payout from a person or a run if the clock of the service %s',
		async (_, minutes) => {
			await leaveOpen('dropAfter');
			const own = bench.sandbox.books.withdrawals.at(-1)!;
			own.createdAt += minutes * MINUTE;
			bench.clock.advance(25 * HOUR);

			const { error } = await bench.settle('NF-1', 'notPaid');

			expect(error).toMatchObject({ code: 'NOT_SETTLED', withdrawalIds: [own.id] });
			await expectDoubted();
		},
	);
});

describe('Settle Reference', () => {
	it('Not Paid: the next run pays, although the list shows what was ruled out, and what others pay since', async () => {
		const foreign = await putInDoubt();
		await bench.payElsewhere([ONE]);

		const settled = await bench.settle('NF-1', 'notPaid', '', {
			notThese: [foreign.toUpperCase()],
		});
		await bench.payElsewhere([ONE]);
		const again = await bench.pay([ONE]);
		const third = await bench.pay([ONE]);

		expect(settled).toMatchObject({ reference: 'NF-1', status: 'not paid' });
		bench.expectOnce(again, [false], { 'NF-1': 1, 'other tool': 3 });
		expect(third.ids).toEqual(again.ids);
		expect(rowsOf('NF-1').map(({ status }) => status)).toEqual(['paid']);
	});

	it.each([
		['paid once', ONE, undefined],
		['with another amount in the row since: paid once', CORRECTED_ONE, 'REFERENCE_MISMATCH'],
	])(
		'is refused while the lost request may still arrive, and names the time: %s',
		async (_w, row, code) => {
			await arriveAfter(async () => {
				const [foreign = ''] = await bench.payElsewhere([ONE]);
				for (const [outcome, id] of [
					['notPaid', ''],
					['paid', foreign],
				] as const) {
					const { error } = await bench.settle('NF-1', outcome, id, { notThese: [foreign] });
					expect(error).toMatchObject({ code: 'NOT_SETTLED' });
					expect(namedTime(error)).toBeGreaterThan(bench.clock.now() + 4 * MINUTE);
				}
			});

			const last = await bench.payAsTold([row]);

			expect(last.codes).toEqual([code]);
			bench.expectLiving(BESIDE_OTHER, last);
		},
	);

	it('Not Paid is refused until each withdrawal that may be the payout is ruled out by its ID', async () => {
		await leaveOpen('dropBefore');
		const [one = '', two = ''] = await bench.payElsewhere([ONE, ONE]);
		bench.clock.advance(25 * HOUR);
		const settle = async (...notThese: string[]) =>
			await bench.settle('NF-1', 'notPaid', '', { notThese });

		for (const [named, left] of [
			[[], [one, two]],
			[[one], [two]],
			[[two, randomUUID()], [one]],
		] as const) {
			const { error } = await settle(...named);
			expect(error).toMatchObject({ code: 'NOT_SETTLED', effect: 'none' });
			expect(error.withdrawalIds.toSorted()).toEqual(left.toSorted());
			for (const id of left) expect(error.message).toContain(id);
		}
		expect((await bench.pay([ONE])).codes).toEqual(IN_DOUBT);
		expect((await settle(one, two)).error).toBeUndefined();
		bench.expectOnce(await bench.pay([ONE]), [false], { 'NF-1': 1, 'other tool': 2 });
	});

	// Other reasons: settlePaid.test.ts.
	it('Paid is refused with the ID of a withdrawal of another amount', async () => {
		await putInDoubt('dropAfter');
		const [id] = await bench.payElsewhere([CORRECTED_ONE]);

		const { error } = await bench.settle('NF-1', 'paid', id);

		expect(error).toMatchObject({ code: 'NOT_SETTLED', effect: 'none' });
		expect(error.message).toContain('never sent under this reference');
		expect((await bench.pay([ONE])).codes).toEqual(IN_DOUBT);
		expect((await bench.payAsTold([ONE])).paidBefore).toEqual([true]);
	});

	it('has nothing to say of a reference that was paid, and Not Paid of one that was refused', async () => {
		bench.refuseNext(1, 'INSUFFICIENT_BALANCE');
		await bench.start(referenced({ maxConcurrency: 1 }), INVOICES);
		const before = rowsOf();
		const [foreign] = await bench.payElsewhere([TWO]);

		const words = [
			await bench.settle('NF-1', 'notPaid'),
			await bench.settle('NF-2', 'notPaid'),
			await bench.settle('NF-2', 'paid', foreign),
		];

		for (const { error } of words) {
			expect(error).toMatchObject({ code: 'NOT_SETTLED', effect: 'none' });
			expect(error.message).toContain('nothing about it is in doubt');
		}
		expect(rowsOf()).toEqual(before);
	});

	it('of a live reference says nothing about the test one', async () => {
		await putInDoubt();
		const live = { credential: bench.liveCredential };

		const { error } = await bench.settle('NF-1', 'notPaid', '', live);

		expect(error).toMatchObject({ code: 'NOT_SETTLED' });
		expect((await bench.pay([ONE])).codes).toEqual(IN_DOUBT);
	});
});

describe('a person who edits the table of n8n', () => {
	const addRow = (status: string, cells: IDataObject = {}) =>
		dataTables().addRow({ reference: 'NF-1', status, environment: 'test', ...cells });

	// Which other words leave it in doubt: test/unit/nodes/BrlPayments/orders/ledger.test.ts.
	it('who says "not paid" in a row of its own leaves it in doubt until it is settled', async () => {
		await putInDoubt();
		addRow('not paid');

		const { errors } = await bench.pay([ONE]);

		expect(errors).toMatchObject([{ code: 'PAYOUT_IN_DOUBT', effect: 'unknown' }]);
		expect(errors[0]?.description).toContain('Settle Reference with the reference "NF-1"');
		bench.expectOnce(await bench.payAsTold([ONE]), [false], BESIDE_OTHER);
	});

	it('is asked to talk to whoever said Paid before Not Paid makes it payable again', async () => {
		await leaveOpen('dropAfter');
		bench.clock.advance(26 * HOUR);
		const id = bench.idOf('NF-1');
		await bench.settle('NF-1', 'paid', id);

		const { error } = await bench.settle('NF-1', 'notPaid');

		expect(error.description).toContain(`Somebody has recorded that ${id} paid it: ask them first`);
		bench.expectOnce(await bench.payAsTold([ONE]), [true], { 'NF-1': 1 });
	});

	it('who corrects a Paid of the wrong reference, as the error says: each is paid once', async () => {
		const two = alike('NF-1', 'NF-2');
		await leaveOpen('dropAfter', two);
		bench.clock.advance(26 * HOUR);
		const [first, second] = [bench.idOf('NF-1'), bench.idOf('NF-2')];
		await bench.settle('NF-1', 'paid', second);
		const { error } = await bench.settle('NF-2', 'paid', second);
		expect(error.description).toContain('settle that other reference first');
		bench.clock.advance(MINUTE);
		await bench.settle('NF-1', 'paid', first);

		bench.expectOnce(await bench.payAsTold(two), BEFORE);
	});

	it('who adds a row "paid" for a payout made by hand: it is not paid again', async () => {
		await bench.pay([TWO]);
		const [byHand = ''] = await bench.payElsewhere([ONE], 'NF-1');
		addRow('paid', { withdrawalId: byHand });

		const { json } = await bench.pay([ONE]);

		expect(json).toMatchObject([{ id: byHand, alreadyPaid: true }]);
		expect(bench.living).toEqual({ 'NF-1': 1, 'NF-2': 1 });
	});

	it.each([
		['a blank at its end', 'NF-1 '],
		['the dash of Word', 'NF\u20131'],
		['a blank that does not break', 'NF-\u00a01'],
	])('who adds it as the list spells it: %s', async (_how, invoice) => {
		await bench.pay([TWO]);
		const [byHand = ''] = await bench.payElsewhere([ONE], 'NF-1');
		addRow('paid', { reference: invoice, withdrawalId: byHand });

		const { json } = await bench.pay([{ ...ONE, invoice }]);

		expect(json).toMatchObject([{ id: byHand, alreadyPaid: true }]);
		expect(await bench.getReference(invoice)).toMatchObject({ status: 'paid' });
	});

	it('who takes back a payment that still lives: it is not paid again', async () => {
		await bench.pay([ONE]);
		bench.clock.advance(MINUTE);
		dataTables().editRow(rowsOf('NF-1')[0]!.id, { status: 'not paid' });
		bench.expectLiving(ONCE, await bench.payAsTold([ONE]));
	});

	// The row said nothing, and the reference was paid.
	it.each(['in doubt', 'sending'])(
		'who enters a doubt stops a reference until it is settled: %s',
		async (status) => {
			await bench.pay(alike('NF-9'));
			addRow(status);

			const first = await bench.pay();

			expect(first.codes).toEqual(['PAYOUT_IN_DOUBT', undefined]);
			expect(bench.living).toEqual({ 'NF-2': 1, 'NF-9': 1 });
			bench.clock.advance(10 * MINUTE);
			bench.expectOnce(await bench.payAsTold(), [false, true], { 'NF-1': 1, 'NF-2': 1, 'NF-9': 1 });
		},
	);
});

describe('Get by Reference', () => {
	it('shows the withdrawal as it is now', async () => {
		const [id = ''] = (await bench.pay([ONE])).ids;
		bench.sandbox.setWithdrawalStatus(id, 'COMPLETED');
		const shown = await bench.getReference('NF-1');
		// What people ask for first is not folded.
		expect(Object.keys(shown).slice(0, 7)).toEqual([
			...['reference', 'environment', 'status', 'amount', 'pixKey', 'sentAt', 'withdrawalId'],
		]);
		expect(shown).toMatchObject({
			...{ environment: 'test', amount: 10.01, pixKey: CPF, sentAt: expect.any(String) },
			...{ reference: 'NF-1', status: 'paid', withdrawalId: id },
			withdrawal: { id, status: 'COMPLETED' },
			history: [{ status: 'paid', amount: 10.01, withdrawalId: id }],
		});
	});

	it('says that it is being sent, or that nobody knows yet, and shows no PIX key', async () => {
		await leaveOpen('dropAfter');

		const shown = await bench.getReference('NF-1');

		expect(shown).toMatchObject({ status: 'sending', amount: 10.01, withdrawal: null });
		expect(shown.pixKey).toContain('*');
		expect(shown.history).toContainEqual(expect.objectContaining({ status: 'sending' }));
		expect(JSON.stringify(shown)).not.toContain(CPF);
	});

	it.each<[string, () => Promise<unknown>]>([
		['in doubt', async () => await putInDoubt()],
		[
			'not paid',
			async () => {
				bench.refuseNext(1, 'INSUFFICIENT_BALANCE');
				await bench.pay([ONE]);
			},
		],
	])('says that it is %s', async (status, prepare) => {
		await prepare();
		expect(await bench.getReference('NF-1')).toMatchObject({ status, withdrawal: null });
	});

	it('does not call it paid after the bank has refused it', async () => {
		await bench.pay([ONE]);
		bench.bankRefusesAll();

		const { withdrawal, status } = await bench.getReference('NF-1');

		expect(withdrawal).toMatchObject({ status: 'FAILED' });
		expect(status).not.toBe('paid');
	});

	it('refuses an empty reference', async () => {
		expect((await bench.getReference(' ')).error.message).toContain('Reference is empty');
	});
});

it('is called so at once where a person has made its row unreadable, by Get by Reference as by Create', async () => {
	await leaveOpen('dropAfter');
	expect(await bench.getReference('NF-1')).toMatchObject({ status: 'sending' });
	dataTables().editRow(rowsOf('NF-1')[0]!.id, { status: 'pago' });

	expect((await bench.pay([ONE])).codes).toEqual(IN_DOUBT);
	expect(await bench.getReference('NF-1')).toMatchObject({ status: 'in doubt' });
});

it('names the reference for which a person has recorded the withdrawal by mistake, and how to undo that', async () => {
	await leaveOpen('dropAfter');
	const id = bench.idsPaid[0]!;
	expect(await bench.settle('NF 1', 'paid', id)).toMatchObject({ status: 'paid' });
	bench.clock.advance(25 * HOUR);

	const { errors } = await bench.pay([ONE]);
	expect(errors[0]?.description).toContain('somebody has recorded it for "NF 1"');
	expect(errors[0]?.description).toContain(
		'Settle Reference with the reference "NF 1" and Outcome Not Paid',
	);
	expect((await bench.settle('NF 1', 'notPaid')).error).toBeUndefined();
	expect(await bench.settle('NF-1', 'paid', id)).toMatchObject({ status: 'paid' });

	bench.expectOnce(await bench.pay([ONE]), BEFORE.slice(0, 1), ONCE);
});
