/** What a spreadsheet, a form or an agent delivers in place of true and false, and of a choice. */
import { useBench } from '../support/harness';
import { payEach, TWO } from '../support/payouts';
import { CONTINUE, operation, type Parameters } from '../support/workflow';
import { sent } from '../support/wire';

const bench = useBench();

// What goes out is compared letter by letter.
beforeEach(() => bench.assume('listFilters', 'listOrder'));

const GIVEN = '={{ $json.given }}';
const given = (...values: unknown[]) => values.map((value) => ({ given: value as string }));
const charge = (more: Parameters): Parameters =>
	operation('payment.create', { amount: '10', ...more }, { maxConcurrency: 1 });

it('Pass Fee to Payer is what it says, or refused, and the other items are charged', async () => {
	const parameters = charge({ additionalFields: { passFeeToPayer: GIVEN } });

	const run = await bench.run(parameters, given('TRUE', 0, 'sim'), CONTINUE);

	expect(run.errors[2]).toMatchObject({
		code: 'INVALID_INPUT',
		message: 'Pass Fee to Payer is "sim", which is neither true nor false',
	});
	expect(sent(bench)).toEqual(
		[true, false].map(
			(isPassed) =>
				`POST /v1/payments {"amount":10,"methods":["PIX"],"mode":"hosted","passFeeToPayer":${isPassed}}`,
		),
	);
});

it('Mask Personal Data is asked for before money moves', async () => {
	const { error } = await bench.run(payEach({ maskPersonalData: GIVEN }), TWO);

	expect(error?.message).toBe(
		'Row 1 (R$ 10,01): Mask Personal Data is empty, which is neither true nor false',
	);
	expect(bench.requests()).toEqual([]);
});

it('a choice that does not exist is refused, instead of an empty list', async () => {
	bench.sandbox.seed.payment({ status: 'PAID' });
	const list = operation('payment.getAll', { returnAll: true, filters: { status: GIVEN } });

	const run = await bench.run(list, given('PAYED', 'paid'), CONTINUE);

	expect(run.errors[0]?.message).toBe('Status is "PAYED", which is not one of its values');
	expect(run.json[1]?.status).toBe('PAID');
});
