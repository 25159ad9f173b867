/** References in doubt: payouts that look alike prove nothing, and a person decides. */
import { randomUUID } from 'node:crypto';
import type { IDataObject, Workflow } from 'n8n-workflow';
import { useBench } from '../support/harness';
import { dataTables } from '../support/ledger';
import {
	alike,
	arrive,
	CORRECTED,
	errorsOf,
	expectTrue,
	followWords,
	getCodes,
	getIds,
	getReference,
	HOUR,
	idOf,
	INVOICES,
	livingOf,
	lose,
	MINUTE,
	namedTime,
	paidBefore,
	payElsewhere,
	referenced,
	rowsOf,
	settleReference,
} from '../support/references';
import { restart } from '../support/restart';
import { CPF } from '../support/values';

const bench = useBench();
const THREE = alike('NF-1', 'NF-2', 'NF-3');
const [ONE = {}] = INVOICES;

/** The request of a reference gets lost, or its answer does. */
const leaveOpen = async (
	workflow: Workflow,
	kind: 'dropBefore' | 'dropAfter',
	items: IDataObject[] = [ONE],
) => {
	const found = lose(bench, kind);
	const failed = await bench.start(workflow, items);
	found();
	expect(getCodes(failed)).not.toContain(undefined);
	return failed;
};
/** The last key of the reference is dead, and the list shows an equal payout of somebody else. */
const putInDoubt = async (workflow: Workflow, kind: 'dropBefore' | 'dropAfter' = 'dropBefore') => {
	await leaveOpen(workflow, kind);
	const [foreign = ''] = await payElsewhere(bench, [ONE]);
	bench.clock.advance(25 * HOUR);
	const run = await bench.start(workflow, [ONE]);
	expect(getCodes(run)).toEqual(['PAYOUT_IN_DOUBT']);
	return { foreign, error: errorsOf(run)[0]! };
};

