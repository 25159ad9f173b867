/** What people do with their hands, between a failure and the next attempt. */
import { randomUUID } from 'node:crypto';
import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { useBench } from '../support/harness';
import type { Execution } from '../support/execution';
import { dataTables } from '../support/ledger';
import { NODE } from '../support/names';
import { payEach, TWO } from '../support/payouts';
import { CPF, EMAIL, PHONE } from '../support/values';
import { EDIT_NODE } from '../support/nodeTypes';
import { changeOptions, edit, type Parameters } from '../support/workflow';
import { CONTINUE, HOUR } from '../support/references';

const bench = useBench();
const ROWS: IDataObject[] = [
	{ amount: 10.01, pixKey: CPF },
	{ amount: 20.02, pixKey: EMAIL },
	{ amount: 30.03, pixKey: PHONE },
];
const withDocument = payEach({ maxConcurrency: 1 }, { recipientDocument: '={{ $json.document }}' });

/** The last row never reaches the server, so that the execution fails after two were paid. */
const failAtLastRow = async (parameters = payEach({ maxConcurrency: 1 }), rows = ROWS) => {
	const failed = await bench.run(parameters, rows, { lost: { '30.03': 'dropBefore' } });
	expect(bench.paid).toEqual([1001, 2002]);
	return failed;
};
const ONE = [ROWS[0]!];
const REFERENCED = { reference: '={{ "NF-" + $json.amount }}' };
const expectEachOnce = () => expect(bench.paid).toEqual([1001, 2002, 3003]);
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
		['fills in a reference', { reference: '={{ "NF-" + $json.amount }}' }],
		['changes options', { options: { timeout: 5 } }],
		['sets an own key', { options: { idempotencyKey: '={{ "key-" + $json.amount }}' } }],
	])('someone %s: what was paid is not paid again', async (_deed, change) => {
		// The CPF of the first row is its own document; the others have none.
		const failed = await failAtLastRow(withDocument);
		edit(failed, change);

		const { json, error } = await retryUntilTold(failed);

		expect(error).toBeUndefined();
		expect(json.slice(0, 2).map(({ alreadyPaid }) => alreadyPaid as unknown)).toEqual([true, true]);
		expectEachOnce();
	});

	it('someone changes the amount: what was paid keeps its amount, and a hint says so', async () => {
		const failed = await failAtLastRow();
		edit(failed, { amount: '={{ $json.amount + 1 }}' });

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

	it('someone switches the credential to another key of the account', async () => {
		const failed = await failAtLastRow();
		const before = failed.credential.apiKey;
		const apiKey = bench.keyWith('*');
		Object.assign(failed.credential, { apiKey });

		const doubtful = await bench.retry(failed);
		// Only the first key surely shows whether the last row was paid.
		expect(doubtful.error?.description).toContain('It was sent with another API key');
		expect(bench.paid).toEqual([1001, 2002]);
		Object.assign(doubtful.credential, { apiKey: before });
		const { error } = await bench.retry(doubtful);

		expect(error).toBeUndefined();
		expectEachOnce();
	});

	it('someone switches from the test key to the live key: test money is not taken for real', async () => {
		const failed = await failAtLastRow();
		Object.assign(failed.credential, { apiKey: bench.liveCredential.apiKey });
		failed.workflow.nodes[NODE]!.onError = 'continueRegularOutput';

		const { json } = await bench.retry(failed);

		expect(json[0]?.error).toMatchObject({ code: 'OTHER_ENVIRONMENT' });
	});

	it.each([1, 25])('someone renames the node, and retries %d hours later', async (hours) => {
		const failed = await failAtLastRow();
		bench.clock.advance(hours * HOUR);
		failed.workflow.renameNode(NODE, 'Pay suppliers');
		const node = failed.workflow.nodes['Pay suppliers']!;
		for (const waiting of failed.data.executionData!.nodeExecutionStack) waiting.node = node;

		await bench.retry(failed).catch(() => undefined);

		expect(bench.paid.filter((cents) => cents === 1001)).toHaveLength(1);
		expect(bench.paid.filter((cents) => cents === 2002)).toHaveLength(1);
	});

	it('someone replaces the node by a new one of the same name', async () => {
		const failed = await failAtLastRow();
		failed.workflow.nodes[NODE]!.id = randomUUID();

		const { error } = await bench.retry(failed);

		expect(error).toBeUndefined();
		expectEachOnce();
	});

	it('changes what is in doubt: nothing is sent until it is changed back', async () => {
		const failed = await bench.run(payEach(), TWO, { lost: 'dropAfter' });
		const before = bench.posts;
		edit(failed, { amount: '={{ $json.amount + 1 }}' });

		const late = await bench.retryAsTold(await bench.retry(failed));

		expect(late.error?.message).toContain('It is not known whether an earlier attempt paid');
		expect(late.error?.description).toContain(bench.idsPaid[0]);
		expect(bench.posts).toBe(before);
		expect(bench.paid).toEqual([1001, 2002]);

		edit(late, { amount: '={{ $json.amount }}' });
		const { error, ids } = await bench.retry(late);

		expect(error).toBeUndefined();
		expect(ids).toEqual(bench.idsPaid);
		expect(bench.paid).toEqual([1001, 2002]);
	});

	it('changes what had no effect: the new content is paid', async () => {
		bench.refuseNext(2, 'INSUFFICIENT_BALANCE');
		const failed = await bench.run(payEach(), TWO, { extras: { onError: 'stopWorkflow' } });
		edit(failed, { amount: '={{ $json.amount + 1 }}' });

		const retried = await bench.retry(failed);

		bench.expectPaid([1101, 2102], retried);
	});
});

