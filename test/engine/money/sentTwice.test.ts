/** Proxies that send a request twice, or change it: what the run is answered says nothing of the payout. */
import type { Fault, RecordedRequest } from '../../../dev/sandbox';
import { dataTables } from '../support/ledger';
import {
	BOTH,
	CORRECTED,
	HOUR,
	INVOICES,
	MINUTE,
	MISMATCHES,
	referenced,
	rowsOf,
	usePayouts,
} from '../support/references';
import { CPF } from '../support/values';

const bench = usePayouts();

/** Processed, and refused: of two requests, one came from an address that is not allowed. */
const refusedAfter = (code: string, status: number, times = 2): Fault => ({
	...{ method: 'POST', kind: 'status', process: true, times, status },
	body: { error: { code, message: code } },
});

describe('a request that something on the way sends twice', () => {
	const EARLY = [
		['IP_NOT_ALLOWED', 403],
		['INVALID_API_KEY', 401],
		['FORBIDDEN', 403],
		['WITHDRAWALS_BLOCKED', 403],
		['VERIFICATION_REQUIRED', 403],
		['IDEMPOTENCY_KEY_REQUIRED', 400],
	] as const;
	// The run after such a refusal took another key, and paid what the copy had paid.
	const LATE = [
		['INSUFFICIENT_BALANCE', 400],
		['WITHDRAWAL_LIMIT_EXCEEDED', 400],
		['INVALID_PIX_KEY', 400],
		['WITHDRAWAL_PIX_KEY_BLOCKED', 400],
		['NOT_FOUND', 404],
	] as const;

	it.each([...EARLY, ...LATE])('is paid once: one is refused with %s', async (code, status) => {
		const workflow = referenced();
		bench.sandbox.faults.add(refusedAfter(code, status));
		const first = await bench.start(workflow, INVOICES);
		expect(first.codes).toEqual([code, code]);
		bench.clock.advance(MINUTE);

		const again = await bench.start(workflow, INVOICES);

		expect(again.paidBefore).toEqual([true, true]);
		bench.expectLiving(BOTH, again);
	});

	// The corrected row took another key at once, beside what the copy had paid.
	const CIRCUMSTANCES = LATE.filter(([code]) => code !== 'INVALID_PIX_KEY');

	it.each(CIRCUMSTANCES)(
		'is never paid as corrected, too: one is refused with %s',
		async (code, status) => {
			const workflow = referenced();
			bench.sandbox.faults.add(refusedAfter(code, status));
			await bench.start(workflow, INVOICES);

			const corrected = await bench.start(workflow, CORRECTED);
			expect(corrected.codes).toEqual(['PAYOUT_IN_DOUBT', 'PAYOUT_IN_DOUBT']);
			const settled = await bench.followWords(workflow, CORRECTED);

			expect(settled.codes).toEqual(MISMATCHES);
			expect(bench.living).toEqual(BOTH);
		},
	);

	it.each([1, 10, 23 * 60])(
		'is paid once, however often it is refused: %s minutes between the runs',
		async (minutes) => {
			const workflow = referenced();
			bench.sandbox.faults.add(refusedAfter('IP_NOT_ALLOWED', 403, Infinity));
			await bench.start(workflow, INVOICES);
			bench.clock.advance(minutes * MINUTE);
			await bench.start(workflow, INVOICES);
			bench.sandbox.faults.clear();

			const again = await bench.start(workflow, INVOICES);

			expect(again.paidBefore).toEqual([true, true]);
			expect(bench.living).toEqual(BOTH);
		},
	);
});

describe('a refusal after which nothing was paid', () => {
	const refuse = (stored: boolean) =>
		bench.sandbox.faults.add({
			...{ method: 'POST', kind: 'error', code: 'WITHDRAWALS_BLOCKED', times: 2, stored },
		});

	it.each([false, true])('is paid in the next run, minutes later (kept: %s)', async (stored) => {
		const workflow = referenced();
		refuse(stored);
		await bench.start(workflow, INVOICES);
		bench.clock.advance(10 * MINUTE);

		const again = await bench.start(workflow, INVOICES);

		expect(again.paidBefore).toEqual([false, false]);
		expect(rowsOf().map(({ status }) => status)).toEqual(['paid', 'paid']);
		expect(bench.living).toEqual(BOTH);
	});

	it.each([false, true])('is paid as corrected in the next run (kept: %s)', async (stored) => {
		const workflow = referenced();
		bench.sandbox.faults.add({
			...{ method: 'POST', kind: 'error', code: 'INVALID_PIX_KEY', times: 2, stored },
		});
		await bench.start(workflow, INVOICES);

		const again = await bench.start(workflow, CORRECTED);

		expect(again.paidBefore).toEqual([false, false]);
		expect(bench.living).toEqual(BOTH);
	});

	it.each([
		['no equal payout', []],
		['an equal payout of another tool', [CPF]],
	])('is paid as corrected by doing what the errors say, beside %s', async (_what, others) => {
		const workflow = referenced();
		bench.sandbox.faults.add({
			...{ method: 'POST', kind: 'error', code: 'INSUFFICIENT_BALANCE', times: 2, stored: true },
		});
		await bench.start(workflow, INVOICES);
		for (const pixKey of others) bench.sandbox.seed.withdrawal({ pixKey, amountCents: 1001 });

		const again = await bench.followWords(workflow, CORRECTED);

		expect(again.codes).toEqual([undefined, undefined]);
		bench.expectTrue(again);
		expect(bench.living).toMatchObject(BOTH);
	});

	it('is not said to be refused still, if the service only repeats what it has kept', async () => {
		const workflow = referenced();
		const { faults } = bench.sandbox;
		const forget = faults.add({
			...{ method: 'POST', kind: 'error', code: 'INSUFFICIENT_BALANCE', times: Infinity },
			stored: true,
		});
		await bench.start(workflow, INVOICES);
		await bench.start(workflow, INVOICES);
		forget();

		const again = await bench.start(workflow, INVOICES);

		expect(again.paidBefore).toEqual([false, false]);
		expect(rowsOf().map(({ status }) => status)).toEqual(['paid', 'paid']);
	});

	it('is paid days later without the list', async () => {
		const workflow = referenced();
		refuse(false);
		await bench.start(workflow, INVOICES);
		bench.clock.advance(25 * HOUR);

		const again = await bench.start(workflow, INVOICES);

		expect(again.paidBefore).toEqual([false, false]);
		expect(bench.requests('GET')).toEqual([]);
	});
});

