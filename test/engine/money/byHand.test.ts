import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { type Execution } from '../support/execution';
import { BEFORE, continueOnFail, namedTime, usePayouts } from '../support/money';
import { EDIT_NODE } from '../support/nodeTypes';
import { TWO, payEach } from '../support/payouts';
import { CPF, EMAIL, HOUR, PHONE } from '../support/values';
import { CONTINUE, RETRY_ON_FAIL, edit, type Parameters } from '../support/workflow';

const bench = usePayouts();
const ROWS: IDataObject[] = [
	{ amount: 10.01, pixKey: CPF },
	{ amount: 20.02, pixKey: EMAIL },
	{ amount: 30.03, pixKey: PHONE },
];
const ONE_BY_ONE = payEach({ maxConcurrency: 1 });
const REFERENCED = { reference: '={{ "NF-" + $json.amount }}' };
const MORE = { amount: '={{ $json.amount + 1 }}' };
const ALL_BEFORE = [true, true, true];

const expectEachOnce = (...executions: Execution[]) =>
	bench.expectPaid([1001, 2002, 3003], ...executions);
const expectSame = ({ ids }: Execution) => expect(ids).toEqual(bench.idsPaid);

describe('between a failure and its retry with the saved workflow', () => {
	/** The last row never reaches the server, so that the execution fails after two were paid. */
	const failAtLastRow = async (parameters = ONE_BY_ONE) => {
		const failed = await bench.run(parameters, ROWS, { lost: { '30.03': 'dropBefore' } });
		expect(bench.paid).toEqual([1001, 2002]);
		return failed;
	};

	it.each<[string, INodeParameters]>([
		['fills in Recipient Document', { recipientDocument: '52998224725' }],
		['changes the description', { description: 'Second try' }],
		['takes the document out', { recipientDocument: '' }],
		['changes options', { options: { timeout: 5 } }],
	])('someone %s: what was paid is not paid again', async (_deed, change) => {
		// The CPF of the first row is its own document; the others have none.
		const document = { recipientDocument: '={{ $json.document }}' };
		const failed = await failAtLastRow(payEach({ maxConcurrency: 1 }, document));
		edit(failed, change);

		let retried = await bench.retry(failed);
		if (retried.error !== undefined) retried = await bench.retryAsTold(retried);

		expectEachOnce(retried);
		expect(retried.paidBefore.slice(0, 2)).toEqual(BEFORE);
	});

	it('someone switches from the test key to the live key: test money is not taken for real', async () => {
		const failed = await failAtLastRow();
		continueOnFail(failed);

		const { codes } = await bench.retry(failed, { credential: bench.liveCredential });

		expect(codes).toEqual([undefined, undefined, undefined]);
		expect(bench.paid).toEqual([1001, 1001, 2002, 2002, 3003]);
	});
});

describe('the first execution is retried again, after a retry of it has paid more', () => {
	/** The first attempt is refused without effect, its retry pays, and a later node fails. */
	const paidByRetry = async () => {
		const refused = bench.refuseNext(3, 'INSUFFICIENT_BALANCE');
		const first = await bench.run(ONE_BY_ONE, ROWS, bench.begunNow);
		expect(first.error).toBeDefined();
		refused();
		// n8n keeps the data of the first execution as they were.
		const before = JSON.stringify(first.data);
		expectEachOnce(await bench.retry(first));
		expect(JSON.stringify(first.data)).toBe(before);
		return first;
	};

	it.each<[string, number, INodeParameters]>([
		['as it is', 1, {}],
		['as it is', 25, {}],
		['with a description', 25, { description: 'Again' }],
		['under a limit', 1, { options: { largestAmount: '1,00' } }],
	])('%s, %d hours later: shows what was paid', async (_how, hours, change) => {
		const first = await paidByRetry();
		bench.clock.advance(hours * HOUR);
		edit(first, change);

		const retried = await bench.retry(first);

		expectSame(retried);
		expect(retried.paidBefore).toEqual(ALL_BEFORE);
		expectEachOnce(retried);
	});

	it.each<[string, INodeParameters]>([
		['another amount', MORE],
		['a reference', REFERENCED],
	])('with %s: nobody is paid again', async (_how, change) => {
		const first = await paidByRetry();
		edit(first, change);

		const { error } = await bench.retry(first);

		expect(error?.message).toContain(`was paid by an earlier attempt (${bench.idsPaid[0]})`);
		expectEachOnce();
	});
});

