/** Proxies that send a request twice, or change it: what the run is answered says nothing of the payout. */
import type { RecordedRequest } from '../../../dev/sandbox';
import { dataTables } from '../support/ledger';
import { BEFORE, DOUBTS, FINE, NOW, useMoney } from '../support/money';
import { BOTH, CORRECTED, HOUR, INVOICES, MINUTE, MISMATCHES, rowsOf } from '../support/references';
import { CPF } from '../support/values';

const bench = useMoney();

describe('a request that something on the way sends twice', () => {
	/** Processed, and refused: of two requests, one came from an address that is not allowed. */
	const refuseAfter = (code: string, status: number, times = 2) => {
		const body = { error: { code, message: code } };
		bench.strike('', { kind: 'status', process: true, times, status, body });
	};
	const EARLY = [
		['IP_NOT_ALLOWED', 403],
		['INVALID_API_KEY', 401],
		['FORBIDDEN', 403],
		['WITHDRAWALS_BLOCKED', 403],
		['VERIFICATION_REQUIRED', 403],
		['IDEMPOTENCY_KEY_REQUIRED', 400],
		['INVALID_PIX_KEY', 400],
	] as const;
	// The corrected row took another key at once, beside what the copy had paid.
	const CIRCUMSTANCES = [
		['INSUFFICIENT_BALANCE', 400],
		['WITHDRAWAL_LIMIT_EXCEEDED', 400],
		['WITHDRAWAL_PIX_KEY_BLOCKED', 400],
		['NOT_FOUND', 404],
	] as const;

	// The run after such a refusal took another key, and paid what the copy had paid.
	it.each([...EARLY, ...CIRCUMSTANCES])(
		'is paid once: one is refused with %s',
		async (code, status) => {
			refuseAfter(code, status);
			expect((await bench.pay()).codes).toEqual([code, code]);
			bench.clock.advance(MINUTE);
			bench.expectOnce(await bench.pay(), BEFORE);
		},
	);

	it.each(CIRCUMSTANCES)(
		'is never paid as corrected, too: one is refused with %s',
		async (code, status) => {
			refuseAfter(code, status);
			await bench.pay();
			expect((await bench.pay(CORRECTED)).codes).toEqual(DOUBTS);
			expect((await bench.payAsTold(CORRECTED)).codes).toEqual(MISMATCHES);
			expect(bench.living).toEqual(BOTH);
		},
	);

	it.each([1, 10, 23 * 60])(
		'is paid once, however often it is refused: %s minutes between the runs',
		async (minutes) => {
			refuseAfter('IP_NOT_ALLOWED', 403, Infinity);
			await bench.pay();
			bench.clock.advance(minutes * MINUTE);
			await bench.pay();
			bench.sandbox.faults.clear();
			bench.expectOnce(await bench.pay(), BEFORE);
		},
	);
});

describe('a refusal after which nothing was paid', () => {
	const refuse = (code: string, stored: boolean, times = 2) =>
		bench.strike('', { kind: 'error', code, times, stored });
	const expectRecorded = () =>
		expect(rowsOf()).toMatchObject([{ status: 'paid' }, { status: 'paid' }]);

	it.each([false, true])('is paid in the next run, minutes later (kept: %s)', async (stored) => {
		refuse('WITHDRAWALS_BLOCKED', stored);
		await bench.pay();
		bench.clock.advance(10 * MINUTE);
		bench.expectOnce(await bench.pay(), NOW);
		expectRecorded();
	});

	it.each([false, true])('is paid as corrected in the next run (kept: %s)', async (stored) => {
		refuse('INVALID_PIX_KEY', stored);
		await bench.pay();
		bench.expectOnce(await bench.pay(CORRECTED), NOW);
	});

	it.each([
		['no equal payout', []],
		['an equal payout of another tool', [CPF]],
	])('is paid as corrected by doing what the errors say, beside %s', async (_what, others) => {
		refuse('INSUFFICIENT_BALANCE', true);
		await bench.pay();
		for (const pixKey of others) bench.sandbox.seed.withdrawal({ pixKey, amountCents: 1001 });

		const again = await bench.payAsTold(CORRECTED);

		expect(again.codes).toEqual(FINE);
		bench.expectTrue(again);
		expect(bench.living).toMatchObject(BOTH);
	});

	it('is not said to be refused still, if the service only repeats what it has kept', async () => {
		const forget = refuse('INSUFFICIENT_BALANCE', true, Infinity);
		await bench.pay();
		await bench.pay();
		forget();
		bench.expectOnce(await bench.pay(), NOW);
		expectRecorded();
	});

	it('is paid days later without the list', async () => {
		refuse('WITHDRAWALS_BLOCKED', false);
		await bench.pay();
		bench.clock.advance(25 * HOUR);
		bench.expectOnce(await bench.pay(), NOW);
		expect(bench.requests('GET')).toEqual([]);
	});

	// Each run added a row for each reference.
	it('keeps two rows for each reference if a schedule runs with an expired key, and pays once the key is right', async () => {
		const refused = refuse('INVALID_API_KEY', false, Infinity);
		for (let run = 0; run < 6; run += 1) {
			await bench.pay();
			bench.clock.advance(MINUTE);
		}
		expect(rowsOf()).toHaveLength(2 * INVOICES.length);
		refused();
		bench.expectOnce(await bench.pay(), NOW);
	});
});

describe('another n8n, or a table that was restored from a backup', () => {
	/** An hour later, both are paid after all; later the table has lost its rows. */
	const payAndForget = async () => {
		bench.clock.advance(HOUR);
		await bench.pay();
		for (const { id } of dataTables().rows()) dataTables().deleteRow(id);
		bench.clock.advance(HOUR);
	};

	it('recognizes what was refused once, and paid later', async () => {
		bench.strike('', { kind: 'error', code: 'INSUFFICIENT_BALANCE', times: 2, stored: false });
		await bench.pay();
		await payAndForget();
		bench.expectOnce(await bench.pay(), BEFORE);
	});

	it('recognizes what the bank refused once, and paid later, by doing what its error says', async () => {
		await bench.pay();
		bench.bankRefusesAll();
		await payAndForget();
		expect((await bench.pay()).codes).toEqual(['WITHDRAWAL_NOT_PAID', 'WITHDRAWAL_NOT_PAID']);
		bench.expectOnce(await bench.pay(), BEFORE);
	});
});

it('a request that something on the way changes is not blamed on another tool where it may have paid', async () => {
	bench.assume('requestBodies');
	const change = ({ rawBody, ...request }: RecordedRequest): RecordedRequest => ({
		...request,
		rawBody: Buffer.from(JSON.stringify({ ...JSON.parse(rawBody.toString()), note: 'proxy' })),
	});
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

	const first = await bench.pay();
	await Promise.all(changed);

	expect(first.errors).toMatchObject([{ effect: 'unknown' }, { effect: 'unknown' }]);
	bench.clock.advance(5 * MINUTE);
	expect((await bench.pay()).errors).toMatchObject([
		{ withdrawalIds: [bench.idOf('NF-1')] },
		{ withdrawalIds: [bench.idOf('NF-2')] },
	]);
	bench.expectOnce(await bench.payAsTold(), BEFORE);
});
