/** References in doubt: payouts that look alike prove nothing, and a person decides. */
import { randomUUID } from 'node:crypto';
import type { IDataObject, Workflow } from 'n8n-workflow';
import { dataTables } from '../support/ledger';
import {
	alike,
	CORRECTED,
	HOUR,
	INVOICES,
	MINUTE,
	namedTime,
	referenced,
	rowsOf,
	usePayouts,
} from '../support/references';
import { restart } from '../support/restart';
import { CPF } from '../support/values';

const bench = usePayouts();
const THREE = alike('NF-1', 'NF-2', 'NF-3');
const [ONE = {}] = INVOICES;

/** The request of a reference gets lost, or its answer does. */
const leaveOpen = async (
	workflow: Workflow,
	kind: 'dropBefore' | 'dropAfter',
	items: IDataObject[] = [ONE],
) => {
	const failed = await bench.start(workflow, items, { lost: kind });
	expect(failed.codes).not.toContain(undefined);
	return failed;
};
/** The last key of the reference is dead, and the list shows an equal payout of somebody else. */
const putInDoubt = async (workflow: Workflow, kind: 'dropBefore' | 'dropAfter' = 'dropBefore') => {
	await leaveOpen(workflow, kind);
	const [foreign = ''] = await bench.payElsewhere([ONE]);
	bench.clock.advance(25 * HOUR);
	const run = await bench.start(workflow, [ONE]);
	expect(run.codes).toEqual(['PAYOUT_IN_DOUBT']);
	return { foreign, error: run.errors[0]! };
};

