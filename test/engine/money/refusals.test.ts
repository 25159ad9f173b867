/** Payouts that were refused: by the service, by the bank, or by something on the way. */
import type { RecordedRequest } from '../../../dev/sandbox';
import { dataTables } from '../support/ledger';
import { BEFORE, MISMATCHES, NOW, rowsOf, usePayouts } from '../support/money';
import { BOTH, CORRECTED, INVOICES } from '../support/payouts';
import { HOUR, MINUTE } from '../support/values';

const bench = usePayouts();

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

	it('keeps one row for each reference if a schedule runs with an expired key, and pays once the key is right', async () => {
		const refused = refuse('INVALID_API_KEY', false, Infinity);
		for (let run = 0; run < 6; run += 1) {
			await bench.pay();
			bench.clock.advance(MINUTE);
		}
		expect(rowsOf()).toHaveLength(INVOICES.length);
		refused();
		bench.expectOnce(await bench.pay(), NOW);
	});
});

describe('what another n8n has paid', () => {
	beforeEach(async () => {
		await bench.pay();
		// Its table has no rows here.
		for (const { id } of dataTables().rows()) dataTables().deleteRow(id);
		bench.clock.advance(HOUR);
	});

	it('is recognized', async () => bench.expectOnce(await bench.pay(), BEFORE));

	it('and the bank has refused since is not called paid, and paid by the next run', async () => {
		bench.sandbox.dialect.withdrawalTransitions.last = 'returnable';
		bench.bankRefusesAll();
		expect((await bench.pay()).codes).toEqual(['WITHDRAWAL_NOT_PAID', 'WITHDRAWAL_NOT_PAID']);
		bench.expectOnce(await bench.pay(), NOW);
	});

	it('is not paid with another amount, and the error names who may have paid', async () => {
		const again = await bench.pay(CORRECTED);

		expect(again.codes).toEqual(MISMATCHES);
		expect(again.errors[0]?.message).toContain('not by this n8n project');
		expect(bench.living).toEqual(BOTH);
	});
});

it('a request that something on the way changes is not blamed on another tool where it may have paid', async () => {
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
