/** The same references in several executions at once, and runs that end, wait or are stopped on the way. */
import type { IDataObject } from 'n8n-workflow';
import type { Execution } from '../support/execution';
import { dataTables } from '../support/ledger';
import {
	alike,
	BOTH,
	CONTINUE,
	CORRECTED,
	HOUR,
	INVOICES,
	MINUTE,
	payReferenced,
	referenced,
	rowsOf,
	usePayouts,
} from '../support/references';
import { restart } from '../support/restart';
import { CPF } from '../support/values';
import { buildWorkflow } from '../support/workflow';

const bench = usePayouts();
const FOUR = alike('NF-1', 'NF-2', 'NF-3', 'NF-4');

/** Each effect happened once, at most one execution says that it made it, and errors promise nothing. */
const expectOnce = (executions: Execution[]) => {
	bench.expectTrue(...executions);
	for (const count of Object.values(bench.living)) expect(count).toBe(1);
	for (const error of executions.flatMap(({ errors }) => errors)) {
		if (error === undefined) continue;
		expect(error.description).toContain('un the workflow again');
	}
};
/** Nothing is open, and each reference has one withdrawal; how many runs have written that down. */
const expectSettled = () => {
	const rows = dataTables().rows();
	expect(rows.map(({ status }) => status)).not.toContain('sending');
	const paid = rows.filter(({ status }) => status === 'paid');
	const pairs = new Set(paid.map(({ reference, withdrawalId }) => `${reference} ${withdrawalId}`));
	expect(pairs.size).toBe(new Set(rows.map(({ reference }) => reference)).size);
};
/** Each reference has one row. */
const expectOneRowEach = () => {
	expectSettled();
	const rows = dataTables().rows();
	expect(new Set(rows.map(({ reference }) => reference)).size).toBe(rows.length);
};

