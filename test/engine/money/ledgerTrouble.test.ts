/** References where n8n's table fails, was changed, or n8n is killed: never twice, never missing with success. */
import type { Execution } from '../support/execution';
import { deduplication } from '../support/deduplicator';
import { dataTables } from '../support/ledger';
import { payEach, TWO } from '../support/payouts';
import {
	BOTH,
	CONTINUE,
	HOUR,
	INVOICES,
	killTables,
	MINUTE,
	payReferenced,
	referenced,
	reviveTables,
	rowsOf,
	usePayouts,
} from '../support/references';
import { restart } from '../support/restart';
import { buildWorkflow } from '../support/workflow';

const bench = usePayouts();
/** The run that makes most calls of the table makes twelve. */
const CALLS = Array.from({ length: 12 }, (_, index) => index + 1);
const UNAVAILABLE = ['REFERENCES_UNAVAILABLE', 'REFERENCES_UNAVAILABLE'];

/** Who was paid is shown so, and nobody is missing who is. */
const expectHonest = (execution: Execution) => {
	bench.expectTrue(execution);
	for (const { error, reference } of execution.json) {
		if (!error) expect(bench.living[reference as string]).toBe(1);
	}
	for (const count of Object.values(bench.living)) expect(count).toBe(1);
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
		const workflow = referenced();
		await bench.start(workflow, [{ ...INVOICES[0], invoice: 'NF-0' }]);
		trouble();

		const execution = await bench.start(workflow, INVOICES);

		expect(execution.codes).toEqual(UNAVAILABLE);
		expect(execution.errors).toMatchObject([{ effect }, { effect }]);
		expect(execution.errors[0]?.description).toContain(remedy);
		expect(execution.posts).toBe(0);
	});

	it.each(TROUBLES)('where %s after n8n was started again', async (_what, trouble) => {
		const workflow = referenced();
		await bench.start(workflow, INVOICES);
		restart();
		trouble();

		const execution = await bench.start(workflow, INVOICES);

		// Full tables can still be read.
		const isKnown = dataTables().maxRows === 0;
		expect(execution.codes).toEqual(isKnown ? [undefined, undefined] : UNAVAILABLE);
		expect(bench.living).toEqual(BOTH);
	});

	it('where n8n has no tables at all; without a reference everything is paid', async () => {
		dataTables().isOff = true;

		const named = await bench.start(referenced(), INVOICES);
		const nameless = await bench.run(payEach(), TWO, CONTINUE);

		expect(named.codes).toEqual(UNAVAILABLE);
		expect(named.errors[0]?.description).toContain('n8n 2.3 or later');
		expect(nameless.codes).toEqual([undefined, undefined]);
		expect(bench.paid).toEqual([1001, 2002]);
	});

	it('and what may have been paid before is not said to be without effect', async () => {
		const workflow = referenced();
		await bench.start(workflow, INVOICES, { lost: 'dropAfter' });
		dataTables().maxRows = 0;

		const full = await bench.start(workflow, INVOICES);
		dataTables().maxRows = Infinity;
		const last = await bench.followWords(workflow, INVOICES);

		expect(full.codes).toEqual(UNAVAILABLE);
		expect(full.errors).toMatchObject([{ effect: 'unknown' }, { effect: 'unknown' }]);
		bench.expectLiving(BOTH, last);
	});

	it.each(['getByReference', 'settleReference'])('and %s says the same', async (operation) => {
		await bench.start(referenced(), INVOICES);
		dataTables().isOff = true;

		const { error } =
			operation === 'getByReference'
				? await bench.getReference('NF-1')
				: await bench.settle('NF-1', 'notPaid');

		expect(error).toMatchObject({ code: 'REFERENCES_UNAVAILABLE' });
		expect(error.description).toContain('N8N_DISABLED_MODULES');
	});

	it('where the store of n8n does not say which table the node has used: an empty one would pay everybody again', async () => {
		const workflow = referenced();
		await bench.start(workflow, INVOICES);
		expect(bench.paid).toEqual([1001, 2002]);
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
			return { ...rest, helpers: { ...helpers, checkProcessedAndRecord } } as never;
		});

		const again = await bench.start(workflow, INVOICES);

		expect(bench.paid).toEqual([1001, 2002]);
		expect(again.codes).toEqual(UNAVAILABLE);
	});
});

