/**
 * Payouts without a reference among others that look alike: the same amount to the same PIX key, told
 * apart by their descriptions. Each is paid once, or its error says that it is in doubt.
 */
import type { IDataObject } from 'n8n-workflow';
import { startSandbox, type Sandbox } from '../../../dev/sandbox';
import { type Execution } from '../support/execution';
import { type RunSettings } from '../support/harness';
import { continueOnFail, expectDoubt, usePayouts } from '../support/money';
import { NODE } from '../support/names';
import { payEach } from '../support/payouts';
import { CPF, EMAIL, HOUR, MINUTE } from '../support/values';
import { CONTINUE, buildWorkflow, type Parameters } from '../support/workflow';

const bench = usePayouts();

/** The same amount to the same PIX key for each name. */
const alike = (...names: string[]): IDataObject[] =>
	names.map((name) => ({ amount: 50, pixKey: CPF, name }));
const payNamed = (options: Parameters = {}, more: Parameters = {}) =>
	payEach(options, { description: '={{ $json.name }}', ...more });
const LOSSES = ['dropBefore', 'dropAfter'] as const;

const booked = () => bench.sandbox.books.withdrawals;
/** For whom was paid. */
const namesPaid = () => booked().map(({ description }) => description);
const expectPaidFor = (names: string[]) => expect(namesPaid().sort()).toEqual([...names].sort());
const nameOf = (id: unknown) => booked().find((one) => one.id === id)?.description;
/** None has failed, and they show each its own withdrawal. */
const expectShown = (names: string[], ...executions: Execution[]) => {
	for (const { error } of executions) expect(error).toBeUndefined();
	expect(executions.flatMap(({ ids }) => ids.map(nameOf))).toEqual(names);
};
/** The same, and nobody else was paid. */
const expectEachOnce = (names: string[], ...executions: Execution[]) => {
	expectShown(names, ...executions);
	expectPaidFor(names);
};

/** Each one begins in another millisecond, by the clock of the tests. */
const begun = () => {
	bench.clock.advance(1);
	return { establishedAt: bench.clock.now() };
};
/** An execution of its own pays each of them. */
const pay = async (names: string[], settings: RunSettings = {}) =>
	await bench.run(payNamed(), alike(...names), { ...begun(), ...settings });
/** Another workflow, which knows nothing of the others. */
const payElsewhere = async (name: string) => {
	const { error, ids } = await pay([name]);
	expect(error).toBeUndefined();
	return ids[0]!;
};
const refuse = (name: string, times = Infinity, code = 'INSUFFICIENT_BALANCE') =>
	bench.strike(`"${name}"`, { kind: 'error', code, times });
const retryAll = async (executions: Execution[], how: 'retry' | 'retryAfterKill' = 'retry') => {
	const retried: Execution[] = [];
	for (const execution of executions) retried.push(await bench[how](execution));
	return retried;
};

describe('n8n is killed while equal payouts are in flight', () => {
	const FOUR = ['one', 'two', 'three', 'four'];

	it.each(LOSSES)(
		'of four executions, and each is paid once when all are retried: %s',
		async (lost) => {
			const workflow = buildWorkflow({ parameters: payNamed() });
			const killed: Execution[] = [];
			for (const name of FOUR) {
				killed.push(await bench.start(workflow, alike(name), { ...begun(), lost }));
			}
			bench.clock.advance(MINUTE);
			expectEachOnce(FOUR, ...(await retryAll(killed, 'retryAfterKill')));
		},
	);

	it.each<[string, string[]]>([
		['none arrived', []],
		['one arrived', ['three']],
		['all but one arrived', ['one', 'two', 'four']],
	])('of one execution, and each is paid once when it is retried: %s', async (_what, arrived) => {
		const lost = FOUR.map((name) => [
			`"${name}"`,
			arrived.includes(name) ? 'dropAfter' : 'dropBefore',
		]);
		const killed = await pay(FOUR, { lost: Object.fromEntries(lost) });
		expectPaidFor(arrived);
		expectEachOnce(FOUR, await bench.retryAfterKill(killed));
	});
});

