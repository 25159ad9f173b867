/** Payouts with a reference: each is paid once, by any execution, this week or next year. */
import type { IDataObject } from 'n8n-workflow';
import type { RecordedRequest } from '../../../dev/sandbox';
import { dataTables } from '../support/ledger';
import { payEach } from '../support/payouts';
import {
	alike,
	BOTH,
	CONTINUE,
	CORRECTED,
	HOUR,
	INVOICES,
	killTables,
	MINUTE,
	MISMATCHES,
	payReferenced,
	referenced,
	reviveTables,
	rowsOf,
	usePayouts,
} from '../support/references';
import { restart } from '../support/restart';
import { CPF, EMAIL } from '../support/values';
import { buildWorkflow } from '../support/workflow';

const bench = usePayouts();
const SOONER_OR_LATER: Array<[string, () => void]> = [
	['in the same process', () => undefined],
	['after n8n was started again', restart],
];

it('is on the item, and says that it was paid now', async () => {
	const execution = await bench.start(referenced(), INVOICES);

	expect(execution.json).toMatchObject([
		{ netAmount: 10.01, reference: 'NF-1', alreadyPaid: false },
		{ netAmount: 20.02, reference: 'NF-2', alreadyPaid: false },
	]);
	bench.expectTrue(execution);
});

describe('after attempts that never arrived', () => {
	// It said that an earlier run had paid, because that run's attempts stood in the table.
	it.each([
		['says that it was paid now', 'dropBefore', 10, false],
		['does not say so while one of them may still arrive', 'dropBefore', 1, true],
		['does not say so of what had arrived', 'dropAfter', 10, true],
	] as const)('%s', async (_what, lost, minutes, wasPaid) => {
		await bench.start(referenced(), INVOICES, { lost });
		bench.clock.advance(minutes * MINUTE);

		const execution = await bench.start(referenced(), INVOICES);

		expect(execution.paidBefore).toEqual([wasPaid, wasPaid]);
		bench.expectTrue(execution);
	});
});

it('leaves one row in the table, with the PIX key masked', async () => {
	const execution = await bench.start(referenced(), INVOICES);

	const rows = dataTables().rows();
	expect(rows).toMatchObject([
		{ reference: 'NF-1', status: 'paid', amount: 10.01, environment: 'test', generation: 0 },
		{ reference: 'NF-2', status: 'paid', amount: 20.02, environment: 'test', generation: 0 },
	]);
	expect(rows.map(({ withdrawalId }) => withdrawalId)).toEqual(execution.ids);
	expect(JSON.stringify(rows)).not.toContain(CPF);
	expect(JSON.stringify(rows)).not.toContain(EMAIL);
});

describe.each([
	['at once', 0],
	['the next day', 25],
	['next year', 365 * 24],
])('started again %s', (_when, hours) => {
	it('pays nothing, and shows each withdrawal as it is now', async () => {
		const workflow = referenced();
		const first = await bench.start(workflow, INVOICES);
		bench.clock.advance(hours * HOUR);
		restart();
		for (const { id } of bench.sandbox.books.withdrawals) {
			bench.sandbox.setWithdrawalStatus(id, 'COMPLETED');
		}

		const again = await bench.start(workflow, INVOICES);

		expect(again.error).toBeUndefined();
		expect(again.posts).toBe(0);
		expect(again.ids).toEqual(first.ids);
		expect(again.json.map(({ status }) => status as string)).toEqual(['COMPLETED', 'COMPLETED']);
		expect(again.paidBefore).toEqual([true, true]);
	});

	it('pays only what is new in an edited list of another order', async () => {
		const workflow = referenced();
		await bench.start(workflow, INVOICES);
		bench.clock.advance(hours * HOUR);
		const [one, two] = INVOICES;

		const again = await bench.start(workflow, [two!, ...alike('NF-3'), one!]);

		expect(again.paidBefore).toEqual([true, false, true]);
		bench.expectLiving({ 'NF-1': 1, 'NF-2': 1, 'NF-3': 1 }, again);
	});

	it('pays what was lost on the way, and no more', async () => {
		const workflow = referenced();
		const killed = await bench.start(workflow, INVOICES, { lost: { '20.02': 'dropBefore' } });
		bench.clock.advance(hours * HOUR);

		const again = await bench.start(workflow, INVOICES);

		expect(killed.json[1]?.error).toBeDefined();
		expect(again.error).toBeUndefined();
		bench.expectLiving(BOTH, again);
	});
});

