/** Payouts with a reference: each is paid once, by any execution, this week or next year. */
import { dataTables, restart } from '../support/ledger';
import { BEFORE, DOUBTS, FINE, MISMATCHES, NOW, rowsOf, usePayouts } from '../support/money';
import { alike, CORRECTED, INVOICES, payEach, payReferenced, referenced } from '../support/payouts';
import { CPF, EMAIL, HOUR } from '../support/values';
import { buildWorkflow, CONTINUE, type Parameters } from '../support/workflow';

const bench = usePayouts();
const [ONE = {}, TWO = {}] = INVOICES;
const continuing = (parameters: Parameters) => buildWorkflow({ parameters, ...CONTINUE });

it('is on the item, and leaves one row in the table, with the PIX key masked', async () => {
	const execution = await bench.pay();

	expect(execution.json).toMatchObject([
		{ netAmount: 10.01, reference: 'NF-1', alreadyPaid: false },
		{ netAmount: 20.02, reference: 'NF-2', alreadyPaid: false },
	]);
	bench.expectTrue(execution);
	const rows = dataTables().rows();
	expect(rows).toMatchObject([
		{ reference: 'NF-1', status: 'paid', amount: 10.01, environment: 'test', generation: 0 },
		{ reference: 'NF-2', status: 'paid', amount: 20.02, environment: 'test', generation: 0 },
	]);
	expect(rows.map(({ withdrawalId }) => withdrawalId)).toEqual(execution.ids);
	expect(JSON.stringify(rows)).not.toContain(CPF);
	expect(JSON.stringify(rows)).not.toContain(EMAIL);
});

it('are paid, and recognized, by as many calls of the table in a long list as in a short one', async () => {
	await bench.pay();
	const countCalls = async (length: number): Promise<number[]> => {
		const rows = Array.from({ length }, (_, row) => ({ ...ONE, invoice: `${length}-${row}` }));
		const counts = [dataTables().calls.length];
		for (const before of [false, true]) {
			const { paidBefore } = await bench.pay(rows);
			expect(paidBefore).toEqual(rows.map(() => before));
			counts.push(dataTables().calls.length);
		}
		return [counts[1]! - counts[0]!, counts[2]! - counts[1]!];
	};

	expect(await countCalls(20)).toEqual(await countCalls(2));
});

describe.each([
	['at once', 0],
	['the next day', 25],
	['next year', 365 * 24],
])('started again %s', (_when, hours) => {
	it('pays nothing, and shows each withdrawal as it is now', async () => {
		const first = await bench.pay();
		bench.clock.advance(hours * HOUR);
		restart();
		for (const id of first.ids) bench.sandbox.setWithdrawalStatus(id, 'COMPLETED');

		const again = await bench.pay();

		expect(again.error).toBeUndefined();
		expect(again.posts).toBe(0);
		// Each is read by its ID, and no list.
		expect(bench.requests('GET')).toHaveLength(2);
		expect(again.ids).toEqual(first.ids);
		expect(again.json).toMatchObject([{ status: 'COMPLETED' }, { status: 'COMPLETED' }]);
		expect(again.paidBefore).toEqual(BEFORE);
	});

	it('pays only what is new in an edited list of another order', async () => {
		await bench.pay();
		bench.clock.advance(hours * HOUR);
		const again = await bench.pay([TWO, ...alike('NF-3'), ONE]);
		bench.expectOnce(again, [true, false, true], { 'NF-1': 1, 'NF-2': 1, 'NF-3': 1 });
	});

	it('pays what was lost on the way, and no more', async () => {
		const { errors } = await bench.pay(INVOICES, { lost: { '20.02': 'dropBefore' } });
		expect(errors[1]).toBeDefined();
		bench.clock.advance(hours * HOUR);
		bench.expectOnce(await bench.pay(), [true, hours < 24]);
	});
});

it.each([1, 25, 24 * 15, 24 * 400])(
	'is paid once when n8n was killed after %d hours',
	async (hours) => {
		// What was paid is written nowhere.
		await bench.payKilled(() => bench.paid.length > 0);
		expect(rowsOf()).toMatchObject([{ status: 'sending' }, { status: 'sending' }]);
		bench.clock.advance(hours * HOUR);
		const before = bench.posts;

		bench.expectOnce(await bench.payAsTold(), BEFORE);

		const paid = rowsOf().filter(({ status }) => status === 'paid');
		expect(paid).toHaveLength(2);
		if (hours > 24) expect(bench.posts).toBe(before);
	},
);

it('is paid once where two items of a run have it', async () => {
	const execution = await bench.pay([...INVOICES, ONE]);

	expect(bench.paid).toEqual([1001, 2002]);
	expect(execution.json[2]).toMatchObject({ id: execution.ids[0], alreadyPaid: true });
	expect(execution.hints.join()).toContain('Items with the same reference were paid once');
});

