import type { IDataObject } from 'n8n-workflow';
import { BEFORE, expectDoubt, usePayouts } from '../support/money';
import { TWO, chargeEach, payEach } from '../support/payouts';
import { CPF, HOUR, MINUTE } from '../support/values';
import { CONTINUE, RETRY_ON_FAIL, changeOptions, type Parameters } from '../support/workflow';

const bench = usePayouts();
const THREE: IDataObject[] = [...TWO, { amount: 30.03, pixKey: CPF }];
const ONE_BY_ONE = payEach({ maxConcurrency: 1 });
const CHARGES = [{ amount: 10.01 }, { amount: 20.05 }];

describe('what an error says of items that it did not come to', () => {
	const loseFirst = () => bench.lose('dropBefore', (body) => body.includes('10.01'));

	it('in a retried execution: that the first attempt may have paid them', async () => {
		const failed = await bench.run(payEach(), THREE, { lost: { '10.01': 'dropAfter' } });
		loseFirst();
		changeOptions(failed.workflow, { maxConcurrency: 1 });
		const { error } = await bench.retry(failed);
		expect(error?.description).toContain('not sent this time');
	});
});

describe('Retry On Fail', () => {
	it('pays once although every try of the node is lost but the last', async () => {
		bench.lose('dropAfter', undefined, 20);

		const run = await bench.payTwo({ extras: RETRY_ON_FAIL });

		bench.expectPaid([1001, 2002], run);
		expect(run.json).toHaveLength(2);
		expect(bench.keys).toHaveLength(2);
		expect(bench.posts).toBe(22);
	});

	it('pays once together with Continue On Fail, where n8n runs the node again for its first item', async () => {
		bench.lose('dropAfter', undefined, 10);

		const { json } = await bench.payTwo({ extras: { ...RETRY_ON_FAIL, ...CONTINUE.extras } });

		expect(json.map(({ netAmount }) => netAmount)).toEqual([10.01, 20.02]);
		expect(bench.paid).toEqual([1001, 2002]);
	});
});

describe('the retry of a failed execution', () => {
	it('pays nothing again whose response was lost', async () => {
		const failed = await bench.payTwo({ lost: 'dropAfter' });
		expect(failed.error).toBeDefined();
		expect(bench.paid).toEqual([1001, 2002]);

		const retried = await bench.retry(failed);

		expect(retried.id).not.toBe(failed.id);
		expect(retried.json.map(({ netAmount }) => netAmount)).toEqual([10.01, 20.02]);
		bench.expectPaid([1001, 2002], retried);
		expect(bench.keys).toHaveLength(2);
	});

	it('pays once when it is retried twice at once, and at most one of them says that it has paid', async () => {
		const failed = await bench.payTwo({ ...bench.begunNow, lost: 'dropBefore' });

		const retried = await Promise.all([bench.retry(failed), bench.retry(failed)]);

		expect(bench.paid).toEqual([1001, 2002]);
		for (const index of [0, 1]) {
			const told = retried.map(({ json }) => json[index]);
			expect(new Set(told.map((item) => item?.id)).size).toBe(1);
			expect(told.filter((item) => item?.alreadyPaid === false).length).toBeLessThan(2);
		}
	});
});