describe('payouts that look alike', () => {
	it.each([0, 25])(
		'are each paid once, and known by their own IDs, %d hours later',
		async (hours) => {
			const workflow = referenced();
			const first = await bench.start(workflow, THREE);
			await payElsewhere(bench, [ONE, ONE]);
			bench.clock.advance(hours * HOUR);
			restart();

			const again = await bench.start(workflow, [...THREE].reverse());
			const other = await bench.start(referenced(), [...THREE, ...alike('NF-4')]);

			expect(getIds(again)).toEqual(getIds(first).reverse());
			expect(paidBefore(other)).toEqual([true, true, true, false]);
			expectTrue(bench, first, again, other);
			expect(livingOf(bench)).toMatchObject({ 'NF-1': 1, 'NF-2': 1, 'NF-3': 1, 'NF-4': 1 });
		},
	);

	it.each(['dropBefore', 'dropAfter'] as const)(
		'are sent again under their keys while these live, whatever the list shows: %s',
		async (kind) => {
			const workflow = referenced();
			await leaveOpen(workflow, kind, THREE);
			await payElsewhere(bench, [ONE, ONE, ONE]);

			const again = await bench.start(workflow, THREE);

			expect(getCodes(again)).toEqual([undefined, undefined, undefined]);
			expectTrue(bench, again);
			expect(livingOf(bench)).toMatchObject({ 'NF-1': 1, 'NF-2': 1, 'NF-3': 1, 'other tool': 3 });
		},
	);

	it('are in doubt once their keys are dead, and paid after a person has looked', async () => {
		const workflow = referenced();
		const lost = lose(bench, 'dropBefore', (body) => body.includes('NF-1'));
		const unanswered = lose(bench, 'dropAfter', (body) => body.includes('NF-2'));
		await bench.start(workflow, THREE);
		lost();
		unanswered();
		const [foreign = ''] = await payElsewhere(bench, [ONE]);
		bench.clock.advance(25 * HOUR);
		restart();

		const doubt = await bench.start(workflow, THREE);
		const last = await followWords(bench, workflow, THREE);

		expect(getCodes(doubt)).toEqual(['PAYOUT_IN_DOUBT', 'PAYOUT_IN_DOUBT', undefined]);
		const own = idOf(bench, 'NF-2')!;
		for (const error of errorsOf(doubt).slice(0, 2)) {
			expect(error?.withdrawalIds?.toSorted()).toEqual([foreign, own].sort());
			expect(error?.description).toContain(foreign);
			expect(error?.description).toContain('Settle Reference with Outcome Paid and its ID');
		}
		expect(paidBefore(last)).toEqual([false, true, true]);
		expectTrue(bench, last);
		expect(livingOf(bench)).toEqual({ 'NF-1': 1, 'NF-2': 1, 'NF-3': 1, 'other tool': 1 });
	});

	it('are not confused with an equal payout of last month', async () => {
		await payElsewhere(bench, INVOICES);
		bench.clock.advance(30 * 24 * HOUR);
		restart();
		const workflow = referenced();
		await leaveOpen(workflow, 'dropBefore', INVOICES);
		bench.clock.advance(25 * HOUR);

		const again = await bench.start(workflow, INVOICES);

		expect(paidBefore(again)).toEqual([false, false]);
		expectTrue(bench, again);
		expect(livingOf(bench)).toEqual({ 'NF-1': 1, 'NF-2': 1, 'other tool': 2 });
	});

	it('of other references are no candidates: the table knows whose they are', async () => {
		const workflow = referenced();
		await leaveOpen(workflow, 'dropBefore');
		await bench.start(referenced(), alike('NF-2', 'NF-3'));
		bench.clock.advance(25 * HOUR);

		const again = await bench.start(workflow, [ONE]);

		expect(paidBefore(again)).toEqual([false]);
		expect(livingOf(bench)).toEqual({ 'NF-1': 1, 'NF-2': 1, 'NF-3': 1 });
	});

	it('in one list: one paid without an answer, the other refused, and neither takes the other’s ID', async () => {
		bench.assume('storedFailures');
		const workflow = referenced();
		const found = lose(bench, 'dropAfter', (body) => body.includes('NF-1'));
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

		expect(getCodes(again)).toEqual([undefined, undefined]);
		expectTrue(bench, again);
		expect(livingOf(bench)).toEqual({ 'NF-1': 1, 'NF-2': 1 });
	});

	it('of another tool, whose payout the bank refuses later, pay nobody twice', async () => {
		bench.sandbox.dialect.withdrawalTransitions.last = 'returnable';
		const workflow = referenced();
		await leaveOpen(workflow, 'dropAfter');
		const [foreign = ''] = await payElsewhere(bench, [{ ...ONE, amount: CORRECTED[0]!.amount }]);

		const corrected = await bench.start(workflow, [CORRECTED[0]!]);
		const after = await followWords(bench, workflow, [CORRECTED[0]!]);
		bench.sandbox.setWithdrawalStatus(foreign, 'FAILED');
		restart();
		const last = await bench.start(workflow, [CORRECTED[0]!]);

		expect(getCodes(corrected)).toEqual(['PAYOUT_IN_DOUBT']);
		expect(getCodes(after)).toEqual(['REFERENCE_MISMATCH']);
		expect(getCodes(last)).toEqual(['REFERENCE_MISMATCH']);
		expect(livingOf(bench)).toEqual({ 'NF-1': 1 });
	});

	it('a list to which rows are added every week pays each row once', async () => {
		const workflow = referenced();
		const list: IDataObject[] = [];
		for (let week = 0; week < 16; week += 1) {
			list.push(...alike(`W-${week}-a`, `W-${week}-b`));
			const run = await bench.start(workflow, list);
			expect(getCodes(run)).toEqual(list.map(() => undefined));
			expectTrue(bench, run);
			bench.clock.advance(7 * 24 * HOUR);
		}
		expect(Object.values(livingOf(bench))).toEqual(list.map(() => 1));
	});
});