it('is not shared by items of a run with other descriptions, such as two rides of one day', async () => {
	const workflow = continuing(payReferenced({}, { description: '={{ $json.ride }}' }));
	const { codes } = await bench.start(
		workflow,
		['there', 'back'].map((ride) => ({ ...ONE, ride })),
	);
	expect(codes).toEqual([undefined, 'REFERENCE_MISMATCH']);
	expect(bench.paid).toEqual([1001]);
});

it('is paid once by two workflows, and by two nodes of one', async () => {
	const first = await bench.pay();
	const other = await bench.start(referenced(), INVOICES);
	const doubled = await bench.run(payReferenced(), INVOICES, { isDoubled: true, ...CONTINUE });

	expect(other.ids).toEqual(first.ids);
	expect(doubled.error).toBeUndefined();
	bench.expectOnce(other, BEFORE);
});

describe('of other content', () => {
	it.each([
		['amount', { amount: 11 }, 'or PIX key: it paid R$ 10,01, and this row says R$ 11,00'],
		['PIX key', { pixKey: 'other@recipient.example' }, 'or PIX key'],
	])('is refused: %s', async (_name, change, message) => {
		const first = await bench.pay();

		const again = await bench.pay([{ ...ONE, ...change }, TWO]);

		expect(again.codes).toEqual(['REFERENCE_MISMATCH', undefined]);
		expect(again.errors[0]).toMatchObject({ effect: 'none', withdrawalIds: [first.ids[0]] });
		expect(again.errors[0]?.message.replaceAll('\u00a0', ' ').endsWith(message)).toBe(true);
		expect(again.posts).toBe(0);
		expect(bench.paid).toEqual([1001, 2002]);
	});

	it('is no other payout for a recipient document that was filled in later', async () => {
		const workflow = continuing(payReferenced({}, { recipientDocument: '={{ $json.document }}' }));
		await bench.start(workflow, INVOICES);
		const again = await bench.start(workflow, [ONE, { ...TWO, document: '529.982.247-25' }]);
		bench.expectOnce(again, BEFORE);
	});

	it('is refused in one run, naming the other row, and in the next round of a loop', async () => {
		const twice = [ONE, { ...ONE, amount: 11 }];

		const inOneRun = await bench.pay(twice);
		expect(inOneRun.codes).toEqual([undefined, 'REFERENCE_MISMATCH']);
		expect(inOneRun.errors[1]?.message).toContain('Row 1 of this list');
		expect(bench.paid).toEqual([1001]);

		bench.reset();
		await bench.run(payReferenced(), twice, { isLooped: true, ...CONTINUE });
		expect(bench.paid).toEqual([1001]);
	});

	it('may be sent while it is in doubt and its key alive: the service compares', async () => {
		await bench.pay(INVOICES, { lost: { '10.01': 'dropBefore', '20.02': 'dropAfter' } });

		const again = await bench.pay(CORRECTED);
		expect(again.codes).toEqual([undefined, 'PAYOUT_IN_DOUBT']);
		expect(again.errors[1]).toMatchObject({ effect: 'unknown' });
		const last = await bench.payAsTold(CORRECTED);

		expect(last.codes).toEqual([undefined, 'REFERENCE_MISMATCH']);
		expect(bench.living).toEqual({ 'NF-1': 1, 'NF-2': 1 });
		expect(bench.paid).toEqual([1101, 2002]);
	});
});

describe('after refusals that the service keeps under its keys', () => {
	beforeEach(() => bench.assume('storedFailures'));

	const refuse = async () => {
		bench.sandbox.account.withdrawalProviderUnavailable = true;
		await bench.pay();
		bench.sandbox.account.withdrawalProviderUnavailable = false;
		expect(bench.paid).toEqual([]);
		restart();
	};

	it.each<[string, () => Promise<unknown>]>([
		[
			'the second key has paid it unseen',
			async () => {
				bench.refuseNext(2);
				const found = bench.lose('dropAfter', () => bench.paid.length > 0 || bench.keys.length > 2);
				await bench.pay();
				found();
			},
		],
		[
			'the rows were paid unseen a day later',
			async () => {
				await refuse();
				bench.clock.advance(25 * HOUR);
				await bench.payUnseen(bench.workflow);
			},
		],
	])('a corrected row is never sent where %s', async (_what, payUnseen) => {
		await payUnseen();
		expect(bench.paid).toEqual([1001, 2002]);
		for (let press = 0; press < 3; press += 1) {
			expect((await bench.pay(CORRECTED)).codes).not.toContain(undefined);
		}
		expect((await bench.payAsTold(CORRECTED)).codes).toEqual(MISMATCHES);
		expect(bench.paid).toEqual([1001, 2002]);
	});

	it.each<[string, () => unknown]>([
		['nothing else happened', refuse],
		[
			'the outcome could not be written',
			async () => {
				bench.sandbox.account.withdrawalProviderUnavailable = true;
				await bench.payKilled(() => bench.posts > 0);
				bench.sandbox.account.withdrawalProviderUnavailable = false;
			},
		],
	])('a corrected row may be sent where %s', async (_what, happen) => {
		await happen();
		expect((await bench.payAsTold(CORRECTED)).codes).toEqual(FINE);
		expect(bench.paid).toEqual([1101, 2102]);
	});
});

