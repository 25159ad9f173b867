/** References in doubt: payouts that look alike prove nothing, and a person decides. */
import { randomUUID } from 'node:crypto';
import type { IDataObject } from 'n8n-workflow';
import { dataTables } from '../support/ledger';
import {
	BEFORE,
	continueOnFail,
	DOUBTS,
	namedTime,
	NOW,
	rowsOf,
	usePayouts,
} from '../support/money';
import { alike, CORRECTED, INVOICES, payEach, referenced } from '../support/payouts';
import { CPF, HOUR, MINUTE } from '../support/values';
import { restart } from '../support/restart';

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
	it('are each paid once, and known by their own IDs', async () => {
		const first = await bench.pay(THREE);
		await bench.payElsewhere([ONE, ONE]);
		bench.clock.advance(25 * HOUR);
		restart();

		const again = await bench.pay([...THREE].reverse());
		const other = await bench.start(referenced(), [...THREE, ...alike('NF-4')]);

		expect(again.ids).toEqual([...first.ids].reverse());
		expect(other.paidBefore).toEqual([true, true, true, false]);
		bench.expectTrue(first, again, other);
		expect(bench.living).toMatchObject({ 'NF-1': 1, 'NF-2': 1, 'NF-3': 1, 'NF-4': 1 });
	});

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

	it('are in doubt once their keys are dead, and paid after a person has looked', async () => {
		await bench.pay(THREE, { lost: { 'NF-1': 'dropBefore', 'NF-2': 'dropAfter' } });
		const [foreign = ''] = await bench.payElsewhere([ONE]);
		bench.clock.advance(25 * HOUR);
		restart();

		const doubt = await bench.pay(THREE);

		expect(doubt.codes).toEqual([...DOUBTS, undefined]);
		const candidates = [foreign, bench.idOf('NF-2')!].sort();
		for (const error of doubt.errors.slice(0, 2)) {
			expect(error?.withdrawalIds?.toSorted()).toEqual(candidates);
			const invoice = THREE[doubt.errors.indexOf(error)]!.invoice as string;
			expect(error?.description).toContain(
				`run Withdrawal > Settle Reference with the reference "${invoice}", Outcome Paid and the ID.`,
			);
			expect(error?.description).toContain(
				`Outcome Not Paid and these IDs in 'Not These': ${error?.withdrawalIds?.join(', ')},`,
			);
		}
		const living = { 'NF-1': 1, 'NF-2': 1, 'NF-3': 1, 'other tool': 1 };
		bench.expectOnce(await bench.payAsTold(THREE), [false, true, true], living);
	});

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
	it('Paid: the next run shows that withdrawal, and pays nothing', async () => {
		await putInDoubt('dropAfter');
		const own = bench.idOf('NF-1')!;

		const settled = await bench.settle('NF-1', 'paid', own);
		const again = await bench.pay([ONE]);

		expect(settled).toMatchObject({ reference: 'NF-1', status: 'paid', withdrawalId: own });
		expect(again.json).toMatchObject([{ id: own, alreadyPaid: true }]);
		expect(bench.living).toEqual(BESIDE_OTHER);
	});

	it('Not Paid: the next run pays, although the list shows what was ruled out, and what others pay since', async () => {
		const foreign = await putInDoubt();
		await bench.payElsewhere([ONE]);

		const settled = await bench.settle('NF-1', 'notPaid', '', { notThese: [foreign] });
		await bench.payElsewhere([ONE]);
		const again = await bench.pay([ONE]);
		const third = await bench.pay([ONE]);

		expect(settled).toMatchObject({ reference: 'NF-1', status: 'refused' });
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

	it.each<[string, () => Promise<string>, string]>([
		[
			'belongs to another reference',
			async () => (await bench.start(referenced(), alike('NF-2'))).ids[0]!,
			'has this withdrawal for another reference',
		],
		[
			'was refused by the bank',
			async () => {
				const [id = ''] = await bench.payElsewhere([ONE]);
				bench.sandbox.setWithdrawalStatus(id, 'FAILED');
				return id;
			},
			'the bank refused this withdrawal',
		],
		[
			'has another amount',
			async () => (await bench.payElsewhere([CORRECTED_ONE]))[0]!,
			'never sent under this reference',
		],
		['does not exist', async () => randomUUID(), 'could not be read'],
	])('Paid is refused with the ID of a withdrawal that %s', async (_what, getId, why) => {
		await putInDoubt('dropAfter');

		const { error } = await bench.settle('NF-1', 'paid', await getId());

		expect(error).toMatchObject({ code: 'NOT_SETTLED', effect: 'none' });
		expect(error.message).toContain(why);
		expect((await bench.pay([ONE])).codes).toEqual(IN_DOUBT);
		const last = await bench.payAsTold([ONE]);
		expect(last.paidBefore).toEqual([true]);
		bench.expectTrue(last);
		expect(bench.living).toMatchObject(ONCE);
	});
});

