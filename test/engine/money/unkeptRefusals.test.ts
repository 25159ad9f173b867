/**
 * Payouts that were refused twice and sent under the next key, where the service keeps no refusal: the
 * first key would pay them once more.
 */
import type { IDataObject } from 'n8n-workflow';
import { parseDialect } from '../../../dev/sandbox';
import { PayoutDesk } from '../../../nodes/BrlPayments/resources/withdrawal/payouts/payoutDesk';
import { Journal } from '../../../nodes/shared/orders/journal/journal';
import { useBench } from '../support/harness';
import { payEach } from '../support/payouts';
import { restart } from '../support/restart';
import { CPF, EMAIL } from '../support/values';
import { buildWorkflow } from '../support/workflow';

const bench = useBench();
const INVOICES: IDataObject[] = [
	{ amount: 10.01, pixKey: CPF, invoice: 'NF-1' },
	{ amount: 20.02, pixKey: EMAIL, invoice: 'NF-2' },
];
const CONTINUE = { extras: { onError: 'continueRegularOutput' } } as const;
const referenced = () =>
	buildWorkflow({ parameters: payEach({}, { reference: '={{ $json.invoice }}' }), ...CONTINUE });

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
/** n8n is killed when the run of a node would end: what the execution knew is lost. */
const killAtTheEnd = () => {
	vi.spyOn(Journal.prototype, 'end').mockResolvedValueOnce(undefined);
};
const getIds = ({ json }: { json: IDataObject[] }) => json.map(({ id }) => id);

it('keeps to the next key after n8n was killed, where the next key has paid', async () => {
	const workflow = referenced();
	meet('refused', 'refused');
	killAtTheEnd();
	const first = await bench.start(workflow, INVOICES);
	expect(bench.paid).toEqual([1001, 2002]);
	restart();

	const again = await bench.start(workflow, INVOICES);

	expect(getIds(again)).toEqual(getIds(first));
	expect(bench.paid).toEqual([1001, 2002]);
});

it('keeps to the third key', async () => {
	const workflow = referenced();
	meet('refused', 'refused', 'refused', 'refused');
	killAtTheEnd();
	const first = await bench.start(workflow, INVOICES);
	restart();

	const again = await bench.start(workflow, INVOICES);

	expect(getIds(again)).toEqual(getIds(first));
	expect(bench.paid).toEqual([1001, 2002]);
});

it('keeps to the next key in each of two executions at once', async () => {
	const workflow = referenced();
	meet('refused', 'refused', 'refused');

	const both = await Promise.all([
		bench.start(workflow, INVOICES),
		bench.start(workflow, INVOICES),
	]);

	expect(getIds(both[0])).toEqual(getIds(both[1]));
	expect(bench.paid).toEqual([1001, 2002]);
});

it.each([1, 20])(
	'ends where two executions pay the same in opposite order, %i at a time',
	async (maxConcurrency) => {
		const parameters = payEach({ maxConcurrency }, { reference: '={{ $json.invoice }}' });
		const workflow = buildWorkflow({ parameters, ...CONTINUE });
		meet('refused', 'refused', 'refused');

		const both = await Promise.all([
			bench.start(workflow, INVOICES),
			bench.start(workflow, [...INVOICES].reverse()),
		]);

		expect(getIds(both[0])).toEqual(getIds(both[1]).reverse());
		expect(bench.paid).toEqual([1001, 2002]);
	},
);

it('keeps to the next key in a copy of the workflow at the same time', async () => {
	meet('refused', 'refused', 'refused');

	const both = await Promise.all([
		bench.start(referenced(), INVOICES),
		bench.start(referenced(), INVOICES),
	]);

	expect(getIds(both[0])).toEqual(getIds(both[1]));
	expect(bench.paid).toEqual([1001, 2002]);
});

it('keeps to the next key after n8n was killed, where a response was lost before the refusals', async () => {
	const workflow = referenced();
	meet('lost', 'refused', 'refused', 'refused', 'refused');
	killAtTheEnd();
	const first = await bench.start(workflow, INVOICES);
	expect(bench.paid).toEqual([1001, 2002]);
	bench.sandbox.faults.clear();
	restart();

	const again = await bench.start(workflow, INVOICES);

	expect(getIds(again)).toEqual(getIds(first));
	expect(bench.paid).toEqual([1001, 2002]);
});

it('pays without a reference once where the execution is retried a second time', async () => {
	bench.sandbox.account.withdrawalProviderUnavailable = true;
	const failed = await bench.run(payEach(), INVOICES);
	bench.sandbox.account.withdrawalProviderUnavailable = false;
	meet('refused', 'refused');
	const first = await bench.retry(failed);
	expect(bench.paid).toEqual([1001, 2002]);

	const again = await bench.retry(failed);

	expect(getIds(again)).toEqual(getIds(first));
	expect(bench.paid).toEqual([1001, 2002]);
});