it('a correction that was paid, and is taken back: the first form is not paid as well', async () => {
	bench.strike('30.03', { kind: 'error', code: 'INSUFFICIENT_BALANCE', times: 1 });
	const first = await bench.run(ONE_BY_ONE, ROWS, bench.begunNow);
	edit(first, { amount: '={{ $json.amount === 30.03 ? 31.03 : $json.amount }}' });
	bench.expectPaid([1001, 2002, 3103], await bench.retry(first));
	edit(first, { amount: '={{ $json.amount }}' });

	const { error } = await bench.retry(first);

	expect(error?.message).toContain('R$ 31,03');
	expect(error?.message).toContain('and has not come up again');
	expect(bench.paid).toEqual([1001, 2002, 3103]);
});

it('a first round of a loop that had no effect is paid by the retry, though later ones were paid', async () => {
	bench.strike('10.01', { kind: 'error', code: 'INSUFFICIENT_BALANCE', times: 1 });
	const settings = { isLooped: true, ...CONTINUE, ...bench.begunNow };
	const killed = await bench.run(ONE_BY_ONE, ROWS, settings);
	expect(bench.paid).toEqual([2002, 3003]);
	expectEachOnce(await bench.retryAfterKill(killed));
});

it('Retry On Fail pays nobody twice where the amount is another one each time', async () => {
	bench.strike('', { kind: 'dropAfter', times: 5 });
	let cents = 0;
	vi.spyOn(Math, 'random').mockImplementation(() => (cents += 1) / 100);
	const random = payEach({ maxConcurrency: 1 }, { amount: '={{ $json.amount + Math.random() }}' });

	const { error } = await bench.run(random, TWO, { extras: RETRY_ON_FAIL });

	expect(bench.paid).toHaveLength(1);
	expect(error?.message).toContain('may have been paid by an earlier attempt');
});

describe('an item that comes back in the same execution, without its error', () => {
	const back = (rows = TWO) =>
		bench.run(payEach(), rows, {
			...{ extras: { onError: 'continueErrorOutput' }, wiredBackBy: EDIT_NODE },
		} as const);
	/** What the node has put out by its error output, run by run. */
	const errorsOf = (run: Execution) =>
		run.getRuns().map(({ data }) => data?.main?.[1]?.map(({ json }) => json.error as IDataObject));

	it.each([
		['the same in every field', TWO],
		// The node in between drops them.
		['with fewer fields', TWO.map((row) => ({ ...row, note: 'x' }))],
	])('is not sent while nobody knows whether it was paid: %s', async (_how, rows) => {
		for (const kind of ['dropAfter', 'dropBefore'] as const) {
			bench.reset();
			bench.lose(kind, undefined, 10);

			const run = await back(rows);

			expect(bench.paid).toEqual(kind === 'dropAfter' ? [1001, 2002] : []);
			const [, second] = errorsOf(run);
			const doubt = { code: 'PAYOUT_IN_DOUBT', effect: 'unknown' };
			expect(second).toMatchObject([doubt, doubt]);
			expect(second?.[0]?.description).toContain('connect its error output to the input');
			expect(namedTime(second?.[0] as never)).toBeGreaterThan(bench.clock.now());
		}
	});

	it('is the same row again if it certainly was not paid: a reference tells them apart', async () => {
		bench.refuseNext(2, 'INSUFFICIENT_BALANCE');
		const [, second] = errorsOf(await back());
		expect(second).toMatchObject([{ code: 'EQUAL_ROWS' }, { code: 'EQUAL_ROWS' }]);
		expect(bench.paid).toEqual([]);
	});
});

describe('an item that comes back with its payout, as in a loop that waits for the bank', () => {
	it('is not paid once more', async () => {
		const { ids, json } = await bench.payTwo();
		const again = await bench.run(payEach({ duplicateGuard: 'never' }), json, CONTINUE);
		const refused = (id: string) => ({ code: 'REFERENCE_NEEDED', withdrawalIds: [id] });
		expect(again.errors).toMatchObject(ids.map(refused));
		expect(bench.paid).toEqual([1001, 2002]);
	});

	it.each(['COMPLETED', 'FAILED'] as const)('nor if it was looked up: %s', async (status) => {
		const { ids } = await bench.payTwo();
		for (const id of ids) bench.sandbox.setWithdrawalStatus(id, status);
		const get = { resource: 'withdrawal', operation: 'get', withdrawalId: '={{ $json.id }}' };
		const looked = await bench.run(
			{ ...get, options: {} },
			ids.map((id) => ({ id })),
		);
		const again = await bench.run(payEach(), looked.json, CONTINUE);
		expect(again.codes).toEqual(['REFERENCE_NEEDED', 'REFERENCE_NEEDED']);
		expect(again.posts).toBe(0);
	});

	it('may say what another payout is about', async () => {
		const { json } = await bench.payTwo();
		const fee = payEach({}, { amount: '={{ $json.amount + 1 }}' });
		expect((await bench.run(fee, json)).paidBefore).toEqual([false, false]);
		expect(bench.paid).toEqual([1001, 1101, 2002, 2102]);
	});
});