it.each([1, 25, 24 * 400])('is paid once when n8n was killed after %d hours', async (hours) => {
	const workflow = referenced();
	// What was paid is written nowhere.
	killTables(() => bench.paid.length > 0);
	await bench.start(workflow, INVOICES);
	reviveTables();
	restart();
	expect(rowsOf().map(({ status }) => status)).toEqual(['sending', 'sending']);
	bench.clock.advance(hours * HOUR);

	const again = await bench.followWords(workflow, INVOICES);

	expect(again.paidBefore).toEqual([true, true]);
	bench.expectLiving(BOTH, again);
	expect(rowsOf().map(({ status }) => status)).toEqual(['paid', 'paid']);
});

it.each([25, 15 * 24, 400 * 24])(
	'is settled after %d hours where only its answer was lost',
	async (hours) => {
		const workflow = referenced();
		await bench.start(workflow, INVOICES, { lost: 'dropAfter' });
		bench.clock.advance(hours * HOUR);
		restart();
		const before = bench.posts;

		const again = await bench.followWords(workflow, INVOICES);

		expect(again.paidBefore).toEqual([true, true]);
		bench.expectTrue(again);
		expect(bench.posts).toBe(before);
	},
);

it('is read by its ID, however many payouts were made since', async () => {
	bench.assume('listOrder');
	const workflow = referenced();
	const first = await bench.start(workflow, INVOICES);
	restart();
	bench.clock.advance(48 * HOUR);
	const now = bench.clock.now();
	for (let index = 0; index < 5_100; index += 1) {
		bench.sandbox.seed.withdrawal({ amountCents: 5000, createdAt: now - index });
	}
	const before = bench.requests('GET').length;

	const again = await bench.start(workflow, INVOICES);

	expect(again.ids).toEqual(first.ids);
	expect(bench.requests('GET').length - before).toBe(2);
});

it('returns its own withdrawal, not an equal one of another reference', async () => {
	const workflow = referenced();
	const equal = alike('NF-1', 'NF-2', 'NF-3');
	const first = await bench.start(workflow, equal);
	restart();
	bench.clock.advance(48 * HOUR);

	const again = await bench.start(workflow, [equal[2]!, equal[0]!, equal[1]!]);

	const ids = first.ids;
	expect(again.ids).toEqual([ids[2], ids[0], ids[1]]);
	bench.expectLiving({ 'NF-1': 1, 'NF-2': 1, 'NF-3': 1 }, first, again);
});

it('is paid once where two items of a run have it', async () => {
	const execution = await bench.start(referenced(), [...INVOICES, INVOICES[0]!]);

	expect(bench.paid).toEqual([1001, 2002]);
	expect(execution.json[2]).toMatchObject({ id: execution.ids[0], alreadyPaid: true });
	expect(execution.hints.join()).toContain('Items with the same reference were paid once');
});

it('is paid once by two workflows, and by two nodes of one', async () => {
	const first = await bench.start(referenced(), INVOICES);
	const other = await bench.start(referenced(), INVOICES);
	const doubled = await bench.run(payReferenced(), INVOICES, { isDoubled: true, ...CONTINUE });

	expect(other.ids).toEqual(first.ids);
	expect(doubled.error).toBeUndefined();
	expect(other.paidBefore).toEqual([true, true]);
	expect(bench.living).toEqual(BOTH);
});

it('is known to later executions where it was filled in between the payout and a retry', async () => {
	const failed = await bench.run(
		payReferenced({ maxConcurrency: 1 }, { reference: '' }),
		INVOICES,
		{ lost: { '20.02': 'dropBefore' } },
	);
	failed.workflow.nodes['BRL Payments']!.parameters.reference = '={{ $json.invoice }}';
	await bench.retry(failed);

	await bench.start(failed.workflow, INVOICES);

	expect(bench.living).toEqual(BOTH);
});