describe('the list of withdrawals', () => {
	const EMPTY = { withdrawals: [], pagination: { page: 1, limit: 100, total: 0, totalPages: 0 } };

	it.each([
		['kept for a day', { headers: { Age: '90000' } }, 'came from a cache (age: 90000)'],
		['kept by a cache that sends no age', { headers: { 'X-Cache': 'HIT' } }, '(x-cache: HIT)'],
		['stale', { headers: { Warning: '110 - "Response is Stale"' } }, '(warning: 110'],
		['changed', { status: 203 }, 'response cannot be read'],
		['a part', { status: 206 }, 'response cannot be read'],
		['without counts', { body: { withdrawals: [] } }, 'does not say how many there are'],
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
		const last = await followWords(bench, workflow, INVOICES);

		expect(getCodes(cached)).toEqual(['PAYOUT_IN_DOUBT', 'PAYOUT_IN_DOUBT']);
		expect(cached.hints.join()).toContain(why);
		expect(paidBefore(last)).toEqual([true, true]);
		expectTrue(bench, last);
		expect(livingOf(bench)).toEqual({ 'NF-1': 1, 'NF-2': 1 });
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
		expect(livingOf(bench)).toEqual({ 'NF-1': 1 });
	}, 60_000);

	it('is not asked before a late request must have arrived', async () => {
		const workflow = referenced();
		await leaveOpen(workflow, 'dropBefore');
		const [request] = bench.requests('POST');

		const corrected = await bench.start(workflow, [CORRECTED[0]!]);
		expect(await arrive(bench, request!)).toBe(409);

		expect(paidBefore(corrected)).toHaveLength(1);
		expect(getCodes(corrected)).toEqual([undefined]);
		expect(livingOf(bench)).toEqual({ 'NF-1': 1 });
		expect(bench.paid).toEqual([1101]);
	});

	it('that is refused to the key leaves the reference in doubt, and says which scope is missing', async () => {
		const apiKey = bench.sandbox.createKey({
			environment: 'SANDBOX',
			scopes: ['withdrawals:write'],
		});
		const workflow = referenced();
		const found = lose(bench, 'dropAfter');
		await bench.start(workflow, [ONE], { credential: { apiKey } });
		found();
		bench.clock.advance(25 * HOUR);

		const again = await bench.start(workflow, [ONE], { credential: { apiKey } });

		expect(getCodes(again)).toEqual(['PAYOUT_IN_DOUBT']);
		expect(errorsOf(again)[0]?.description).toContain('withdrawals:read');
		expect(livingOf(bench)).toEqual({ 'NF-1': 1 });
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

		const settled = await settleReference(bench, 'NF-1', 'notPaid');
		const doubt = await bench.start(workflow, [ONE]);

		expect(settled.error).toMatchObject({ code: 'NOT_SETTLED', withdrawalIds: [own.id] });
		expect(errorsOf(doubt)[0]).toMatchObject({ code: 'PAYOUT_IN_DOUBT', withdrawalIds: [own.id] });
	});
});

describe('a request that times out and arrives later', () => {
	it('four refusals meanwhile do not lead to another key before it must have arrived', async () => {
		const workflow = referenced();
		lose(bench, 'dropBefore', () => true, 1);
		bench.sandbox.faults.add({
			...{ method: 'POST', kind: 'error', code: 'WITHDRAWAL_PROVIDER_UNAVAILABLE', times: 4 },
		});
		const first = await bench.start(workflow, [ONE]);
		const [request] = bench.requests('POST');
		const keys = bench.keys.length;
		bench.sandbox.faults.clear();

		await arrive(bench, request!);
		const last = await followWords(bench, workflow, [ONE]);

		expect(keys).toBe(1);
		expect(getCodes(first)).toEqual(['PAYOUT_IN_DOUBT']);
		expect(namedTime(errorsOf(first)[0])).toBeGreaterThan(bench.clock.now() - 10 * MINUTE);
		expectTrue(bench, last);
		expect(livingOf(bench)).toEqual({ 'NF-1': 1 });
	});
});