describe('two executions at once with the same references', () => {
	const WAYS: Record<string, () => Array<() => Promise<Execution>>> = {
		'of one workflow': () => {
			const workflow = referenced();
			const run = async () => await bench.start(workflow, FOUR);
			return [run, run];
		},
		'of copies of the workflow': () => [
			async () => await bench.start(referenced(), FOUR),
			async () => await bench.start(referenced(), FOUR),
		],
		'in opposite order': () => {
			const workflow = referenced();
			return [
				async () => await bench.start(workflow, FOUR),
				async () => await bench.start(workflow, [...FOUR].reverse()),
			];
		},
		'in opposite order, one item at a time': () => {
			const workflow = referenced({ maxConcurrency: 1 });
			return [
				async () => await bench.start(workflow, FOUR),
				async () => await bench.start(workflow, [...FOUR].reverse()),
			];
		},
		'of which there are five': () => {
			const workflow = referenced();
			return Array.from({ length: 5 }, () => async () => await bench.start(workflow, FOUR));
		},
		'without a table so far, and n8n was just started': () => {
			restart();
			return [
				async () => await bench.start(referenced(), FOUR),
				async () => await bench.start(referenced(), FOUR),
			];
		},
	};
	const WEATHER: Record<string, () => void> = {
		'all goes well': () => undefined,
		'a first answer of each gets lost': () => {
			for (const { invoice } of FOUR) {
				bench.lose('dropAfter', (body) => body.includes(invoice as string), 1);
			}
		},
		'requests get lost': () => void bench.lose('dropBefore', () => true, 6),
		'the first ones are refused and want another key': () => void bench.refuseNext(6),
		'the service is slow': () => {
			bench.sandbox.faults.add({ method: 'POST', kind: 'inFlight', ms: 3_000, times: 4 });
			// Time goes by while all executions wait for the service.
			ticking = setInterval(() => bench.clock.advance(200), 5);
		},
		'the table is slow': () => {
			dataTables().onStep = async () => {
				for (let turn = 0; turn < 3; turn += 1) await new Promise(setImmediate);
			};
		},
	};

	let ticking: NodeJS.Timeout | undefined;
	afterEach(() => clearInterval(ticking));

	describe.each(Object.keys(WAYS))('%s', (way) => {
		it.each(Object.keys(WEATHER))('pay each of them once: %s', async (weather) => {
			const starts = WAYS[way]!();
			WEATHER[weather]!();

			const runs = await Promise.all(starts.map(async (start) => await start()));
			bench.sandbox.faults.clear();
			clearInterval(ticking);

			expectOnce(runs);
			const last = await bench.followWords(referenced(), FOUR);
			expect(last.codes).toEqual(FOUR.map(() => undefined));
			bench.expectLiving({ 'NF-1': 1, 'NF-2': 1, 'NF-3': 1, 'NF-4': 1 }, last);
			expectSettled();
		});
	});

	it.each(Object.keys(WEATHER))('of other content pay one of both: %s', async (weather) => {
		const workflow = referenced();
		WEATHER[weather]!();

		const runs = await Promise.all([
			bench.start(workflow, INVOICES),
			bench.start(workflow, CORRECTED),
		]);
		bench.sandbox.faults.clear();

		bench.expectTrue(...runs);
		const last = await bench.followWords(workflow, INVOICES);
		const codes = last.codes.filter((code) => code !== 'REFERENCE_MISMATCH');
		expect(codes.filter((code) => code !== undefined)).toEqual([]);
		expect(bench.living).toEqual(BOTH);
	});

	it('where the earlier keys are dead read the list, and pay each once', async () => {
		const workflow = referenced();
		await bench.start(workflow, FOUR, { lost: 'dropBefore' });
		bench.clock.advance(25 * HOUR);

		const runs = await Promise.all([
			bench.start(workflow, FOUR),
			bench.start(referenced(), [...FOUR].reverse()),
		]);

		expectOnce(runs);
		const last = await bench.followWords(workflow, FOUR);
		expect(last.codes).toEqual(FOUR.map(() => undefined));
		expect(bench.living).toEqual({ 'NF-1': 1, 'NF-2': 1, 'NF-3': 1, 'NF-4': 1 });
		expectSettled();
	});

	it('after the bank has refused all of them pay each once more', async () => {
		bench.sandbox.dialect.withdrawalTransitions.last = 'returnable';
		const workflow = referenced();
		await bench.start(workflow, FOUR);
		bench.bankRefusesAll();

		const runs = await Promise.all([bench.start(workflow, FOUR), bench.start(workflow, FOUR)]);

		expectOnce(runs);
		const last = await bench.followWords(workflow, FOUR);
		expect(last.codes).toEqual(FOUR.map(() => undefined));
		expect(bench.living).toEqual({ 'NF-1': 1, 'NF-2': 1, 'NF-3': 1, 'NF-4': 1 });
		expectSettled();
	});

	it('with two keys of one account pay each once', async () => {
		const apiKey = bench.keyWith('*');
		const workflow = referenced();
		await bench.start(workflow, alike('NF-0'));
		await bench.start(workflow, alike('NF-00'), { credential: { apiKey } });

		const runs = await Promise.all([
			bench.start(workflow, FOUR),
			bench.start(workflow, FOUR, { credential: { apiKey } }),
		]);

		bench.expectTrue(...runs);
		const last = await bench.followWords(workflow, FOUR);
		expect(last.codes).toEqual(FOUR.map(() => undefined));
		expect(bench.living).toEqual({
			...{ 'NF-0': 1, 'NF-00': 1 },
			...{ 'NF-1': 1, 'NF-2': 1, 'NF-3': 1, 'NF-4': 1 },
		});
	});
});

