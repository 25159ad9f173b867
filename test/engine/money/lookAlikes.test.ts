/**
 * Payouts without a reference among others that look alike: the same amount to the same PIX key, told
 * apart by their descriptions. Each is paid once, or its error says that it is in doubt.
 */
import type { IDataObject } from 'n8n-workflow';
import type { Execution } from '../support/execution';
import type { RunSettings } from '../support/harness';
import { continueOnFail, useMoney } from '../support/money';
import { NODE } from '../support/names';
import { payEach } from '../support/payouts';
import { CONTINUE, HOUR, MINUTE } from '../support/references';
import { CPF, EMAIL } from '../support/values';
import { buildWorkflow, edit, type Parameters } from '../support/workflow';

const bench = useMoney();

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

	it('of one execution, all but one of which arrived: each is paid once when it is retried', async () => {
		const lost = { '"three"': 'dropBefore', '': 'dropAfter' } as const;
		const killed = await pay(FOUR, { lost });
		expectPaidFor(['one', 'two', 'four']);
		expectEachOnce(FOUR, await bench.retryAfterKill(killed));
	});
});

it.each([
	['retry', 'dropBefore'],
	['retry', 'dropAfter'],
	['retryAfterKill', 'dropBefore'],
] as const)(
	'a loop loses an answer in round two, and an equal payout of another workflow stands in the list each row is paid once by %s: %s',
	async (how, kind) => {
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
	},
);

describe('equal rows of one list', () => {
	it('keep their own withdrawals over a retry, however each of them ended', async () => {
		const ROWS = ['A', 'B', 'C', 'D'];
		const balance = refuse('D');
		const failed = await pay(ROWS, { lost: { '"B"': 'dropAfter', '"C"': 'dropBefore' } });
		balance();
		expectPaidFor(['A', 'B']);
		await payElsewhere('other');

		expectShown(ROWS, await bench.retry(failed));
		expectPaidFor([...ROWS, 'other']);
	});

	it('are paid a day later where the list shows no other withdrawal than those that belong to the rest', async () => {
		const failed = await pay(['A', 'B', 'C'], { lost: { '"B"': 'dropBefore' } });
		bench.clock.advance(25 * HOUR);
		expectEachOnce(['A', 'B', 'C'], await bench.retry(failed));
	});
});

it.each<[string, Parameters]>([
	['Largest Amount', { largestAmount: '49,99' }],
	['Largest Total', { largestTotal: '49,99' }],
	['Allowed PIX Keys', { allowedPixKeys: EMAIL }],
])(
	'%s: a limit that a person sets after a crash does not deny what the first attempt may have paid',
	async (_name, limit) => {
		const killed = await pay(['one', 'two'], { lost: 'dropAfter' });
		edit(killed, { options: { ...limit, whenOverLimit: 'refuseItem' } as never });
		continueOnFail(killed);

		const { errors } = await bench.retryAfterKill(killed);

		for (const error of errors) {
			expect(error).toMatchObject({ code: 'OVER_LIMIT', effect: 'unknown' });
			expect(error?.description).toContain('An earlier attempt may have paid it');
		}
		expectPaidFor(['one', 'two']);
	},
);

describe('an error that is left on an item', () => {
	const failRefused = async () => {
		const clear = refuse('earlier');
		const { errors } = await pay(['earlier'], CONTINUE);
		clear();
		return errors[0]!;
	};
	const failLost = async (lost: (typeof LOSSES)[number]) =>
		(await pay(['earlier'], { ...CONTINUE, lost })).errors[0]!;
	const run = async (row: IDataObject, settings: RunSettings = {}) =>
		await bench.run(payNamed(), [row], { ...begun(), ...settings });
	const OTHER = { amount: 70, pixKey: EMAIL, name: 'other' };

	it('of another payment that had no effect: the item is paid under its own key, and so is the row that comes back', async () => {
		const error = await failRefused();

		expectShown(['other'], await run({ ...OTHER, error }));
		expect(booked()[0]?.idempotencyKey).not.toBe(error.idempotencyKey);
		expectShown(['earlier'], await run({ ...alike('earlier')[0], error }));
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

	it('with a payout of another workflow that looks alike: paid', async () => {
		const failed = await failYesterday();
		await payElsewhere('other');
		bench.clock.advance(25 * HOUR);

		expectShown(['ours'], await bench.retry(failed));
		expectPaidFor(['other', 'ours']);
	});
});
