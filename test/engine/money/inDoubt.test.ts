/** References in doubt: payouts that look alike prove nothing, and a person decides. */
import { randomUUID } from 'node:crypto';
import type { IDataObject } from 'n8n-workflow';
import { dataTables } from '../support/ledger';
import {
	BEFORE,
	DOUBTS,
	FINE,
	NOW,
	continueOnFail,
	namedTime,
	rowsOf,
	usePayouts,
} from '../support/money';
import { CORRECTED, INVOICES, alike, payEach, referenced } from '../support/payouts';
import { restart } from '../support/restart';
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

	it('in one list: one paid without an answer, the other refused, and neither takes the other’s ID', async () => {
		bench.assume('storedFailures');
		bench.strike('NF-1', { kind: 'dropAfter' });
		bench.strike('NF-2', { kind: 'error', code: 'WITHDRAWAL_PROVIDER_UNAVAILABLE' });
		await bench.pay(alike('NF-1', 'NF-2'));
		bench.sandbox.faults.clear();

		const again = await bench.pay(alike('NF-1', 'NF-2'));

		expect(again.codes).toEqual(FINE);
		bench.expectLiving({ 'NF-1': 1, 'NF-2': 1 }, again);
	});

	it('of another tool, whose payout the bank refuses later, pay nobody twice', async () => {
		bench.sandbox.dialect.withdrawalTransitions.last = 'returnable';
		await leaveOpen('dropAfter');
		const [foreign = ''] = await bench.payElsewhere([CORRECTED_ONE]);

		expect((await bench.pay([CORRECTED_ONE])).codes).toEqual(IN_DOUBT);
		expect((await bench.payAsTold([CORRECTED_ONE])).codes).toEqual(['REFERENCE_MISMATCH']);
		bench.sandbox.setWithdrawalStatus(foreign, 'FAILED');
		restart();
		expect((await bench.pay([CORRECTED_ONE])).codes).toEqual(['REFERENCE_MISMATCH']);
		expect(bench.living).toEqual(ONCE);
	});

	it('a list to which rows are added every week pays each row once', async () => {
		const list: IDataObject[] = [];
		for (let week = 0; week < 16; week += 1) {
			list.push(...alike(`W-${week}-a`, `W-${week}-b`));
			const run = await bench.pay(list);
			expect(run.codes).toEqual(list.map(() => undefined));
			bench.expectTrue(run);
			bench.clock.advance(7 * 24 * HOUR);
		}
		expect(Object.values(bench.living)).toEqual(list.map(() => 1));
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

	it('proves behind 5,000 newer rows that nothing was paid, and the reference is paid', async () => {
		bench.assume('listOrder');
		// What is seeded counts, and at night the limit is lower.
		bench.sandbox.account.nightLimitCents = bench.sandbox.account.dayLimitCents;
		await leaveOpen('dropBefore');
		bench.clock.advance(25 * HOUR);
		for (let index = 0; index < 5_000; index += 1) {
			const pixKey = `payee-${index}@example.com`;
			const createdAt = bench.clock.now() - 4 * HOUR - index * 1_000;
			bench.sandbox.seed.withdrawal({ amountCents: 1001, pixKey, createdAt });
		}

		const { json } = await bench.pay([ONE]);

		expect(json[0]).toMatchObject({ alreadyPaid: false, reference: 'NF-1' });
		expect(bench.living).toEqual(ONCE);
	}, 60_000);

	it('is not asked before a late request must have arrived', async () => {
		await leaveOpen('dropBefore');
		const [request] = bench.requests('POST');

		const corrected = await bench.pay([CORRECTED_ONE]);
		expect(await bench.arrive(request!)).toBe(409);

		expect(corrected.codes).toEqual([undefined]);
		expect(bench.living).toEqual(ONCE);
		expect(bench.paid).toEqual([1101]);
	});

	it('that is refused to the key leaves the reference in doubt, and says which scope is missing', async () => {
		const credential = { apiKey: bench.keyWith('withdrawals:write') };
		await bench.pay([ONE], { credential, lost: 'dropAfter' });
		bench.clock.advance(25 * HOUR);

		const again = await bench.pay([ONE], { credential });

		expect(again.codes).toEqual(IN_DOUBT);
		expect(again.errors[0]?.description).toContain('withdrawals:read');
		expect(bench.living).toEqual(ONCE);
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

it('four refusals after a request that times out do not lead to another key before it must have arrived', async () => {
	bench.lose('dropBefore', () => true, 1);
	bench.refuseNext(4);
	const first = await bench.pay([ONE]);
	const [request] = bench.requests('POST');
	expect(bench.keys).toHaveLength(1);
	bench.sandbox.faults.clear();
	await bench.arrive(request!);

	const last = await bench.payAsTold([ONE]);

	expect(first.codes).toEqual(IN_DOUBT);
	expect(namedTime(first.errors[0])).toBeGreaterThan(bench.clock.now() - 10 * MINUTE);
	bench.expectLiving(ONCE, last);
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

	it('names the withdrawal that a person has entered for another reference: that may have been a mistake', async () => {
		await leaveOpen('dropAfter', alike('NF-1', 'NF-2'));
		bench.clock.advance(26 * HOUR);
		const own = bench.idOf('NF-1')!;
		expect((await bench.settle('NF-2', 'paid', own)).error).toBeUndefined();

		const { errors } = await bench.pay([ONE]);

		expect(errors[0]?.withdrawalIds).toContain(own);
		expect(bench.living).toEqual({ 'NF-1': 1, 'NF-2': 1 });
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

	it('Paid with the ID that one reference has: no second one gets it', async () => {
		const two = alike('NF-1', 'NF-2');
		await bench.pay(two, { lost: 'dropBefore' });
		const [foreign = ''] = await bench.payElsewhere([ONE]);
		bench.clock.advance(25 * HOUR);
		await bench.pay(two);

		expect((await bench.settle('NF-1', 'paid', foreign)).error).toBeUndefined();
		const { error } = await bench.settle('NF-2', 'paid', foreign);
		const again = await bench.pay(two);

		expect(error).toMatchObject({ code: 'NOT_SETTLED' });
		expect(again.codes).toEqual([undefined, 'PAYOUT_IN_DOUBT']);
		expect(again.json[0]).toMatchObject({ id: foreign, alreadyPaid: true });
		expect((await bench.payAsTold(two)).paidBefore).toEqual([true, false]);
		expect(bench.living).toEqual({ 'NF-2': 1, 'other tool': 1 });
	});

	it.each([
		['paid', async () => void (await bench.pay([ONE]))],
		[
			'refused',
			async () => {
				bench.refuseNext(1, 'INSUFFICIENT_BALANCE');
				await bench.pay([ONE]);
			},
		],
	])('has nothing to say of a reference that was %s', async (what, prepare) => {
		await prepare();
		const before = rowsOf();
		const [foreign = ''] = await bench.payElsewhere([ONE]);

		const words = [await bench.settle('NF-1', 'notPaid')];
		if (what === 'paid') words.push(await bench.settle('NF-1', 'paid', foreign));

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

	it('Not Paid counts where the list cannot be read: the person has looked elsewhere', async () => {
		await putInDoubt();
		const end = bench.sandbox.faults.add({
			...{ method: 'GET', path: '/v1/withdrawals', kind: 'html', status: 503, times: Infinity },
		});
		const { errors } = await bench.pay([ONE]);
		expect(errors[0]?.description).toContain('If it stays like this, look the payout up');

		expect((await bench.settle('NF-1', 'notPaid')).error).toBeUndefined();
		end();
		bench.expectOnce(await bench.pay([ONE]), [false], BESIDE_OTHER);
	});
});

describe('an automatic name', () => {
	const parameters = payEach({}, { description: '={{ $json.invoice }}' });

	it.each(['dropBefore', 'dropAfter'] as const)(
		'in doubt is settled as the error says, by its name, and paid once: %s',
		async (lost) => {
			const first = await bench.run(parameters, INVOICES, { lost: { 'NF-1': lost } });
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
			expect(error?.description).toContain(
				'send this item with its field error to this node again',
			);
			const last = await bench.start(first.workflow, [{ ...ONE, error }]);

			expect(last.paidBefore).toEqual([lost === 'dropAfter']);
			expect(bench.living).toEqual({ 'NF-1': 1, 'NF-2': 1, 'other tool': 1 });
			expect(await bench.getReference(name)).toMatchObject({ status: 'paid' });
		},
	);
});

describe('a person who edits the table of n8n', () => {
	const editOpenRow = (cells: Parameters<ReturnType<typeof dataTables>['editRow']>[1]) =>
		dataTables().editRow(rowsOf('NF-1').find(({ status }) => status === 'sending')!.id, cells);
	const editPaidRow = (cells: Parameters<ReturnType<typeof dataTables>['editRow']>[1]) =>
		dataTables().editRow(rowsOf('NF-1').find(({ status }) => status === 'paid')!.id, cells);
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

	describe.each(['not paid', 'Not paid ', 'refused', 'failed'])('to "%s"', (status) => {
		const OF_ROW = ['in the row', () => editOpenRow({ status })] as const;
		const ADDED = ['in a row of its own', () => addRow(status)] as const;

		it.each([OF_ROW, ADDED])('is in doubt until it is settled: %s', async (_where, say) => {
			await putInDoubt();
			say();

			const { errors } = await bench.pay([ONE]);

			expect(errors).toMatchObject([{ code: 'PAYOUT_IN_DOUBT', effect: 'unknown' }]);
			expect(errors[0]?.description).toContain('Settle Reference with the reference "NF-1"');
			bench.expectOnce(await bench.payAsTold([ONE]), [false], BESIDE_OTHER);
		});

		it.each([OF_ROW, ADDED])(
			'too early, while the lost request may arrive: %s',
			async (_w, say) => {
				await arriveAfter(say);
				bench.expectLiving(ONCE, await bench.payAsTold([ONE]));
			},
		);

		it.each([OF_ROW, ADDED])('without looking: %s', async (_where, say) => {
			await leaveOpen('dropAfter');
			bench.clock.advance(25 * HOUR);
			say();
			bench.expectOnce(await bench.payAsTold([ONE]), [true], ONCE);
		});
	});

	it.each<[string, (id: string) => unknown]>([
		['by Settle Reference', async (id) => await bench.settle('NF-1', 'paid', id)],
		['in the table', () => editPaidRow({ status: 'not paid', withdrawalId: null })],
	])(
		'who corrects a Paid of the wrong reference %s: each is paid once',
		async (_where, correct) => {
			const two = alike('NF-1', 'NF-2');
			await leaveOpen('dropAfter', two);
			bench.clock.advance(26 * HOUR);
			const [first, second] = [bench.idOf('NF-1')!, bench.idOf('NF-2')!];
			expect((await bench.settle('NF-1', 'paid', second)).error).toBeUndefined();
			const refused = await bench.settle('NF-2', 'paid', second);
			expect(refused.error).toMatchObject({ code: 'NOT_SETTLED' });
			expect(refused.error.description).toContain('settle that other reference first');
			bench.clock.advance(MINUTE);
			await correct(first);

			bench.expectOnce(await bench.payAsTold(two), BEFORE);
		},
	);

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

	it('who adds a row with a blank too many sees by Get by Reference that it is not found', async () => {
		await bench.pay([TWO]);
		const { id } = addRow('paid', { withdrawalId: randomUUID(), reference: 'NF-1 ' });

		expect(await bench.getReference('NF-1')).toMatchObject({ status: 'never sent' });
		dataTables().editRow(id, { reference: 'NF-1' });
		expect(await bench.getReference(' NF-1')).toMatchObject({ reference: 'NF-1', status: 'paid' });
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

	it('refuses an empty reference', async () => {
		expect((await bench.getReference(' ')).error.message).toContain('Reference is empty');
	});
});