describe('of other content', () => {
	it.each([
		['amount', { amount: 11 }],
		['PIX key', { pixKey: 'other@recipient.example' }],
	])('is refused: %s', async (_name, change) => {
		const workflow = referenced();
		const first = await bench.start(workflow, INVOICES);

		const again = await bench.start(workflow, [{ ...INVOICES[0], ...change }, INVOICES[1]!]);

		expect(again.codes).toEqual(['REFERENCE_MISMATCH', undefined]);
		expect(again.errors[0]).toMatchObject({
			effect: 'none',
			withdrawalIds: [first.ids[0]],
		});
		expect(again.posts).toBe(0);
		expect(bench.paid).toEqual([1001, 2002]);
	});

	it('is no other payout for a recipient document that was filled in later', async () => {
		const workflow = buildWorkflow({
			parameters: payReferenced({}, { recipientDocument: '={{ $json.document }}' }),
			...CONTINUE,
		});
		await bench.start(workflow, INVOICES);

		const again = await bench.start(workflow, [
			INVOICES[0]!,
			{ ...INVOICES[1], document: '529.982.247-25' },
		]);

		expect(again.paidBefore).toEqual([true, true]);
		expect(bench.paid).toEqual([1001, 2002]);
	});

	it('does not stop the others, and fails the node once', async () => {
		const workflow = buildWorkflow({ parameters: payReferenced() });
		await bench.start(workflow, INVOICES);

		const again = await bench.start(workflow, [
			{ ...INVOICES[0], amount: 11 },
			{ amount: 30.03, pixKey: CPF, invoice: 'NF-3' },
		]);

		expect(again.error?.message).toContain('The reference "NF-1" was paid before with another');
		expect(again.error?.description).toContain('1 of 2 rows were paid now (row 2)');
		expect(bench.paid).toEqual([1001, 2002, 3003]);
	});

	it('is refused in one run, naming the other row, and in the next round of a loop', async () => {
		const twice = [INVOICES[0]!, { ...INVOICES[0], amount: 11 }];

		const inOneRun = await bench.start(referenced(), twice);
		expect(inOneRun.codes).toEqual([undefined, 'REFERENCE_MISMATCH']);
		expect(inOneRun.errors[1]?.message).toContain('Row 1 of this list');
		expect(bench.paid).toEqual([1001]);

		bench.reset();
		await bench.run(payReferenced(), twice, { isLooped: true, ...CONTINUE });
		expect(bench.paid).toEqual([1001]);
	});

	it('is not paid a day later where both stood in one list', async () => {
		const workflow = referenced();
		await bench.start(workflow, [INVOICES[0]!, CORRECTED[0]!, INVOICES[1]!, CORRECTED[1]!]);
		bench.clock.advance(25 * HOUR);
		restart();

		const later = await bench.start(workflow, CORRECTED);

		expect(later.codes).toEqual(MISMATCHES);
		expect(bench.paid).toEqual([1001, 2002]);
	});

	it('may be sent while it is in doubt and its key alive: the service compares', async () => {
		const workflow = referenced();
		await bench.start(workflow, INVOICES, {
			lost: { '10.01': 'dropBefore', '20.02': 'dropAfter' },
		});

		const again = await bench.start(workflow, CORRECTED);
		expect(again.codes).toEqual([undefined, 'PAYOUT_IN_DOUBT']);
		expect(again.errors[1]).toMatchObject({ effect: 'unknown' });
		const last = await bench.followWords(workflow, CORRECTED);

		expect(last.codes).toEqual([undefined, 'REFERENCE_MISMATCH']);
		expect(bench.living).toEqual(BOTH);
		expect(bench.paid).toEqual([1101, 2002]);
	});

	it('is paid a day later where it was lost, and then the older content is refused', async () => {
		const workflow = referenced();
		await bench.start(workflow, INVOICES, { lost: 'dropBefore' });
		const corrected = await bench.start(workflow, CORRECTED);
		bench.clock.advance(25 * HOUR);
		restart();

		const later = await bench.start(workflow, INVOICES);
		const last = await bench.start(workflow, CORRECTED);

		expect(corrected.codes).toEqual([undefined, undefined]);
		expect(later.codes).toEqual(MISMATCHES);
		expect(last.paidBefore).toEqual([true, true]);
		expect(bench.paid).toEqual([1101, 2102]);
	});

	it('may be sent where nothing took effect before', async () => {
		const workflow = referenced();
		bench.refuseNext(2, 'INSUFFICIENT_BALANCE');
		await bench.start(workflow, INVOICES);

		const again = await bench.start(workflow, [{ ...INVOICES[0], amount: 11 }, INVOICES[1]!]);

		expect(again.codes).toEqual([undefined, undefined]);
		expect(bench.paid).toEqual([1100, 2002]);
	});

	it('is refused where another workflow has paid since a lost attempt was found to be none', async () => {
		const workflow = referenced();
		await bench.start(workflow, INVOICES, { lost: 'dropBefore' });
		bench.clock.advance(25 * HOUR);
		await bench.start(referenced(), CORRECTED);

		const again = await bench.start(workflow, INVOICES);

		expect(again.codes).toEqual(MISMATCHES);
		expect(bench.paid).toEqual([1101, 2102]);
	});
});