describe('between a kill and the retry', () => {
	/** All rows were paid, and nothing of it was saved. */
	const kill = async (rows = ROWS) => {
		const killed = await bench.run(withDocument, rows, bench.begunNow);
		expectEachOnce();
		return killed;
	};
	const retryWith = async (killed: Execution, rows: IDataObject[]) => {
		killed.items.splice(0, killed.items.length, ...rows.map((json) => ({ json })));
		return await bench.retryAfterKill(killed);
	};

	it.each<[string, IDataObject[]]>([
		['the list has lost the rows that are marked as paid', [ROWS[2]!]],
		['the list has another order', [ROWS[2]!, ROWS[0]!, ROWS[1]!]],
	])('%s', async (_deed, rows) => {
		const killed = await kill();

		const { error } = await retryWith(killed, rows);

		expect(error).toBeUndefined();
		expectEachOnce();
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
		expect(restored.error).toBeUndefined();
		expect(restored.ids).toEqual(bench.idsPaid);
		expectEachOnce();
	});

	it('the list has a new row at its head', async () => {
		const killed = await kill();

		const { error } = await retryWith(killed, [{ amount: 40.04, pixKey: CPF }, ...ROWS]);

		expect(error).toBeUndefined();
		expect(bench.paid).toEqual([1001, 2002, 3003, 4004]);
	});

	it('equal rows: each is paid once, whichever of them were paid before the kill', async () => {
		const twin = { amount: 10.01, pixKey: CPF };
		const clear = bench.sandbox.faults.add({
			method: 'POST',
			times: Infinity,
			skip: 1,
			kind: 'dropBefore',
		});
		const killed = await bench.run(
			payEach({ maxConcurrency: 1 }),
			[twin, twin, twin],
			bench.begunNow,
		);
		clear();
		expect(bench.paid).toEqual([1001]);
		edit(killed, { recipientDocument: '' });

		const retried = await bench.retryAfterKill(killed);

		bench.expectPaid([1001, 1001, 1001], retried);
	});

	it.each([0, 1, 25])(
		'someone changes the amounts %d hours later: the earlier payouts are named, and nothing is sent',
		async (hours) => {
			const killed = await kill();
			bench.clock.advance(hours * HOUR);
			const [first] = bench.sandbox.books.withdrawals;
			edit(killed, { amount: '={{ $json.amount + 1 }}' });
			killed.workflow.nodes[NODE]!.onError = 'continueRegularOutput';

			const { json } = await bench.retryAfterKill(killed);

			expectEachOnce();
			const [error] = json.map((item) => item.error as { code: string; description: string });
			expect(error).toMatchObject({ code: 'PAYOUT_IN_DOUBT' });
			expect(error?.description).toContain(first!.id);
		},
	);

	describe('the API key may not read the list', () => {
		const killWithout = async () => {
			const apiKey = bench.keyWith('withdrawals:write');
			const killed = await bench.run(payEach(), TWO, { ...bench.begunNow, credential: { apiKey } });
			expect(bench.paid).toEqual([1001, 2002]);
			return killed;
		};

		it('while the key of the payout lives: that shows each, and a hint says what is not checked', async () => {
			const killed = await killWithout();

			const { error, hints, ids } = await bench.retryAfterKill(killed);

			expect(error).toBeUndefined();
			expect(ids).toEqual(bench.idsPaid);
			expect(hints.join()).toContain('n8n remembers nothing of the first attempt');
			expect(bench.paid).toEqual([1001, 2002]);
		});

		it('a day later: nothing is sent on a guess', async () => {
			const killed = await killWithout();
			bench.clock.advance(25 * HOUR);

			const { error, posts } = await bench.retryAfterKill(killed);

			expect(error?.message).toContain('It is not known whether an earlier attempt paid');
			expect(error?.description).toContain('withdrawals:read');
			expect(posts).toBe(0);
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

		const { error, posts } = await bench.retryAfterKill(killed);

		expect(error?.message).toContain('It is not known whether an earlier attempt paid');
		expect(posts).toBe(0);
	});
});

describe('the first execution is retried again, after a retry of it has paid more', () => {
	/** The first attempt is refused without effect, its retry pays, and a later node fails. */
	const paidByRetry = async () => {
		bench.refuseNext(3, 'INSUFFICIENT_BALANCE');
		const first = await bench.run(payEach({ maxConcurrency: 1 }), ROWS, bench.begunNow);
		expect(first.error).toBeDefined();
		bench.sandbox.faults.clear();
		// n8n keeps the data of the first execution as they were.
		const before = JSON.stringify(first.data);
		await bench.retry(first);
		expect(JSON.stringify(first.data)).toBe(before);
		expectEachOnce();
		return first;
	};

	it('as it is', async () => {
		const first = await paidByRetry();
		bench.clock.advance(HOUR);

		const { error, ids, paidBefore } = await bench.retry(first);

		expect(error).toBeUndefined();
		expect(ids).toEqual(bench.idsPaid);
		expect(paidBefore).toEqual([true, true, true]);
		expectEachOnce();
	});

	it.each<[string, INodeParameters]>([
		['as it is', {}],
		['with a description', { description: 'Again' }],
	])('%s, a day later: nothing is sent anew', async (_how, change) => {
		const first = await paidByRetry();
		bench.clock.advance(25 * HOUR);
		edit(first, change);

		const { error, posts } = await bench.retry(first);

		expect(error?.message).toContain('It is not known whether an earlier attempt paid');
		expect(error?.description).toContain(`(ID ${bench.idsPaid[0]})`);
		expect(posts).toBe(0);
		expectEachOnce();
	});

	it('with a description: nothing is sent anew', async () => {
		const first = await paidByRetry();
		bench.clock.advance(HOUR);
		edit(first, { description: 'Again' });

		const { error } = await bench.retry(first);

		expect(error?.description).toContain('Restore the earlier values and retry');
		expectEachOnce();
	});
});

it('rows that change places are followed: each is paid once', async () => {
	const failed = await failAtLastRow();
	edit(failed, {
		amount: "={{ $('Before').all()[2 - $itemIndex].json.amount }}",
		pixKey: "={{ $('Before').all()[2 - $itemIndex].json.pixKey }}",
	});

	const { error, json } = await bench.retry(failed);

	expect(error).toBeUndefined();
	expect(json.map(({ netAmount }) => netAmount as number)).toEqual([30.03, 20.02, 10.01]);
	expectEachOnce();
});

it('a list that does not say in which time zone rows were made is read as a whole', async () => {
	const killed = await bench.run(payEach(), TWO, { ...bench.begunNow, ...CONTINUE });
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

describe('an item that comes back in the same execution, without its error', () => {
	const edited = { extras: { onError: 'continueErrorOutput' }, wiredBackBy: EDIT_NODE } as const;

	it.each(['dropAfter', 'dropBefore'] as const)('is paid once: %s', async (kind) => {
		bench.sandbox.faults.add({ method: 'POST', times: 10, kind });

		const { json } = await bench.run(payEach(), TWO, edited);

		expect(json.map(({ netAmount }) => netAmount)).toEqual([10.01, 20.02]);
		expect(bench.keys).toHaveLength(2);
		expect(bench.paid).toEqual([1001, 2002]);
	});

	it('is paid once if the node could not begin in between', async () => {
		bench.sandbox.faults.add({ method: 'POST', times: 10, kind: 'dropAfter' });
		const maxConcurrency = '={{ $runIndex === 1 ? 0 : 5 }}';

		const { json } = await bench.run(payEach({ maxConcurrency }), TWO, edited);

		expect(json.map(({ netAmount }) => netAmount)).toEqual([10.01, 20.02]);
		expect(bench.paid).toEqual([1001, 2002]);
	});

	it('is a new order if it certainly was not paid', async () => {
		bench.refuseNext(2);

		const { json } = await bench.run(payEach(), TWO, edited);

		expect(json).toHaveLength(2);
		expect(bench.paid).toEqual([1001, 2002]);
	});
});

describe('an item that comes back with its error', () => {
	const failedItems = async (kind: 'dropAfter' | 'dropBefore') => {
		const { json } = await bench.run(payEach(), TWO, { ...CONTINUE, lost: kind });
		return withErrors(TWO, json);
	};
	/** Rows as they leave the node by its error output. */
	const withErrors = (rows: readonly IDataObject[], output: readonly IDataObject[]) =>
		rows.map((row, index) => ({ ...row, error: output[index]?.error as IDataObject }));

	it.each(['dropAfter', 'dropBefore'] as const)(
		'keeps its key and is paid once: %s',
		async (kind) => {
			const items = await failedItems(kind);

			const { error } = await bench.run(payEach(), items);

			expect(error).toBeUndefined();
			expect(bench.keys).toHaveLength(2);
			expect(bench.paid).toEqual([1001, 2002]);
		},
	);

	it.each<[string, (row: IDataObject) => IDataObject, Parameters, Parameters]>([
		['an amount that is none', (row) => ({ ...row, amount: 'about 10' }), {}, {}],
		['a PIX key that is none', (row) => ({ ...row, pixKey: 'p at example.com' }), {}, {}],
		['an expression that fails', (row) => row, {}, { amount: '={{ $json.none.amount }}' }],
		['an empty reference', (row) => row, {}, { reference: '={{ $json.none }}' }],
		['an empty key', (row) => row, { idempotencyKey: '={{ $json.none }}' }, {}],
	])('keeps its key when it is refused before it is sent: %s', async (_, spoil, options, more) => {
		const items = await failedItems('dropAfter');

		const refused = await bench.run(payEach(options, more), items.map(spoil), CONTINUE);
		const { error, json } = await bench.run(payEach(), withErrors(items, refused.json));

		const unknown = { code: 'INVALID_INPUT', effect: 'unknown' };
		expect(refused.errors).toMatchObject([unknown, unknown]);
		expect(error).toBeUndefined();
		expect(json).toHaveLength(2);
		expect(bench.paid).toEqual([1001, 2002]);
	});

	it('keeps its key when the node cannot begin', async () => {
		const items = await failedItems('dropAfter');

		const refused = await bench.run(payEach({ maxConcurrency: 0 }), items, CONTINUE);
		const { error } = await bench.run(payEach(), withErrors(items, refused.json));

		expect(refused.json.map((item) => (item.error as IDataObject).effect)).toEqual([
			'unknown',
			'unknown',
		]);
		expect(error).toBeUndefined();
		expect(bench.paid).toEqual([1001, 2002]);
	});

	it('keeps its key when it comes twice in one run', async () => {
		const items = await failedItems('dropAfter');

		const { json } = await bench.run(payEach(), [...items, ...items], CONTINUE);
		const again = await bench.run(payEach(), withErrors(items, json.slice(2)));

		bench.expectPaid([1001, 2002], again);
	});

	it.each(['dropAfter', 'dropBefore'] as const)(
		'is paid only where the list shows that it was not, when its key is a day old: %s',
		async (kind) => {
			const items = await failedItems(kind);
			bench.clock.advance(25 * HOUR);
			const before = bench.posts;

			const { error } = await bench.run(payEach(), items);

			if (kind === 'dropBefore') expect(error).toBeUndefined();
			else {
				expect(error?.message).toContain('It is not known whether an earlier attempt paid');
				expect(error?.description).toContain(`(ID ${bench.idsPaid[0]})`);
				expect(bench.posts).toBe(before);
			}
			expect(bench.paid).toEqual([1001, 2002]);
		},
	);

	it('says when its key was first used, and no later time for a retry', async () => {
		const items = await failedItems('dropAfter');
		const [{ error: first }] = items as [{ error: IDataObject }];
		bench.clock.advance(3 * HOUR);
		const { json } = await bench.run(payEach(), items, { ...CONTINUE, lost: 'dropAfter' });

		const error = json[0]?.error as IDataObject;
		expect(error.firstSentAt).toBe(first.firstSentAt);
		expect(error.retrySafeUntil).toBe(first.retrySafeUntil);
		expect(Date.parse(error.retrySafeUntil as string)).toBeLessThan(
			Date.parse(error.firstSentAt as string) + 24 * HOUR,
		);
	});

	it('is paid with its correction when nothing had taken effect', async () => {
		bench.refuseNext(2, 'INSUFFICIENT_BALANCE');
		const { json } = await bench.run(payEach(), TWO, CONTINUE);
		const items = TWO.map((row, index) => ({
			...row,
			amount: 15,
			error: json[index]?.error as IDataObject,
		}));

		const run = await bench.run(payEach(), items);

		bench.expectPaid([1500, 1500], run);
	});
});

describe('a clock that was wrong', () => {
	it('by days at the first attempt does not extend the life of a key', async () => {
		const failed = await bench.run(payEach(), TWO, { lost: 'dropAfter' });
		const memory = failed.data.executionData!.contextData.flow!.brlPaymentsOrders as {
			orders: Record<string, { firstUsedAt: number }>;
		};
		for (const order of Object.values(memory.orders)) order.firstUsedAt += 72 * HOUR;
		bench.clock.advance(30 * HOUR);

		const { error, posts } = await bench.retry(failed);

		expect(error?.message).toContain('It is not known whether an earlier attempt paid');
		expect(error?.description).toContain(`(ID ${bench.idsPaid[0]})`);
		expect(posts).toBe(0);
	});
});

describe('the second press of Execute', () => {
	const manual = { mode: 'manual' } as const;
	const live = () => ({ ...manual, credential: bench.liveCredential });

	it('pays nobody again with a live key, tries all others, and fails once with all ids', async () => {
		const first = await bench.run(payEach(), TWO, live());
		expect(first.error).toBeUndefined();

		const second = await bench.run(payEach(), [...ROWS, TWO[0]!], live());

		expectEachOnce();
		const [one, two, three] = bench.sandbox.books.withdrawals;
		expect(second.error?.description).toContain(
			'1 of 4 rows were paid now (row 3), 3 were not paid, as there are equal payouts',
		);
		expect(second.error?.description).toContain(`Paid now: ${three?.id}.`);
		for (const { id } of [one!, two!]) expect(second.error?.description).toContain(id);
	});

	it('waits for what another execution has just sent without a response', async () => {
		await bench.run(payEach(), TWO, { ...live(), lost: 'dropBefore' });
		const keepGoing = { ...live(), ...CONTINUE } as const;

		const second = await bench.run(payEach(), TWO, keepGoing);
		for (const { error } of second.json) {
			expect(error).toMatchObject({
				code: 'PAYOUT_IN_DOUBT',
				effect: 'unknown',
				description: expect.stringContaining('Run this again after'),
			});
		}
		expect(second.json).toHaveLength(2);
		expect(second.posts).toBe(0);

		bench.clock.advance(4.5 * 60_000 + 1);
		const third = await bench.run(payEach(), TWO, keepGoing);
		expect(third.errors).toEqual([undefined, undefined]);
		expect(bench.paid).toEqual([1001, 2002]);
	});

	it('continues with a test key, and says what a live key would do', async () => {
		await bench.run(payEach(), TWO, manual);
		const { error, hints } = await bench.run(payEach(), TWO, manual);

		expect(error).toBeUndefined();
		expect(bench.paid).toEqual([1001, 1001, 2002, 2002]);
		expect(hints.join()).toContain('With a live key, Duplicate Guard would stop payouts');
	});

	it('is a new order in production', async () => {
		await bench.run(payEach(), TWO, { credential: bench.liveCredential });
		const run = await bench.run(payEach(), TWO, { credential: bench.liveCredential });

		bench.expectPaid([1001, 1001, 2002, 2002], run);
	});

	it('pays equal rows of later rounds of a loop', async () => {
		const run = await bench.run(payEach(), [TWO[0]!, TWO[0]!], { ...live(), isLooped: true });

		bench.expectPaid([1001, 1001], run);
	});

	it('reads only as far back as 24 hours', async () => {
		bench.assume('listOrder');
		const now = bench.clock.now();
		for (let index = 0; index < 400; index += 1) {
			const createdAt = now - (index < 120 ? index : 48 * HOUR + index);
			bench.sandbox.seed.withdrawal({ amountCents: 5000, createdAt, environment: 'PRODUCTION' });
		}
		await bench.run(payEach(), TWO, live());

		expect(bench.requests('GET')).toHaveLength(2);
		expect(bench.paid).toEqual([1001, 2002]);
	});

	it('says so where the list is too long', async () => {
		// At any time of day: the limit of the night is lower.
		Object.assign(bench.sandbox.account, { dayLimitCents: 1e9, nightLimitCents: 1e9 });
		const now = bench.clock.now();
		for (let index = 0; index < 20_100; index += 1) {
			bench.sandbox.seed.withdrawal({
				amountCents: 5000,
				createdAt: now - index,
				environment: 'PRODUCTION',
			});
		}
		const { error, hints } = await bench.run(payEach(), TWO, live());

		expect(error).toBeUndefined();
		expect(hints.join()).toContain('Duplicate Guard reads at most 20000 withdrawals');
		const always = await bench.run(payEach({ duplicateGuard: 'always' }), TWO, live());
		expect(always.error?.message).toContain('reads at most 20000 withdrawals');
	}, 90_000);

	it('continues without the scope, with a hint; Always refuses', async () => {
		const apiKey = bench.sandbox.createKey({
			environment: 'PRODUCTION',
			scopes: ['withdrawals:write'],
		});
		const { error, hints } = await bench.run(payEach(), TWO, { ...manual, credential: { apiKey } });
		expect(error).toBeUndefined();
		expect(hints.join()).toContain('lacks the scope withdrawals:read');

		const always = payEach({ duplicateGuard: 'always' });
		const refused = await bench.run(always, TWO, { ...manual, credential: { apiKey } });
		expect(refused.error?.message).toContain('the check for duplicates failed');
		expect(bench.paid).toEqual([1001, 2002]);
	}, 90_000);

	it('Never pays again', async () => {
		const never = payEach({ duplicateGuard: 'never' });
		await bench.run(never, TWO, live());
		const run = await bench.run(never, TWO, live());

		bench.expectPaid([1001, 1001, 2002, 2002], run);
	});

	it('after one bad row: nothing was sent, and the corrected list is paid once', async () => {
		const bad = [ROWS[0]!, { ...ROWS[1], pixKey: 'no key' }, ROWS[2]!];
		const first = await bench.run(payEach(), bad, live());
		expect(first.error?.description).toContain('0 of 3 rows were paid now');
		expect(first.error?.description).toContain('press Execute again');
		expect(bench.requests('POST')).toEqual([]);

		const second = await bench.run(payEach(), ROWS, live());
		expect(second.error).toBeUndefined();
		expectEachOnce();
	});
});

describe('an own key', () => {
	it('that is constant in a loop is refused in the second round', async () => {
		const { json, error } = await bench.run(payEach({ idempotencyKey: 'constant' }), TWO, {
			isLooped: true,
		});

		expect(json).toEqual([]);
		expect(error?.message).toContain(
			'An earlier round of this execution used the same idempotency key',
		);
		expect(bench.paid).toEqual([1001]);
	});

	it.each([null, '', 'undefined'])(
		'is refused where its expression returns %j',
		async (invoice) => {
			const { json } = await bench.run(
				payEach({ idempotencyKey: '={{ $json.invoice }}' }),
				[
					{ ...TWO[0], invoice },
					{ ...TWO[1], invoice: 'invoice-2' },
				],
				CONTINUE,
			);

			expect((json[0]?.error as { message: string }).message).toContain(
				'The expression for Idempotency Key returned nothing',
			);
			expect(bench.paid).toEqual([2002]);
		},
	);

	it('names a payout that the bank refused since, instead of calling it paid', async () => {
		const own = payEach({ idempotencyKey: '={{ "key-" + $json.amount }}' });
		const first = await bench.run(own, TWO);
		bench.sandbox.setWithdrawalStatus(first.json[0]?.id as string, 'FAILED', 'Account closed');
		bench.clock.advance(HOUR);

		const { json } = await bench.run(own, TWO, CONTINUE);

		expect(json[0]?.error).toMatchObject({ code: 'WITHDRAWAL_NOT_PAID', effect: 'none' });
		expect(json[1]).toMatchObject({ netAmount: 20.02, alreadyPaid: true });
	});
});

it('options can be changed back and forth without a payout more', async () => {
	const failed = await failAtLastRow();
	for (const options of [{ timeout: 7 }, { duplicateGuard: 'always' }, {}]) {
		changeOptions(failed.workflow, options as never);
		await bench.retry(failed);
	}
	expectEachOnce();
});

describe('a reference is filled in before the retry', () => {
	it('after a kill: nobody is paid again', async () => {
		const killed = await bench.run(payEach(), ROWS, bench.begunNow);
		edit(killed, REFERENCED);

		await bench.retryAfterKill(killed);

		expect(bench.paid).toEqual([1001, 2002, 3003]);
	});

	it('after a kill, and the table fails when it is asked whose the payouts are', async () => {
		const killed = await bench.run(payEach(), ROWS, { ...bench.begunNow, ...CONTINUE });
		edit(killed, REFERENCED);
		let reads = 0;
		dataTables().onStep = (operation) => {
			if (operation === 'get') reads += 1;
			if (reads === 2) throw new Error('no database');
		};

		const { errors } = await bench.retryAfterKill(killed);

		const unavailable = { code: 'REFERENCES_UNAVAILABLE', effect: 'unknown' };
		expect(errors).toMatchObject(ROWS.map(() => unavailable));
		expect(reads).toBe(2);
		expect(bench.paid).toEqual([1001, 2002, 3003]);
	});
});

describe('a retry of the first execution has paid, which n8n does not remember', () => {
	const paidByRetry = async () => {
		bench.refuseNext(1, 'INSUFFICIENT_BALANCE');
		const first = await bench.run(payEach(), ONE, bench.begunNow);
		expect((await bench.retry(first)).error).toBeUndefined();
		return first;
	};

	it.each<[string, INodeParameters]>([
		['a reference is filled in', REFERENCED],
		['the amount is changed', { amount: '={{ $json.amount + 1 }}' }],
	])('%s before it is retried again: nobody is paid again', async (_deed, change) => {
		const first = await paidByRetry();
		edit(first, change);

		await bench.retry(first);

		expect(bench.paid).toEqual([1001]);
	});

	it('a limit that stops it then does not say that it had no effect', async () => {
		const first = await paidByRetry();
		edit(first, { options: { largestAmount: '1,00' } });

		const { error } = await bench.retry(first);

		expect(error).toMatchObject({ effect: 'unknown' });
	});
});

it('a reference is cleared before the retry: what was paid before the execution is not paid again', async () => {
	await bench.run(payEach({}, REFERENCED), [ROWS[0]!, ROWS[1]!], bench.begunNow);
	const failed = await failAtLastRow(payEach({ maxConcurrency: 1 }, REFERENCED));
	edit(failed, { reference: '' });

	const { json, error } = await retryUntilTold(failed);

	expect(error).toBeUndefined();
	expect(json.slice(0, 2).map(({ alreadyPaid }) => alreadyPaid)).toEqual([true, true]);
	expectEachOnce();
});
