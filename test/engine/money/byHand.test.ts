/** What people do with their hands, between a failure and the next attempt. */
import { randomUUID } from 'node:crypto';
import type { IDataObject, INodeParameters } from 'n8n-workflow';
import type { Execution } from '../support/execution';
import { dataTables } from '../support/ledger';
import { BEFORE, continueOnFail, expectDoubt, FINE, useMoney } from '../support/money';
import { NODE } from '../support/names';
import { EDIT_NODE } from '../support/nodeTypes';
import { payEach, TWO } from '../support/payouts';
import { CONTINUE, HOUR } from '../support/references';
import { CPF, EMAIL, PHONE } from '../support/values';
import { changeOptions, edit, type Parameters } from '../support/workflow';

const bench = useMoney();
const ROWS: IDataObject[] = [
	{ amount: 10.01, pixKey: CPF },
	{ amount: 20.02, pixKey: EMAIL },
	{ amount: 30.03, pixKey: PHONE },
];
const [FIRST = {}, SECOND = {}, THIRD = {}] = ROWS;
const ONE_BY_ONE = payEach({ maxConcurrency: 1 });
const withDocument = payEach({ maxConcurrency: 1 }, { recipientDocument: '={{ $json.document }}' });
const REFERENCED = { reference: '={{ "NF-" + $json.amount }}' };
const MORE = { amount: '={{ $json.amount + 1 }}' };

/** The last row never reaches the server, so that the execution fails after two were paid. */
const failAtLastRow = async (parameters = ONE_BY_ONE) => {
	const failed = await bench.run(parameters, ROWS, { lost: { '30.03': 'dropBefore' } });
	expect(bench.paid).toEqual([1001, 2002]);
	return failed;
};
const expectEachOnce = (...executions: Execution[]) =>
	bench.expectPaid([1001, 2002, 3003], ...executions);
const expectSame = ({ ids }: Execution) => expect(ids).toEqual(bench.idsPaid);
/** What is booked, as the list shows it. */
const listed = () =>
	bench.sandbox.books.withdrawals.map(({ id, pixKey, amountCents, createdAt }) => ({
		...{ id, pixKey, netAmount: amountCents / 100, status: 'PENDING' },
		createdAt: new Date(createdAt).toISOString(),
	}));
/** The retry of an execution with one row in doubt, as often as its errors ask for it. */
const retryUntilTold = async (failed: Execution) => {
	const retried = await bench.retry(failed);
	return retried.error === undefined ? retried : await bench.retryAsTold(retried);
};