describe('after refusals that the service keeps under its keys', () => {
	beforeEach(() => bench.assume('storedFailures'));

	const refuse = async (workflow: ReturnType<typeof referenced>) => {
		bench.sandbox.account.withdrawalProviderUnavailable = true;
		await bench.start(workflow, INVOICES);
		bench.sandbox.account.withdrawalProviderUnavailable = false;
		expect(bench.paid).toEqual([]);
	};
	/** The service keeps a refusal under the first key of each row, and under no other. */
	const refuseFirstKeys = () => bench.refuseNext(2);
	/** The rows are paid already: however often they are sent corrected, nothing is paid again. */
	const expectNeverSent = async (workflow: ReturnType<typeof referenced>) => {
		for (let press = 0; press < 3; press += 1) {
			const again = await bench.start(workflow, CORRECTED);
			expect(again.codes).not.toContain(undefined);
		}
		const last = await bench.followWords(workflow, CORRECTED);
		expect(last.codes).toEqual(MISMATCHES);
		expect(bench.paid).toEqual([1001, 2002]);
	};

	it.each(SOONER_OR_LATER)('a corrected row may be sent %s', async (_when, happen) => {
		const workflow = referenced();
		await refuse(workflow);
		happen();

		const again = await bench.start(workflow, CORRECTED);
		restart();
		const third = await bench.start(workflow, CORRECTED);

		expect(again.codes).toEqual([undefined, undefined]);
		expect(third.paidBefore).toEqual([true, true]);
		expect(bench.paid).toEqual([1101, 2102]);
	});

	it('a corrected row may be sent where the outcome could not be written', async () => {
		const workflow = referenced();
		bench.sandbox.account.withdrawalProviderUnavailable = true;
		let kill = false;
		killTables(() => kill);
		const run = bench.start(workflow, INVOICES);
		await bench.until(() => bench.posts > 0);
		kill = true;
		await run;
		reviveTables();
		restart();
		bench.sandbox.account.withdrawalProviderUnavailable = false;

		const again = await bench.followWords(workflow, CORRECTED);

		expect(again.codes).toEqual([undefined, undefined]);
		expect(bench.living).toEqual(BOTH);
		expect(bench.paid).toEqual([1101, 2102]);
	});

	it.each(SOONER_OR_LATER)(
		'it is paid as it was, %s, however many keys an outage has used up',
		async (_when, happen) => {
			const workflow = referenced();
			for (let run = 0; run < 3; run += 1) {
				await refuse(workflow);
				happen();
			}

			const again = await bench.start(workflow, INVOICES);

			expect(again.codes).toEqual([undefined, undefined]);
			expect(bench.paid).toEqual([1001, 2002]);
		},
	);

	it.each([7, 9, 11])(
		'a corrected row may be sent where call %i of the table failed',
		async (call) => {
			const workflow = referenced();
			bench.sandbox.account.withdrawalProviderUnavailable = true;
			dataTables().failAt(call);
			await bench.start(workflow, INVOICES);
			bench.sandbox.account.withdrawalProviderUnavailable = false;
			dataTables().failAt();

			const last = await bench.followWords(workflow, CORRECTED);

			expect(last.codes).toEqual([undefined, undefined]);
			expect(bench.living).toEqual(BOTH);
		},
	);

	describe('under the first key, where the second key has paid it unseen', () => {
		const paySecond = async (workflow: ReturnType<typeof referenced>) => {
			refuseFirstKeys();
			const found = bench.sandbox.faults.add({
				...{ method: 'POST', times: Infinity, kind: 'dropAfter' },
				when: () => bench.paid.length > 0 || bench.keys.length > 2,
			});
			await bench.start(workflow, INVOICES);
			found();
			expect(bench.paid).toEqual([1001, 2002]);
		};

		it.each(SOONER_OR_LATER)('a corrected row is never sent %s', async (_when, happen) => {
			const workflow = referenced();
			await paySecond(workflow);
			happen();

			await expectNeverSent(workflow);
		});
	});

	it.each(SOONER_OR_LATER)(
		'a corrected row is not sent where another workflow has paid a day later: %s',
		async (_when, happen) => {
			const workflow = referenced();
			await refuse(workflow);
			happen();
			bench.clock.advance(30 * HOUR);
			await bench.start(referenced(), INVOICES);
			expect(bench.paid).toEqual([1001, 2002]);

			await expectNeverSent(workflow);
		},
	);

	it.each(SOONER_OR_LATER)(
		'a corrected row is not sent where the rows were paid unseen a day later: %s',
		async (_when, happen) => {
			const workflow = referenced();
			await refuse(workflow);
			happen();
			bench.clock.advance(25 * HOUR);
			await bench.payUnseen(workflow);

			await expectNeverSent(workflow);
		},
	);

	describe('and after a lost response', () => {
		/** A response gets lost, with effect or without, and then the service refuses. */
		const loseThenRefuse = async (
			workflow: ReturnType<typeof referenced>,
			kind: 'dropBefore' | 'dropAfter',
		) => {
			for (const amount of ['10.01', '20.02']) {
				const when = ({ rawBody }: RecordedRequest) => rawBody.includes(amount);
				const times = 1;
				bench.sandbox.faults.add({ method: 'POST', kind, times, when });
				const code = 'WITHDRAWAL_PROVIDER_UNAVAILABLE';
				// What has paid is not refused by the service itself, but by something in front of it.
				const refusal = { status: 503, body: { error: { code, message: 'Unavailable' } } };
				bench.sandbox.faults.add(
					kind === 'dropBefore'
						? { kind: 'error', code, times, when }
						: { kind: 'status', ...refusal, times, when },
				);
				bench.sandbox.faults.add({ method: 'POST', kind: 'dropBefore', times: 9, when });
			}
			await bench.start(workflow, INVOICES);
			bench.sandbox.faults.clear();
		};

		it.each(SOONER_OR_LATER)(
			'a corrected row is sent once the list shows that nothing was paid: %s',
			async (_when, happen) => {
				const workflow = referenced();
				await loseThenRefuse(workflow, 'dropBefore');
				happen();

				const again = await bench.followWords(workflow, CORRECTED);

				expect(again.codes).toEqual([undefined, undefined]);
				expect(bench.paid).toEqual([1101, 2102]);
			},
		);

		it.each(SOONER_OR_LATER)(
			'a corrected row is not sent where the lost attempt has paid: %s',
			async (_when, happen) => {
				const workflow = referenced();
				await loseThenRefuse(workflow, 'dropAfter');
				happen();

				await expectNeverSent(workflow);
			},
		);
	});
});