describe('the rows of the table', () => {
	it('are one for each reference, after whatever has happened to it', async () => {
		bench.sandbox.dialect.withdrawalTransitions.last = 'returnable';
		const workflow = referenced();
		bench.lose('dropAfter', (body) => body.includes('NF-1'), 1);
		bench.lose('dropBefore', (body) => body.includes('NF-2'), 3);
		bench.sandbox.faults.add({
			...{ method: 'POST', kind: 'error', times: 2, code: 'WITHDRAWAL_PROVIDER_UNAVAILABLE' },
			when: ({ rawBody }) => rawBody.includes('NF-3'),
		});
		bench.sandbox.faults.add({
			...{ method: 'POST', kind: 'error', times: 1, code: 'INSUFFICIENT_BALANCE' },
			when: ({ rawBody }) => rawBody.includes('NF-4'),
		});
		const first = await bench.start(workflow, FOUR);
		const id = first.json[2]?.id as string | undefined;
		if (id !== undefined) bench.sandbox.setWithdrawalStatus(id, 'FAILED');

		const last = await bench.followWords(workflow, FOUR);

		expect(last.codes).toEqual(FOUR.map(() => undefined));
		expect(bench.living).toEqual({ 'NF-1': 1, 'NF-2': 1, 'NF-3': 1, 'NF-4': 1 });
		expectOneRowEach();
	});

	it('of items that were over a limit are not there', async () => {
		const workflow = referenced({ largestAmount: '15,00', whenOverLimit: 'refuseItem' });
		await bench.start(workflow, INVOICES);

		expect(rowsOf('NF-1')).toMatchObject([{ status: 'paid' }]);
		expect(rowsOf('NF-2')).toEqual([]);
	});

	it('of items that were never sent are removed where another one ends the run', async () => {
		const workflow = buildWorkflow({ parameters: payReferenced({ maxConcurrency: 1 }) });
		bench.sandbox.faults.add({
			...{ method: 'POST', kind: 'error', code: 'INVALID_API_KEY', times: Infinity },
			when: ({ rawBody }) => rawBody.includes('NF-2'),
		});

		const { error } = await bench.start(workflow, FOUR);

		expect(error).toBeDefined();
		for (const reference of ['NF-3', 'NF-4']) {
			const wasSent = bench.requests('POST').some(({ rawBody }) => rawBody.includes(reference));
			if (!wasSent) expect(rowsOf(reference)).toEqual([]);
		}
		expect(rowsOf().map(({ status }) => status)).not.toContain('sending');
	});

	it('of items that were never sent are removed where the execution is stopped', async () => {
		let stop: () => void = () => undefined;
		bench.sandbox.faults.add({
			...{ method: 'POST', kind: 'delay', ms: MINUTE },
			when: ({ rawBody }) => {
				const isSecond = rawBody.includes('NF-2');
				if (isSecond) setImmediate(stop);
				return isSecond;
			},
		});
		const workflow = buildWorkflow({ parameters: payReferenced({ maxConcurrency: 1 }) });
		const stopped = await bench.start(workflow, FOUR, { onStart: (cancel) => (stop = cancel) });
		bench.clock.advance(MINUTE);
		await bench.answered();
		await bench.until(() => rowsOf('NF-3').length === 0 && rowsOf('NF-4').length === 0);

		expect(stopped.run.status).toBe('canceled');
		expect(rowsOf('NF-2')).toMatchObject([{ status: 'sending' }]);
		const last = await bench.followWords(workflow, FOUR);
		bench.expectLiving({ 'NF-1': 1, 'NF-2': 1, 'NF-3': 1, 'NF-4': 1 }, last);
		expectOneRowEach();
	});
});

describe('a list that the service refuses', () => {
	const twelve = alike(...Array.from({ length: 12 }, (_, index) => `NF-${index}`));
	const sent = () => bench.posts;
	beforeEach(() => {
		bench.refuseNext(Infinity, 'INSUFFICIENT_BALANCE');
	});

	it('is sent on while the ledger is read again, and the rest is read again in a few calls', async () => {
		let reads = 0;
		dataTables().onStep = async (operation) => {
			if (operation !== 'get' || sent() === 0) return;
			reads += 1;
			if (reads === 1) await bench.until(() => sent() === twelve.length);
		};

		const refused = await bench.start(referenced({ maxConcurrency: 2 }), twelve);

		expect(refused.codes).toEqual(twelve.map(() => 'INSUFFICIENT_BALANCE'));
		// The first, one for all that was answered meanwhile, and those of the two that were under way.
		expect(reads).toBeLessThanOrEqual(4);
		expect(rowsOf().map(({ status }) => status)).toEqual(twelve.map(() => 'refused'));
	});

	it('is not sent on where the first failure is to stop it', async () => {
		const parameters = payReferenced({ maxConcurrency: 2 });
		await bench.start(buildWorkflow({ parameters }), twelve);
		expect(sent()).toBe(2);
	});
});

