/** The same references in several executions at once, and runs that end, wait or are stopped on the way. */
import type { IDataObject } from 'n8n-workflow';
import type { Execution } from '../support/execution';
import { dataTables, restart } from '../support/ledger';
import { killTables, reviveTables, rowsOf, slowDownTables, usePayouts } from '../support/money';
import { alike, BOTH, CORRECTED, INVOICES, payReferenced, referenced } from '../support/payouts';
import { CPF, HOUR } from '../support/values';

const bench = usePayouts();
const FOUR = alike('NF-1', 'NF-2', 'NF-3', 'NF-4');
const BACKWARDS = [...FOUR].reverse();
const ALL_ONCE = { 'NF-1': 1, 'NF-2': 1, 'NF-3': 1, 'NF-4': 1 };

const statuses = () => rowsOf().map(({ status }) => status);
/** Nothing is open, and each reference has one withdrawal; how many runs have written that down. */
const expectSettled = () => {
	expect(statuses()).not.toContain('sending');
	const rows = dataTables().rows();
	const paid = rows.filter(({ status }) => status === 'paid');
	const pairs = new Set(paid.map(({ reference, withdrawalId }) => `${reference} ${withdrawalId}`));
	expect(pairs.size).toBe(new Set(rows.map(({ reference }) => reference)).size);
};
/** Each reference has one row. */
const expectOneRowEach = () => {
	expectSettled();
	const references = dataTables().rows();
	expect(new Set(references.map(({ reference }) => reference)).size).toBe(references.length);
};
/** Doing what the errors say pays each row that is still open: all of them have one withdrawal then. */
const expectPaidInTheEnd = async (rows = FOUR, living: Record<string, number> = ALL_ONCE) => {
	const last = await bench.payAsTold(rows);
	expect(last.codes).toEqual(rows.map(() => undefined));
	bench.expectLiving(living, last);
	expectSettled();
};
/** Each effect happened once, at most one execution says that it made it, and errors promise nothing. */
const expectOnce = async (executions: Execution[]) => {
	bench.expectTrue(...executions);
	for (const count of Object.values(bench.living)) expect(count).toBe(1);
	for (const error of executions.flatMap(({ errors }) => errors)) {
		if (error !== undefined) expect(error.description).toContain('un the workflow again');
	}
	await expectPaidInTheEnd();
};

describe('two executions at once with the same references', () => {
	const startBoth = (options = {}) => {
		const workflow = referenced(options);
		return [bench.start(workflow, FOUR), bench.start(workflow, BACKWARDS)];
	};
	const copies = () => [bench.start(referenced(), FOUR), bench.start(referenced(), FOUR)];
	const WAYS: Record<string, () => Array<Promise<Execution>>> = {
		'of one workflow': () => [bench.pay(FOUR), bench.pay(FOUR)],
		'of copies of the workflow': copies,
		'in opposite order': () => startBoth(),
		'in opposite order, one item at a time': () => startBoth({ maxConcurrency: 1 }),
		'of which there are five': () => Array.from({ length: 5 }, async () => await bench.pay(FOUR)),
		'without a table so far, and n8n was just started': () => {
			restart();
			return copies();
		},
	};
	let ticking: NodeJS.Timeout | undefined;
	afterEach(() => clearInterval(ticking));
	const WEATHER: Record<string, () => void> = {
		'all goes well': () => undefined,
		'a first answer of each gets lost': () => {
			for (const { invoice } of FOUR) {
				bench.strike(invoice as string, { kind: 'dropAfter', times: 1 });
			}
		},
		'requests get lost': () => void bench.lose('dropBefore', () => true, 6),
		'the first ones are refused and want another key': () => void bench.refuseNext(6),
		'the service is slow': () => {
			bench.strike('', { kind: 'inFlight', ms: 3_000, times: 4 });
			// Time goes by while all executions wait for the service.
			ticking = setInterval(() => bench.clock.advance(200), 5);
		},
		'the table is slow': slowDownTables,
	};
	const clearUp = () => {
		bench.sandbox.faults.clear();
		clearInterval(ticking);
	};

	describe.each(Object.keys(WAYS))('%s', (way) => {
		it.each(Object.keys(WEATHER))('pay each of them once: %s', async (weather) => {
			WEATHER[weather]!();
			const runs = await Promise.all(WAYS[way]!());
			clearUp();
			await expectOnce(runs);
		});
	});

	it.each(Object.keys(WEATHER))('of other content pay one of both: %s', async (weather) => {
		WEATHER[weather]!();
		const runs = await Promise.all([bench.pay(INVOICES), bench.pay(CORRECTED)]);
		clearUp();

		bench.expectTrue(...runs);
		const { codes } = await bench.payAsTold();
		expect(codes.filter((code) => code !== 'REFERENCE_MISMATCH' && code !== undefined)).toEqual([]);
		expect(bench.living).toEqual(BOTH);
	});

	it('where the earlier keys are dead read the list, and pay each once', async () => {
		await bench.pay(FOUR, { lost: 'dropBefore' });
		bench.clock.advance(25 * HOUR);
		await expectOnce(await Promise.all([bench.pay(FOUR), bench.start(referenced(), BACKWARDS)]));
	});

	it('after the bank has refused all of them pay each once more', async () => {
		bench.sandbox.dialect.withdrawalTransitions.last = 'returnable';
		await bench.pay(FOUR);
		bench.bankRefusesAll();
		await expectOnce(await Promise.all([bench.pay(FOUR), bench.pay(FOUR)]));
	});
});