describe('after the bank has refused it', () => {
	it.each(['FAILED', 'CANCELLED'] as const)('is paid again, once: %s', async (status) => {
		// A payout that is COMPLETED at once cannot be cancelled.
		bench.assume('withdrawalTransitions');
		const workflow = referenced();
		const first = await bench.start(workflow, INVOICES);
		bench.sandbox.setWithdrawalStatus(first.ids[0]!, status, 'Account closed');
		restart();

		const again = await bench.start(workflow, INVOICES);

		expect(again.paidBefore).toEqual([false, true]);
		expect(bench.living).toEqual(BOTH);

		restart();
		bench.clock.advance(25 * HOUR);
		const third = await bench.start(workflow, INVOICES);
		expect(third.paidBefore).toEqual([true, true]);
		bench.expectTrue(again, third);
		expect(bench.paid).toEqual([1001, 1001, 2002]);
	});

	it('is paid to the corrected PIX key', async () => {
		const workflow = referenced();
		await bench.start(workflow, INVOICES);
		bench.bankRefusesAll();
		restart();
		const corrected = INVOICES.map((item, index) => ({ ...item, pixKey: [EMAIL, CPF][index] }));

		const again = await bench.start(workflow, corrected);
		const third = await bench.start(workflow, corrected);

		expect(again.paidBefore).toEqual([false, false]);
		expect(third.paidBefore).toEqual([true, true]);
		expect(bench.living).toEqual(BOTH);
	});

	it('is paid once more each time, and never while one lives', async () => {
		const workflow = referenced();
		for (let round = 0; round < 4; round += 1) {
			const run = await bench.start(workflow, [INVOICES[0]!]);
			expect(run.paidBefore).toEqual([false]);
			const shown = await bench.start(workflow, [INVOICES[0]!]);
			expect(shown.paidBefore).toEqual([true]);
			expect(bench.living).toEqual({ 'NF-1': 1 });
			bench.sandbox.setWithdrawalStatus(run.ids[0]!, 'FAILED');
			restart();
		}
	});
});