describe('a run that takes longer than a claim is fresh', () => {
	const MANY: IDataObject[] = Array.from({ length: 12 }, (_, index) => ({
		...{ amount: 10 + index, pixKey: CPF, invoice: `NF-${index}` },
	}));
	const ONCE = Object.fromEntries(MANY.map(({ invoice }) => [invoice as string, 1]));

	it.each([1, 5])(
		'because of the rate limit pays each once, %i at a time',
		async (maxConcurrency) => {
			bench.assume('rateLimitReset', 'rateLimitDefault');
			bench.sandbox.account.rateLimitPerMinute = 4;
			const workflow = referenced({ maxConcurrency });
			const begun = bench.clock.now();

			const run = await bench.start(workflow, MANY);

			expect(bench.clock.now() - begun).toBeGreaterThan(MINUTE);
			expect(run.paidBefore).toEqual(MANY.map(() => false));
			bench.expectLiving(ONCE, run);
			expectOneRowEach();
		},
	);

	it('because the service is slow claims anew before each item, and pays each once', async () => {
		const workflow = referenced({ maxConcurrency: 1 });
		bench.sandbox.faults.add({
			...{ method: 'POST', kind: 'delay', ms: 0, times: Infinity },
			when: () => {
				bench.clock.advance(20_000);
				return false;
			},
		});

		const run = await bench.start(workflow, MANY);

		expect(run.paidBefore).toEqual(MANY.map(() => false));
		expect(bench.living).toEqual(ONCE);
		expect(dataTables().calls.filter((call) => call.startsWith('insert')).length).toBeGreaterThan(
			5,
		);
		expectOneRowEach();
	});

	it('waits, and another run pays meanwhile: each is paid once', async () => {
		const workflow = referenced({ maxConcurrency: 1 });
		let other: Promise<Execution> | undefined;
		bench.sandbox.faults.add({
			...{ method: 'POST', kind: 'delay', ms: 0, times: Infinity },
			when: ({ rawBody }) => {
				bench.clock.advance(40_000);
				if (rawBody.includes('NF-3')) other ??= bench.start(referenced(), [...MANY].reverse());
				return false;
			},
		});

		const run = await bench.start(workflow, MANY);
		const second = await other!;
		bench.sandbox.faults.clear();

		bench.expectTrue(run, second);
		const last = await bench.followWords(workflow, MANY, CONTINUE);
		expect(last.codes).toEqual(MANY.map(() => undefined));
		expect(bench.living).toEqual(ONCE);
		expectSettled();
	});

	it('records what was paid as it goes: killed at its end, it has lost nothing', async () => {
		const workflow = referenced({ maxConcurrency: 1 });
		bench.sandbox.faults.add({
			...{ method: 'POST', kind: 'delay', ms: 0, times: Infinity },
			when: () => {
				bench.clock.advance(5_000);
				if (bench.paid.length === 10) {
					dataTables().onStep = () => {
						throw new Error('n8n was killed');
					};
				}
				return false;
			},
		});
		await bench.start(workflow, MANY);
		bench.sandbox.faults.clear();
		dataTables().onStep = () => undefined;
		restart();
		bench.clock.advance(25 * HOUR);

		expect(rowsOf().filter(({ status }) => status === 'paid').length).toBeGreaterThanOrEqual(8);
		const last = await bench.followWords(workflow, MANY);
		expect(last.codes).toEqual(MANY.map(() => undefined));
		bench.expectLiving(ONCE, last);
	});
});