describe('a table that people have changed', () => {
	it('by other tables with similar names is found all the same', async () => {
		const workflow = referenced();
		await bench.start(workflow, INVOICES);
		const { columns } = dataTables().find();
		for (const name of ['BRL Payouts (copy)', 'BRL Payouts 2', 'brl payouts', 'My BRL Payouts']) {
			dataTables().create(name, columns);
		}
		restart();

		const again = await bench.start(workflow, INVOICES);
		const other = await bench.start(referenced(), INVOICES);

		expect(again.paidBefore).toEqual([true, true]);
		expect(other.paidBefore).toEqual([true, true]);
		expect(bench.living).toEqual(BOTH);
	});

	it('by decoys before it was ever needed is created beside them', async () => {
		dataTables().create('BRL Payouts (copy)', [{ name: 'reference', type: 'string' }]);
		const workflow = referenced();
		await bench.start(workflow, INVOICES);
		restart();

		const again = await bench.start(workflow, INVOICES);

		expect(dataTables().rows('BRL Payouts (copy)')).toEqual([]);
		expect(again.paidBefore).toEqual([true, true]);
		expect(bench.living).toEqual(BOTH);
	});

	it('by another name is still the ledger of the nodes that used it', async () => {
		const workflow = referenced();
		await bench.start(workflow, INVOICES);
		dataTables().rename('Payouts of the company');
		restart();

		const again = await bench.start(workflow, INVOICES);

		expect(again.paidBefore).toEqual([true, true]);
		expect(bench.living).toEqual(BOTH);
	});

	it('and that was deleted while nodes remember it is not begun anew by a new one of that name', async () => {
		const workflow = referenced();
		await bench.start(workflow, INVOICES);
		const { columns } = dataTables().find();
		dataTables().remove();
		restart();
		dataTables().create('BRL Payouts', columns);

		const again = await bench.start(workflow, INVOICES);

		expect(again.codes).toEqual(UNAVAILABLE);
		expect(again.errors[0]?.description).toContain('Restore it from a backup');
		expect(bench.living).toEqual(BOTH);
	});

	it('by a further column goes on', async () => {
		const workflow = referenced();
		await bench.start(workflow, [INVOICES[0]!]);
		dataTables().find().columns.push({ name: 'note', type: 'string' });
		restart();

		const again = await bench.start(workflow, INVOICES);

		expect(again.paidBefore).toEqual([true, false]);
		expect(bench.living).toEqual(BOTH);
	});

	it.each([
		['status', { status: 'maybe' }],
		['an empty status', { status: '' }],
		['generation', { generation: -1 }],
		['half a generation', { generation: 0.5 }],
		['details', { details: '{ not JSON' }],
		['other details', { details: '{"shown":7}' }],
	])('to nonsense leaves that reference in doubt, and no other: %s', async (_what, cells) => {
		const workflow = referenced();
		await bench.start(workflow, INVOICES);
		bench.clock.advance(MINUTE);
		const [row] = rowsOf('NF-1');
		const before = dataTables()
			.rows()
			.find(({ id }) => id === row!.id)!;
		dataTables().editRow(row!.id, cells);

		const again = await bench.start(workflow, INVOICES);
		dataTables().editRow(row!.id, {
			status: before.status!,
			generation: before.generation!,
			details: before.details!,
		});
		const mended = await bench.start(workflow, INVOICES);

		expect(again.codes).toEqual(['PAYOUT_IN_DOUBT', undefined]);
		expect(again.errors[0]?.message).toContain(`Row ${row!.id} of the table BRL Payouts`);
		expect(mended.paidBefore).toEqual([true, true]);
		expect(bench.living).toEqual(BOTH);
	});

	it('by upper case and blanks is read', async () => {
		const workflow = referenced();
		await bench.start(workflow, INVOICES);
		bench.clock.advance(MINUTE);
		dataTables().editRow(rowsOf('NF-1')[0]!.id, { status: ' Paid ' });

		const again = await bench.start(workflow, INVOICES);

		expect(again.paidBefore).toEqual([true, true]);
		expect(bench.living).toEqual(BOTH);
	});

	it('so that the ID of another reference stands in it: that pays only the other one', async () => {
		const workflow = referenced();
		const first = await bench.start(workflow, INVOICES);
		bench.clock.advance(MINUTE);
		dataTables().editRow(rowsOf('NF-1')[0]!.id, { withdrawalId: first.ids[1]! });

		const again = await bench.start(workflow, INVOICES);

		expect(again.codes).toEqual(['PAYOUT_IN_DOUBT', undefined]);
		expect(bench.living).toEqual(BOTH);
	});
});