it('keeps to the next key in a copy of the workflow, after n8n was killed', async () => {
	const copy = referenced();
	meet('refused', 'refused', 'refused');
	killAtTheEnd();
	await bench.start(copy, INVOICES);
	const first = await bench.start(referenced(), INVOICES);
	restart();

	const again = await bench.start(copy, INVOICES);

	expect(getIds(again)).toEqual(getIds(first));
	expect(bench.paid).toEqual([1001, 2002]);
});

it('keeps to the next key in a copy that began with it, after n8n was killed', async () => {
	const copy = referenced();
	meet('refused', 'refused', 'lostWhenPaid');
	const first = await bench.start(referenced(), INVOICES);
	killAtTheEnd();
	await bench.start(copy, INVOICES);
	restart();

	const again = await bench.start(copy, INVOICES);

	expect(getIds(again)).toEqual(getIds(first));
	expect(bench.paid).toEqual([1001, 2002]);
});

it('keeps to the next key without a reference, when n8n was killed before it arrived', async () => {
	meet('refused', 'refused');
	bench.sandbox.faults.add({ method: 'POST', times: Infinity, kind: 'dropBefore' });
	const killed = await bench.run(payEach(), INVOICES);
	expect(new Set(bench.keys).size).toBe(4);
	bench.sandbox.faults.clear();
	restart();
	const before = bench.requests('POST').length;

	await bench.retryAfterKill(killed);

	const later = bench.keys.slice(2);
	const sent = bench.requests('POST').slice(before);
	expect(sent.map(({ headers }) => headers['x-idempotency-key']).sort()).toEqual(later.sort());
	expect(bench.paid).toEqual([1001, 2002]);
});

it('does not use the next key where that cannot be remembered', async () => {
	const workflow = referenced();
	meet('refused', 'refused');
	const note = vi.spyOn(Journal.prototype, 'noteLaterKeys');
	note.mockRejectedValue(new Error('Disk full'));
	const failed = await bench.start(workflow, INVOICES);
	note.mockRestore();
	expect(failed.json).toMatchObject([
		{ error: { code: 'REFERENCES_UNAVAILABLE', effect: 'none' } },
		{ error: { code: 'REFERENCES_UNAVAILABLE', effect: 'none' } },
	]);
	expect(bench.keys).toHaveLength(2);

	const again = await bench.start(workflow, INVOICES);

	expect(again.error).toBeUndefined();
	expect(bench.paid).toEqual([1001, 2002]);
});

it('looks up a payout where the record of its keys is lost', async () => {
	const workflow = referenced();
	meet('refused', 'refused');
	killAtTheEnd();
	const first = await bench.start(workflow, INVOICES);
	restart();
	vi.spyOn(Journal.prototype, 'findLastKeys').mockImplementationOnce(
		async (orders) =>
			await Promise.resolve(
				new Map(orders.map((order) => [order, { generation: 0, isCertain: false }])),
			),
	);

	const again = await bench.start(workflow, INVOICES);

	expect(getIds(again)).toEqual(getIds(first));
	expect(bench.paid).toEqual([1001, 2002]);
});

it('sends nothing where the record of the keys cannot be read', async () => {
	const workflow = referenced();
	meet('refused', 'refused');
	killAtTheEnd();
	await bench.start(workflow, INVOICES);
	restart();
	vi.spyOn(Journal.prototype, 'findLastKeys').mockRejectedValueOnce(new Error('Disk full'));

	const again = await bench.start(workflow, INVOICES);

	expect(again.json).toMatchObject([
		{ error: { code: 'REFERENCES_UNAVAILABLE', effect: 'unknown' } },
		{ error: { code: 'REFERENCES_UNAVAILABLE', effect: 'unknown' } },
	]);
	expect(bench.paid).toEqual([1001, 2002]);
});

it('sends nothing after it was stopped while another execution sent the same', async () => {
	const workflow = referenced();
	const settle = vi.spyOn(PayoutDesk.prototype, 'settle');
	bench.sandbox.faults.add({ method: 'POST', times: 2, kind: 'delay', ms: 60_000 });
	const first = bench.start(workflow, INVOICES);
	await bench.until(() => bench.requests('POST').length === 2);
	let stop: () => void = () => undefined;
	const second = bench.start(workflow, INVOICES, { onStart: (cancel) => (stop = cancel) });
	await bench.until(() => settle.mock.calls.length === 4);

	stop();
	expect((await second).run.status).toBe('canceled');
	bench.clock.advance(60_000);
	await first;
	await Promise.allSettled(settle.mock.results.map(({ value }) => value as Promise<unknown>));

	expect(bench.requests('POST')).toHaveLength(2);
	expect(bench.paid).toEqual([1001, 2002]);
});