describe('Settle Reference', () => {
	it('Paid: the next run shows that withdrawal, and pays nothing', async () => {
		const workflow = referenced();
		await putInDoubt(workflow, 'dropAfter');
		const own = idOf(bench, 'NF-1')!;

		const settled = await settleReference(bench, 'NF-1', 'paid', own);
		const again = await bench.start(workflow, [ONE]);

		expect(settled).toMatchObject({ reference: 'NF-1', status: 'paid', withdrawalId: own });
		expect(again.json).toMatchObject([{ id: own, alreadyPaid: true }]);
		expect(livingOf(bench)).toEqual({ 'NF-1': 1, 'other tool': 1 });
	});

	it('Not Paid: the next run pays, although the list shows what was ruled out', async () => {
		const workflow = referenced();
		const { foreign } = await putInDoubt(workflow);

		const settled = await settleReference(bench, 'NF-1', 'notPaid');
		const again = await bench.start(workflow, [ONE]);
		const third = await bench.start(workflow, [ONE]);

		expect(settled).toMatchObject({ reference: 'NF-1', status: 'not paid' });
		expect(again.json).toMatchObject([{ alreadyPaid: false }]);
		expect(getIds(again)).not.toEqual([foreign]);
		expect(getIds(third)).toEqual(getIds(again));
		expectTrue(bench, again, third);
		expect(livingOf(bench)).toEqual({ 'NF-1': 1, 'other tool': 1 });
		expect(rowsOf('NF-1').map(({ status }) => status)).toEqual(['paid']);
	});

	it('Not Paid, said too early, while the lost request may still arrive: paid once', async () => {
		const workflow = referenced();
		await leaveOpen(workflow, 'dropBefore');
		const [request] = bench.requests('POST');

		const settled = await settleReference(bench, 'NF-1', 'notPaid');
		expect(await arrive(bench, request!)).toBeLessThan(300);
		const again = await followWords(bench, workflow, [ONE]);

		expect(settled.error).toBeUndefined();
		expectTrue(bench, again);
		expect(livingOf(bench)).toEqual({ 'NF-1': 1 });
	});

	it('Not Paid, said too early, with another amount in the row since: paid once', async () => {
		const workflow = referenced();
		await leaveOpen(workflow, 'dropBefore');
		const [request] = bench.requests('POST');
		await settleReference(bench, 'NF-1', 'notPaid');
		await arrive(bench, request!);

		const last = await followWords(bench, workflow, [CORRECTED[0]!]);

		expect(getCodes(last)).toEqual(['REFERENCE_MISMATCH']);
		expect(livingOf(bench)).toEqual({ 'NF-1': 1 });
	});

	it('Not Paid is refused where the list shows a withdrawal that the person was not told of', async () => {
		const workflow = referenced();
		await leaveOpen(workflow, 'dropBefore');
		const [foreign = ''] = await payElsewhere(bench, [ONE]);
		bench.clock.advance(25 * HOUR);

		const refused = await settleReference(bench, 'NF-1', 'notPaid');
		const doubt = await bench.start(workflow, [ONE]);
		const settled = await settleReference(bench, 'NF-1', 'notPaid');
		const again = await bench.start(workflow, [ONE]);

		expect(refused.error).toMatchObject({ code: 'NOT_SETTLED', withdrawalIds: [foreign] });
		expect(getCodes(doubt)).toEqual(['PAYOUT_IN_DOUBT']);
		expect(settled.error).toBeUndefined();
		expect(paidBefore(again)).toEqual([false]);
		expect(livingOf(bench)).toEqual({ 'NF-1': 1, 'other tool': 1 });
	});

	it('Not Paid that was refused settles nothing: the payout that it named is not paid once more', async () => {
		const workflow = referenced();
		await leaveOpen(workflow, 'dropAfter');
		bench.clock.advance(25 * HOUR);
		const own = idOf(bench, 'NF-1')!;

		const refused = await settleReference(bench, 'NF-1', 'notPaid');
		const again = await bench.start(workflow, [ONE]);

		expect(refused.error).toMatchObject({ code: 'NOT_SETTLED', withdrawalIds: [own] });
		expect(getCodes(again)).toEqual(['PAYOUT_IN_DOUBT']);
		expect(livingOf(bench)).toEqual({ 'NF-1': 1 });
	});

	it('names the withdrawal that a person has entered for another reference: that may have been a mistake', async () => {
		const workflow = referenced();
		const two = alike('NF-1', 'NF-2');
		await leaveOpen(workflow, 'dropAfter', two);
		bench.clock.advance(26 * HOUR);
		const own = idOf(bench, 'NF-1')!;
		expect((await settleReference(bench, 'NF-2', 'paid', own)).error).toBeUndefined();

		const doubt = await bench.start(workflow, [two[0]!]);

		expect(errorsOf(doubt)[0]?.withdrawalIds).toContain(own);
		expect(livingOf(bench)).toEqual({ 'NF-1': 1, 'NF-2': 1 });
	});

	it('Not Paid counts, although others pay the same again and again', async () => {
		const workflow = referenced();
		await putInDoubt(workflow);
		await payElsewhere(bench, [ONE]);

		const settled = await settleReference(bench, 'NF-1', 'notPaid');
		await payElsewhere(bench, [ONE]);
		const last = await bench.start(workflow, [ONE]);

		expect(settled.error).toBeUndefined();
		expect(paidBefore(last)).toEqual([false]);
		expectTrue(bench, last);
		expect(livingOf(bench)).toEqual({ 'NF-1': 1, 'other tool': 3 });
	});

	it.each<[string, () => Promise<string>, string]>([
		[
			'belongs to another reference',
			async () => getIds(await bench.start(referenced(), alike('NF-2')))[0]!,
			'has this withdrawal for another reference',
		],
		[
			'was refused by the bank',
			async () => {
				const [id = ''] = await payElsewhere(bench, [ONE]);
				bench.sandbox.setWithdrawalStatus(id, 'FAILED');
				return id;
			},
			'the bank refused this withdrawal',
		],
		[
			'has another amount',
			async () => (await payElsewhere(bench, [CORRECTED[0]!]))[0]!,
			'never sent under this reference',
		],
		['does not exist', async () => crypto.randomUUID(), 'could not be read'],
	])('Paid is refused with the ID of a withdrawal that %s', async (_what, getId, why) => {
		const workflow = referenced();
		await putInDoubt(workflow, 'dropAfter');
		const id = await getId();

		const refused = await settleReference(bench, 'NF-1', 'paid', id);
		const still = await bench.start(workflow, [ONE]);
		const last = await followWords(bench, workflow, [ONE]);

		expect(refused.error).toMatchObject({ code: 'NOT_SETTLED', effect: 'none' });
		expect(refused.error.message).toContain(why);
		expect(getCodes(still)).toEqual(['PAYOUT_IN_DOUBT']);
		expect(paidBefore(last)).toEqual([true]);
		expectTrue(bench, last);
		expect(livingOf(bench)).toMatchObject({ 'NF-1': 1 });
	});

	it('Paid with the ID that one reference has: no second one gets it', async () => {
		const workflow = referenced();
		const found = lose(bench, 'dropBefore');
		await bench.start(workflow, alike('NF-1', 'NF-2'));
		found();
		const [foreign = ''] = await payElsewhere(bench, [ONE]);
		bench.clock.advance(25 * HOUR);
		await bench.start(workflow, alike('NF-1', 'NF-2'));

		const one = await settleReference(bench, 'NF-1', 'paid', foreign);
		const two = await settleReference(bench, 'NF-2', 'paid', foreign);
		const again = await bench.start(workflow, alike('NF-1', 'NF-2'));

		expect(one.error).toBeUndefined();
		expect(two.error).toMatchObject({ code: 'NOT_SETTLED' });
		// The other one is no candidate any more: it belongs to the first.
		expect(again.json).toMatchObject([{ id: foreign, alreadyPaid: true }, { alreadyPaid: false }]);
		expect(livingOf(bench)).toEqual({ 'NF-2': 1, 'other tool': 1 });
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
				bench.sandbox.faults.add({ method: 'POST', kind: 'error', code: 'INSUFFICIENT_BALANCE' });
				await bench.start(referenced(), [ONE]);
			},
		],
	])('is refused for a reference that was %s: %s', async (_what, says, prepare) => {
		await prepare();
		const before = rowsOf();
		const [foreign = ''] = await payElsewhere(bench, [ONE]);

		const words = [
			await settleReference(bench, 'NF-1', 'notPaid'),
			await settleReference(bench, 'NF-1', 'paid', foreign),
		];

		for (const { error } of words) {
			expect(error).toMatchObject({ code: 'NOT_SETTLED', effect: 'none' });
			expect(error.message).toContain(says);
			expect(error.message).toContain(idOf(bench, 'NF-1') ?? '');
		}
		expect(rowsOf()).toEqual(before);
	});

	it('of a live reference says nothing about the test one', async () => {
		const workflow = referenced();
		await putInDoubt(workflow);

		const live = { credential: bench.liveCredential };
		const word = await settleReference(bench, 'NF-1', 'notPaid', '', live);
		const again = await bench.start(workflow, [ONE]);

		expect(word.error).toMatchObject({ code: 'NOT_SETTLED' });
		expect(getCodes(again)).toEqual(['PAYOUT_IN_DOUBT']);
	});

	it('is refused where the list cannot be read', async () => {
		const workflow = referenced();
		await putInDoubt(workflow);
		bench.sandbox.faults.add({
			...{ method: 'GET', path: '/v1/withdrawals', kind: 'html', status: 503, times: Infinity },
		});

		const word = await settleReference(bench, 'NF-1', 'notPaid');

		expect(word.error).toMatchObject({ code: 'NOT_SETTLED', retryable: true });
		expect(livingOf(bench)).toEqual({ 'other tool': 1 });
	});
});