describe('payouts that look alike', () => {
	it.each([0, 25])(
		'are each paid once, and known by their own IDs, %d hours later',
		async (hours) => {
			const workflow = referenced();
			const first = await bench.start(workflow, THREE);
			await bench.payElsewhere([ONE, ONE]);
			bench.clock.advance(hours * HOUR);
			restart();

			const again = await bench.start(workflow, [...THREE].reverse());
			const other = await bench.start(referenced(), [...THREE, ...alike('NF-4')]);

			expect(again.ids).toEqual(first.ids.reverse());
			expect(other.paidBefore).toEqual([true, true, true, false]);
			bench.expectTrue(first, again, other);
			expect(bench.living).toMatchObject({ 'NF-1': 1, 'NF-2': 1, 'NF-3': 1, 'NF-4': 1 });
		},
	);

	it.each(['dropBefore', 'dropAfter'] as const)(
		'are sent again under their keys while these live, whatever the list shows: %s',
		async (kind) => {
			const workflow = referenced();
			await leaveOpen(workflow, kind, THREE);
			await bench.payElsewhere([ONE, ONE, ONE]);

			const again = await bench.start(workflow, THREE);

			expect(again.codes).toEqual([undefined, undefined, undefined]);
			bench.expectTrue(again);
			expect(bench.living).toMatchObject({ 'NF-1': 1, 'NF-2': 1, 'NF-3': 1, 'other tool': 3 });
		},
	);

	it('are in doubt once their keys are dead, and paid after a person has looked', async () => {
		const workflow = referenced();
		await bench.start(workflow, THREE, { lost: { 'NF-1': 'dropBefore', 'NF-2': 'dropAfter' } });
		const [foreign = ''] = await bench.payElsewhere([ONE]);
		bench.clock.advance(25 * HOUR);
		restart();

		const doubt = await bench.start(workflow, THREE);
		const last = await bench.followWords(workflow, THREE);

		expect(doubt.codes).toEqual(['PAYOUT_IN_DOUBT', 'PAYOUT_IN_DOUBT', undefined]);
		const own = bench.idOf('NF-2')!;
		for (const error of doubt.errors.slice(0, 2)) {
			expect(error?.withdrawalIds?.toSorted()).toEqual([foreign, own].sort());
			expect(error?.description).toContain(foreign);
			expect(error?.description).toContain('Settle Reference with Outcome Paid and its ID');
		}
		expect(last.paidBefore).toEqual([false, true, true]);
		bench.expectLiving({ 'NF-1': 1, 'NF-2': 1, 'NF-3': 1, 'other tool': 1 }, last);
	});

	it('are not confused with an equal payout of last month', async () => {
		await bench.payElsewhere(INVOICES);
		bench.clock.advance(30 * 24 * HOUR);
		restart();
		const workflow = referenced();
		await leaveOpen(workflow, 'dropBefore', INVOICES);
		bench.clock.advance(25 * HOUR);

		const again = await bench.start(workflow, INVOICES);

		expect(again.paidBefore).toEqual([false, false]);
		bench.expectLiving({ 'NF-1': 1, 'NF-2': 1, 'other tool': 2 }, again);
	});

	it('of other references are no candidates: the table knows whose they are', async () => {
		const workflow = referenced();
		await leaveOpen(workflow, 'dropBefore');
		await bench.start(referenced(), alike('NF-2', 'NF-3'));
		bench.clock.advance(25 * HOUR);

		const again = await bench.start(workflow, [ONE]);

		expect(again.paidBefore).toEqual([false]);
		expect(bench.living).toEqual({ 'NF-1': 1, 'NF-2': 1, 'NF-3': 1 });
	});

	it('in one list: one paid without an answer, the other refused, and neither takes the other’s ID', async () => {
		bench.assume('storedFailures');
		const workflow = referenced();
		const found = bench.lose('dropAfter', (body) => body.includes('NF-1'));
		bench.sandbox.faults.add({
			...{
				method: 'POST',
				kind: 'error',
				code: 'WITHDRAWAL_PROVIDER_UNAVAILABLE',
				times: Infinity,
			},
			when: ({ rawBody }) => rawBody.includes('NF-2'),
		});
		await bench.start(workflow, alike('NF-1', 'NF-2'));
		found();
		bench.sandbox.faults.clear();

		const again = await bench.start(workflow, alike('NF-1', 'NF-2'));

		expect(again.codes).toEqual([undefined, undefined]);
		bench.expectLiving({ 'NF-1': 1, 'NF-2': 1 }, again);
	});

	it('of another tool, whose payout the bank refuses later, pay nobody twice', async () => {
		bench.sandbox.dialect.withdrawalTransitions.last = 'returnable';
		const workflow = referenced();
		await leaveOpen(workflow, 'dropAfter');
		const [foreign = ''] = await bench.payElsewhere([{ ...ONE, amount: CORRECTED[0]!.amount }]);

		const corrected = await bench.start(workflow, [CORRECTED[0]!]);
		const after = await bench.followWords(workflow, [CORRECTED[0]!]);
		bench.sandbox.setWithdrawalStatus(foreign, 'FAILED');
		restart();
		const last = await bench.start(workflow, [CORRECTED[0]!]);

		expect(corrected.codes).toEqual(['PAYOUT_IN_DOUBT']);
		expect(after.codes).toEqual(['REFERENCE_MISMATCH']);
		expect(last.codes).toEqual(['REFERENCE_MISMATCH']);
		expect(bench.living).toEqual({ 'NF-1': 1 });
	});

	it('a list to which rows are added every week pays each row once', async () => {
		const workflow = referenced();
		const list: IDataObject[] = [];
		for (let week = 0; week < 16; week += 1) {
			list.push(...alike(`W-${week}-a`, `W-${week}-b`));
			const run = await bench.start(workflow, list);
			expect(run.codes).toEqual(list.map(() => undefined));
			bench.expectTrue(run);
			bench.clock.advance(7 * 24 * HOUR);
		}
		expect(Object.values(bench.living)).toEqual(list.map(() => 1));
	});
});