describe('between a failure and its retry with the saved workflow', () => {
	it.each<[string, INodeParameters]>([
		['fills in Recipient Document', { recipientDocument: '52998224725' }],
		['changes the description', { description: 'Second try' }],
		['takes the document out', { recipientDocument: '' }],
		['fills in a reference', REFERENCED],
		['changes options', { options: { timeout: 5 } }],
		['sets an own key', { options: { idempotencyKey: '={{ "key-" + $json.amount }}' } }],
	])('someone %s: what was paid is not paid again', async (_deed, change) => {
		// The CPF of the first row is its own document; the others have none.
		const failed = await failAtLastRow(withDocument);
		edit(failed, change);

		const retried = await retryUntilTold(failed);

		expectEachOnce(retried);
		expect(retried.paidBefore.slice(0, 2)).toEqual(BEFORE);
	});

	it('someone clears a reference: what was paid before the execution is not paid again', async () => {
		await bench.run(payEach({}, REFERENCED), [FIRST, SECOND], bench.begunNow);
		const failed = await failAtLastRow(payEach({ maxConcurrency: 1 }, REFERENCED));
		edit(failed, { reference: '' });

		const retried = await retryUntilTold(failed);

		expectEachOnce(retried);
		expect(retried.paidBefore.slice(0, 2)).toEqual(BEFORE);
	});

	it('someone changes the amount: what was paid keeps its amount, and a hint says so', async () => {
		const failed = await failAtLastRow();
		edit(failed, MORE);

		const doubtful = await bench.retry(failed);

		// Whether the last row was paid before it was changed is not known yet.
		expect(doubtful.error?.description).toContain('Run this again after');
		expect(bench.paid).toEqual([1001, 2002]);

		const { json, hints } = await bench.retryAsTold(doubtful);

		expect(bench.paid).toEqual([1001, 2002, 3103]);
		expect(json.map(({ netAmount }) => netAmount as number)).toEqual([10.01, 20.02, 31.03]);
		expect(json[0]).toMatchObject({ netAmount: 10.01, alreadyPaid: true });
		expect(hints.join()).toContain('took effect before it was changed');
	});

	it('someone changes options back and forth: without a payout more', async () => {
		const failed = await failAtLastRow();
		for (const options of [{ timeout: 7 }, { duplicateGuard: 'always' }, {}]) {
			changeOptions(failed.workflow, options as never);
			await bench.retry(failed);
		}
		expectEachOnce();
	});

	it('someone changes the order of the rows: they are followed, and each is paid once', async () => {
		const failed = await failAtLastRow();
		edit(failed, {
			amount: "={{ $('Before').all()[2 - $itemIndex].json.amount }}",
			pixKey: "={{ $('Before').all()[2 - $itemIndex].json.pixKey }}",
		});

		const retried = await bench.retry(failed);

		expectEachOnce(retried);
		expect(retried.json.map(({ netAmount }) => netAmount as number)).toEqual([30.03, 20.02, 10.01]);
	});

	it('someone switches the credential to another key of the account', async () => {
		const failed = await failAtLastRow();
		const { apiKey } = failed.credential;

		const doubtful = await bench.retry(failed, { credential: { apiKey: bench.keyWith('*') } });

		// Only the first key surely shows whether the last row was paid.
		expect(doubtful.error?.description).toContain('It was sent with another API key');
		expect(bench.paid).toEqual([1001, 2002]);
		expectEachOnce(await bench.retry(doubtful, { credential: { apiKey } }));
	});

	it('someone switches from the test key to the live key: test money is not taken for real', async () => {
		const failed = await failAtLastRow();
		continueOnFail(failed);

		const { codes } = await bench.retry(failed, { credential: bench.liveCredential });

		expect(codes[0]).toBe('OTHER_ENVIRONMENT');
	});

	it.each([1, 25])('someone renames the node, and retries %d hours later', async (hours) => {
		const failed = await failAtLastRow();
		bench.clock.advance(hours * HOUR);
		failed.workflow.renameNode(NODE, 'Pay suppliers');
		const node = failed.workflow.nodes['Pay suppliers']!;
		for (const waiting of failed.data.executionData!.nodeExecutionStack) waiting.node = node;

		await bench.retry(failed).catch(() => undefined);

		expect(bench.paid.filter((cents) => cents < 3000)).toEqual([1001, 2002]);
	});

	it('someone replaces the node by a new one of the same name', async () => {
		const failed = await failAtLastRow();
		failed.workflow.nodes[NODE]!.id = randomUUID();
		expectEachOnce(await bench.retry(failed));
	});

	it('someone changes what is in doubt: nothing is sent until it is changed back', async () => {
		const failed = await bench.payTwo({ lost: 'dropAfter' });
		edit(failed, MORE);

		const early = await bench.retry(failed);
		const late = await bench.retryAsTold(early);

		expect(early.posts).toBe(0);
		expectDoubt(late, bench.idsPaid[0]!);
		edit(late, { amount: '={{ $json.amount }}' });
		const retried = await bench.retry(late);
		expectSame(retried);
		bench.expectPaid([1001, 2002], retried);
	});

	it('someone changes what had no effect: the new content is paid', async () => {
		bench.refuseNext(2, 'INSUFFICIENT_BALANCE');
		const failed = await bench.payTwo();
		edit(failed, MORE);
		bench.expectPaid([1101, 2102], await bench.retry(failed));
	});
});