describe('a loop loses an answer in round two, and an equal payout of another workflow stands in the list', () => {
	it.each([
		['retry', 'dropBefore'],
		['retry', 'dropAfter'],
		['retryAfterKill', 'dropBefore'],
	] as const)('each row is paid once by %s: %s', async (how, kind) => {
		const lost = { '"two"': kind };
		const failed = await pay(['one', 'two', 'three'], { isLooped: true, lost });
		expect(failed.error).toBeDefined();
		const other = await payElsewhere('other');

		const retried = await bench[how](failed);

		expect(retried.error).toBeUndefined();
		expectPaidFor(['one', 'other', 'three', 'two']);
		const rounds = retried.getRuns().flatMap(({ data }) => data?.main?.[0] ?? []);
		// What n8n has made up of a run that was killed has no withdrawal.
		const names = rounds.flatMap(({ json }) => nameOf(json.id) ?? []);
		expect(names).toEqual(['one', 'two', 'three']);
		expect(JSON.stringify(retried.data.resultData.runData[NODE])).not.toContain(other);
	});
});

describe('equal rows of one list', () => {
	it('are both paid where one lost its answers and the other was refused for good', async () => {
		bench.assume('storedFailures');
		const refused = refuse('B', Infinity, 'WITHDRAWAL_PROVIDER_UNAVAILABLE');
		const failed = await pay(['A', 'B'], { lost: { '"A"': 'dropAfter' } });
		refused();
		expectPaidFor(['A']);
		expectEachOnce(['A', 'B'], await bench.retry(failed));
	});

	it('are paid a day later where the list shows no other withdrawal than those that belong to the rest', async () => {
		const failed = await pay(['A', 'B', 'C'], { lost: { '"B"': 'dropBefore' } });
		bench.clock.advance(25 * HOUR);
		expectEachOnce(['A', 'B', 'C'], await bench.retry(failed));
	});
});

describe('the credential of another company is chosen for the retry', () => {
	let company: Sandbox;
	let theirs: string;
	const credential = () => ({
		apiKey: company.createKey({ environment: 'SANDBOX' }),
		baseUrl: company.url,
	});
	beforeEach(async () => {
		company = await startSandbox({ clock: bench.clock, dialect: bench.sandbox.dialect });
		theirs = company.seed.withdrawal({ pixKey: CPF, amountCents: 5000 }).id;
	});
	afterEach(async () => await company.close());

	it.each(LOSSES)(
		'what has no answer stays in doubt, and is never shown as a withdrawal of that company: %s',
		async (lost) => {
			const failed = await pay(['ours'], { lost });

			const early = await bench.retry(failed, { credential: credential() });
			bench.clock.advance(25 * HOUR);
			const late = await bench.retry(early);

			for (const doubtful of [early, late]) {
				expectDoubt(doubtful, 'Choose the credential with that key');
				expect(JSON.stringify(doubtful.error)).not.toContain(theirs);
			}
			bench.clock.advance(-25 * HOUR);
			expect(company.requests.filter(({ method }) => method === 'POST')).toEqual([]);
			const ours = await bench.retry(late, { credential: failed.credential });
			expectEachOnce(['ours'], ours);
		},
	);
});

describe('an error that is left on an item', () => {
	const failLost = async (lost: (typeof LOSSES)[number]) =>
		(await pay(['earlier'], { ...CONTINUE, lost })).errors[0]!;

	it('of another payment that had no effect: the item is paid under its own key, and so is the row that comes back', async () => {
		const clear = refuse('earlier');
		const [error] = (await pay(['earlier'], CONTINUE)).errors;
		clear();
		const run = async (row: IDataObject) =>
			await bench.run(payNamed(), [{ ...row, error }], begun());

		expectShown(['other'], await run({ amount: 70, pixKey: EMAIL, name: 'other' }));
		expect(booked()[0]?.idempotencyKey).not.toBe(error?.idempotencyKey);
		expectShown(['earlier'], await run({ ...alike('earlier')[0] }));
		expectPaidFor(['other', 'earlier']);
	});

	it.each(LOSSES)(
		'of the same payment that is in doubt: it keeps its key among others that look alike: %s',
		async (kind) => {
			const error = await failLost(kind);
			await payElsewhere('elsewhere');
			const rows = [{ ...alike('earlier')[0], error }, ...alike('later')];

			expectShown(['earlier', 'later'], await bench.run(payNamed(), rows, begun()));
			expectPaidFor(['earlier', 'elsewhere', 'later']);
		},
	);
});