describe('as text', () => {
	it.each([
		['blanks inside', 'NF 1042 / 2026'],
		['slashes and signs', '../..?#%&=+'],
		['accents', 'Nota fiscal nº 1 — São João'],
		['emoji', '🧾 42 👩‍👩‍👧'],
		['500 characters', 'x'.repeat(500)],
		['500 emoji', '🧾'.repeat(500)],
		['an equals sign in front', '=1+1'],
		['wildcards', '%_*'],
		['a number', 1042],
	])('works with %s', async (_name, invoice) => {
		const workflow = buildWorkflow({
			parameters: payEach({}, { reference: '={{ $json.invoice }}' }),
			...CONTINUE,
		});
		const items = [{ ...INVOICES[0], invoice }, INVOICES[1]!];
		await bench.start(workflow, items);

		const again = await bench.start(workflow, items);

		expect(again.codes).toEqual([undefined, undefined]);
		expect(again.json[0]).toMatchObject({ reference: String(invoice), alreadyPaid: true });
		expect(bench.paid).toEqual([1001, 2002]);
	});

	it.each([
		['blanks at the ends', '  NF-1\n'],
		['Unicode form', 'Sa\u0303o'],
	])('is the same in spite of %s, and says so', async (_name, invoice) => {
		const workflow = referenced();
		await bench.start(workflow, [
			{ ...INVOICES[0], invoice: invoice.trim().normalize('NFC') },
			INVOICES[1]!,
		]);

		const again = await bench.start(workflow, [{ ...INVOICES[0], invoice }, INVOICES[1]!]);

		expect(again.paidBefore).toEqual([true, true]);
		expect(again.hints.join()).toContain('References are compared without blanks at the ends');
		expect(bench.paid).toEqual([1001, 2002]);
	});

	it.each([
		['case', 'nf-1'],
		['blanks inside', 'NF -1'],
		['zeros', 'NF-01'],
		['an invisible character', 'NF-1\u200b'],
	])('is another one for %s', async (_name, invoice) => {
		const workflow = referenced();
		await bench.start(workflow, INVOICES);

		await bench.start(workflow, [{ ...INVOICES[0], invoice }, INVOICES[1]!]);

		expect(bench.paid).toEqual([1001, 1001, 2002]);
	});

	it.each([
		['long', '={{ $json.invoice }}', [9007199254740993, 9007199254740992]],
		['long, within a text', '=NF-{{ $json.invoice }}', [9007199254740993, 9007199254740992]],
		['an access key', '={{ $json.invoice }}', [3.5240612345678e43, 3.5240612345679e43]],
	])(
		'is refused as a number that has lost digits: two invoices would be one (%s)',
		async (_name, reference, [one, other]) => {
			const workflow = buildWorkflow({ parameters: payReferenced({}, { reference }), ...CONTINUE });
			const execution = await bench.start(workflow, [
				...[one, other].map((invoice) => ({ ...INVOICES[0], invoice })),
				INVOICES[1]!,
			]);

			expect(execution.codes).toEqual(['INVALID_INPUT', 'INVALID_INPUT', undefined]);
			expect(execution.errors[0]?.description).toContain('Format the column as text');
			expect(bench.paid).toEqual([2002]);
		},
	);

	it.each([
		['half of a character', '\ud83d', 'n8n could not find it again'],
		['a null character', '\0', 'PostgreSQL would refuse the whole list'],
	])('is refused with %s', async (what, character, _why) => {
		const broken = { ...INVOICES[0], invoice: `${INVOICES[0]!.invoice as string} ${character}1` };

		const execution = await bench.start(referenced(), [broken, INVOICES[1]!]);

		expect(execution.codes).toEqual(['INVALID_INPUT', undefined]);
		expect(execution.errors[0]?.message).toContain(what);
		expect(bench.paid).toEqual([2002]);
	});

	it('is refused with 501 characters', async () => {
		const items = [{ ...INVOICES[0], invoice: 'x'.repeat(501) }, INVOICES[1]!];
		const execution = await bench.start(referenced(), items);

		expect(execution.errors[0]?.message).toContain('has 501 characters');
		expect(bench.paid).toEqual([2002]);
	});

	it.each([null, '', '   ', undefined])(
		'is refused where the expression returns %j',
		async (invoice) => {
			const items: IDataObject[] = [{ ...INVOICES[0], invoice }, INVOICES[1]!];
			const execution = await bench.start(referenced(), items);

			expect(execution.errors[0]?.message).toContain(
				'The expression for Reference returned nothing',
			);
			expect(bench.paid).toEqual([2002]);
		},
	);
});