describe('between a kill and the retry', () => {
	/** All rows were paid, and nothing of it was saved. */
	const kill = async () => {
		const killed = await bench.run(withDocument, ROWS, bench.begunNow);
		expectEachOnce(killed);
		return killed;
	};
	const retryWith = async (killed: Execution, rows: IDataObject[]) => {
		killed.items.splice(0, killed.items.length, ...rows.map((json) => ({ json })));
		return await bench.retryAfterKill(killed);
	};

	it.each<[string, IDataObject[], number[]]>([
		['the list has lost the rows that are marked as paid', [THIRD], []],
		['the list has another order', [THIRD, FIRST, SECOND], []],
		['the list has a new row at its head', [{ amount: 40.04, pixKey: CPF }, ...ROWS], [4004]],
	])('%s', async (_deed, rows, more) => {
		const killed = await kill();
		bench.expectPaid([1001, 2002, 3003, ...more], await retryWith(killed, rows));
	});

	it('a document was filled in: nothing is sent anew, and without it the payouts are shown', async () => {
		const killed = await kill();
		// The first row is that CPF itself.
		const filled = ROWS.map((row, index) => (index === 0 ? row : { ...row, document: CPF }));

		const { error } = await retryWith(killed, filled);
		expect(error).toMatchObject({ effect: 'unknown' });
		expect(error?.description).toContain('Restore the earlier values and retry');
		expectEachOnce();

		const restored = await retryWith(killed, ROWS);
		expectSame(restored);
		expectEachOnce(restored);
	});

	it('equal rows: each is paid once, whichever of them were paid before the kill', async () => {
		bench.strike('', { skip: 1, kind: 'dropBefore' });
		const killed = await bench.run(ONE_BY_ONE, [FIRST, FIRST, FIRST], bench.begunNow);
		bench.sandbox.faults.clear();
		expect(bench.paid).toEqual([1001]);
		edit(killed, { recipientDocument: '' });

		bench.expectPaid([1001, 1001, 1001], await bench.retryAfterKill(killed));
	});

	it.each([0, 1, 25])(
		'someone changes the amounts %d hours later: the earlier payouts are named, and nothing is sent',
		async (hours) => {
			const killed = await kill();
			bench.clock.advance(hours * HOUR);
			edit(killed, MORE);
			continueOnFail(killed);

			const { errors } = await bench.retryAfterKill(killed);

			expectEachOnce();
			expect(errors[0]).toMatchObject({ code: 'PAYOUT_IN_DOUBT' });
			expect(errors[0]?.description).toContain(bench.idsPaid[0]);
		},
	);

	it('someone changes the amounts, and retries the retry: nothing is sent', async () => {
		const killed = await kill();
		edit(killed, MORE);
		const first = await bench.retryAfterKill(killed);
		expectDoubt(first, bench.idsPaid[0]!);
		await bench.retry(first);
		expectEachOnce();
	});

	describe('the API key may not read the list', () => {
		const killWithout = async () => {
			const credential = { apiKey: bench.keyWith('withdrawals:write') };
			return await bench.payTwo({ ...bench.begunNow, credential });
		};

		it('while the key of the payout lives: that shows each, and a hint says what is not checked', async () => {
			const retried = await bench.retryAfterKill(await killWithout());

			expectSame(retried);
			bench.expectPaid([1001, 2002], retried);
			expect(retried.hints.join()).toContain('n8n remembers nothing of the first attempt');
		});

		it('a day later: nothing is sent on a guess', async () => {
			const killed = await killWithout();
			bench.clock.advance(25 * HOUR);
			expectDoubt(await bench.retryAfterKill(killed), 'withdrawals:read');
		});
	});

	it.each([
		['does not show amounts', { netAmount: undefined }],
		['does not show PIX keys', { pixKey: undefined }],
		['shows PIX keys in part', { pixKey: 'ma***' }],
	])('a day later, the list %s: it stays in doubt', async (_what, change) => {
		const killed = await kill();
		bench.clock.advance(25 * HOUR);
		bench.showList(listed().map((row) => ({ ...row, ...change })));
		expectDoubt(await bench.retryAfterKill(killed));
	});

	it('a day later, the list does not say in which time zone rows were made: it is read as a whole', async () => {
		const killed = await bench.payTwo({ ...bench.begunNow, ...CONTINUE });
		const inSaoPaulo = listed().map((row) => ({
			...row,
			createdAt: new Date(Date.parse(row.createdAt) - 3 * HOUR).toISOString().slice(0, -1),
		}));
		bench.showList(inSaoPaulo);
		bench.clock.advance(25 * HOUR);

		const { errors } = await bench.retryAfterKill(killed);

		expect(errors).toMatchObject(
			bench.idsPaid.map((id) => ({ code: 'PAYOUT_IN_DOUBT', withdrawalIds: [id] })),
		);
		expect(bench.paid).toEqual([1001, 2002]);
	});

	it('a reference is filled in, and the table fails when it is asked whose the payouts are', async () => {
		const killed = await kill();
		edit(killed, REFERENCED);
		continueOnFail(killed);
		let reads = 0;
		dataTables().onStep = (operation) => {
			if (operation === 'get') reads += 1;
			if (reads === 2) throw new Error('no database');
		};

		const { errors } = await bench.retryAfterKill(killed);

		const unavailable = { code: 'LEDGER_UNAVAILABLE', effect: 'unknown' };
		expect(errors).toMatchObject(ROWS.map(() => unavailable));
		expect(reads).toBe(2);
		expectEachOnce();
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

	it('as it is', async () => {
		const first = await paidByRetry();
		bench.clock.advance(HOUR);

		const retried = await bench.retry(first);

		expectSame(retried);
		expect(retried.paidBefore).toEqual([true, true, true]);
		expectEachOnce(retried);
	});

	it.each<[string, INodeParameters]>([
		['as it is', {}],
		['with a description', { description: 'Again' }],
	])('%s, a day later: nothing is sent anew', async (_how, change) => {
		const first = await paidByRetry();
		bench.clock.advance(25 * HOUR);
		edit(first, change);

		expectDoubt(await bench.retry(first), `(ID ${bench.idsPaid[0]})`);
		expectEachOnce();
	});

	it.each<[string, INodeParameters, string]>([
		['with a description', { description: 'Again' }, 'Restore the earlier values and retry'],
		['with another amount', MORE, 'perhaps by an earlier attempt of this item'],
		['under a limit', { options: { largestAmount: '1,00' } }, 'may have paid it'],
	])('%s: nothing is sent anew, or said to be without effect', async (_how, change, words) => {
		const first = await paidByRetry();
		bench.clock.advance(HOUR);
		edit(first, change);

		const { error } = await bench.retry(first);

		expect(error).toMatchObject({ effect: 'unknown' });
		expect(error?.description).toContain(words);
		expectEachOnce();
	});

	it('with a reference: nobody is paid again', async () => {
		const first = await paidByRetry();
		edit(first, REFERENCED);
		expectEachOnce(await bench.retry(first));
	});
});

describe('an item that comes back in the same execution, without its error', () => {
	const edited = { extras: { onError: 'continueErrorOutput' }, wiredBackBy: EDIT_NODE } as const;

	it.each(['dropAfter', 'dropBefore'] as const)('is paid once: %s', async (kind) => {
		bench.lose(kind, undefined, 10);

		const { json } = await bench.payTwo(edited);

		expect(json.map(({ netAmount }) => netAmount)).toEqual([10.01, 20.02]);
		expect(bench.keys).toHaveLength(2);
		expect(bench.paid).toEqual([1001, 2002]);
	});

	it('is paid once if the node could not begin in between', async () => {
		bench.lose('dropAfter', undefined, 10);

		const { json } = await bench.payTwo(edited, {
			maxConcurrency: '={{ $runIndex === 1 ? 0 : 5 }}',
		});

		expect(json.map(({ netAmount }) => netAmount)).toEqual([10.01, 20.02]);
		expect(bench.paid).toEqual([1001, 2002]);
	});

	it('is a new order if it certainly was not paid', async () => {
		bench.refuseNext(2);
		expect((await bench.payTwo(edited)).json).toHaveLength(2);
		expect(bench.paid).toEqual([1001, 2002]);
	});
});

describe('an item that comes back with its error', () => {
	/** Rows as they leave the node by its error output. */
	const withErrors = (rows: readonly IDataObject[], { json }: Pick<Execution, 'json'>) =>
		rows.map((row, index) => ({ ...row, error: json[index]?.error as IDataObject }));
	const failedItems = async (lost: 'dropAfter' | 'dropBefore') =>
		withErrors(TWO, await bench.payTwo({ ...CONTINUE, lost }));

	it.each<[string, (row: IDataObject) => IDataObject, Parameters, Parameters]>([
		['an amount that is none', (row) => ({ ...row, amount: 'about 10' }), {}, {}],
		['a PIX key that is none', (row) => ({ ...row, pixKey: 'p at example.com' }), {}, {}],
		['an expression that fails', (row) => row, {}, { amount: '={{ $json.none.amount }}' }],
		['an empty reference', (row) => row, {}, { reference: '={{ $json.none }}' }],
		['an empty key', (row) => row, { idempotencyKey: '={{ $json.none }}' }, {}],
		['a node that cannot begin', (row) => row, { maxConcurrency: 0 }, {}],
	])('keeps its key when it is refused before it is sent: %s', async (_, spoil, options, more) => {
		const items = await failedItems('dropAfter');

		const refused = await bench.run(payEach(options, more), items.map(spoil), CONTINUE);
		const again = await bench.run(payEach(), withErrors(items, refused));

		const unknown = { code: 'INVALID_INPUT', effect: 'unknown' };
		expect(refused.errors).toMatchObject([unknown, unknown]);
		expect(again.json).toHaveLength(2);
		bench.expectPaid([1001, 2002], again);
		expect(bench.keys).toHaveLength(2);
	});

	it('keeps its key when it comes twice in one run', async () => {
		const items = await failedItems('dropAfter');

		const { json } = await bench.run(payEach(), [...items, ...items], CONTINUE);
		const again = await bench.run(payEach(), withErrors(items, { json: json.slice(2) }));

		bench.expectPaid([1001, 2002], again);
	});

	it('is paid when its key is a day old, if the list shows that it was not', async () => {
		const items = await failedItems('dropBefore');
		bench.clock.advance(25 * HOUR);
		bench.expectPaid([1001, 2002], await bench.run(payEach(), items));
	});

	it('is not paid when its key is a day old, if the list shows a payout: a person decides', async () => {
		const items = await failedItems('dropAfter');
		bench.clock.advance(25 * HOUR);

		const again = await bench.run(payEach(), items);

		expectDoubt(again, `(ID ${bench.idsPaid[0]})`);
		expect(again.error).toMatchObject({ errorResponse: { retryable: false } });
		expect(bench.paid).toEqual([1001, 2002]);
	});

	it('says when its key was first used, and no later time for a retry', async () => {
		const items = await failedItems('dropAfter');
		const { firstSentAt, retrySafeUntil } = items[0]!.error;
		bench.clock.advance(3 * HOUR);

		const { errors } = await bench.run(payEach(), items, { ...CONTINUE, lost: 'dropAfter' });

		expect(errors[0]).toMatchObject({ firstSentAt, retrySafeUntil });
		expect(Date.parse(retrySafeUntil as string)).toBeLessThan(
			Date.parse(firstSentAt as string) + 24 * HOUR,
		);
	});

	it('is paid with its correction when nothing had taken effect', async () => {
		bench.refuseNext(2, 'INSUFFICIENT_BALANCE');
		const items = withErrors(TWO, await bench.payTwo(CONTINUE));
		const corrected = items.map((item) => ({ ...item, amount: 15 }));
		bench.expectPaid([1500, 1500], await bench.run(payEach(), corrected));
	});
});

it('a clock that was wrong by days at the first attempt does not extend the life of a key', async () => {
	const failed = await bench.payTwo({ lost: 'dropAfter' });
	const memory = failed.data.executionData!.contextData.flow!.brlPaymentsOrders as {
		orders: Record<string, { firstUsedAt: number }>;
	};
	for (const order of Object.values(memory.orders)) order.firstUsedAt += 72 * HOUR;
	bench.clock.advance(30 * HOUR);

	expectDoubt(await bench.retry(failed), `(ID ${bench.idsPaid[0]})`);
});

describe('the second press of Execute', () => {
	const manual = { mode: 'manual' } as const;
	const live = () => ({ ...manual, credential: bench.liveCredential });

	it('pays nobody again with a live key, tries all others, and fails once with all ids', async () => {
		expect((await bench.payTwo(live())).error).toBeUndefined();

		const { error } = await bench.run(payEach(), [...ROWS, FIRST], live());

		expectEachOnce();
		const [one, two, three] = bench.idsPaid;
		expect(error?.description).toContain(
			'1 of 4 rows were paid now (row 3), 3 were not paid, as there are equal payouts',
		);
		expect(error?.description).toContain(`Paid now: ${three}.`);
		for (const id of [one, two]) expect(error?.description).toContain(id);
	});

	it('waits for what another execution has just sent without a response', async () => {
		await bench.payTwo({ ...live(), lost: 'dropBefore' });
		const keepGoing = { ...live(), ...CONTINUE } as const;

		const second = await bench.payTwo(keepGoing);

		const description = expect.stringContaining('Run this again after') as string;
		const doubt = { code: 'PAYOUT_IN_DOUBT', effect: 'unknown', description };
		expect(second.errors).toMatchObject([doubt, doubt]);
		expect(second.posts).toBe(0);
		bench.clock.advance(4.5 * 60_000 + 1);
		expect((await bench.payTwo(keepGoing)).codes).toEqual(FINE);
		expect(bench.paid).toEqual([1001, 2002]);
	});

	it('continues with a test key, and says what a live key would do', async () => {
		await bench.payTwo(manual);
		const run = await bench.payTwo(manual);

		bench.expectPaid([1001, 1001, 2002, 2002], run);
		expect(run.hints.join()).toContain('With a live key, Duplicate Guard would stop payouts');
	});

	it('is a new order in production', async () => {
		const credential = bench.liveCredential;
		const runs = [await bench.payTwo({ credential }), await bench.payTwo({ credential })];
		bench.expectPaid([1001, 1001, 2002, 2002], ...runs);
	});

	it('pays equal rows of later rounds of a loop', async () => {
		const run = await bench.run(payEach(), [FIRST, FIRST], { ...live(), isLooped: true });
		bench.expectPaid([1001, 1001], run);
	});

	it('reads only as far back as 24 hours', async () => {
		bench.assume('listOrder');
		const now = bench.clock.now();
		for (let index = 0; index < 400; index += 1) {
			const createdAt = now - (index < 120 ? index : 48 * HOUR + index);
			bench.sandbox.seed.withdrawal({ amountCents: 5000, createdAt, environment: 'PRODUCTION' });
		}
		await bench.payTwo(live());

		expect(bench.requests('GET')).toHaveLength(2);
		expect(bench.paid).toEqual([1001, 2002]);
	});

	it('says so where the list is too long', async () => {
		// At any time of day: the limit of the night is lower.
		Object.assign(bench.sandbox.account, { dayLimitCents: 1e9, nightLimitCents: 1e9 });
		const now = bench.clock.now();
		for (let index = 0; index < 20_100; index += 1) {
			bench.sandbox.seed.withdrawal({
				...{ amountCents: 5000, createdAt: now - index, environment: 'PRODUCTION' },
			});
		}
		const { error, hints } = await bench.payTwo(live());

		expect(error).toBeUndefined();
		expect(hints.join()).toContain('Duplicate Guard reads at most 20000 withdrawals');
		const always = await bench.payTwo(live(), { duplicateGuard: 'always' });
		expect(always.error?.message).toContain('reads at most 20000 withdrawals');
	}, 90_000);

	it('continues without the scope, with a hint; Always refuses', async () => {
		const scopes = ['withdrawals:write'];
		const apiKey = bench.sandbox.createKey({ environment: 'PRODUCTION', scopes });
		const settings = { ...manual, credential: { apiKey } };
		const { error, hints } = await bench.payTwo(settings);
		expect(error).toBeUndefined();
		expect(hints.join()).toContain('lacks the scope withdrawals:read');

		const refused = await bench.payTwo(settings, { duplicateGuard: 'always' });
		expect(refused.error?.message).toContain('the check for duplicates failed');
		expect(bench.paid).toEqual([1001, 2002]);
	});

	it('Never pays again', async () => {
		const never = { duplicateGuard: 'never' };
		const runs = [await bench.payTwo(live(), never), await bench.payTwo(live(), never)];
		bench.expectPaid([1001, 1001, 2002, 2002], ...runs);
	});

	it('after one bad row: nothing was sent, and the corrected list is paid once', async () => {
		const bad = [FIRST, { ...SECOND, pixKey: 'no key' }, THIRD];
		const { error } = await bench.run(payEach(), bad, live());
		expect(error?.description).toContain('0 of 3 rows were paid now');
		expect(error?.description).toContain('press Execute again');
		expect(bench.posts).toBe(0);

		expectEachOnce(await bench.run(payEach(), ROWS, live()));
	});
});
