/** References where n8n's table fails, was changed, or n8n is killed: never twice, never missing with success. */
import { deduplication } from '../support/deduplicator';
import { type Execution } from '../support/execution';
import { dataTables, restart } from '../support/ledger';
import { BEFORE, FINE, killTables, reviveTables, rowsOf, usePayouts } from '../support/money';
import { BOTH, INVOICES, TWO, payEach, referenced } from '../support/payouts';
import { HOUR } from '../support/values';
import { CONTINUE } from '../support/workflow';

const bench = usePayouts();
const [ONE = {}] = INVOICES;
/** The run that makes most calls of the table makes twelve. */
const CALLS = Array.from({ length: 12 }, (_, index) => index + 1);
const UNAVAILABLE = ['LEDGER_UNAVAILABLE', 'LEDGER_UNAVAILABLE'];

/** Who was paid is shown so, and nobody is missing who is. */
const expectHonest = (execution: Execution) => {
	bench.expectTrue(execution);
	for (const { error, reference } of execution.json) {
		if (!error) expect(bench.living[reference as string]).toBe(1);
	}
	for (const count of Object.values(bench.living)) expect(count).toBe(1);
};
/** All is well again, n8n was started again, and a person does what the errors say: both are paid once. */
const expectPaidInTheEnd = async () => {
	bench.sandbox.faults.clear();
	dataTables().failAt();
	reviveTables();
	restart();
	const last = await bench.payAsTold();
	expect(last.codes).toEqual(FINE);
	bench.expectLiving(BOTH, last);
};

describe('nothing is sent', () => {
	/** Where the rows can be read, an attempt before this one is known not to be there. */
	const TROUBLES: Array<[string, () => void, string, 'none' | 'unknown']> = [
		[
			'the module is switched off',
			() => (dataTables().isOff = true),
			'N8N_DISABLED_MODULES',
			'unknown',
		],
		['the table was deleted', () => dataTables().remove(), 'was deleted', 'unknown'],
		['every call fails', () => killTables(), 'Have the database of n8n checked', 'unknown'],
		['a column was removed', () => dataTables().removeColumn('run'), 'restore the column', 'none'],
		[
			'the tables are full',
			() => (dataTables().maxRows = 0),
			'N8N_DATA_TABLES_MAX_SIZE_BYTES',
			'none',
		],
	];

	it.each(TROUBLES)('where %s, and says what to do', async (_what, trouble, remedy, effect) => {
		await bench.pay([{ ...ONE, invoice: 'NF-0' }]);
		trouble();

		const execution = await bench.pay();

		expect(execution.codes).toEqual(UNAVAILABLE);
		expect(execution.errors).toMatchObject([{ effect }, { effect }]);
		expect(execution.errors[0]?.description).toContain(remedy);
		expect(execution.posts).toBe(0);
	});

	it('where n8n has no tables at all, without a reference either', async () => {
		dataTables().isOff = true;

		const named = await bench.pay();
		const nameless = await bench.run(payEach(), TWO, CONTINUE);

		expect(named.codes).toEqual(UNAVAILABLE);
		expect(named.errors[0]?.description).toContain('n8n 2.3 or later');
		expect(nameless.codes).toEqual(UNAVAILABLE);
		expect(bench.paid).toEqual([]);
	});

	it('and what may have been paid before is not said to be without effect', async () => {
		await bench.pay(INVOICES, { lost: 'dropAfter' });
		dataTables().maxRows = 0;
		const full = await bench.pay();
		dataTables().maxRows = Infinity;

		expect(full.codes).toEqual(UNAVAILABLE);
		expect(full.errors).toMatchObject([{ effect: 'unknown' }, { effect: 'unknown' }]);
		bench.expectLiving(BOTH, await bench.payAsTold());
	});

	it('and a row that was paid is not said to be without effect where the others cannot be written down', async () => {
		await bench.pay([ONE]);
		dataTables().maxRows = 0;

		const full = await bench.pay();

		expect(full.codes).toEqual(UNAVAILABLE);
		expect(full.errors).toMatchObject([{ effect: 'unknown' }, { effect: 'none' }]);
	});

	it('where the store of n8n does not say which table the node has used: an empty one would pay everybody again', async () => {
		await bench.pay();
		bench.clock.advance(25 * HOUR);
		restart();
		dataTables().remove();
		const store = deduplication();
		const context = store.context.bind(store);
		vi.spyOn(store, 'context').mockImplementation((...names) => {
			const { helpers, ...rest } = context(...names);
			const checkProcessedAndRecord = async (...given: never[]) => {
				await (helpers.checkProcessedAndRecord as never as (...all: never[]) => Promise<unknown>)(
					...given,
				);
				return { new: [], processed: [] };
			};
			return { ...rest, helpers: { ...helpers, checkProcessedAndRecord } };
		});

		expect((await bench.pay()).codes).toEqual(UNAVAILABLE);
		expect(bench.paid).toEqual([1001, 2002]);
	});
});

