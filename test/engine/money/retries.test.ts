import type { IDataObject } from 'n8n-workflow';
import { expectDoubt, usePayouts } from '../support/money';
import { chargeEach, payEach, TWO } from '../support/payouts';
import { CPF, HOUR } from '../support/values';
import { changeOptions, CONTINUE, type Parameters, RETRY_ON_FAIL } from '../support/workflow';

const bench = usePayouts();
const THREE: IDataObject[] = [...TWO, { amount: 30.03, pixKey: CPF }];
const CHARGES = [{ amount: 10.01 }, { amount: 20.05 }];

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

it('the retry of a failed execution pays once when two run at once, and at most one of them says that it has paid', async () => {
	const failed = await bench.payTwo({ ...bench.begunNow, lost: 'dropBefore' });

	const retried = await Promise.all([bench.retry(failed), bench.retry(failed)]);

	expect(bench.paid).toEqual([1001, 2002]);
	for (const index of [0, 1]) {
		const told = retried.map(({ json }) => json[index]);
		expect(new Set(told.map((item) => item?.id)).size).toBe(1);
		expect(told.filter((item) => item?.alreadyPaid === false).length).toBeLessThan(2);
	}
});

describe('the retry of an execution in which n8n was killed', () => {
	it('creates no boleto again after a stored 502', async () => {
		bench.refuseNext(2, 'PROVIDER_TEMPORARILY_UNAVAILABLE');
		const killed = await bench.run(chargeEach('BOLETO'), CHARGES);

		const { error } = await bench.retryAfterKill(killed);

		expect(error).toBeUndefined();
		expect(bench.sandbox.books.payments).toHaveLength(2);
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

		it('where n8n was renewed in between and established the retry itself', async () => {
			const killed = await bench.onOldN8n(async () => await bench.run(charge, TWO));

			const { posts, error } = await bench.retryAfterKill(killed, { establishedAt: null });

			expect(posts).toBe(0);
			expect(error?.description).toContain('Nothing was sent.');
			expect(bench.sandbox.books.payments).toHaveLength(2);
		});
	});
});

describe('a key that the server has forgotten', () => {
	const failAndWait = async (lost: 'dropAfter' | Record<string, 'dropBefore'>, hours = 24) => {
		const failed = await bench.payTwo({ lost });
		bench.clock.advance(hours * HOUR);
		return failed;
	};

	it('is sent again where the list shows that nothing was paid', async () => {
		const failed = await failAndWait({ '20.02': 'dropBefore' });
		bench.expectPaid([1001, 2002], await bench.retry(failed));
	});

	it('is sent again a little earlier', async () => {
		const failed = await failAndWait('dropAfter', 24 - 11 / 60);
		bench.expectPaid([1001, 2002], await bench.retry(failed));
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
		'is paid where nothing arrived (%s)',
		async (again) => {
			const failed = await bench.run(changing, TWO, { ...bench.begunNow, lost: 'dropBefore' });
			bench.expectPaid([1001, 2002], await bench[again](failed));
		},
	);
});
