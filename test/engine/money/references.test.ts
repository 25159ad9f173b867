/** Payouts with a reference: each is paid once, by any execution, this week or next year. */
import type { IDataObject, NodeApiError } from 'n8n-workflow';
import { startSandbox, type RecordedRequest, type Sandbox } from '../../../dev/sandbox';
import { useBench, type RunSettings } from '../support/harness';
import { deduplication } from '../support/deduplicator';
import type { Execution } from '../support/execution';
import { payEach } from '../support/payouts';
import { restart } from '../support/restart';
import { CPF, EMAIL } from '../support/values';
import { buildWorkflow, changeOptions, type Parameters } from '../support/workflow';

const bench = useBench();
const HOUR = 60 * 60 * 1000;
const payReferenced = (options: Parameters = {}) =>
	payEach(options, { reference: '={{ $json.invoice }}' });
const INVOICES: IDataObject[] = [
	{ amount: 10.01, pixKey: CPF, invoice: 'NF-1' },
	{ amount: 20.02, pixKey: EMAIL, invoice: 'NF-2' },
];
const CONTINUE = { extras: { onError: 'continueRegularOutput' } } as const;
const referenced = (options: Parameters = {}) =>
	buildWorkflow({ parameters: payReferenced(options), ...CONTINUE });
const getCodes = ({ json }: Execution) =>
	json.map(({ error }) => (error as { code?: string } | undefined)?.code);
const paidBefore = ({ json }: Execution) => json.map(({ alreadyPaid }) => alreadyPaid as unknown);
const posts = () => bench.requests('POST').length;

it('is on the item, and says that it was paid now', async () => {
	const execution = await bench.start(referenced(), INVOICES);

	expect(execution.json).toMatchObject([
		{ netAmount: 10.01, reference: 'NF-1', alreadyPaid: false },
		{ netAmount: 20.02, reference: 'NF-2', alreadyPaid: false },
	]);
});

describe.each([
	['at once', 0],
	['the next day', 25],
	['next year', 365 * 24],
])('started again %s', (_when, hours) => {
	it('pays nothing, and shows each withdrawal as it is now', async () => {
		const workflow = referenced();
		const first = await bench.start(workflow, INVOICES);
		const before = posts();
		bench.clock.advance(hours * HOUR);
		restart();
		for (const { id } of bench.sandbox.books.withdrawals) {
			bench.sandbox.setWithdrawalStatus(id, 'COMPLETED');
		}

		const again = await bench.start(workflow, INVOICES);

		expect(again.error).toBeUndefined();
		expect(posts()).toBe(before);
		expect(again.json.map(({ id }) => id as string)).toEqual(
			first.json.map(({ id }) => id as string),
		);
		expect(again.json.map(({ status }) => status as string)).toEqual(['COMPLETED', 'COMPLETED']);
		expect(paidBefore(again)).toEqual([true, true]);
	});

	it('pays only what is new in an edited list of another order', async () => {
		const workflow = referenced();
		await bench.start(workflow, INVOICES);
		bench.clock.advance(hours * HOUR);
		const [one, two] = INVOICES;

		const again = await bench.start(workflow, [
			two!,
			{ amount: 10.01, pixKey: CPF, invoice: 'NF-3' },
			one!,
		]);

		expect(paidBefore(again)).toEqual([true, false, true]);
		expect(bench.paid).toEqual([1001, 1001, 2002]);
	});

	it('pays what was lost on the way, and no more', async () => {
		const workflow = referenced();
		const lost = bench.sandbox.faults.add({
			times: Infinity,
			kind: 'dropBefore',
			when: ({ rawBody }) => rawBody.includes('20.02'),
		});
		const killed = await bench.start(workflow, INVOICES);
		lost();
		bench.clock.advance(hours * HOUR);

		const again = await bench.start(workflow, INVOICES);

		expect(killed.json[1]?.error).toBeDefined();
		expect(again.error).toBeUndefined();
		expect(bench.paid).toEqual([1001, 2002]);
	});
});

it.each([1, 25, 24 * 400])('is paid once when n8n was killed after %d hours', async (hours) => {
	const workflow = referenced();
	// The last calls of the store never happen.
	const store = deduplication();
	const forgetful = vi.spyOn(store.rows, 'set');
	let calls = 0;
	forgetful.mockImplementation(function (this: Map<string, readonly string[]>, key, value) {
		calls += 1;
		// The beginning of the run is written, five calls about the API key and two about the references;
		// nothing after it.
		if (calls > 7) return this;
		return Map.prototype.set.call(this, key, value) as Map<string, readonly string[]>;
	});
	await bench.start(workflow, INVOICES);
	forgetful.mockRestore();
	expect(bench.paid).toEqual([1001, 2002]);
	bench.clock.advance(hours * HOUR);

	const again = await bench.start(workflow, INVOICES);

	expect(again.error).toBeUndefined();
	expect(bench.paid).toEqual([1001, 2002]);
	expect(paidBefore(again)).toEqual([true, true]);
});