it('what was paid and could not be written is known from its key, and a hint says so', async () => {
	const workflow = referenced();
	killTables(() => bench.paid.length > 0);
	const first = await bench.start(workflow, INVOICES);
	reviveTables();
	restart();

	const again = await bench.start(workflow, INVOICES);

	expect(first.codes).toEqual([undefined, undefined]);
	expect(first.hints.join()).toContain('could not be written to the table BRL Payouts');
	expect(again.ids).toEqual(first.ids);
	expect(again.paidBefore).toEqual([true, true]);
	expect(bench.living).toEqual(BOTH);
	expect(rowsOf().map(({ status }) => status)).toEqual(['paid', 'paid']);
});

it('what was paid while the tables became full is known from its key', async () => {
	const workflow = referenced();
	dataTables().onStep = () => {
		if (bench.paid.length > 0) dataTables().maxRows = 0;
	};
	await bench.start(workflow, INVOICES);
	reviveTables();
	dataTables().maxRows = Infinity;

	const again = await bench.start(workflow, INVOICES);

	expect(again.paidBefore).toEqual([true, true]);
	expect(bench.living).toEqual(BOTH);
});

/** What happens in the run that is struck, beyond the failure of the table. */
const STORIES: Record<string, () => void> = {
	'a first run': () => undefined,
	'a run whose answers get lost': () => void bench.lose('dropAfter'),
	'a run whose requests get lost': () => void bench.lose('dropBefore'),
	'a run that is refused and takes the next key': () => void bench.refuseNext(3),
};

describe.each(Object.keys(STORIES))('%s', (story) => {
	describe.each(['before', 'between', 'after'] as const)(
		'with a call that fails %s it',
		(moment) => {
			it.each(CALLS)('which is the %i. one', async (call) => {
				const workflow = referenced();
				STORIES[story]!();
				dataTables().failAt(call, moment);
				const struck = await bench.start(workflow, INVOICES);
				bench.sandbox.faults.clear();
				dataTables().failAt();
				expectHonest(struck);
				restart();

				const last = await bench.followWords(workflow, INVOICES);

				expect(last.codes).toEqual([undefined, undefined]);
				expectHonest(last);
				expect(bench.living).toEqual(BOTH);
			});
		},
	);

	it.each(CALLS)('n8n is killed at call %i, and asked again a day later', async (call) => {
		const workflow = referenced();
		STORIES[story]!();
		let calls = 0;
		killTables(() => {
			calls += 1;
			return calls >= call;
		});
		const struck = await bench.start(workflow, INVOICES);
		bench.sandbox.faults.clear();
		reviveTables();
		expectHonest(struck);
		restart();
		bench.clock.advance(25 * HOUR);

		const last = await bench.followWords(workflow, INVOICES);

		expect(last.codes).toEqual([undefined, undefined]);
		expectHonest(last);
		expect(bench.living).toEqual(BOTH);
	});
});

it.each([1, 2, 3, 4, 5, 6, 7, 8])(
	'a paid list of which the bank has refused one row is settled whichever call fails: %i',
	async (call) => {
		const workflow = referenced();
		const first = await bench.start(workflow, INVOICES);
		bench.sandbox.dialect.withdrawalTransitions.last = 'returnable';
		bench.sandbox.setWithdrawalStatus(first.ids[0]!, 'FAILED');
		dataTables().failAt(call);
		expectHonest(await bench.start(workflow, INVOICES));
		dataTables().failAt();
		restart();

		const last = await bench.followWords(workflow, INVOICES);

		expectHonest(last);
		expect(bench.living).toEqual(BOTH);
	},
);

it('with On Error = Stop the run fails before anything is sent, and names the table', async () => {
	const workflow = buildWorkflow({ parameters: payReferenced() });
	dataTables().isOff = true;

	const { error } = await bench.start(workflow, INVOICES);

	expect(error?.message).toContain('BRL Payouts');
	expect(bench.requests('POST')).toEqual([]);
});

it.each([
	[200_000, false],
	[310_000, true],
])('says how to clear the table, when the IDs of %i rows were used: %s', async (ids, isSaid) => {
	const workflow = referenced();
	await bench.start(workflow, INVOICES);
	dataTables().skipIds(ids);

	const execution = await bench.start(workflow, [{ ...INVOICES[0], invoice: 'NF-3' }]);

	expectHonest(execution);
	expect(execution.hints.join().includes('delete rows')).toBe(isSaid);
});