it.each(['dropBefore', 'dropAfter'] as const)(
	'an automatic name in doubt is settled as the error says, by its name, and paid once: %s',
	async (lost) => {
		const first = await bench.run(payEach({}, { description: '={{ $json.invoice }}' }), INVOICES, {
			lost: { 'NF-1': lost },
		});
		const [foreign = ''] = await bench.payElsewhere([ONE]);
		bench.clock.advance(25 * HOUR);
		continueOnFail(first);
		const doubt = await bench.retry(first);
		const [error] = doubt.errors;
		const { name = '' } = (error?.order ?? {}) as { name?: string };

		expect(doubt.codes).toEqual(['PAYOUT_IN_DOUBT', undefined]);
		expect(error?.withdrawalIds).toContain(foreign);
		expect(error?.description).toContain(`Settle Reference with the reference "${name}"`);
		expect(await bench.getReference(name)).toMatchObject({ status: 'in doubt' });
		const id = bench.idOf('NF-1');
		const settled = await bench.settle(name, id ? 'paid' : 'notPaid', id, {
			notThese: [foreign],
		});
		expect(settled.error).toBeUndefined();
		expect(error?.description).toContain('send this item with its field error to this node again');
		const last = await bench.start(first.workflow, [{ ...ONE, error }]);

		expect(last.paidBefore).toEqual([lost === 'dropAfter']);
		expect(bench.living).toEqual({ 'NF-1': 1, 'NF-2': 1, 'other tool': 1 });
		expect(await bench.getReference(name)).toMatchObject({ status: 'paid' });
	},
);

describe('a person who edits the table of n8n', () => {
	const editOpenRow = (cells: Parameters<ReturnType<typeof dataTables>['editRow']>[1]) =>
		dataTables().editRow(rowsOf('NF-1').find(({ status }) => status === 'sending')!.id, cells);
	const addRow = (status: string, cells: IDataObject = {}) =>
		dataTables().addRow({ reference: 'NF-1', status, environment: 'test', ...cells });

	it('to paid, with the ID: the next run shows that withdrawal', async () => {
		await putInDoubt('dropAfter');
		const own = bench.idOf('NF-1')!;
		editOpenRow({ status: 'paid', withdrawalId: own });

		const { json } = await bench.pay([ONE]);

		expect(json).toMatchObject([{ id: own, alreadyPaid: true }]);
		expect(bench.living).toEqual(BESIDE_OTHER);
	});

	it('who corrects a Paid of the wrong reference: each is paid once', async () => {
		const two = alike('NF-1', 'NF-2');
		await leaveOpen('dropAfter', two);
		bench.clock.advance(26 * HOUR);
		const [first, second] = [bench.idOf('NF-1')!, bench.idOf('NF-2')!];
		expect((await bench.settle('NF-1', 'paid', second)).error).toBeUndefined();
		const refused = await bench.settle('NF-2', 'paid', second);
		expect(refused.error).toMatchObject({ code: 'NOT_SETTLED' });
		expect(refused.error.description).toContain('settle that other reference first');
		bench.clock.advance(MINUTE);
		await bench.settle('NF-1', 'paid', first);

		bench.expectOnce(await bench.payAsTold(two), BEFORE);
	});

	it('who exports the rows and imports them again: a key does not become younger', async () => {
		await leaveOpen('dropAfter');
		bench.clock.advance(26 * HOUR);
		const [row] = dataTables().rows();
		const { id, ...cells } = row!;
		dataTables().deleteRow(id);
		dataTables().addRow({ ...cells, createdAt: undefined, updatedAt: undefined } as never);
		await expectDoubted();
	});

	it('who adds a row "paid" for a payout made by hand: it is not paid again', async () => {
		await bench.pay([TWO]);
		const [byHand = ''] = await bench.payElsewhere([ONE], 'NF-1');
		addRow('paid', { withdrawalId: byHand });

		const { json } = await bench.pay([ONE]);

		expect(json).toMatchObject([{ id: byHand, alreadyPaid: true }]);
		expect(bench.living).toEqual({ 'NF-1': 1, 'NF-2': 1 });
	});

	it('who takes back a payment that still lives: it is not paid again', async () => {
		await bench.pay([ONE]);
		bench.clock.advance(MINUTE);
		dataTables().editRow(rowsOf('NF-1')[0]!.id, { status: 'not paid' });
		bench.expectLiving(ONCE, await bench.payAsTold([ONE]));
	});

	// The row said nothing, and the reference was paid.
	it.each(['in doubt', 'sending', 'not paid'])(
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
	it('says that it was never sent, without creating anything else', async () => {
		await bench.pay([TWO]);
		expect(await bench.getReference('NF-1')).toEqual({
			...{ reference: 'NF-1', status: 'never sent', environment: 'test' },
			...{ withdrawal: null, history: [] },
		});
	});

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
});