it('is not paid again where its withdrawal cannot be read: its status is unknown', async () => {
	const apiKey = bench.keyWith('withdrawals:write');
	const settings = { credential: { apiKey } };
	const workflow = referenced();
	const first = await bench.start(workflow, INVOICES, settings);
	bench.clock.advance(25 * HOUR);

	const again = await bench.start(workflow, INVOICES, settings);

	expect(again.json).toEqual([
		{ id: first.ids[0], status: 'UNKNOWN', reference: 'NF-1', alreadyPaid: true },
		{ id: first.ids[1], status: 'UNKNOWN', reference: 'NF-2', alreadyPaid: true },
	]);
	expect(again.hints.join()).toContain('withdrawals:read');
	expect(again.hints).toContain(
		'0 paid now, 0 already paid, 0 not paid; 2 made before, status unknown: rows 1 (NF-1) and 2 (NF-2).',
	);
	expect(bench.paid).toEqual([1001, 2002]);
});

it('asks a service that takes no payout with few requests for each row, and pays all later', async () => {
	const rows = Array.from({ length: 20 }, (_, index) => ({
		...{ amount: 30 + index, pixKey: CPF, invoice: `NF-${index}` },
	}));
	const found = bench.refuseNext(Infinity);
	const workflow = referenced();

	const refused = await bench.start(workflow, rows);
	const requests = bench.posts;
	found();
	const again = await bench.start(workflow, rows);

	expect(new Set(refused.codes)).toEqual(new Set(['WITHDRAWAL_PROVIDER_UNAVAILABLE']));
	// Two for each row, and two for each of twelve new keys: without a limit, 200.
	expect(requests).toBeLessThanOrEqual(64);
	expect(new Set(again.paidBefore)).toEqual(new Set([false]));
	expect(bench.paid).toHaveLength(20);
});

it('distinguishes test money from real money', async () => {
	const workflow = referenced();
	await bench.start(workflow, INVOICES);

	const live = await bench.start(workflow, INVOICES, { credential: bench.liveCredential });

	expect(live.paidBefore).toEqual([false, false]);
	expect(bench.sandbox.books.withdrawals.map(({ environment }) => environment)).toEqual([
		'SANDBOX',
		'SANDBOX',
		'PRODUCTION',
		'PRODUCTION',
	]);
});

it('does not let Duplicate Guard stop a payout of the same amount with another reference', async () => {
	const workflow = referenced({ duplicateGuard: 'always' });
	await bench.start(workflow, INVOICES);

	const other = await bench.start(workflow, [...alike('NF-9'), INVOICES[1]!]);

	expect(other.codes).toEqual([undefined, undefined]);
	expect(bench.living).toEqual({ 'NF-1': 1, 'NF-2': 1, 'NF-9': 1 });
});

// It paid again under the reference, whose key no attempt had used.
it('is not paid if the item carries the error of an attempt without it, and nobody knows what became of that', async () => {
	const failed = await bench.run(payEach(), INVOICES, { ...CONTINUE, lost: 'dropAfter' });
	const items = failed.json.map((item, index) => ({ ...INVOICES[index], ...item }));

	const execution = await bench.start(referenced(), items);

	expect(execution.codes).toEqual(['INVALID_INPUT', 'INVALID_INPUT']);
	expect(bench.paid).toEqual([1001, 2002]);
});
