/**
 * Payouts that were refused twice and sent under the next key, where the service keeps no refusal: the
 * first key would pay them once more.
 */
import type { Workflow } from 'n8n-workflow';
import { parseDialect } from '../../../dev/sandbox';
import { dataTables } from '../support/ledger';
import { payEach } from '../support/payouts';
import {
	BOTH,
	CORRECTED,
	HOUR,
	INVOICES,
	killTables,
	MISMATCHES,
	payReferenced,
	referenced,
	reviveTables,
	usePayouts,
} from '../support/references';
import { restart } from '../support/restart';
import { buildWorkflow } from '../support/workflow';

const bench = usePayouts();

beforeEach(() => {
	Object.assign(bench.sandbox.dialect, parseDialect('storedFailures=none'));
});

/** Each row meets these outcomes first, one in each request. */
const meet = (...outcomes: Array<'refused' | 'lost' | 'lostWhenPaid'>) => {
	for (const amount of ['10.01', '20.02']) {
		for (const outcome of outcomes) {
			bench.sandbox.faults.add({
				...{ method: 'POST', times: 1 },
				when: ({ rawBody }) => rawBody.includes(amount),
				...(outcome === 'refused'
					? { kind: 'error', code: 'WITHDRAWAL_PROVIDER_UNAVAILABLE' }
					: { kind: outcome === 'lost' ? 'dropBefore' : 'dropAfter' }),
			});
		}
	}
};
/** n8n is killed as soon as everything is paid: nothing of that is written. */
const killWhenPaid = async (workflow: Workflow) => {
	killTables(() => bench.paid.length > 0);
	const killed = await bench.start(workflow, INVOICES);
	reviveTables();
	restart();
	return killed;
};

it.each([
	['the second', ['refused', 'refused']],
	['the third', ['refused', 'refused', 'refused', 'refused']],
	['a key that lost a response before, and the next one', ['lost', 'refused', 'refused']],
] as const)(
	'after n8n was killed, it keeps to %s key, which has paid',
	async (_which, outcomes) => {
		const workflow = referenced();
		meet(...outcomes);
		await killWhenPaid(workflow);
		bench.sandbox.faults.clear();

		const again = await bench.followWords(workflow, INVOICES);
		const copy = await bench.start(referenced(), INVOICES);

		expect(again.paidBefore).toEqual([true, true]);
		expect(copy.ids).toEqual(again.ids);
		bench.expectLiving(BOTH, again, copy);
	},
);

it('keeps to the next key in a copy that began with it, after n8n was killed', async () => {
	const copy = referenced();
	meet('refused', 'refused', 'lostWhenPaid');
	const first = await bench.start(referenced(), INVOICES);
	await killWhenPaid(copy);

	const again = await bench.followWords(copy, INVOICES);

	expect(again.ids).toEqual(first.ids);
	expect(bench.living).toEqual(BOTH);
});

it('does not use the next key where that cannot be written', async () => {
	const workflow = referenced();
	meet('refused', 'refused');
	await bench.start(workflow, [{ ...INVOICES[0], amount: 30, invoice: 'NF-0' }]);
	const keys = bench.keys.length;
	killTables(() => bench.posts > 1 && bench.keys.length === keys + 2);
	const failed = await bench.start(workflow, INVOICES);
	reviveTables();
	expect(failed.codes).toEqual(['REFERENCES_UNAVAILABLE', 'REFERENCES_UNAVAILABLE']);
	expect(bench.keys).toHaveLength(keys + 2);

	const again = await bench.followWords(workflow, INVOICES);

	expect(again.codes).toEqual([undefined, undefined]);
	expect(bench.living).toEqual({ ...BOTH, 'NF-0': 1 });
});

it('sends nothing after it was stopped while another execution sent the same', async () => {
	const workflow = referenced();
	bench.sandbox.faults.add({ method: 'POST', times: 2, kind: 'delay', ms: 60_000 });
	const first = bench.start(workflow, INVOICES);
	await bench.until(() => bench.posts === 2);
	let stop: () => void = () => undefined;
	dataTables().onStep = (operation) => {
		if (operation === 'insert') setImmediate(stop);
	};
	const second = bench.start(workflow, INVOICES, { onStart: (cancel) => (stop = cancel) });

	expect((await second).run.status).toBe('canceled');
	dataTables().onStep = () => undefined;
	bench.clock.advance(60_000);
	bench.expectTrue(await first);
	await bench.answered();

	expect(bench.living).toEqual(BOTH);
	const last = await bench.followWords(workflow, INVOICES);
	bench.expectLiving(BOTH, last);
});