describe('where an earlier attempt has paid unseen', () => {
	const CORRECTED = INVOICES.map((row) => ({ ...row, amount: Number(row.amount) + 1 }));
	const THIRD = INVOICES.map((row) => ({ ...row, amount: Number(row.amount) + 2 }));
	const getCodes = ({ json }: { json: IDataObject[] }) =>
		json.map(({ error }) => (error as { code?: string } | undefined)?.code);
	const payUnseen = async (workflow: ReturnType<typeof referenced>) => {
		const lose = bench.sandbox.faults.add({ method: 'POST', times: Infinity, kind: 'dropAfter' });
		await bench.start(workflow, INVOICES);
		lose();
		expect(bench.paid).toEqual([1001, 2002]);
	};
	/** Something in front of the service refuses each of the two rows, before it looks at the key. */
	const refuse = (times: number) =>
		bench.sandbox.faults.add({
			...{ method: 'POST', times: times * 2, kind: 'error' },
			code: 'WITHDRAWAL_PROVIDER_UNAVAILABLE',
		});

	it.each([1, 2, 3, 4, 5, 6, 9])(
		'refuses a corrected row that the service has refused %i times',
		async (times) => {
			const workflow = referenced();
			await payUnseen(workflow);
			const refused = refuse(times);

			const again = await bench.start(workflow, CORRECTED);
			refused();
			const third = await bench.start(workflow, THIRD);

			expect(getCodes(again)).not.toContain(undefined);
			expect(getCodes(third)).toEqual(['REFERENCE_MISMATCH', 'REFERENCE_MISMATCH']);
			expect(bench.paid).toEqual([1001, 2002]);
		},
	);

	it.each([1, 2, 5])(
		'refuses a corrected row after n8n was killed, and %i refusals',
		async (times) => {
			const workflow = referenced();
			killAtTheEnd();
			await payUnseen(workflow);
			restart();
			const refused = refuse(times);
			await bench.start(workflow, CORRECTED);
			refused();
			restart();

			const third = await bench.start(workflow, THIRD);

			expect(getCodes(third)).toEqual(['REFERENCE_MISMATCH', 'REFERENCE_MISMATCH']);
			expect(bench.paid).toEqual([1001, 2002]);
		},
	);

	it('refuses a corrected row while another execution pays the original', async () => {
		const workflow = referenced();
		const slow = bench.sandbox.faults.add({ method: 'POST', times: 2, kind: 'delay', ms: 60_000 });
		const first = bench.start(workflow, INVOICES);
		await bench.until(() => bench.requests('POST').length === 2);
		refuse(2);
		const second = bench.start(workflow, CORRECTED);
		slow();
		bench.clock.advance(60_000);

		expect(getCodes(await first)).toEqual([undefined, undefined]);
		expect(getCodes(await second)).toEqual(['REFERENCE_MISMATCH', 'REFERENCE_MISMATCH']);
		expect(bench.paid).toEqual([1001, 2002]);
	});

	it.each([2, 5])(
		'finds it in the retry of an execution that had no effect, after %i refusals',
		async (times) => {
			const parameters = payEach({}, { reference: '={{ $json.invoice }}' });
			const workflow = buildWorkflow({ parameters });
			bench.sandbox.account.withdrawalsBlocked = true;
			const failed = await bench.start(workflow, INVOICES);
			bench.sandbox.account.withdrawalsBlocked = false;
			await payUnseen(workflow);
			refuse(times);

			const retried = await bench.retry(failed);

			expect(retried.error).toBeUndefined();
			expect(retried.json.map(({ alreadyPaid }) => alreadyPaid)).toEqual([true, true]);
			expect(bench.paid).toEqual([1001, 2002]);
		},
	);

	it('refuses a corrected row where all keys were refused before it was paid', async () => {
		const workflow = referenced();
		const outage = refuse(Infinity);
		await bench.start(workflow, INVOICES);
		outage();
		restart();
		await payUnseen(workflow);

		const again = await bench.start(workflow, CORRECTED);

		expect(getCodes(again)).toEqual(['REFERENCE_MISMATCH', 'REFERENCE_MISMATCH']);
		expect(bench.paid).toEqual([1001, 2002]);
	});

	it('finds it in a copy of the workflow, after two refusals', async () => {
		await payUnseen(referenced());
		refuse(2);

		const copy = await bench.start(referenced(), INVOICES);

		expect(getCodes(copy)).toEqual([undefined, undefined]);
		expect(bench.paid).toEqual([1001, 2002]);
	});
});