describe('a schedule that runs with an API key that has expired', () => {
	// Each run added a row for each reference.
	it('keeps two rows for each reference, and pays once the key is right', async () => {
		const workflow = referenced();
		const refused = bench.sandbox.faults.add({
			...{ method: 'POST', kind: 'error', code: 'INVALID_API_KEY', times: Infinity },
			stored: false,
		});
		for (let run = 0; run < 6; run += 1) {
			await bench.start(workflow, INVOICES);
			bench.clock.advance(MINUTE);
		}
		expect(rowsOf()).toHaveLength(2 * INVOICES.length);
		refused();

		expect((await bench.start(workflow, INVOICES)).paidBefore).toEqual([false, false]);
		expect(bench.living).toEqual(BOTH);
	});
});

describe('another n8n, or a table that was restored from a backup', () => {
	const loseRows = (): void => {
		for (const { id } of dataTables().rows()) dataTables().deleteRow(id);
	};

	it('recognizes what was refused once, and paid later', async () => {
		const workflow = referenced();
		bench.sandbox.faults.add({
			...{ method: 'POST', kind: 'error', code: 'INSUFFICIENT_BALANCE', times: 2, stored: false },
		});
		await bench.start(workflow, INVOICES);
		bench.clock.advance(HOUR);
		await bench.start(workflow, INVOICES);
		loseRows();
		bench.clock.advance(HOUR);

		const elsewhere = await bench.start(workflow, INVOICES);

		expect(elsewhere.paidBefore).toEqual([true, true]);
		expect(bench.living).toEqual(BOTH);
	});

	it('recognizes what the bank refused once, and paid later, by doing what its error says', async () => {
		const workflow = referenced();
		await bench.start(workflow, INVOICES);
		bench.bankRefusesAll();
		bench.clock.advance(HOUR);
		await bench.start(workflow, INVOICES);
		loseRows();
		bench.clock.advance(HOUR);
		const elsewhere = await bench.start(workflow, INVOICES);
		expect(elsewhere.codes).toEqual(['WITHDRAWAL_NOT_PAID', 'WITHDRAWAL_NOT_PAID']);

		const again = await bench.start(workflow, INVOICES);

		expect(again.paidBefore).toEqual([true, true]);
		expect(bench.living).toEqual(BOTH);
	});
});

describe('a request that something on the way changes', () => {
	const change = ({ rawBody, ...request }: RecordedRequest): RecordedRequest => ({
		...request,
		rawBody: Buffer.from(JSON.stringify({ ...JSON.parse(rawBody.toString()), note: 'proxy' })),
	});

	it('is not blamed on another tool where it may have paid', async () => {
		bench.assume('requestBodies');
		const workflow = referenced();
		const changed: Array<Promise<number>> = [];
		for (const amount of ['10.01', '20.02']) {
			let isChanged = false;
			bench.sandbox.faults.add({
				...{ method: 'POST', kind: 'dropBefore', times: 1 },
				when: (request) => {
					if (isChanged || !request.rawBody.includes(amount)) return false;
					isChanged = true;
					changed.push(bench.arrive(change(request)));
					return true;
				},
			});
		}

		const first = await bench.start(workflow, INVOICES);
		await Promise.all(changed);

		expect(first.errors.map((error) => error?.effect)).toEqual(['unknown', 'unknown']);
		bench.clock.advance(5 * MINUTE);
		const later = await bench.start(workflow, INVOICES);
		expect(later.errors.map((error) => error?.withdrawalIds)).toEqual([
			[bench.idOf('NF-1')],
			[bench.idOf('NF-2')],
		]);
		expect((await bench.followWords(workflow, INVOICES)).paidBefore).toEqual([true, true]);
		expect(bench.living).toEqual(BOTH);
	});
});