describe('a person who edits the table of n8n', () => {
	const openRow = () => rowsOf('NF-1').find(({ status }) => status === 'sending')!;

	it('to paid, with the ID: the next run shows that withdrawal', async () => {
		const workflow = referenced();
		await putInDoubt(workflow, 'dropAfter');
		const own = idOf(bench, 'NF-1')!;
		dataTables().editRow(openRow().id, { status: 'paid', withdrawalId: own });

		const again = await bench.start(workflow, [ONE]);

		expect(again.json).toMatchObject([{ id: own, alreadyPaid: true }]);
		expect(livingOf(bench)).toEqual({ 'NF-1': 1, 'other tool': 1 });
	});

	it.each(['not paid', 'Not paid ', 'refused', 'failed'])(
		'to "%s": the next run pays, without the withdrawals that the person was shown',
		async (status) => {
			const workflow = referenced();
			await putInDoubt(workflow);
			dataTables().editRow(openRow().id, { status });

			const again = await followWords(bench, workflow, [ONE]);

			expect(paidBefore(again)).toEqual([false]);
			expectTrue(bench, again);
			expect(livingOf(bench)).toEqual({ 'NF-1': 1, 'other tool': 1 });
		},
	);

	it.each(['not paid', 'refused', 'failed'])(
		'to "%s" too early, while the lost request may still arrive: paid once',
		async (status) => {
			const workflow = referenced();
			await leaveOpen(workflow, 'dropBefore');
			const [request] = bench.requests('POST');
			dataTables().editRow(openRow().id, { status });
			await arrive(bench, request!);

			const last = await followWords(bench, workflow, [ONE]);

			expectTrue(bench, last);
			expect(livingOf(bench)).toEqual({ 'NF-1': 1 });
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

			expect(errorsOf(doubt)[0]).toMatchObject({
				code: 'PAYOUT_IN_DOUBT',
				withdrawalIds: [idOf(bench, 'NF-1')],
			});
			expect(livingOf(bench)).toEqual({ 'NF-1': 1 });
		},
	);

	it.each([10 * MINUTE, 26 * HOUR])(
		'who takes back a Paid that was said of the wrong reference, %d ms later: none is paid twice',
		async (later) => {
			const workflow = referenced();
			const two = alike('NF-1', 'NF-2');
			await leaveOpen(workflow, 'dropAfter', two);
			bench.clock.advance(later);
			const own = idOf(bench, 'NF-2')!;
			expect((await settleReference(bench, 'NF-1', 'paid', own)).error).toBeUndefined();
			const refused = await settleReference(bench, 'NF-2', 'paid', own);
			expect(refused.error).toMatchObject({ code: 'NOT_SETTLED' });
			const wrong = rowsOf('NF-1').find(({ status }) => status === 'paid')!;
			for (const { id } of rowsOf('NF-1')) if (id !== wrong.id) dataTables().deleteRow(id);
			dataTables().editRow(wrong.id, { status: 'not paid', withdrawalId: null });
			bench.clock.advance(10 * MINUTE);

			const run = await bench.start(workflow, two);

			expect(livingOf(bench)).toEqual({ 'NF-1': 1, 'NF-2': 1 });
			expect(getCodes(run)[0]).toBe(later > HOUR ? 'PAYOUT_IN_DOUBT' : undefined);
			expectTrue(bench, run);
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

		expect(errorsOf(doubt)[0]).toMatchObject({
			code: 'PAYOUT_IN_DOUBT',
			withdrawalIds: [idOf(bench, 'NF-1')],
		});
		expect(livingOf(bench)).toEqual({ 'NF-1': 1 });
	});

	it('who adds a note to a Not Paid that was said too early: what the list shows is not paid again', async () => {
		const workflow = referenced();
		await leaveOpen(workflow, 'dropBefore');
		const [request] = bench.requests('POST');
		await settleReference(bench, 'NF-1', 'notPaid');
		await arrive(bench, request!);
		bench.clock.advance(25 * HOUR);
		const word = rowsOf('NF-1').find(({ status }) => status === 'not paid')!;
		dataTables().editRow(word.id, { workflow: 'asked Maria' });

		const doubt = await bench.start(workflow, [ONE]);

		expect(getCodes(doubt)).toEqual(['PAYOUT_IN_DOUBT']);
		expect(livingOf(bench)).toEqual({ 'NF-1': 1 });
	});

	it('who adds a row "not paid": the next run pays', async () => {
		const workflow = referenced();
		await putInDoubt(workflow);
		dataTables().addRow({ reference: 'NF-1', status: 'not paid', environment: 'test' });

		const again = await bench.start(workflow, [ONE]);

		expect(paidBefore(again)).toEqual([false]);
		expect(livingOf(bench)).toEqual({ 'NF-1': 1, 'other tool': 1 });
	});

	it('who adds a row "paid" for a payout made by hand: it is not paid again', async () => {
		await bench.start(referenced(), [INVOICES[1]!]);
		const [byHand = ''] = await payElsewhere(bench, [ONE], 'NF-1');
		dataTables().addRow({
			...{ reference: 'NF-1', status: 'paid', environment: 'test', withdrawalId: byHand },
		});

		const run = await bench.start(referenced(), [ONE]);

		expect(run.json).toMatchObject([{ id: byHand, alreadyPaid: true }]);
		expect(livingOf(bench)).toEqual({ 'NF-1': 1, 'NF-2': 1 });
	});

	it('who adds a row with a blank too many sees by Get by Reference that it is not found', async () => {
		await bench.start(referenced(), [INVOICES[1]!]);
		const paid = { status: 'paid', environment: 'test', withdrawalId: randomUUID() };
		const { id } = dataTables().addRow({ ...paid, reference: 'NF-1 ' });

		expect(await getReference(bench, 'NF-1')).toMatchObject({ status: 'never sent' });
		dataTables().editRow(id, { reference: 'NF-1' });
		expect(await getReference(bench, ' NF-1')).toMatchObject({ reference: 'NF-1', status: 'paid' });
	});

	it('who takes back a payment that still lives: it is not paid again', async () => {
		const workflow = referenced();
		await bench.start(workflow, [ONE]);
		bench.clock.advance(MINUTE);
		dataTables().editRow(rowsOf('NF-1')[0]!.id, { status: 'not paid' });

		const again = await followWords(bench, workflow, [ONE]);

		expectTrue(bench, again);
		expect(livingOf(bench)).toEqual({ 'NF-1': 1 });
	});
});