describe('a table that people have changed', () => {
	it('by other tables with similar names is found all the same', async () => {
		await bench.pay();
		const { columns } = dataTables().find();
		for (const name of ['BRL Payouts (copy)', 'BRL Payouts 2', 'brl payouts', 'My BRL Payouts']) {
			dataTables().create(name, columns);
		}
		restart();

		bench.expectOnce(await bench.pay(), BEFORE);
		bench.expectOnce(await bench.start(referenced(), INVOICES), BEFORE);
	});

	it('and that was deleted while nodes remember it is not begun anew by a new one of that name', async () => {
		await bench.pay();
		const { columns } = dataTables().find();
		dataTables().remove();
		restart();
		dataTables().create('BRL Payouts', columns);

		const again = await bench.pay();

		expect(again.codes).toEqual(UNAVAILABLE);
		expect(again.errors[0]?.description).toContain('restore the table from a backup');
		expect(bench.living).toEqual(BOTH);
	});

	it('by a further column goes on', async () => {
		await bench.pay([ONE]);
		dataTables().find().columns.push({ name: 'note', type: 'string' });
		restart();
		bench.expectOnce(await bench.pay(), [true, false]);
	});
});

it.each([
	['could not be written', () => killTables(() => bench.paid.length > 0)],
	[
		'came while the tables became full',
		() => {
			dataTables().onStep = () => {
				if (bench.paid.length > 0) dataTables().maxRows = 0;
			};
		},
	],
])('what was paid and %s is known from its key, and a hint says so', async (_what, happen) => {
	happen();
	const first = await bench.pay();
	reviveTables();
	dataTables().maxRows = Infinity;
	restart();

	const again = await bench.pay();

	expect(first.codes).toEqual(FINE);
	expect(first.hints.join()).toContain('could not be written to the table BRL Payouts');
	expect(again.ids).toEqual(first.ids);
	bench.expectOnce(again, BEFORE);
	expect(rowsOf()).toMatchObject([{ status: 'paid' }, { status: 'paid' }]);
});

/** What happens in the run that is struck, beyond the failure of the table. */
const STORIES: Record<string, () => void> = {
	'a first run': () => undefined,
	'a run whose answers get lost': () => void bench.lose('dropAfter'),
	'a run whose requests get lost': () => void bench.lose('dropBefore'),
	'a run that is refused and takes the next key': () => void bench.refuseNext(3),
};

describe.each(Object.keys(STORIES))('%s', (story) => {
	describe.each(['before', 'between', 'after'] as const)('a call fails %s it', (moment) => {
		it.each(CALLS)('which is the %i. one', async (call) => {
			STORIES[story]!();
			dataTables().failAt(call, moment);
			expectHonest(await bench.pay());
			await expectPaidInTheEnd();
		});
	});

	it.each(CALLS)('n8n is killed at call %i, and asked again a day later', async (call) => {
		STORIES[story]!();
		let calls = 0;
		killTables(() => {
			calls += 1;
			return calls >= call;
		});
		expectHonest(await bench.pay());
		bench.clock.advance(25 * HOUR);
		await expectPaidInTheEnd();
	});
});

it.each([
	['pays each once, if others stop', 4, FINE],
	['sends nothing, if others go on', Infinity, UNAVAILABLE],
])(
	'where others write while n8n counts rows, it reads again and %s',
	async (_what, times, codes) => {
		let left = times;
		dataTables().onStep = (operation) => {
			if (operation !== 'get' || left <= 0) return;
			left -= 1;
			throw new Error('synchronization error: result count changed during pagination');
		};

		const run = await bench.pay();

		expect(run.codes).toEqual(codes);
		expect(bench.living).toEqual(codes === FINE ? BOTH : {});
		reviveTables();
		bench.expectLiving(BOTH, await bench.payAsTold());
		expect(rowsOf().map(({ status }) => status)).toEqual(['paid', 'paid']);
	},
);

it.each([1, 2, 3, 4, 5, 6, 7, 8])(
	'a paid list of which the bank has refused one row is settled whichever call fails: %i',
	async (call) => {
		const { ids } = await bench.pay();
		bench.sandbox.dialect.withdrawalTransitions.last = 'returnable';
		bench.sandbox.setWithdrawalStatus(ids[0]!, 'FAILED');
		dataTables().failAt(call);
		expectHonest(await bench.pay());
		await expectPaidInTheEnd();
	},
);

describe.each(['before', 'between', 'after'] as const)(
	'without a reference, a call fails %s it',
	(moment) => {
		it.each([1, 2, 3, 4])('which is the %i. one: the retry pays what is owed', async (call) => {
			dataTables().failAt(call, moment);
			const first = await bench.payTwo(bench.begunNow);
			dataTables().failAt();
			restart();

			bench.expectPaid([1001, 2002], await bench.retryAfterKill(first));
		});
	},
);