it.each([0, 25])(
	'pays once without a reference where the execution is retried a second time, %i hours later',
	async (hours) => {
		bench.sandbox.account.withdrawalProviderUnavailable = true;
		const failed = await bench.run(payEach(), INVOICES);
		bench.sandbox.account.withdrawalProviderUnavailable = false;
		const first = await bench.retry(failed);
		expect(bench.paid).toEqual([1001, 2002]);
		bench.clock.advance(hours * HOUR);

		const again = await bench.retry(failed);

		if (hours === 0) expect(again.ids).toEqual(first.ids);
		expect(bench.paid).toEqual([1001, 2002]);
	},
);

describe('where an earlier attempt has paid unseen', () => {
	const THIRD = INVOICES.map((row) => ({ ...row, amount: Number(row.amount) + 2 }));
	/** Something in front of the service refuses each of the two rows. */
	const refuse = (times: number) => bench.refuseNext(times * 2);

	it.each([1, 2, 3, 4, 5, 6, 9])(
		'a corrected row that was refused %i times is not paid, and not said to be without effect',
		async (times) => {
			const workflow = referenced();
			await bench.payUnseen(workflow);
			const refused = refuse(times);

			const again = await bench.start(workflow, CORRECTED);
			refused();
			const third = await bench.followWords(workflow, THIRD);

			expect(again.codes).not.toContain(undefined);
			expect(again.errors).toMatchObject([{ effect: 'unknown' }, { effect: 'unknown' }]);
			expect(third.codes).toEqual(MISMATCHES);
			expect(bench.paid).toEqual([1001, 2002]);
		},
	);

	it.each([1, 2, 5])(
		'a corrected row is not paid after n8n was killed, and %i refusals',
		async (times) => {
			const workflow = referenced();
			await bench.payUnseen(workflow);
			restart();
			const refused = refuse(times);
			killTables(() => bench.requests('POST').some(({ status }) => status === 503));
			await bench.start(workflow, CORRECTED);
			reviveTables();
			refused();
			restart();

			const third = await bench.followWords(workflow, THIRD);

			expect(third.codes).toEqual(MISMATCHES);
			expect(bench.paid).toEqual([1001, 2002]);
		},
	);

	it.each([1, 2, 5])(
		'refusals that last longer than a late request lead to the list, which shows it: %i',
		async (times) => {
			const workflow = referenced();
			await bench.payUnseen(workflow);
			refuse(times);
			bench.clock.advance(5 * 60_000);

			const again = await bench.start(workflow, INVOICES);
			bench.sandbox.faults.clear();
			const last = await bench.followWords(workflow, INVOICES);

			for (const error of again.errors) {
				if (error) expect(error).toMatchObject({ effect: 'unknown' });
			}
			expect(last.paidBefore).toEqual([true, true]);
			bench.expectLiving(BOTH, last);
		},
	);

	it('a corrected row is not paid while another execution pays the original', async () => {
		const workflow = referenced();
		const slow = bench.sandbox.faults.add({ method: 'POST', times: 2, kind: 'delay', ms: 60_000 });
		const first = bench.start(workflow, INVOICES);
		await bench.until(() => bench.posts === 2);
		refuse(2);
		const second = bench.start(workflow, CORRECTED);
		slow();
		bench.clock.advance(60_000);

		expect((await first).codes).toEqual([undefined, undefined]);
		expect((await second).codes).not.toContain(undefined);
		const last = await bench.followWords(workflow, CORRECTED);
		expect(last.codes).toEqual(MISMATCHES);
		expect(bench.paid).toEqual([1001, 2002]);
	});

	it.each([2, 5])(
		'the retry of an execution that had no effect shows it, after %i refusals',
		async (times) => {
			const workflow = buildWorkflow({ parameters: payReferenced() });
			bench.sandbox.account.withdrawalsBlocked = true;
			const failed = await bench.start(workflow, INVOICES);
			bench.sandbox.account.withdrawalsBlocked = false;
			await bench.payUnseen(workflow);
			refuse(times);

			const retried = await bench.retry(failed);
			bench.sandbox.faults.clear();
			const last = await bench.followWords(workflow, INVOICES);

			bench.expectTrue(retried, last);
			expect(last.paidBefore).toEqual([true, true]);
			expect(bench.paid).toEqual([1001, 2002]);
		},
	);

	it('a corrected row is not paid where all keys were refused before it was paid', async () => {
		const workflow = referenced();
		const outage = refuse(Infinity);
		await bench.start(workflow, INVOICES);
		outage();
		restart();
		await bench.payUnseen(workflow);

		const again = await bench.followWords(workflow, CORRECTED);

		expect(again.codes).toEqual(MISMATCHES);
		expect(bench.paid).toEqual([1001, 2002]);
	});
});