describe('the rows of the table', () => {
	it('are one for each reference, after whatever has happened to it', async () => {
		bench.sandbox.dialect.withdrawalTransitions.last = 'returnable';
		bench.strike('NF-1', { kind: 'dropAfter', times: 1 });
		bench.strike('NF-2', { kind: 'dropBefore', times: 3 });
		const code = 'WITHDRAWAL_PROVIDER_UNAVAILABLE';
		bench.strike('NF-3', { kind: 'error', code, times: 2 });
		bench.strike('NF-4', { kind: 'error', code: 'INSUFFICIENT_BALANCE', times: 1 });
		const { json } = await bench.pay(FOUR);
		const id = json[2]?.id as string | undefined;
		if (id !== undefined) bench.sandbox.setWithdrawalStatus(id, 'FAILED');

		await expectPaidInTheEnd();
		expectOneRowEach();
	});

	it('of items that were never sent are removed where the execution is stopped', async () => {
		await bench.runStopped('NF-2', payReferenced({ maxConcurrency: 1 }), FOUR);
		await bench.until(() => rowsOf('NF-3').length === 0 && rowsOf('NF-4').length === 0);

		expect(rowsOf('NF-2')).toMatchObject([{ status: 'sending' }]);
		await expectPaidInTheEnd();
		expectOneRowEach();
	});
});

describe('a run that takes longer than a claim is fresh', () => {
	const MANY: IDataObject[] = Array.from({ length: 12 }, (_, index) => ({
		...{ amount: 10 + index, pixKey: CPF, invoice: `NF-${index}` },
	}));
	const NEVER_BEFORE = MANY.map(() => false);
	const ONCE = Object.fromEntries(MANY.map(({ invoice }) => [invoice as string, 1]));
	const payMany = async (maxConcurrency = 1) =>
		await bench.start(referenced({ maxConcurrency }), MANY);
	/** So much time goes by with each request. */
	const slowDown = (ms: number, also: (body: Buffer) => void = () => undefined) =>
		bench.sandbox.faults.add({
			...{ method: 'POST', kind: 'delay', ms: 0, times: Infinity },
			when: ({ rawBody }) => {
				bench.clock.advance(ms);
				also(rawBody);
				return false;
			},
		});

	it('because the service is slow claims anew before each item, and pays each once', async () => {
		slowDown(20_000);

		bench.expectOnce(await payMany(), NEVER_BEFORE, ONCE);

		const inserts = dataTables().calls.filter((call) => call.startsWith('insert'));
		expect(inserts.length).toBeGreaterThan(5);
		expectOneRowEach();
	});

	it('waits, and another run pays meanwhile: each is paid once', async () => {
		let other: Promise<Execution> | undefined;
		slowDown(40_000, (body) => {
			if (body.includes('NF-3')) other ??= bench.start(referenced(), [...MANY].reverse());
		});

		const runs = [await payMany(), await other!];
		bench.sandbox.faults.clear();

		bench.expectTrue(...runs);
		await expectPaidInTheEnd(MANY, ONCE);
	});

	it('records what was paid as it goes: killed at its end, it has lost nothing', async () => {
		slowDown(5_000, () => {
			if (bench.paid.length === 10) killTables();
		});
		await payMany();
		bench.sandbox.faults.clear();
		reviveTables();
		restart();
		bench.clock.advance(25 * HOUR);

		expect(statuses().filter((status) => status === 'paid').length).toBeGreaterThanOrEqual(8);
		const last = await bench.payAsTold(MANY);
		expect(last.codes).toEqual(MANY.map(() => undefined));
		bench.expectLiving(ONCE, last);
	});
});