describe('Get by Reference', () => {
	it('says that it was never sent, without creating anything else', async () => {
		await bench.start(referenced(), [INVOICES[1]!]);

		expect(await getReference(bench, 'NF-1')).toEqual({
			reference: 'NF-1',
			status: 'never sent',
			environment: 'test',
			withdrawal: null,
			history: [],
		});
	});

	it('shows the withdrawal as it is now', async () => {
		const first = await bench.start(referenced(), [ONE]);
		const [id = ''] = getIds(first);
		bench.sandbox.setWithdrawalStatus(id, 'COMPLETED');

		expect(await getReference(bench, 'NF-1')).toMatchObject({
			...{ reference: 'NF-1', status: 'paid', withdrawalId: id },
			withdrawal: { id, status: 'COMPLETED' },
			history: [{ status: 'paid', amount: 10.01, withdrawalId: id }],
		});
	});

	it('says that it is being sent, or that nobody knows yet', async () => {
		await leaveOpen(referenced(), 'dropAfter');

		expect(await getReference(bench, 'NF-1')).toMatchObject({
			status: 'sending',
			withdrawal: null,
			history: expect.arrayContaining([expect.objectContaining({ status: 'sending' })]),
		});
	});

	it('names the candidates of one in doubt', async () => {
		const { foreign } = await putInDoubt(referenced());

		expect(await getReference(bench, 'NF-1')).toMatchObject({
			status: 'in doubt',
			candidateIds: [foreign],
			withdrawal: null,
		});
	});

	it('says that it was not paid after a refusal', async () => {
		bench.sandbox.faults.add({ method: 'POST', kind: 'error', code: 'INSUFFICIENT_BALANCE' });
		await bench.start(referenced(), [ONE]);

		expect(await getReference(bench, 'NF-1')).toMatchObject({ status: 'not paid' });
	});

	it('does not call it paid after the bank has refused it', async () => {
		const first = await bench.start(referenced(), [ONE]);
		bench.sandbox.setWithdrawalStatus(getIds(first)[0]!, 'FAILED');

		const shown = await getReference(bench, 'NF-1');

		expect(shown.withdrawal).toMatchObject({ status: 'FAILED' });
		expect(shown.status).not.toBe('paid');
	});

	it('refuses an empty reference', async () => {
		const { error } = await getReference(bench, ' ');

		expect(error.message).toContain('Reference is empty');
	});

	it('shows no PIX key', async () => {
		await leaveOpen(referenced(), 'dropAfter');

		expect(JSON.stringify(await getReference(bench, 'NF-1'))).not.toContain(CPF);
	});
});

describe('a doubt that somebody enters in the table by hand', () => {
	// The row said nothing, and the reference was paid.
	it.each(['in doubt', 'sending'])('stops a reference until it is settled: %s', async (status) => {
		const workflow = referenced();
		await bench.start(workflow, alike('NF-9'));
		dataTables().addRow({ reference: 'NF-1', status, environment: 'test' });

		const first = await bench.start(workflow, INVOICES);

		expect(getCodes(first)).toEqual(['PAYOUT_IN_DOUBT', undefined]);
		expect(errorsOf(first)[0]?.description).toContain('entered an attempt');
		expect(livingOf(bench)).toEqual({ 'NF-2': 1, 'NF-9': 1 });
		bench.clock.advance(10 * MINUTE);
		await settleReference(bench, 'NF-1', 'notPaid');
		await settleReference(bench, 'NF-1', 'notPaid');
		expect(paidBefore(await bench.start(workflow, INVOICES))).toEqual([false, true]);
		expect(livingOf(bench)).toEqual({ 'NF-1': 1, 'NF-2': 1, 'NF-9': 1 });
	});
});