describe('the list of withdrawals', () => {
	const EMPTY = { withdrawals: [], pagination: { page: 1, limit: 100, total: 0, totalPages: 0 } };
	const ofOtherKey = {
		withdrawals: [
			{ id: crypto.randomUUID(), netAmount: 7, pixKey: 'a@b.example', isSandbox: false },
		],
		pagination: { page: 1, limit: 100, total: 1, totalPages: 1 },
	};
	const hoursAgo = new Date(Date.now() - 3 * HOUR).toUTCString();

	it.each([
		['kept for a day', { headers: { Age: '90000' } }, 'came from a cache (age: 90000)'],
		['kept by a cache that sends no age', { headers: { 'X-Cache': 'HIT' } }, '(x-cache: HIT)'],
		['stale', { headers: { Warning: '110 - "Response is Stale"' } }, '(warning: 110'],
		['changed', { status: 203 }, 'response cannot be read'],
		['a part', { status: 206 }, 'response cannot be read'],
		['without counts', { body: { withdrawals: [] } }, 'does not say how many there are'],
		['kept with its time', { headers: { Date: hoursAgo } }, 'The list of withdrawals is as of '],
		['kept for a live key', { body: ofOtherKey }, 'is that of another API key'],
	])('that something on the way has changed proves nothing: %s', async (_what, change, why) => {
		const workflow = referenced();
		await leaveOpen(workflow, 'dropAfter', INVOICES);
		bench.clock.advance(25 * HOUR);
		restart();
		const forget = bench.sandbox.faults.add({
			...{ method: 'GET', times: Infinity, kind: 'status', status: 200, body: EMPTY },
			...change,
		});

		const cached = await bench.start(workflow, INVOICES);
		forget();
		const last = await bench.followWords(workflow, INVOICES);

		expect(cached.codes).toEqual(['PAYOUT_IN_DOUBT', 'PAYOUT_IN_DOUBT']);
		expect(cached.hints.join()).toContain(why);
		expect(last.paidBefore).toEqual([true, true]);
		bench.expectLiving({ 'NF-1': 1, 'NF-2': 1 }, last);
	});

	it('proves behind 5,000 newer rows that nothing was paid, and the reference is paid', async () => {
		bench.assume('listOrder');
		// What is seeded counts, and at night the limit is lower.
		bench.sandbox.account.nightLimitCents = bench.sandbox.account.dayLimitCents;
		const workflow = referenced();
		await leaveOpen(workflow, 'dropBefore');
		bench.clock.advance(25 * HOUR);
		for (let index = 0; index < 5_000; index += 1) {
			const pixKey = `payee-${index}@example.com`;
			const createdAt = bench.clock.now() - 4 * HOUR - index * 1_000;
			bench.sandbox.seed.withdrawal({ amountCents: 1001, pixKey, createdAt });
		}

		const { json } = await bench.start(workflow, [ONE]);

		expect(json[0]).toMatchObject({ alreadyPaid: false, reference: 'NF-1' });
		expect(bench.living).toEqual({ 'NF-1': 1 });
	}, 60_000);

	it('is not asked before a late request must have arrived', async () => {
		const workflow = referenced();
		await leaveOpen(workflow, 'dropBefore');
		const [request] = bench.requests('POST');

		const corrected = await bench.start(workflow, [CORRECTED[0]!]);
		expect(await bench.arrive(request!)).toBe(409);

		expect(corrected.paidBefore).toHaveLength(1);
		expect(corrected.codes).toEqual([undefined]);
		expect(bench.living).toEqual({ 'NF-1': 1 });
		expect(bench.paid).toEqual([1101]);
	});

	it('that is refused to the key leaves the reference in doubt, and says which scope is missing', async () => {
		const apiKey = bench.keyWith('withdrawals:write');
		const workflow = referenced();
		await bench.start(workflow, [ONE], { credential: { apiKey }, lost: 'dropAfter' });
		bench.clock.advance(25 * HOUR);

		const again = await bench.start(workflow, [ONE], { credential: { apiKey } });

		expect(again.codes).toEqual(['PAYOUT_IN_DOUBT']);
		expect(again.errors[0]?.description).toContain('withdrawals:read');
		expect(bench.living).toEqual({ 'NF-1': 1 });
	});
});

describe('clocks that differ by minutes', () => {
	it.each([
		['the service is ahead', 10],
		['the service is behind', -10],
	])('hide no payout from the list: %s', async (_, minutes) => {
		const workflow = referenced();
		await leaveOpen(workflow, 'dropAfter');
		const own = bench.sandbox.books.withdrawals.at(-1)!;
		own.createdAt += minutes * MINUTE;
		bench.clock.advance(25 * HOUR);

		const settled = await bench.settle('NF-1', 'notPaid');
		const doubt = await bench.start(workflow, [ONE]);

		expect(settled.error).toMatchObject({ code: 'NOT_SETTLED', withdrawalIds: [own.id] });
		expect(doubt.errors[0]).toMatchObject({ code: 'PAYOUT_IN_DOUBT', withdrawalIds: [own.id] });
	});
});