describe('after the bank has refused it', () => {
	it.each(['FAILED', 'CANCELLED'] as const)('is paid again, once: %s', async (status) => {
		// A payout that is COMPLETED at once cannot be cancelled.
		bench.assume('withdrawalTransitions');
		const first = await bench.pay();
		bench.sandbox.setWithdrawalStatus(first.ids[0]!, status, 'Account closed');
		restart();

		const again = await bench.pay();
		bench.expectOnce(again, [false, true]);

		restart();
		bench.clock.advance(25 * HOUR);
		const third = await bench.pay();
		expect(third.paidBefore).toEqual(BEFORE);
		bench.expectTrue(again, third);
		expect(bench.paid).toEqual([1001, 1001, 2002]);
	});

	it('is paid to the corrected PIX key', async () => {
		await bench.pay();
		bench.bankRefusesAll();
		restart();
		const corrected = INVOICES.map((item, index) => ({ ...item, pixKey: [EMAIL, CPF][index] }));

		bench.expectOnce(await bench.pay(corrected), NOW);
		bench.expectOnce(await bench.pay(corrected), BEFORE);
	});
});

it.each([
	['500 emoji', '🧾'.repeat(500)],
	['an equals sign in front', '=1+1'],
	['wildcards', '%_*1'],
	['the beginning of an automatic name', 'auto-1'],
])('works as text: %s', async (_name, invoice) => {
	const workflow = continuing(payEach({}, { reference: '={{ $json.invoice }}' }));
	const items = [{ ...ONE, invoice }, TWO];
	await bench.start(workflow, items);

	const again = await bench.start(workflow, items);

	expect(again.codes).toEqual(FINE);
	expect(again.json[0]).toMatchObject({ reference: String(invoice), alreadyPaid: true });
	expect(bench.paid).toEqual([1001, 2002]);
});

it('is the same in spite of a null character, for which a database would refuse the whole list', async () => {
	await bench.pay();
	const again = await bench.pay([{ ...ONE, invoice: 'NF\0-1' }, TWO]);
	bench.expectOnce(again, BEFORE);
});

it.each([
	['auto-abcdefghijklmnop', 'has the form of the names that this node makes itself'],
	['   ', 'Reference is empty in this row'],
	[undefined, 'Reference is empty in this row'],
])('is refused if its text is %j: %s', async (invoice, why) => {
	const execution = await bench.pay([{ ...ONE, invoice }, TWO]);

	expect(execution.codes).toEqual(['INVALID_INPUT', undefined]);
	expect(execution.errors[0]?.message).toContain(why);
	// Without references, rows that were paid under one would be paid again.
	expect(execution.errors[0]?.description).not.toContain('leave the field');
	expect(bench.paid).toEqual([2002]);
});

// Which expressions: test/unit/nodes/BrlPayments/unfitNames.test.ts.
it.each(['={{ $json.row_number }}', '={{ $itemIndex + 1 }}'])(
	'is refused if it is only the place of the row, which next month has again: %s',
	async (reference) => {
		const rows = INVOICES.map((row, index) => ({ ...row, row_number: index + 2 }));

		const { errors } = await bench.run(payReferenced({}, { reference }), rows, CONTINUE);

		expect(errors[0]?.message).toContain('only the place of the row in its list');
		expect(bench.paid).toEqual([]);
	},
);