describe('of other content', () => {
	it.each([
		['amount', { amount: 11 }],
		['PIX key', { pixKey: 'other@recipient.example' }],
	])('is refused: %s', async (_name, change) => {
		const workflow = referenced();
		await bench.start(workflow, INVOICES);
		const before = posts();

		const again = await bench.start(workflow, [{ ...INVOICES[0], ...change }, INVOICES[1]!]);

		expect(getCodes(again)).toEqual(['REFERENCE_MISMATCH', undefined]);
		expect(posts()).toBe(before);
		expect(bench.paid).toEqual([1001, 2002]);
	});

	it('is no other payout for a recipient document that was filled in later', async () => {
		const workflow = buildWorkflow({
			parameters: payEach(
				{},
				{ reference: '={{ $json.invoice }}', recipientDocument: '={{ $json.document }}' },
			),
			...CONTINUE,
		});
		await bench.start(workflow, INVOICES);

		const again = await bench.start(workflow, [
			INVOICES[0]!,
			{ ...INVOICES[1], document: '529.982.247-25' },
		]);

		expect(getCodes(again)).toEqual([undefined, undefined]);
		expect(paidBefore(again)).toEqual([true, true]);
		expect(bench.paid).toEqual([1001, 2002]);
	});

	it('does not stop the others, and fails the node once', async () => {
		const workflow = buildWorkflow({ parameters: payReferenced() });
		await bench.start(workflow, INVOICES);

		const again = await bench.start(workflow, [
			{ ...INVOICES[0], amount: 11 },
			{ amount: 30.03, pixKey: CPF, invoice: 'NF-3' },
		]);

		expect(again.error?.message).toContain('The reference "NF-1" was used before');
		expect(again.error?.description).toContain('1 of 2 items were paid now (item 1)');
		expect(bench.paid).toEqual([1001, 2002, 3003]);
	});

	it('is refused in one run, and in the next round of a loop', async () => {
		const twice = [INVOICES[0]!, { ...INVOICES[0], amount: 11 }];

		const inOneRun = await bench.start(referenced(), twice);
		expect(getCodes(inOneRun)).toEqual([undefined, 'REFERENCE_MISMATCH']);
		expect(bench.paid).toEqual([1001]);

		bench.reset();
		await bench.run(payReferenced(), twice, { isLooped: true, ...CONTINUE });
		expect(bench.paid).toEqual([1001]);
	});

	it('may be sent while it is in doubt and its key alive: the service compares', async () => {
		const workflow = referenced();
		const lose = (kind: 'dropBefore' | 'dropAfter', amount: string) =>
			bench.sandbox.faults.add({
				method: 'POST',
				kind,
				times: Infinity,
				when: ({ rawBody }) => rawBody.includes(amount),
			});
		lose('dropBefore', '10.01');
		lose('dropAfter', '20.02');
		await bench.start(workflow, INVOICES);
		bench.sandbox.faults.clear();

		const again = await bench.start(
			workflow,
			INVOICES.map((item) => ({ ...item, amount: Number(item.amount) + 1 })),
		);

		expect(getCodes(again)).toEqual([undefined, 'REFERENCE_MISMATCH']);
		const [paid] = bench.sandbox.books.withdrawals;
		expect(again.json[1]?.error).toMatchObject({ effect: 'none', withdrawalIds: [paid?.id] });
		expect(bench.paid).toEqual([1101, 2002]);
	});

	it('is not said to be without effect where the service has taken it, and the list does not show it yet', async () => {
		const workflow = referenced();
		bench.sandbox.faults.add({ method: 'POST', times: Infinity, kind: 'dropAfter' });
		await bench.start(workflow, INVOICES);
		bench.sandbox.faults.clear();
		const body = { withdrawals: [], pagination: { page: 1, limit: 100, total: 0, totalPages: 0 } };
		bench.sandbox.faults.add({ method: 'GET', times: Infinity, kind: 'status', status: 200, body });

		const again = await bench.start(workflow, [{ ...INVOICES[0], amount: 11.01 }, INVOICES[1]!]);

		expect(getCodes(again)).toEqual(['REFERENCE_MISMATCH', undefined]);
		expect(again.json[0]?.error).toMatchObject({ effect: 'unknown' });
		expect(bench.paid).toEqual([1001, 2002]);
	});

	describe('after refusals that the service keeps under its keys', () => {
		const CORRECTED = INVOICES.map((item) => ({ ...item, amount: Number(item.amount) + 1 }));
		const refuse = async (workflow: ReturnType<typeof referenced>) => {
			bench.sandbox.account.withdrawalProviderUnavailable = true;
			await bench.start(workflow, INVOICES);
			bench.sandbox.account.withdrawalProviderUnavailable = false;
			expect(bench.paid).toEqual([]);
		};

		const SOONER_OR_LATER: Array<[string, () => void]> = [
			['in the same process', () => undefined],
			['after n8n was started again', restart],
		];
		/** The service keeps a refusal under the first key of each row, and under no other. */
		const refuseFirstKeys = () => {
			bench.assume('storedFailures');
			bench.sandbox.faults.add({
				...{ method: 'POST', kind: 'error', times: 2 },
				code: 'WITHDRAWAL_PROVIDER_UNAVAILABLE',
			});
		};
		/** The rows are paid already: however often they are sent corrected, nothing is paid again. */
		const expectNeverSent = async (workflow: ReturnType<typeof referenced>) => {
			for (let press = 0; press < 3; press += 1) {
				const again = await bench.start(workflow, CORRECTED);
				expect(getCodes(again)).toEqual(['REFERENCE_MISMATCH', 'REFERENCE_MISMATCH']);
			}
			expect(bench.paid).toEqual([1001, 2002]);
		};

		it.each(SOONER_OR_LATER)('may be sent %s', async (_when, happen) => {
			const workflow = referenced();
			await refuse(workflow);
			happen();

			const again = await bench.start(workflow, CORRECTED);
			restart();
			const third = await bench.start(workflow, CORRECTED);

			expect(getCodes(again)).toEqual([undefined, undefined]);
			expect(paidBefore(third)).toEqual([true, true]);
			expect(bench.paid).toEqual([1101, 2102]);
		});

		it('may be sent where n8n was killed before the service had refused once more', async () => {
			const workflow = referenced();
			refuseFirstKeys();
			bench.sandbox.faults.add({ method: 'POST', times: Infinity, kind: 'dropBefore' });
			const unnoted = vi.spyOn(Journal.prototype, 'noteRefusals').mockResolvedValue([]);
			vi.spyOn(Journal.prototype, 'end').mockResolvedValueOnce(undefined);
			await bench.start(workflow, INVOICES);
			bench.sandbox.faults.clear();
			unnoted.mockRestore();
			restart();

			const again = await bench.start(workflow, CORRECTED);

			expect(getCodes(again)).toEqual([undefined, undefined]);
			expect(bench.paid).toEqual([1101, 2102]);
		});

		describe('under the first key, where the second key has taken it', () => {
			/** The first keys hold refusals; the effect of the second ones is not known. */
			const paySecond = async (workflow: ReturnType<typeof referenced>) => {
				refuseFirstKeys();
				const lose = bench.sandbox.faults.add({
					...{ method: 'POST', times: Infinity, kind: 'dropAfter' },
					when: () => bench.paid.length > 0 || bench.keys.length > 4,
				});
				await bench.start(workflow, INVOICES);
				lose();
				expect(bench.paid).toEqual([1001, 2002]);
			};

			it.each(SOONER_OR_LATER)(
				'is never sent with other content %s, however often',
				async (_when, happen) => {
					const workflow = referenced();
					await paySecond(workflow);
					happen();

					await expectNeverSent(workflow);
				},
			);

			it('is never sent with other content by a copy of a workflow that has paid it', async () => {
				refuseFirstKeys();
				await bench.start(referenced(), INVOICES);
				expect(bench.paid).toEqual([1001, 2002]);
				const copy = referenced();

				await expectNeverSent(copy);
			});

			it('is never sent with other content by a copy of the workflow', async () => {
				await paySecond(referenced());
				const copy = referenced();

				await expectNeverSent(copy);
			});
		});

		it.each(SOONER_OR_LATER)(
			'are forgotten with the key, which another workflow has used since: %s',
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
			'are forgotten with the key, under which the rows were paid unseen: %s',
			async (_when, happen) => {
				const workflow = referenced();
				await refuse(workflow);
				happen();
				bench.clock.advance(25 * HOUR);
				const lose = bench.sandbox.faults.add({
					method: 'POST',
					times: Infinity,
					kind: 'dropAfter',
				});
				await bench.start(workflow, INVOICES);
				lose();

				await expectNeverSent(workflow);
			},
		);

		it('may be sent by a copy of the workflow', async () => {
			await refuse(referenced());

			const copy = await bench.start(referenced(), CORRECTED);

			expect(getCodes(copy)).toEqual([undefined, undefined]);
			expect(bench.paid).toEqual([1101, 2102]);
		});

		it('is not sent where another workflow has paid in the meantime', async () => {
			// A service that keeps no refusal under its key would pay twice here: docs/never-paid-twice.md.
			bench.assume('storedFailures');
			const workflow = referenced();
			const refuseFirst = (code: string, times: number) =>
				bench.sandbox.faults.add({
					...{ kind: 'error', code, times },
					when: ({ rawBody }) => rawBody.includes('10.01'),
				});
			refuseFirst('WITHDRAWAL_PROVIDER_UNAVAILABLE', 2);
			refuseFirst('INSUFFICIENT_BALANCE', 1);
			await bench.start(workflow, INVOICES);
			await bench.start(referenced(), INVOICES);
			restart();
			expect(bench.paid).toEqual([1001, 2002]);

			const again = await bench.start(workflow, CORRECTED);

			expect(getCodes(again)).toEqual(['REFERENCE_MISMATCH', 'REFERENCE_MISMATCH']);
			expect(bench.paid).toEqual([1001, 2002]);
		});

		describe('and after a lost response', () => {
			/** A response gets lost, with effect or without, and then the service refuses. */
			const loseThenRefuse = async (
				workflow: ReturnType<typeof referenced>,
				lose: 'dropBefore' | 'dropAfter',
			) => {
				for (const amount of ['10.01', '20.02']) {
					const when = ({ rawBody }: RecordedRequest) => rawBody.includes(amount);
					const times = 1;
					bench.sandbox.faults.add({ method: 'POST', kind: lose, times, when });
					const code = 'WITHDRAWAL_PROVIDER_UNAVAILABLE';
					// What has paid is not refused by the service itself, but by something in front of it.
					const refusal = { status: 503, body: { error: { code, message: 'Unavailable' } } };
					bench.sandbox.faults.add(
						lose === 'dropBefore'
							? { kind: 'error', code, times, when }
							: { kind: 'status', ...refusal, times, when },
					);
					bench.sandbox.faults.add({ method: 'POST', kind: 'dropBefore', times: 9, when });
				}
				const first = await bench.start(workflow, INVOICES);
				bench.sandbox.faults.clear();
				return first;
			};

			it.each([
				['in the same process', () => undefined],
				['after n8n was started again', restart],
			])('may be sent %s where the list shows that nothing was paid', async (_when, happen) => {
				const workflow = referenced();
				await loseThenRefuse(workflow, 'dropBefore');
				happen();

				const again = await bench.start(workflow, CORRECTED);

				expect(getCodes(again)).toEqual([undefined, undefined]);
				expect(bench.paid).toEqual([1101, 2102]);
			});

			it.each([
				['in the same process', () => undefined],
				['after n8n was started again', restart],
			])('is not sent %s where the lost attempt has paid', async (_when, happen) => {
				const workflow = referenced();
				await loseThenRefuse(workflow, 'dropAfter');
				happen();

				const again = await bench.start(workflow, CORRECTED);

				expect(getCodes(again)).toEqual(['REFERENCE_MISMATCH', 'REFERENCE_MISMATCH']);
				expect(bench.paid).toEqual([1001, 2002]);
			});
		});

		it.each([
			['in the same process', () => undefined],
			['after n8n was started again', restart],
		])('is paid as it was, %s, however many keys an outage has used up', async (_when, happen) => {
			const workflow = referenced();
			for (let run = 0; run < 3; run += 1) {
				await refuse(workflow);
				happen();
			}

			const again = await bench.start(workflow, INVOICES);

			expect(getCodes(again)).toEqual([undefined, undefined]);
			expect(bench.paid).toEqual([1001, 2002]);
		});

		it('may be sent where n8n was killed before the run had ended', async () => {
			const workflow = referenced();
			vi.spyOn(Journal.prototype, 'end').mockResolvedValueOnce(undefined);
			await refuse(workflow);
			restart();

			const again = await bench.start(workflow, CORRECTED);

			expect(getCodes(again)).toEqual([undefined, undefined]);
			expect(bench.paid).toEqual([1101, 2102]);
		});
	});

	it('is refused where another workflow has paid since a lost attempt was found to be none', async () => {
		const workflow = referenced();
		const clear = bench.sandbox.faults.add({ method: 'POST', times: Infinity, kind: 'dropBefore' });
		await bench.start(workflow, INVOICES);
		clear();
		bench.clock.advance(25 * HOUR);
		await bench.start(
			referenced(),
			INVOICES.map((item) => ({ ...item, amount: Number(item.amount) + 1 })),
		);

		const again = await bench.start(workflow, INVOICES);

		expect(getCodes(again)).toEqual(['REFERENCE_MISMATCH', 'REFERENCE_MISMATCH']);
		expect(bench.paid).toEqual([1101, 2102]);
	});

	it('may be sent where nothing took effect before', async () => {
		const workflow = referenced();
		bench.sandbox.faults.add({ kind: 'error', code: 'INSUFFICIENT_BALANCE', times: 2 });
		await bench.start(workflow, INVOICES);

		const again = await bench.start(workflow, [{ ...INVOICES[0], amount: 11 }, INVOICES[1]!]);

		expect(getCodes(again)).toEqual([undefined, undefined]);
		expect(bench.paid).toEqual([1100, 2002]);
	});
});