describe('a key that is dead', () => {
	const failYesterday = async () => await pay(['ours'], { lost: 'dropBefore' });

	const payByOtherTool = async () => (await bench.payElsewhere(alike('other'), 'other'))[0]!;

	it('with a payout of another tool that looks alike: in doubt, with its ID, and a person decides', async () => {
		const failed = await failYesterday();
		const candidate = await payByOtherTool();
		bench.clock.advance(25 * HOUR);
		continueOnFail(failed);

		const { errors, posts } = await bench.retry(failed);

		const { name } = errors[0]?.order as { name: string };
		expect(errors[0]).toMatchObject({
			...{ code: 'PAYOUT_IN_DOUBT', effect: 'unknown', withdrawalIds: [candidate] },
			description: expect.stringMatching(
				`Settle Reference with the reference "${name}".*'Not These': ${candidate}.*send this item with its field error to this node again`,
			),
		});
		expect(posts).toBe(0);
		const settled = await bench.settle(name, 'notPaid', '', { notThese: [candidate] });
		expect(settled.error).toBeUndefined();
		const item = { ...alike('ours')[0], error: errors[0] };
		expectShown(['ours'], await bench.run(payNamed(), [item], begun()));
		expectPaidFor(['other', 'ours']);
	});

	it.each<[string, () => Promise<unknown>]>([
		['of another workflow', async () => await payElsewhere('other')],
		[
			'of another tool that has failed',
			async () => bench.sandbox.setWithdrawalStatus(await payByOtherTool(), 'FAILED'),
		],
	])('with a payout that looks alike %s: paid', async (_what, payAlike) => {
		const failed = await failYesterday();
		await payAlike();
		bench.clock.advance(25 * HOUR);

		expectShown(['ours'], await bench.retry(failed));
		expectPaidFor(['other', 'ours']);
	});
});

describe('a first request that times out and arrives 90 seconds later', () => {
	beforeEach(() => void bench.strike('', { kind: 'lateRequest', ms: 90_000, times: 1 }));
	/** Time passes, and what arrives meanwhile is processed. */
	const pass = async (ms: number) => {
		bench.clock.advance(ms);
		for (let turns = 0; turns < 20; turns += 1) await new Promise(setImmediate);
	};
	const refuseTwice = (stored: boolean) => {
		const code = 'WITHDRAWAL_PROVIDER_UNAVAILABLE';
		bench.strike('', { kind: 'error', code, stored, times: 2 });
	};

	it.each([10_000, 120_000])(
		'and refusals that are not kept in between: one payout by the retry after %d ms',
		async (ms) => {
			refuseTwice(false);
			const failed = await pay(['ours']);
			expect(failed.error).toMatchObject({ effect: 'unknown' });
			await pass(ms);
			expectPaidFor(ms > 90_000 ? ['ours'] : []);

			const retried = await bench.retry(failed);
			await pass(120_000);

			expectEachOnce(['ours'], retried);
		},
	);

	it('and refusals that are kept in between: one payout, once nothing can arrive any more', async () => {
		bench.assume('storedFailures');
		refuseTwice(true);
		let failed = await pay(['ours']);
		for (const ms of [10_000, 120_000]) {
			await pass(ms);
			failed = await bench.retry(failed);
			expect(failed.error).toMatchObject({ effect: 'unknown' });
		}
		expect(bench.keys).toHaveLength(1);
		expectPaidFor([]);
		// A refusal that is kept does not use up the fault.
		bench.sandbox.faults.clear();
		await pass(HOUR);

		expectEachOnce(['ours'], await bench.retry(failed));
	});
});