describe('a request that times out and arrives later', () => {
	it('four refusals meanwhile do not lead to another key before it must have arrived', async () => {
		const workflow = referenced();
		bench.lose('dropBefore', () => true, 1);
		bench.refuseNext(4);
		const first = await bench.start(workflow, [ONE]);
		const [request] = bench.requests('POST');
		const keys = bench.keys.length;
		bench.sandbox.faults.clear();

		await bench.arrive(request!);
		const last = await bench.followWords(workflow, [ONE]);

		expect(keys).toBe(1);
		expect(first.codes).toEqual(['PAYOUT_IN_DOUBT']);
		expect(namedTime(first.errors[0])).toBeGreaterThan(bench.clock.now() - 10 * MINUTE);
		bench.expectLiving({ 'NF-1': 1 }, last);
	});
});

describe('Settle Reference', () => {
	it('Paid: the next run shows that withdrawal, and pays nothing', async () => {
		const workflow = referenced();
		await putInDoubt(workflow, 'dropAfter');
		const own = bench.idOf('NF-1')!;

		const settled = await bench.settle('NF-1', 'paid', own);
		const again = await bench.start(workflow, [ONE]);

		expect(settled).toMatchObject({ reference: 'NF-1', status: 'paid', withdrawalId: own });
		expect(again.json).toMatchObject([{ id: own, alreadyPaid: true }]);
		expect(bench.living).toEqual({ 'NF-1': 1, 'other tool': 1 });
	});

	it('Not Paid: the next run pays, although the list shows what was ruled out', async () => {
		const workflow = referenced();
		const { foreign } = await putInDoubt(workflow);

		const settled = await bench.settle('NF-1', 'notPaid');
		const again = await bench.start(workflow, [ONE]);
		const third = await bench.start(workflow, [ONE]);

		expect(settled).toMatchObject({ reference: 'NF-1', status: 'not paid' });
		expect(again.json).toMatchObject([{ alreadyPaid: false }]);
		expect(again.ids).not.toEqual([foreign]);
		expect(third.ids).toEqual(again.ids);
		bench.expectLiving({ 'NF-1': 1, 'other tool': 1 }, again, third);
		expect(rowsOf('NF-1').map(({ status }) => status)).toEqual(['paid']);
	});

	it('Not Paid, said too early, while the lost request may still arrive: paid once', async () => {
		const workflow = referenced();
		await leaveOpen(workflow, 'dropBefore');
		const [request] = bench.requests('POST');

		const settled = await bench.settle('NF-1', 'notPaid');
		expect(await bench.arrive(request!)).toBeLessThan(300);
		const again = await bench.followWords(workflow, [ONE]);

		expect(settled.error).toBeUndefined();
		bench.expectLiving({ 'NF-1': 1 }, again);
	});

	it('Not Paid, said too early, with another amount in the row since: paid once', async () => {
		const workflow = referenced();
		await leaveOpen(workflow, 'dropBefore');
		const [request] = bench.requests('POST');
		await bench.settle('NF-1', 'notPaid');
		await bench.arrive(request!);

		const last = await bench.followWords(workflow, [CORRECTED[0]!]);

		expect(last.codes).toEqual(['REFERENCE_MISMATCH']);
		expect(bench.living).toEqual({ 'NF-1': 1 });
	});

	it('Not Paid is refused where the list shows a withdrawal that the person was not told of', async () => {
		const workflow = referenced();
		await leaveOpen(workflow, 'dropBefore');
		const [foreign = ''] = await bench.payElsewhere([ONE]);
		bench.clock.advance(25 * HOUR);

		const refused = await bench.settle('NF-1', 'notPaid');
		const doubt = await bench.start(workflow, [ONE]);
		const settled = await bench.settle('NF-1', 'notPaid');
		const again = await bench.start(workflow, [ONE]);

		expect(refused.error).toMatchObject({ code: 'NOT_SETTLED', withdrawalIds: [foreign] });
		expect(doubt.codes).toEqual(['PAYOUT_IN_DOUBT']);
		expect(settled.error).toBeUndefined();
		expect(again.paidBefore).toEqual([false]);
		expect(bench.living).toEqual({ 'NF-1': 1, 'other tool': 1 });
	});

	it('Not Paid that was refused settles nothing: the payout that it named is not paid once more', async () => {
		const workflow = referenced();
		await leaveOpen(workflow, 'dropAfter');
		bench.clock.advance(25 * HOUR);
		const own = bench.idOf('NF-1')!;

		const refused = await bench.settle('NF-1', 'notPaid');
		const again = await bench.start(workflow, [ONE]);

		expect(refused.error).toMatchObject({ code: 'NOT_SETTLED', withdrawalIds: [own] });
		expect(again.codes).toEqual(['PAYOUT_IN_DOUBT']);
		expect(bench.living).toEqual({ 'NF-1': 1 });
	});

	it('names the withdrawal that a person has entered for another reference: that may have been a mistake', async () => {
		const workflow = referenced();
		const two = alike('NF-1', 'NF-2');
		await leaveOpen(workflow, 'dropAfter', two);
		bench.clock.advance(26 * HOUR);
		const own = bench.idOf('NF-1')!;
		expect((await bench.settle('NF-2', 'paid', own)).error).toBeUndefined();

		const doubt = await bench.start(workflow, [two[0]!]);

		expect(doubt.errors[0]?.withdrawalIds).toContain(own);
		expect(bench.living).toEqual({ 'NF-1': 1, 'NF-2': 1 });
	});

	it('Not Paid counts, although others pay the same again and again', async () => {
		const workflow = referenced();
		await putInDoubt(workflow);
		await bench.payElsewhere([ONE]);

		const settled = await bench.settle('NF-1', 'notPaid');
		await bench.payElsewhere([ONE]);
		const last = await bench.start(workflow, [ONE]);

		expect(settled.error).toBeUndefined();
		expect(last.paidBefore).toEqual([false]);
		bench.expectLiving({ 'NF-1': 1, 'other tool': 3 }, last);
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
			async () => (await bench.payElsewhere([CORRECTED[0]!]))[0]!,
			'never sent under this reference',
		],
		['does not exist', async () => crypto.randomUUID(), 'could not be read'],
	])('Paid is refused with the ID of a withdrawal that %s', async (_what, getId, why) => {
		const workflow = referenced();
		await putInDoubt(workflow, 'dropAfter');
		const id = await getId();

		const refused = await bench.settle('NF-1', 'paid', id);
		const still = await bench.start(workflow, [ONE]);
		const last = await bench.followWords(workflow, [ONE]);

		expect(refused.error).toMatchObject({ code: 'NOT_SETTLED', effect: 'none' });
		expect(refused.error.message).toContain(why);
		expect(still.codes).toEqual(['PAYOUT_IN_DOUBT']);
		expect(last.paidBefore).toEqual([true]);
		bench.expectTrue(last);
		expect(bench.living).toMatchObject({ 'NF-1': 1 });
	});

	it('Paid with the ID that one reference has: no second one gets it', async () => {
		const workflow = referenced();
		await bench.start(workflow, alike('NF-1', 'NF-2'), { lost: 'dropBefore' });
		const [foreign = ''] = await bench.payElsewhere([ONE]);
		bench.clock.advance(25 * HOUR);
		await bench.start(workflow, alike('NF-1', 'NF-2'));

		const one = await bench.settle('NF-1', 'paid', foreign);
		const two = await bench.settle('NF-2', 'paid', foreign);
		const again = await bench.start(workflow, alike('NF-1', 'NF-2'));

		expect(one.error).toBeUndefined();
		expect(two.error).toMatchObject({ code: 'NOT_SETTLED' });
		// The other one is no candidate any more: it belongs to the first.
		expect(again.json).toMatchObject([{ id: foreign, alreadyPaid: true }, { alreadyPaid: false }]);
		expect(bench.living).toEqual({ 'NF-2': 1, 'other tool': 1 });
	});

	it.each([
		['never sent', 'nothing about it is in doubt', async () => undefined],
		[
			'paid',
			'the table BRL Payouts says that it was paid',
			async () => void (await bench.start(referenced(), [ONE])),
		],
		[
			'refused',
			'nothing about it is in doubt',
			async () => {
				bench.refuseNext(1, 'INSUFFICIENT_BALANCE');
				await bench.start(referenced(), [ONE]);
			},
		],
	])('is refused for a reference that was %s: %s', async (_what, says, prepare) => {
		await prepare();
		const before = rowsOf();
		const [foreign = ''] = await bench.payElsewhere([ONE]);

		const words = [
			await bench.settle('NF-1', 'notPaid'),
			await bench.settle('NF-1', 'paid', foreign),
		];

		for (const { error } of words) {
			expect(error).toMatchObject({ code: 'NOT_SETTLED', effect: 'none' });
			expect(error.message).toContain(says);
			expect(error.message).toContain(bench.idOf('NF-1') ?? '');
		}
		expect(rowsOf()).toEqual(before);
	});

	it('of a live reference says nothing about the test one', async () => {
		const workflow = referenced();
		await putInDoubt(workflow);

		const live = { credential: bench.liveCredential };
		const word = await bench.settle('NF-1', 'notPaid', '', live);
		const again = await bench.start(workflow, [ONE]);

		expect(word.error).toMatchObject({ code: 'NOT_SETTLED' });
		expect(again.codes).toEqual(['PAYOUT_IN_DOUBT']);
	});

	it('is refused where the list cannot be read', async () => {
		const workflow = referenced();
		await putInDoubt(workflow);
		bench.sandbox.faults.add({
			...{ method: 'GET', path: '/v1/withdrawals', kind: 'html', status: 503, times: Infinity },
		});

		const word = await bench.settle('NF-1', 'notPaid');

		expect(word.error).toMatchObject({ code: 'NOT_SETTLED', retryable: true });
		expect(bench.living).toEqual({ 'other tool': 1 });
	});
});