it('returns its own withdrawal, not an equal one of another reference', async () => {
	const workflow = referenced();
	const equal = ['NF-1', 'NF-2', 'NF-3'].map((invoice) => ({ ...INVOICES[0], invoice }));
	const first = await bench.start(workflow, equal);
	restart();
	bench.clock.advance(48 * HOUR);

	const again = await bench.start(workflow, [equal[2]!, equal[0]!, equal[1]!]);

	const ids = first.json.map(({ id }) => id as string);
	expect(again.json.map(({ id }) => id as string)).toEqual([ids[2], ids[0], ids[1]]);
	expect(bench.paid).toEqual([1001, 1001, 1001]);
});

it('counts as paid where the withdrawal is too far back to be found', async () => {
	bench.assume('listOrder');
	const workflow = referenced();
	await bench.start(workflow, INVOICES);
	restart();
	bench.clock.advance(48 * HOUR);
	const now = bench.clock.now();
	for (let index = 0; index < 5_100; index += 1) {
		bench.sandbox.seed.withdrawal({ amountCents: 5000, createdAt: now - index });
	}
	const before = bench.requests('GET').length;

	const again = await bench.start(workflow, INVOICES);

	expect(again.json).toEqual([
		{ reference: 'NF-1', alreadyPaid: true },
		{ reference: 'NF-2', alreadyPaid: true },
	]);
	expect(again.hints.join()).toContain('only the newest withdrawals are searched');
	expect(bench.paid).toEqual([1001, 2002]);
	expect(bench.requests('GET').length - before).toBeLessThanOrEqual(50);
});