describe('an item that comes back with its error', () => {
	/** Rows as they leave the node by its error output. */
	const withErrors = (rows: readonly IDataObject[], { json }: Pick<Execution, 'json'>) =>
		rows.map((row, index) => ({ ...row, error: json[index]?.error as IDataObject }));
	const failedItems = async (lost: 'dropAfter' | 'dropBefore') =>
		withErrors(TWO, await bench.payTwo({ ...CONTINUE, lost }));

	it.each<[string, (row: IDataObject) => IDataObject, Parameters]>([
		['an amount that is none', (row) => ({ ...row, amount: 'about 10' }), {}],
		['a PIX key that is none', (row) => ({ ...row, pixKey: 'p at example.com' }), {}],
		['an expression that fails', (row) => row, { amount: '={{ $json.none.amount }}' }],
		['an empty reference', (row) => row, { reference: '={{ $json.none }}' }],
	])('keeps its name when it is refused before it is sent: %s', async (_, spoil, more) => {
		const items = await failedItems('dropAfter');

		const refused = await bench.run(payEach({}, more), items.map(spoil), CONTINUE);
		const again = await bench.run(payEach(), withErrors(items, refused));

		const unknown = { code: 'INVALID_INPUT', effect: 'unknown' };
		expect(refused.errors).toMatchObject([unknown, unknown]);
		bench.expectPaid([1001, 2002], again);
		expect(again.json).toHaveLength(2);
		expect(bench.keys).toHaveLength(2);
	});

	it('is one order when it comes twice in one run', async () => {
		const items = await failedItems('dropAfter');
		const { ids } = await bench.run(payEach(), [...items, ...items], CONTINUE);
		expect(ids).toEqual([...bench.idsPaid, ...bench.idsPaid]);
		expect(bench.paid).toEqual([1001, 2002]);
	});

	it('is paid with its correction when nothing had taken effect', async () => {
		bench.refuseNext(2, 'INSUFFICIENT_BALANCE');
		const items = withErrors(TWO, await bench.payTwo(CONTINUE));
		const corrected = items.map((item) => ({ ...item, amount: 15 }));
		bench.expectPaid([1500, 1500], await bench.run(payEach(), corrected));
	});

	it.each([
		['another amount', { amount: 15 }],
		['another PIX key', { pixKey: PHONE }],
	])('is not paid with %s while nobody knows whether it was paid', async (_what, change) => {
		const items = (await failedItems('dropAfter')).map((item) => ({ ...item, ...change }));
		const refused = await bench.run(payEach(), items, CONTINUE);
		// It came back under the name of its correction, and was paid the third time.
		const again = withErrors(items, refused);
		const { codes, errors } = await bench.run(payEach(), again, CONTINUE);
		expect(refused.codes).toEqual(['PAYOUT_IN_DOUBT', 'PAYOUT_IN_DOUBT']);
		expect(codes).toEqual(['PAYOUT_IN_DOUBT', 'PAYOUT_IN_DOUBT']);
		expect(errors[0]?.description).toContain('Restore it to get the outcome');
		expect(bench.paid).toEqual([1001, 2002]);
	});
});

it('an item that comes back with its error is not paid under another reference meanwhile', async () => {
	const pay = payEach({}, { reference: '={{ $json.invoice }}' });
	const rows = TWO.map((row, index) => ({ ...row, invoice: `NF-${index}` }));
	const { json } = await bench.run(pay, rows, { ...CONTINUE, lost: 'dropAfter' });
	const error = (index: number) => (json[index] as { error: IDataObject }).error;
	const back = rows.map((row, index) => ({ ...row, invoice: `N-${index}`, error: error(index) }));

	const { codes } = await bench.run(pay, back, CONTINUE);

	expect(codes).toEqual(['PAYOUT_IN_DOUBT', 'PAYOUT_IN_DOUBT']);
	expect(bench.paid).toEqual([1001, 2002]);
});

describe('the second press of Execute', () => {
	const manual = { mode: 'manual' } as const;
	const live = () => ({ ...manual, credential: bench.liveCredential });

	it('pays nobody again with a live key, tries all others, and fails once with all ids', async () => {
		expect((await bench.payTwo(live())).error).toBeUndefined();

		const { error } = await bench.run(payEach(), ROWS, live());

		expectEachOnce();
		const [one, two, three] = bench.idsPaid;
		expect(error?.description).toContain('1 of 3 rows sent now: row 3; 2 refused: rows 1-2.');
		expect(error?.description).toContain(`Sent now: ${three}.`);
		for (const id of [one, two]) expect(error?.description).toContain(id);
	});
});