describe('a person who edits the table of n8n', () => {
	const openRow = () => rowsOf('NF-1').find(({ status }) => status === 'sending')!;

	it('to paid, with the ID: the next run shows that withdrawal', async () => {
		const workflow = referenced();
		await putInDoubt(workflow, 'dropAfter');
		const own = bench.idOf('NF-1')!;
		dataTables().editRow(openRow().id, { status: 'paid', withdrawalId: own });

		const again = await bench.start(workflow, [ONE]);

		expect(again.json).toMatchObject([{ id: own, alreadyPaid: true }]);
		expect(bench.living).toEqual({ 'NF-1': 1, 'other tool': 1 });
	});

	it.each(['not paid', 'Not paid ', 'refused', 'failed'])(
		'to "%s": the next run pays, without the withdrawals that the person was shown',
		async (status) => {
			const workflow = referenced();
			await putInDoubt(workflow);
			dataTables().editRow(openRow().id, { status });

			const again = await bench.followWords(workflow, [ONE]);

			expect(again.paidBefore).toEqual([false]);
			bench.expectLiving({ 'NF-1': 1, 'other tool': 1 }, again);
		},
	);

	it.each(['not paid', 'refused', 'failed'])(
		'to "%s" too early, while the lost request may still arrive: paid once',
		async (status) => {
			const workflow = referenced();
			await leaveOpen(workflow, 'dropBefore');
			const [request] = bench.requests('POST');
			dataTables().editRow(openRow().id, { status });
			await bench.arrive(request!);

			const last = await bench.followWords(workflow, [ONE]);

			bench.expectLiving({ 'NF-1': 1 }, last);
		},
	);

	it.each(['sending', 'added'])(
		'to "not paid" without looking (%s): what the list shows is not paid again',
		async (how) => {
			const workflow = referenced();
			await leaveOpen(workflow, 'dropAfter');
			bench.clock.advance(25 * HOUR);
			const word = { status: 'not paid', environment: 'test' };
			if (how === 'sending') dataTables().editRow(openRow().id, word);
			else dataTables().addRow({ reference: 'NF-1', ...word });

			const doubt = await bench.start(workflow, [ONE]);

			expect(doubt.errors[0]).toMatchObject({
				code: 'PAYOUT_IN_DOUBT',
				withdrawalIds: [bench.idOf('NF-1')],
			});
			expect(bench.living).toEqual({ 'NF-1': 1 });
		},
	);

	it.each([10 * MINUTE, 26 * HOUR])(
		'who takes back a Paid that was said of the wrong reference, %d ms later: none is paid twice',
		async (later) => {
			const workflow = referenced();
			const two = alike('NF-1', 'NF-2');
			await leaveOpen(workflow, 'dropAfter', two);
			bench.clock.advance(later);
			const own = bench.idOf('NF-2')!;
			expect((await bench.settle('NF-1', 'paid', own)).error).toBeUndefined();
			const refused = await bench.settle('NF-2', 'paid', own);
			expect(refused.error).toMatchObject({ code: 'NOT_SETTLED' });
			const wrong = rowsOf('NF-1').find(({ status }) => status === 'paid')!;
			for (const { id } of rowsOf('NF-1')) if (id !== wrong.id) dataTables().deleteRow(id);
			dataTables().editRow(wrong.id, { status: 'not paid', withdrawalId: null });
			bench.clock.advance(10 * MINUTE);

			const run = await bench.start(workflow, two);

			expect(bench.living).toEqual({ 'NF-1': 1, 'NF-2': 1 });
			expect(run.codes[0]).toBe(later > HOUR ? 'PAYOUT_IN_DOUBT' : undefined);
			bench.expectTrue(run);
		},
	);

	it('who exports the rows and imports them again: a key does not become younger', async () => {
		const workflow = referenced();
		await leaveOpen(workflow, 'dropAfter');
		bench.clock.advance(26 * HOUR);
		const { id, ...cells } = dataTables()
			.rows()
			.find((row) => row.id === openRow().id)!;
		dataTables().deleteRow(id);
		dataTables().addRow({ ...cells, createdAt: undefined, updatedAt: undefined } as never);

		const doubt = await bench.start(workflow, [ONE]);

		expect(doubt.errors[0]).toMatchObject({
			code: 'PAYOUT_IN_DOUBT',
			withdrawalIds: [bench.idOf('NF-1')],
		});
		expect(bench.living).toEqual({ 'NF-1': 1 });
	});

	it('who adds a note to a Not Paid that was said too early: what the list shows is not paid again', async () => {
		const workflow = referenced();
		await leaveOpen(workflow, 'dropBefore');
		const [request] = bench.requests('POST');
		await bench.settle('NF-1', 'notPaid');
		await bench.arrive(request!);
		bench.clock.advance(25 * HOUR);
		const word = rowsOf('NF-1').find(({ status }) => status === 'not paid')!;
		dataTables().editRow(word.id, { workflow: 'asked Maria' });

		const doubt = await bench.start(workflow, [ONE]);

		expect(doubt.codes).toEqual(['PAYOUT_IN_DOUBT']);
		expect(bench.living).toEqual({ 'NF-1': 1 });
	});

	it('who adds a row "not paid": the next run pays', async () => {
		const workflow = referenced();
		await putInDoubt(workflow);
		dataTables().addRow({ reference: 'NF-1', status: 'not paid', environment: 'test' });

		const again = await bench.start(workflow, [ONE]);

		expect(again.paidBefore).toEqual([false]);
		expect(bench.living).toEqual({ 'NF-1': 1, 'other tool': 1 });
	});

	it('who adds a row "paid" for a payout made by hand: it is not paid again', async () => {
		await bench.start(referenced(), [INVOICES[1]!]);
		const [byHand = ''] = await bench.payElsewhere([ONE], 'NF-1');
		dataTables().addRow({
			...{ reference: 'NF-1', status: 'paid', environment: 'test', withdrawalId: byHand },
		});

		const run = await bench.start(referenced(), [ONE]);

		expect(run.json).toMatchObject([{ id: byHand, alreadyPaid: true }]);
		expect(bench.living).toEqual({ 'NF-1': 1, 'NF-2': 1 });
	});

	it('who adds a row with a blank too many sees by Get by Reference that it is not found', async () => {
		await bench.start(referenced(), [INVOICES[1]!]);
		const paid = { status: 'paid', environment: 'test', withdrawalId: randomUUID() };
		const { id } = dataTables().addRow({ ...paid, reference: 'NF-1 ' });

		expect(await bench.getReference('NF-1')).toMatchObject({ status: 'never sent' });
		dataTables().editRow(id, { reference: 'NF-1' });
		expect(await bench.getReference(' NF-1')).toMatchObject({ reference: 'NF-1', status: 'paid' });
	});

	it('who takes back a payment that still lives: it is not paid again', async () => {
		const workflow = referenced();
		await bench.start(workflow, [ONE]);
		bench.clock.advance(MINUTE);
		dataTables().editRow(rowsOf('NF-1')[0]!.id, { status: 'not paid' });

		const again = await bench.followWords(workflow, [ONE]);

		bench.expectLiving({ 'NF-1': 1 }, again);
	});
});