it.each([25, 15 * 24, 400 * 24])(
	'is found after %d hours where only its answer was lost',
	async (hours) => {
		const workflow = referenced();
		const clear = bench.sandbox.faults.add({ method: 'POST', times: Infinity, kind: 'dropAfter' });
		await bench.start(workflow, INVOICES);
		clear();
		bench.clock.advance(hours * HOUR);
		restart();
		const at = posts();

		const again = await bench.start(workflow, INVOICES);

		expect(getCodes(again)).toEqual([undefined, undefined]);
		expect(paidBefore(again)).toEqual([true, true]);
		expect(posts()).toBe(at);
	},
);

it('in doubt for a day is not confused with an equal payout of last month', async () => {
	// Another workflow pays the same rents.
	const old = await bench.start(referenced(), [
		{ ...INVOICES[0], invoice: 'Rent 1' },
		{ ...INVOICES[1], invoice: 'Rent 2' },
	]);
	bench.clock.advance(30 * 24 * HOUR);
	restart();
	const workflow = referenced();
	const clear = bench.sandbox.faults.add({ method: 'POST', times: Infinity, kind: 'dropBefore' });
	await bench.start(workflow, INVOICES);
	clear();
	bench.clock.advance(25 * HOUR);
	const at = posts();

	const again = await bench.start(workflow, INVOICES);

	expect(getCodes(again)).toEqual(['PAYOUT_IN_DOUBT', 'PAYOUT_IN_DOUBT']);
	for (const [index, { error }] of again.json.entries()) {
		expect((error as { description: string }).description).toContain(String(old.json[index]?.id));
	}
	expect(posts()).toBe(at);
});

it('is paid once where two items of a run have it', async () => {
	const { json, hints } = await bench.start(referenced(), [
		INVOICES[0]!,
		INVOICES[1]!,
		INVOICES[0]!,
	]);

	expect(bench.paid).toEqual([1001, 2002]);
	expect(json[2]).toMatchObject({ id: json[0]?.id as string, alreadyPaid: true });
	expect(hints.join()).toContain('Items with the same reference were paid once');
});

it.each(['FAILED', 'CANCELLED'] as const)(
	'is paid again after the bank has refused it: %s',
	async (status) => {
		// A payout that is COMPLETED at once cannot be cancelled.
		bench.assume('withdrawalTransitions');
		const workflow = referenced();
		const first = await bench.start(workflow, INVOICES);
		bench.sandbox.setWithdrawalStatus(first.json[0]?.id as string, status, 'Account closed');
		restart();

		const again = await bench.start(workflow, INVOICES);

		expect(again.error).toBeUndefined();
		expect(again.json[0]).toMatchObject({ alreadyPaid: false });
		expect(paidBefore(again)).toEqual([false, true]);
		expect(bench.paid).toEqual([1001, 1001, 2002]);

		restart();
		bench.clock.advance(25 * HOUR);
		const third = await bench.start(workflow, INVOICES);
		expect(paidBefore(third)).toEqual([true, true]);
		expect(bench.paid).toEqual([1001, 1001, 2002]);
	},
);

it('is paid once by two workflows, which meet at the service', async () => {
	await bench.start(referenced(), INVOICES);

	const other = await bench.start(referenced(), INVOICES);

	expect(other.error).toBeUndefined();
	expect(bench.paid).toEqual([1001, 2002]);
});

it('that was filled in after the payout, before a retry, is known from then on', async () => {
	const clear = bench.sandbox.faults.add({
		times: Infinity,
		kind: 'dropBefore',
		when: ({ rawBody }) => rawBody.includes('20.02'),
	});
	const failed = await bench.run(payEach({ maxConcurrency: 1 }), INVOICES);
	clear();
	failed.workflow.nodes['BRL Payments']!.parameters.reference = '={{ $json.invoice }}';
	await bench.retry(failed);

	const again = await bench.start(failed.workflow, INVOICES);

	expect(paidBefore(again)).toEqual([true, true]);
	expect(bench.paid).toEqual([1001, 2002]);
});