describe('a reference that is put together, of which a part is empty', () => {
	const rowsWith = (invoice: string | null | undefined) => [
		{ ...ONE, supplier: 'Sol', invoice, nested: { invoice, slashed: ' NF-1/ ' } },
		{ ...TWO, supplier: 'Sol', nested: { invoice: TWO.invoice, slashed: 'NF-2/' } },
	];

	it.each([
		...[
			'={{ $json.supplier }} {{ $json.invoice }}',
			'={{ $json.supplier }} {{ $json["invoice"] }}',
		],
		...[
			'={{ $json.supplier }} {{ $json.nested.invoice }}',
			'=NF {{ $json.invoice }}/{{ $now.year }}',
		],
		'={{ $json.supplier }} {{ String($json.invoice ?? "").trim() }}',
		'={{ $json.supplier }} {{ $json.invoice.slice(0, 7) }}',
		...[
			"={{ $json.supplier + '-' + $json.invoice }}",
			'={{ `${$json.supplier} ${$json.invoice}` }}',
		],
		"={{ [$json.supplier, $json.invoice].join('/') }}",
	])('is refused: %s', async (reference) => {
		const run = await bench.run(payReferenced({}, { reference }), rowsWith(''), CONTINUE);

		expect(run.errors[0]?.message).toContain('Reference is incomplete in this row');
		expect(bench.paid).toEqual([2002]);
	});

	it.each([null, 's/n', undefined])('as if it were %j', async (invoice) => {
		const reference = '={{ $json.supplier }} {{ $json.nested.invoice }}';
		const run = await bench.run(payReferenced({}, { reference }), rowsWith(invoice), CONTINUE);

		expect(run.errors[0]?.message).toMatch(/Reference is (incomplete|empty) in this row/);
		if (invoice === 's/n') expect(run.errors[0]?.message).toContain('{{ $json.nested.invoice }}');
		expect(bench.paid).toEqual([2002]);
	});

	it.each([
		['a blank at its end', '={{ $json.invoice }} '],
		['an expression that reads one field', '={{ $json.nested.slashed }}'],
		['a part that is zero', '={{ $json.supplier }} {{ 0 }} {{ $json.invoice }}'],
		['a sign between its parts', "={{ $json.supplier }}{{ '-' }}{{ $json.invoice }}"],
		['what says which kind of document it is', "={{ 'NF' }} {{ $json.invoice }}"],
	])('and none is, with %s', async (_what, reference) => {
		await bench.run(payReferenced({}, { reference }), rowsWith('NF-1'));
		expect(bench.paid).toEqual([1001, 2002]);
	});
});

it('is not paid again where its withdrawal cannot be read: its status is unknown', async () => {
	const settings = { credential: { apiKey: bench.keyWith('withdrawals:write') } };
	const { ids } = await bench.pay(INVOICES, settings);
	bench.clock.advance(25 * HOUR);

	const again = await bench.pay(INVOICES, settings);

	expect(again.json).toEqual([
		{ id: ids[0], status: 'UNKNOWN', reference: 'NF-1', alreadyPaid: true },
		{ id: ids[1], status: 'UNKNOWN', reference: 'NF-2', alreadyPaid: true },
	]);
	expect(again.hints.join()).toContain('withdrawals:read');
	const get = {
		resource: 'withdrawal',
		operation: 'getByReference',
		reference: 'NF-1',
		options: {},
	};
	expect((await bench.run(get, [{}], settings)).hints.join()).toContain(
		'may have refused it since',
	);
	expect(again.hints).toContain(
		'0 of 2 rows accepted with the test key; 2 made before: rows 1-2. No money moved.',
	);
	expect(bench.paid).toEqual([1001, 2002]);
});

it('asks a service that takes no payout with few requests for each row, and pays all later', async () => {
	const rows = Array.from({ length: 20 }, (_, index) => ({
		...{ amount: 30 + index, pixKey: CPF, invoice: `NF-${index}` },
	}));
	const found = bench.refuseNext(Infinity);

	const refused = await bench.pay(rows);
	found();
	const again = await bench.pay(rows);

	expect(new Set(refused.codes)).toEqual(new Set(['WITHDRAWAL_PROVIDER_UNAVAILABLE']));
	// Two for each row, and two for each of twelve new keys: without a limit, 200.
	expect(refused.posts).toBeLessThanOrEqual(64);
	expect(new Set(again.paidBefore)).toEqual(new Set([false]));
	expect(bench.paid).toHaveLength(20);
});

it('distinguishes test money from real money', async () => {
	await bench.pay();
	const live = await bench.pay(INVOICES, { credential: bench.liveCredential });

	expect(live.paidBefore).toEqual(NOW);
	const environments = bench.sandbox.books.withdrawals.map(({ environment }) => environment);
	expect(environments).toEqual(['SANDBOX', 'SANDBOX', 'PRODUCTION', 'PRODUCTION']);
});

// It paid again under the reference, whose key no attempt had used.
it.each([
	['at once', 0],
	['a day later', 25],
])(
	'is not paid if the item carries the error of an attempt without it, and nobody knows what became of that: %s',
	async (_when, hours) => {
		const failed = await bench.run(payEach(), INVOICES, { ...CONTINUE, lost: 'dropAfter' });
		const items = failed.json.map((item, index) => ({ ...INVOICES[index], ...item }));
		bench.clock.advance(hours * HOUR);

		const never = await bench.start(referenced({ duplicateGuard: 'never' }), items);
		expect(never.codes).toEqual(DOUBTS);
		expect(never.errors[0]?.message).toContain('with another amount, PIX key or reference');
		expect(bench.paid).toEqual([1001, 2002]);
	},
);