describe('the retry of an execution in which n8n was killed', () => {
	it('pays nothing again', async () => {
		const killed = await bench.payTwo();
		bench.clock.advance(MINUTE);

		const retried = await bench.retryAfterKill(killed);

		expect(retried.ids).toEqual(bench.idsPaid);
		expect(retried.paidBefore).toEqual(BEFORE);
		bench.expectPaid([1001, 2002], retried);
		expect(bench.keys).toHaveLength(2);
	});

	it('creates no boleto again after a stored 502', async () => {
		bench.refuseNext(2, 'PROVIDER_TEMPORARILY_UNAVAILABLE');
		const killed = await bench.run(chargeEach('BOLETO'), CHARGES);

		const { error } = await bench.retryAfterKill(killed);

		expect(error).toBeUndefined();
		expect(bench.sandbox.books.payments).toHaveLength(2);
	});

	describe('in a loop', () => {
		const kill = async (rows: IDataObject[], lost: Record<string, 'dropBefore'> = {}) =>
			await bench.run(payEach(), rows, { isLooped: true, lost });

		it.each([
			['10.01', 0],
			['20.02', 1],
			['30.03', 2],
		])('pays the rest of one that stood at the item of %s', async (amount, paid) => {
			const killed = await kill(THREE, { [amount]: 'dropBefore' });
			expect(bench.paid).toHaveLength(paid);
			bench.expectPaid([1001, 2002, 3003], await bench.retryAfterKill(killed));
		});
	});

	describe('creates no other record where nothing shows whether the first attempt did', () => {
		const charge: Parameters = { ...chargeEach('PIX'), customer: { name: 'Maria Exemplo' } };

		it('on an n8n that does not say when the execution was established', async () => {
			const killed = await bench.run(charge, TWO);
			expect(bench.sandbox.books.payments).toHaveLength(2);

			const { posts, error } = await bench.onOldN8n(async () => await bench.retryAfterKill(killed));

			expect(posts).toBe(0);
			expect(error?.message).toBe(
				'Row 1: This is a retried execution, and it is not known when it began, and the server recognizes a repetition for 24 hours only',
			);
			expect(error?.description).toContain('Nothing was sent.');
		});
	});
});

describe('a key that the server has forgotten', () => {
	const failAndWait = async (lost: 'dropAfter' | Record<string, 'dropBefore'>, hours = 24) => {
		const failed = await bench.payTwo({ lost });
		bench.clock.advance(hours * HOUR);
		return failed;
	};

	it('is not sent again where the list shows the same: the error names what it shows', async () => {
		const failed = await failAndWait('dropAfter');
		expectDoubt(await bench.retry(failed), `(ID ${bench.idsPaid[0]})`);
		expect(bench.paid).toEqual([1001, 2002]);
	});

	it('is sent again where the list shows that nothing was paid', async () => {
		const failed = await failAndWait({ '20.02': 'dropBefore' });
		bench.expectPaid([1001, 2002], await bench.retry(failed));
	});

	it('is sent again a little earlier', async () => {
		const failed = await failAndWait('dropAfter', 24 - 11 / 60);
		bench.expectPaid([1001, 2002], await bench.retry(failed));
	});

	it.each([1, 25])('never pays again what was paid, %d hours later', async (hours) => {
		const lost = { '20.02': 'dropBefore' } as const;
		const failed = await bench.run(ONE_BY_ONE, THREE, { lost });
		bench.clock.advance(hours * HOUR);
		changeOptions(failed.workflow, { allowRetryAfter24Hours: true });

		const retried = await bench.retry(failed);

		bench.expectPaid([1001, 2002, 3003], retried);
		expect(retried.json[0]).toMatchObject({ netAmount: 10.01, alreadyPaid: true });
		const sent = bench.requests('POST').filter(({ rawBody }) => rawBody.includes('10.01'));
		expect(sent).toHaveLength(1);
	});

	it('counts from the first use, not from the last', async () => {
		const failed = await failAndWait('dropAfter', 20);
		const failedAgain = await bench.retry(failed, { lost: 'dropAfter' });
		bench.clock.advance(20 * HOUR);
		expectDoubt(await bench.retry(failedAgain));
		expect(bench.paid).toEqual([1001, 2002]);
	});
});

describe('content that changes on every attempt', () => {
	const description = '=Paid by execution {{ $execution.id }}';
	const changing = payEach({}, { description });

	it.each(['retry', 'retryAfterKill'] as const)(
		'pays nothing twice, and does not say that nothing took effect (%s)',
		async (again) => {
			const failed = await bench.run(changing, TWO, { ...bench.begunNow, lost: 'dropAfter' });

			const { error, json } = await bench[again](failed);

			expect(json).toEqual([]);
			expect(error?.description).toContain('2 in doubt');
			expect(error?.description).toContain('Retry this execution in the list Executions after');
			expect(bench.paid).toEqual([1001, 2002]);
		},
	);
});