describe('as text', () => {
	it.each([
		['blanks inside', 'NF 1042 / 2026'],
		['slashes and signs', '../..?#%&=+'],
		['accents', 'Nota fiscal nº 1 — São João'],
		['emoji', '🧾 42 👩‍👩‍👧'],
		['500 characters', 'x'.repeat(500)],
		['500 emoji', '🧾'.repeat(500)],
		['a number', 1042],
	])('works with %s', async (_name, invoice) => {
		const workflow = referenced();
		const items = [{ ...INVOICES[0], invoice }, INVOICES[1]!];
		await bench.start(workflow, items);

		const again = await bench.start(workflow, items);

		expect(getCodes(again)).toEqual([undefined, undefined]);
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

		expect(paidBefore(again)).toEqual([true, true]);
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

	it('is refused with 501 characters', async () => {
		const items = [{ ...INVOICES[0], invoice: 'x'.repeat(501) }, INVOICES[1]!];
		const { json } = await bench.start(referenced(), items);

		expect((json[0]?.error as { message: string }).message).toContain('has 501 characters');
		expect(bench.paid).toEqual([2002]);
	});

	it.each([null, '', '   ', undefined])(
		'is refused where the expression returns %j',
		async (invoice) => {
			const items = [{ ...INVOICES[0], invoice }, INVOICES[1]!];
			const { json } = await bench.start(referenced(), items);

			expect((json[0]?.error as { message: string }).message).toContain(
				'The expression for Reference returned nothing',
			);
			expect(bench.paid).toEqual([2002]);
		},
	);
});

describe('where n8n cannot remember', () => {
	it('sends nothing, and says why', async () => {
		const workflow = referenced();
		await bench.start(workflow, [{ ...INVOICES[0], reference: 'NF-0' }]);
		const before = bench.requests().length;
		deduplication().failAt(1);
		const { json } = await bench.start(workflow, INVOICES);

		expect(json.map(({ error }) => (error as { code: string }).code)).toEqual([
			'REFERENCES_UNAVAILABLE',
			'REFERENCES_UNAVAILABLE',
		]);
		expect(bench.requests()).toHaveLength(before);
	});

	it('still pays once when only the end could not be written', async () => {
		const workflow = referenced();
		const store = deduplication();
		const run = bench.start(workflow, INVOICES);
		await bench.until(() => bench.requests('POST').length > 0);
		// The first call after a payout is about the API key, the second one is the end.
		store.failAt(2);
		const { hints } = await run;
		expect(hints.join()).toContain('could not be updated');
		bench.clock.advance(25 * HOUR);

		const again = await bench.start(workflow, INVOICES);

		expect(paidBefore(again)).toEqual([true, true]);
		expect(bench.paid).toEqual([1001, 2002]);
	});
});

describe('where the list cannot be read', () => {
	const withoutReading = () => ({
		credential: {
			apiKey: bench.sandbox.createKey({ environment: 'SANDBOX', scopes: ['withdrawals:write'] }),
		},
	});

	it('counts as paid, without failing', async () => {
		const workflow = referenced();
		const settings = withoutReading();
		await bench.start(workflow, INVOICES, settings);
		bench.clock.advance(25 * HOUR);

		const again = await bench.start(workflow, INVOICES, settings);

		expect(getCodes(again)).toEqual([undefined, undefined]);
		expect(paidBefore(again)).toEqual([true, true]);
		expect(again.hints.join()).toContain('withdrawals:read');
		expect(bench.paid).toEqual([1001, 2002]);
	});
});

describe('a list that something on the way has kept or changed', () => {
	const EMPTY = { withdrawals: [], pagination: { page: 1, limit: 100, total: 0, totalPages: 0 } };

	it.each([
		['kept for a day', { headers: { Age: '90000' } }, 'came from a cache (age: 90000)'],
		['kept by a cache that sends no age', { headers: { 'X-Cache': 'HIT' } }, '(x-cache: HIT)'],
		['stale', { headers: { Warning: '110 - "Response is Stale"' } }, '(warning: 110'],
		['changed', { status: 203 }, 'response cannot be read'],
		['a part', { status: 206 }, 'response cannot be read'],
		['without counts', { body: { withdrawals: [] } }, 'does not say how many there are'],
	])('leaves payouts in doubt: %s', async (_what, change, why) => {
		const workflow = referenced();
		const clear = bench.sandbox.faults.add({ method: 'POST', times: Infinity, kind: 'dropAfter' });
		await bench.start(workflow, INVOICES);
		clear();
		bench.clock.advance(25 * HOUR);
		restart();
		const forget = bench.sandbox.faults.add({
			...{ method: 'GET', times: Infinity, kind: 'status', status: 200, body: EMPTY },
			...change,
		});

		const cached = await bench.start(workflow, INVOICES);
		forget();
		const fresh = await bench.start(workflow, INVOICES);

		expect(getCodes(cached)).toEqual(['PAYOUT_IN_DOUBT', 'PAYOUT_IN_DOUBT']);
		expect(JSON.stringify(cached.json)).toContain(why);
		expect(paidBefore(fresh)).toEqual([true, true]);
		expect(bench.paid).toEqual([1001, 2002]);
	});
});

it('distinguishes test money from real money', async () => {
	const workflow = referenced();
	await bench.start(workflow, INVOICES);

	const live = await bench.start(workflow, INVOICES, { credential: bench.liveCredential });

	expect(paidBefore(live)).toEqual([false, false]);
	expect(bench.sandbox.books.withdrawals.map(({ environment }) => environment)).toEqual([
		'SANDBOX',
		'SANDBOX',
		'PRODUCTION',
		'PRODUCTION',
	]);
});

it('beyond what is remembered, forgets the oldest', async () => {
	const workflow = referenced({ rememberedReferences: 2 });
	const items = Array.from({ length: 12 }, (_, index) => ({
		amount: 10 + index,
		pixKey: EMAIL,
		invoice: `NF-${index}`,
	}));
	for (const item of items) await bench.start(workflow, [item]);
	bench.clock.advance(25 * HOUR);

	await bench.start(workflow, [items.at(-1)!]);
	expect(bench.paid).toHaveLength(12);
	await bench.start(workflow, [items[0]!]);
	expect(bench.paid).toHaveLength(13);
});

it.each([0, '', 'many', 1.5])('refuses to remember %j references', async (rememberedReferences) => {
	const { error } = await bench.run(payReferenced({ rememberedReferences }), INVOICES);

	expect(error?.message).toContain('Remembered References');
	expect(bench.requests()).toEqual([]);
});

it('does not let Duplicate Guard stop a payout of the same amount with another reference', async () => {
	const workflow = referenced({ duplicateGuard: 'always' });
	await bench.start(workflow, INVOICES);

	const other = await bench.start(workflow, [{ ...INVOICES[0], invoice: 'NF-9' }, INVOICES[1]!]);

	expect(getCodes(other)).toEqual([undefined, undefined]);
	expect(bench.paid).toEqual([1001, 1001, 2002]);
});

it('is not paid again by a retry with another credential of the account', async () => {
	const workflow = referenced();
	await bench.start(workflow, [{ amount: 30.03, pixKey: CPF, invoice: 'NF-3' }]);
	const clear = bench.sandbox.faults.add({ method: 'POST', times: Infinity, kind: 'dropAfter' });
	const failed = await bench.start(workflow, INVOICES);
	clear();
	changeOptions(workflow, {});
	const apiKey = bench.sandbox.createKey({ environment: 'SANDBOX', scopes: ['*'] });

	const again = await bench.start(workflow, INVOICES, { credential: { apiKey } });

	expect(failed.json[0]?.error).toBeDefined();
	expect(bench.paid).toEqual([1001, 2002, 3003]);
	expect(paidBefore(again)).toEqual([true, true]);
});

describe('a day later, the older content of a reference', () => {
	const OTHER = INVOICES.map((item) => ({ ...item, amount: Number(item.amount) + 1 }));
	const aDayLater = () => {
		bench.clock.advance(25 * HOUR);
		restart();
	};

	it('is not paid where both stood in one list', async () => {
		const workflow = referenced();
		const first = await bench.start(workflow, [INVOICES[0]!, OTHER[0]!, INVOICES[1]!, OTHER[1]!]);
		const at = posts();
		const again = await bench.start(workflow, INVOICES);
		expect(posts()).toBe(at);
		aDayLater();

		const later = await bench.start(workflow, OTHER);

		expect(getCodes(first)).toEqual([
			undefined,
			'REFERENCE_MISMATCH',
			undefined,
			'REFERENCE_MISMATCH',
		]);
		expect(paidBefore(again)).toEqual([true, true]);
		expect(getCodes(later)).toEqual(['REFERENCE_MISMATCH', 'REFERENCE_MISMATCH']);
		expect(bench.paid).toEqual([1001, 2002]);
	});

	it('is not paid where it was lost, and corrected content was paid', async () => {
		const workflow = referenced();
		const clear = bench.sandbox.faults.add({ method: 'POST', times: Infinity, kind: 'dropBefore' });
		await bench.start(workflow, INVOICES);
		clear();
		const corrected = await bench.start(workflow, OTHER);
		const at = posts();
		const again = await bench.start(workflow, OTHER);
		expect(posts()).toBe(at);
		aDayLater();

		const later = await bench.start(workflow, INVOICES);
		const third = await bench.start(
			workflow,
			INVOICES.map((item) => ({ ...item, amount: 77 })),
		);
		const last = await bench.start(workflow, OTHER);

		expect(getCodes(corrected)).toEqual([undefined, undefined]);
		expect(paidBefore(again)).toEqual([true, true]);
		expect(getCodes(later)).toEqual(['REFERENCE_MISMATCH', 'REFERENCE_MISMATCH']);
		expect(getCodes(third)).toEqual(['REFERENCE_MISMATCH', 'REFERENCE_MISMATCH']);
		expect(paidBefore(last)).toEqual([true, true]);
		expect(bench.paid).toEqual([1101, 2102]);
	});
});

it('is paid to the corrected PIX key after the bank has refused it', async () => {
	const workflow = referenced();
	await bench.start(workflow, INVOICES);
	for (const { id } of bench.sandbox.books.withdrawals) {
		bench.sandbox.setWithdrawalStatus(id, 'FAILED');
	}
	restart();
	const corrected = INVOICES.map((item, index) => ({ ...item, pixKey: [EMAIL, CPF][index] }));

	const again = await bench.start(workflow, corrected);
	const third = await bench.start(workflow, corrected);

	expect(getCodes(again)).toEqual([undefined, undefined]);
	expect(paidBefore(again)).toEqual([false, false]);
	expect(paidBefore(third)).toEqual([true, true]);
	expect(bench.paid).toEqual([1001, 1001, 2002, 2002]);
});

describe('with the key of another account', () => {
	let otherAccount: Sandbox;
	let credential: { apiKey: string; baseUrl: string };
	beforeEach(async () => {
		otherAccount = await startSandbox({ clock: bench.clock });
		credential = { apiKey: otherAccount.keys.test, baseUrl: otherAccount.url };
	});
	afterEach(async () => await otherAccount.close());

	/** The responses get lost: no one knows that these were paid. */
	const payUnseen = async (workflow: ReturnType<typeof referenced>) => {
		const clear = bench.sandbox.faults.add({ method: 'POST', times: Infinity, kind: 'dropAfter' });
		const failed = await bench.start(workflow, INVOICES);
		clear();
		expect(bench.paid).toEqual(expect.arrayContaining([1001, 2002]));
		return failed;
	};
	const LATER: IDataObject[] = [
		...INVOICES,
		{ amount: 30.03, pixKey: CPF, invoice: 'NF-3' },
		{ amount: 40.04, pixKey: EMAIL, invoice: 'NF-4' },
	];
	const paidThere = () =>
		otherAccount.books.withdrawals.map(({ amountCents }) => amountCents).sort();

	it('a refusal of one account says nothing about keys of the other, where the reference was paid', async () => {
		const corrected = INVOICES.map((row) => ({ ...row, amount: Number(row.amount) + 1 }));
		await bench.start(referenced(), INVOICES);
		otherAccount.account.withdrawalProviderUnavailable = true;
		await bench.start(referenced(), INVOICES, { credential });

		// A copy, which does not remember what the first workflow has paid.
		const copy = referenced();
		const again = await bench.start(copy, corrected);
		const third = await bench.start(copy, corrected);

		for (const run of [again, third]) {
			expect(getCodes(run)).toEqual(['REFERENCE_MISMATCH', 'REFERENCE_MISMATCH']);
		}
		expect(bench.paid).toEqual([1001, 2002]);
		expect(paidThere()).toEqual([]);
	});

	it('a refusal of one account is forgotten by its node where the credential is that of the other', async () => {
		const corrected = INVOICES.map((row) => ({ ...row, amount: Number(row.amount) + 1 }));
		await bench.start(referenced(), INVOICES);
		const workflow = referenced();
		otherAccount.account.withdrawalProviderUnavailable = true;
		await bench.start(workflow, INVOICES, { credential });
		restart();

		const again = await bench.start(workflow, corrected);

		expect(getCodes(again)).toEqual(['REFERENCE_MISMATCH', 'REFERENCE_MISMATCH']);
		expect(bench.paid).toEqual([1001, 2002]);
	});

	it('nothing in doubt is paid again, whatever that account has paid in the meantime', async () => {
		const workflow = referenced();
		await payUnseen(workflow);

		const first = await bench.start(workflow, LATER, { credential });
		const second = await bench.start(workflow, LATER, { credential });

		const doubts = ['PAYOUT_IN_DOUBT', 'PAYOUT_IN_DOUBT'];
		expect(getCodes(first)).toEqual([...doubts, undefined, undefined]);
		expect(getCodes(second)).toEqual([...doubts, undefined, undefined]);
		expect(paidThere()).toEqual([3003, 4004]);
	});

	it('nothing in doubt counts as paid because that account has paid the same', async () => {
		const workflow = referenced();
		bench.sandbox.faults.add({ method: 'POST', times: Infinity, kind: 'dropBefore' });
		await bench.start(workflow, INVOICES);
		bench.sandbox.faults.clear();
		await bench.start(referenced(), [{ ...INVOICES[0], invoice: 'NF-9' }], { credential });

		const there = await bench.start(workflow, INVOICES, { credential });
		const here = await bench.start(workflow, INVOICES);

		expect(getCodes(there)).toEqual(['PAYOUT_IN_DOUBT', 'PAYOUT_IN_DOUBT']);
		expect(getCodes(here)).toEqual([undefined, undefined]);
		expect(paidThere()).toEqual([1001]);
		expect(bench.paid).toEqual([1001, 2002]);
	});

	it('nothing in doubt is paid again by a second key of that account', async () => {
		const workflow = referenced();
		// That account has paid for this workflow before.
		await bench.start(workflow, [LATER[2]!], { credential });
		await payUnseen(workflow);
		const secondKey = otherAccount.createKey({ environment: 'SANDBOX', scopes: ['*'] });

		const byFirst = await bench.start(workflow, INVOICES, { credential });
		const bySecond = await bench.start(workflow, INVOICES, {
			credential: { ...credential, apiKey: secondKey },
		});

		expect(getCodes(byFirst)).toEqual(['PAYOUT_IN_DOUBT', 'PAYOUT_IN_DOUBT']);
		expect(getCodes(bySecond)).toEqual(['PAYOUT_IN_DOUBT', 'PAYOUT_IN_DOUBT']);
		expect(paidThere()).toEqual([3003]);
	});

	it('but a second key of the first account settles the doubt', async () => {
		const workflow = referenced();
		await bench.start(workflow, [LATER[3]!]);
		await payUnseen(workflow);
		const apiKey = bench.sandbox.createKey({ environment: 'SANDBOX', scopes: ['*'] });

		const again = await bench.start(workflow, INVOICES, { credential: { apiKey } });

		expect(getCodes(again)).toEqual([undefined, undefined]);
		expect(bench.paid).toEqual([1001, 2002, 4004]);
	});

	it('nothing in doubt is paid again by the retries of its execution', async () => {
		const small = ({ rawBody }: RecordedRequest) => /10\.01|20\.02/.test(rawBody.toString());
		const post = { method: 'POST', times: Infinity } as const;
		bench.sandbox.faults.add({ ...post, kind: 'dropAfter', when: small });
		bench.sandbox.faults.add({ ...post, kind: 'error', code: 'INSUFFICIENT_BALANCE' });
		const failed = await bench.run(payEach(), LATER);
		bench.sandbox.faults.clear();
		expect(bench.paid).toEqual([1001, 2002]);

		const first = await bench.retry(failed, { credential });
		const second = await bench.retry(first, { credential });

		expect(paidThere()).toEqual([3003, 4004]);
		const { description } = second.error as NodeApiError;
		expect(description).toContain('It was sent with another API key');
	});
});

describe('sent with the first key of its node before n8n was killed', () => {
	it.each([
		['dropBefore', [false, false]],
		['dropAfter', [true, true]],
	] as const)('is settled with another key of the account: %s', async (kind, wasPaid) => {
		await bench.start(referenced(), [{ amount: 30.03, pixKey: CPF, invoice: 'NF-3' }]);
		restart();
		const workflow = referenced();
		bench.sandbox.faults.add({ method: 'POST', times: Infinity, kind });
		vi.spyOn(Journal.prototype, 'end').mockResolvedValueOnce(undefined);
		await bench.start(workflow, INVOICES);
		bench.sandbox.faults.clear();
		restart();

		const apiKey = bench.sandbox.createKey({ environment: 'SANDBOX', scopes: ['*'] });
		const again = await bench.start(workflow, INVOICES, { credential: { apiKey } });

		expect(paidBefore(again)).toEqual(wasPaid);
		expect(bench.paid).toEqual([1001, 2002, 3003]);
	});
});

describe('sent with a second key before n8n was killed', () => {
	const FIRST = { amount: 30.03, pixKey: CPF, invoice: 'NF-3' };
	const CORRECTED = INVOICES.map((row) => ({ ...row, amount: Number(row.amount) + 1 }));
	let workflow: ReturnType<typeof referenced>;
	let apiKey: string;
	beforeEach(() => {
		workflow = referenced();
		apiKey = bench.sandbox.createKey({ environment: 'SANDBOX', scopes: ['*'] });
	});

	/** The first key pays; then the second one is killed, having lost the requests with these amounts. */
	const killSecond = async (lost: RegExp, settings: RunSettings) => {
		await bench.start(workflow, [FIRST]);
		const when = ({ rawBody }: RecordedRequest) => lost.test(rawBody.toString());
		const faults = { method: 'POST', times: Infinity } as const;
		bench.sandbox.faults.add({ ...faults, kind: 'dropBefore', when });
		bench.sandbox.faults.add({ ...faults, kind: 'dropAfter' });
		vi.spyOn(Journal.prototype, 'end').mockResolvedValueOnce(undefined);
		await bench.start(workflow, INVOICES, settings);
		bench.sandbox.faults.clear();
		restart();
	};

	it('is settled with the first one: what was paid, and what was not', async () => {
		await killSecond(/20\.02/, { credential: { apiKey } });

		const again = await bench.start(workflow, INVOICES);

		expect(paidBefore(again)).toEqual([true, false]);
		expect(again.hints.join()).toContain('look at the list of withdrawals in a few minutes');
		expect(bench.paid).toEqual([1001, 2002, 3003]);
	});

	it('is paid with what the rows say now where the list shows nothing of it', async () => {
		await killSecond(/\d/, { credential: { apiKey } });

		const again = await bench.start(workflow, CORRECTED);
		const third = await bench.start(workflow, CORRECTED, { credential: { apiKey } });

		expect(paidBefore(again)).toEqual([false, false]);
		expect(again.hints.join()).toContain('look at the list of withdrawals in a few minutes');
		expect(paidBefore(third)).toEqual([true, true]);
		expect(bench.paid).toEqual([1101, 2102, 3003]);
	});

	it('is refused where the list shows that it was paid with what the row said then', async () => {
		await killSecond(/20\.02/, { credential: { apiKey } });

		const again = await bench.start(workflow, CORRECTED);

		expect(getCodes(again)).toEqual(['REFERENCE_MISMATCH', undefined]);
		const [{ id } = { id: '' }] = bench.sandbox.books.withdrawals.filter(
			({ amountCents }) => amountCents === 1001,
		);
		expect(again.json[0]?.error).toMatchObject({ description: expect.stringContaining(id) });
		expect(bench.paid).toEqual([1001, 2102, 3003]);
	});

	it('keeps its idempotency key where the list shows that an equal payout of someone else failed', async () => {
		const other = { ...INVOICES[0], invoice: 'NF-9' };
		await bench.start(referenced(), [other]);
		bench.sandbox.setWithdrawalStatus(bench.sandbox.books.withdrawals[0]!.id, 'FAILED');
		await killSecond(/\d/, { credential: { apiKey } });
		const lost = new Set(bench.keys);

		await bench.start(workflow, CORRECTED);

		const late = bench.keys.filter((key) => !lost.has(key));
		expect(late).toEqual([]);
	});

	it.each(['first', 'second'])(
		'is not paid with the old rows where corrected ones were paid unseen, with the %s key',
		async (which) => {
			await killSecond(/\d/, { credential: { apiKey } });
			bench.sandbox.faults.add({ method: 'POST', times: Infinity, kind: 'dropAfter' });
			vi.spyOn(Journal.prototype, 'end').mockResolvedValueOnce(undefined);
			await bench.start(workflow, CORRECTED, which === 'first' ? {} : { credential: { apiKey } });
			bench.sandbox.faults.clear();
			restart();
			expect(bench.paid).toEqual([1101, 2102, 3003]);
			bench.clock.advance(25 * HOUR);

			const again = await bench.start(workflow, INVOICES);

			expect(getCodes(again)).toEqual(['REFERENCE_MISMATCH', 'REFERENCE_MISMATCH']);
			expect(bench.paid).toEqual([1101, 2102, 3003]);
		},
	);

	it('is looked up again with the first key, whichever keys the service distinguishes', async () => {
		bench.sandbox.dialect.idempotencyScope.of = 'apiKey';
		await killSecond(/\d/, {});
		bench.sandbox.faults.add({ method: 'POST', times: Infinity, kind: 'dropAfter' });
		vi.spyOn(Journal.prototype, 'end').mockResolvedValueOnce(undefined);
		await bench.start(workflow, INVOICES, { credential: { apiKey } });
		bench.sandbox.faults.clear();
		restart();
		expect(bench.paid).toEqual([1001, 2002, 3003]);

		const again = await bench.start(workflow, INVOICES);

		expect(paidBefore(again)).toEqual([true, true]);
		expect(bench.paid).toEqual([1001, 2002, 3003]);
	});

	it('is not sent with another key while an execution is sending it', async () => {
		await bench.start(workflow, [FIRST]);
		bench.sandbox.faults.add({ method: 'POST', times: 2, kind: 'delay', ms: HOUR });
		const sending = bench.start(workflow, INVOICES);
		await bench.until(() => bench.requests('POST').length > 2);

		const other = await bench.start(workflow, INVOICES, { credential: { apiKey } });
		bench.clock.advance(HOUR);
		await sending;

		expect(getCodes(other)).toEqual(['PAYOUT_IN_DOUBT', 'PAYOUT_IN_DOUBT']);
		expect(bench.paid).toEqual([1001, 2002, 3003]);
	});

	it('stays in doubt where the first key belongs to another account', async () => {
		const other = await startSandbox({ clock: bench.clock });
		const credential = { apiKey: other.keys.test, baseUrl: other.url };
		await killSecond(/\d/, { credential });

		const again = await bench.start(workflow, [INVOICES[0]!, CORRECTED[1]!]);

		expect(getCodes(again)).toEqual(['PAYOUT_IN_DOUBT', 'REFERENCE_MISMATCH']);
		expect(bench.paid).toEqual([3003]);
		await other.close();
	});
});
