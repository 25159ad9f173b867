/** Proxies that send a request twice, or change it: what the run is answered says nothing of the payout. */
import type { Fault, RecordedRequest } from '../../../dev/sandbox';
import { useBench } from '../support/harness';
import { dataTables } from '../support/ledger';
import {
	arrive,
	BOTH,
	CORRECTED,
	errorsOf,
	expectTrue,
	followWords,
	getCodes,
	HOUR,
	idOf,
	INVOICES,
	livingOf,
	MINUTE,
	MISMATCHES,
	paidBefore,
	referenced,
	rowsOf,
} from '../support/references';
import { CPF } from '../support/values';

const bench = useBench();

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
		expect(getCodes(first)).toEqual([code, code]);
		bench.clock.advance(MINUTE);

		const again = await bench.start(workflow, INVOICES);

		expect(paidBefore(again)).toEqual([true, true]);
		expectTrue(bench, again);
		expect(livingOf(bench)).toEqual(BOTH);
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
			expect(getCodes(corrected)).toEqual(['PAYOUT_IN_DOUBT', 'PAYOUT_IN_DOUBT']);
			const settled = await followWords(bench, workflow, CORRECTED);

			expect(getCodes(settled)).toEqual(MISMATCHES);
			expect(livingOf(bench)).toEqual(BOTH);
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

			expect(paidBefore(again)).toEqual([true, true]);
			expect(livingOf(bench)).toEqual(BOTH);
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

		expect(paidBefore(again)).toEqual([false, false]);
		expect(rowsOf().map(({ status }) => status)).toEqual(['paid', 'paid']);
		expect(livingOf(bench)).toEqual(BOTH);
	});

	it.each([false, true])('is paid as corrected in the next run (kept: %s)', async (stored) => {
		const workflow = referenced();
		bench.sandbox.faults.add({
			...{ method: 'POST', kind: 'error', code: 'INVALID_PIX_KEY', times: 2, stored },
		});
		await bench.start(workflow, INVOICES);

		const again = await bench.start(workflow, CORRECTED);

		expect(paidBefore(again)).toEqual([false, false]);
		expect(livingOf(bench)).toEqual(BOTH);
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

		const again = await followWords(bench, workflow, CORRECTED);

		expect(getCodes(again)).toEqual([undefined, undefined]);
		expectTrue(bench, again);
		expect(livingOf(bench)).toMatchObject(BOTH);
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

		expect(paidBefore(again)).toEqual([false, false]);
		expect(rowsOf().map(({ status }) => status)).toEqual(['paid', 'paid']);
	});

	it('is paid days later without the list', async () => {
		const workflow = referenced();
		refuse(false);
		await bench.start(workflow, INVOICES);
		bench.clock.advance(25 * HOUR);

		const again = await bench.start(workflow, INVOICES);

		expect(paidBefore(again)).toEqual([false, false]);
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

		expect(paidBefore(await bench.start(workflow, INVOICES))).toEqual([false, false]);
		expect(livingOf(bench)).toEqual(BOTH);
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

		expect(paidBefore(elsewhere)).toEqual([true, true]);
		expect(livingOf(bench)).toEqual(BOTH);
	});

	it('recognizes what the bank refused once, and paid later, by doing what its error says', async () => {
		const workflow = referenced();
		await bench.start(workflow, INVOICES);
		for (const { id } of [...bench.sandbox.books.withdrawals]) {
			bench.sandbox.setWithdrawalStatus(id, 'FAILED');
		}
		bench.clock.advance(HOUR);
		await bench.start(workflow, INVOICES);
		loseRows();
		bench.clock.advance(HOUR);
		const elsewhere = await bench.start(workflow, INVOICES);
		expect(getCodes(elsewhere)).toEqual(['WITHDRAWAL_NOT_PAID', 'WITHDRAWAL_NOT_PAID']);

		const again = await bench.start(workflow, INVOICES);

		expect(paidBefore(again)).toEqual([true, true]);
		expect(livingOf(bench)).toEqual(BOTH);
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
					changed.push(arrive(bench, change(request)));
					return true;
				},
			});
		}

		const first = await bench.start(workflow, INVOICES);
		await Promise.all(changed);

		expect(errorsOf(first).map((error) => error?.effect)).toEqual(['unknown', 'unknown']);
		bench.clock.advance(5 * MINUTE);
		const later = await bench.start(workflow, INVOICES);
		expect(errorsOf(later).map((error) => error?.withdrawalIds)).toEqual([
			[idOf(bench, 'NF-1')],
			[idOf(bench, 'NF-2')],
		]);
		expect(paidBefore(await followWords(bench, workflow, INVOICES))).toEqual([true, true]);
		expect(livingOf(bench)).toEqual(BOTH);
	});
});