describe('Get by Reference', () => {
	it('says that it was never sent, without creating anything else', async () => {
		await bench.start(referenced(), [INVOICES[1]!]);

		expect(await bench.getReference('NF-1')).toEqual({
			reference: 'NF-1',
			status: 'never sent',
			environment: 'test',
			withdrawal: null,
			history: [],
		});
	});

	it('shows the withdrawal as it is now', async () => {
		const first = await bench.start(referenced(), [ONE]);
		const [id = ''] = first.ids;
		bench.sandbox.setWithdrawalStatus(id, 'COMPLETED');

		expect(await bench.getReference('NF-1')).toMatchObject({
			...{ reference: 'NF-1', status: 'paid', withdrawalId: id },
			withdrawal: { id, status: 'COMPLETED' },
			history: [{ status: 'paid', amount: 10.01, withdrawalId: id }],
		});
	});

	it('says that it is being sent, or that nobody knows yet', async () => {
		await leaveOpen(referenced(), 'dropAfter');

		expect(await bench.getReference('NF-1')).toMatchObject({
			status: 'sending',
			withdrawal: null,
			history: expect.arrayContaining([expect.objectContaining({ status: 'sending' })]),
		});
	});

	it('names the candidates of one in doubt', async () => {
		const { foreign } = await putInDoubt(referenced());

		expect(await bench.getReference('NF-1')).toMatchObject({
			status: 'in doubt',
			candidateIds: [foreign],
			withdrawal: null,
		});
	});

	it('says that it was not paid after a refusal', async () => {
		bench.refuseNext(1, 'INSUFFICIENT_BALANCE');
		await bench.start(referenced(), [ONE]);

		expect(await bench.getReference('NF-1')).toMatchObject({ status: 'not paid' });
	});

	it('does not call it paid after the bank has refused it', async () => {
		const first = await bench.start(referenced(), [ONE]);
		bench.sandbox.setWithdrawalStatus(first.ids[0]!, 'FAILED');

		const shown = await bench.getReference('NF-1');

		expect(shown.withdrawal).toMatchObject({ status: 'FAILED' });
		expect(shown.status).not.toBe('paid');
	});

	it('refuses an empty reference', async () => {
		const { error } = await bench.getReference(' ');

		expect(error.message).toContain('Reference is empty');
	});

	it('shows no PIX key', async () => {
		await leaveOpen(referenced(), 'dropAfter');

		expect(JSON.stringify(await bench.getReference('NF-1'))).not.toContain(CPF);
	});
});

describe('a doubt that somebody enters in the table by hand', () => {
	// The row said nothing, and the reference was paid.
	it.each(['in doubt', 'sending'])('stops a reference until it is settled: %s', async (status) => {
		const workflow = referenced();
		await bench.start(workflow, alike('NF-9'));
		dataTables().addRow({ reference: 'NF-1', status, environment: 'test' });

		const first = await bench.start(workflow, INVOICES);

		expect(first.codes).toEqual(['PAYOUT_IN_DOUBT', undefined]);
		expect(first.errors[0]?.description).toContain('entered an attempt');
		expect(bench.living).toEqual({ 'NF-2': 1, 'NF-9': 1 });
		bench.clock.advance(10 * MINUTE);
		await bench.settle('NF-1', 'notPaid');
		await bench.settle('NF-1', 'notPaid');
		expect((await bench.start(workflow, INVOICES)).paidBefore).toEqual([false, true]);
		expect(bench.living).toEqual({ 'NF-1': 1, 'NF-2': 1, 'NF-9': 1 });
	});
});
