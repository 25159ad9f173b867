/** What a spreadsheet, a form or an agent delivers in place of true and false, and of a choice. */
import type { IDataObject } from 'n8n-workflow';
import { useBench } from '../support/harness';
import { payEach, TWO } from '../support/payouts';
import { CONTINUE } from '../support/references';
import { CPF } from '../support/values';
import { sent } from '../support/wire';
import type { Parameters } from '../support/workflow';

const bench = useBench();

// What goes out is compared letter by letter.
beforeEach(() => bench.assume('requestBodies', 'listFilters', 'listOrder'));

const charge = (more: Parameters): Parameters => ({
	...{ resource: 'payment', operation: 'create', amount: '10', ...more },
	options: { maxConcurrency: 1 },
});

it('Pass Fee to Payer is what it says, or refused, and the other items are charged', async () => {
	const given = ['TRUE', 0, 'sim'].map((one) => ({ given: one }));
	const additionalFields = { passFeeToPayer: '={{ $json.given }}' };

	const run = await bench.run(charge({ additionalFields }), given, CONTINUE);

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

it('Is Active as text lists the products that it says', async () => {
	bench.sandbox.seed.product({ name: 'In use' });
	bench.sandbox.seed.product({ name: 'Deleted', isActive: false });
	const list = { resource: 'product', operation: 'getAll', returnAll: '={{ "true" }}' };

	const { json } = await bench.run(
		{ ...list, filters: { isActive: '={{ $json.given }}' }, options: {} },
		[{ given: 'true' }, { given: 'false' }],
	);

	expect(json.map(({ name }) => name)).toEqual(['In use', 'Deleted']);
});

describe('Mask Personal Data', () => {
	const options = { maskPersonalData: '={{ $json.given }}' };

	it('as text masks, and shows, as it says', async () => {
		const { id } = bench.sandbox.seed.payment({
			status: 'PAID',
			payer: {
				...{ name: 'Maria Exemplo', document: CPF, documentType: 'CPF' },
				...{ institutionName: null, institutionIspb: null },
			},
		});
		const get = { resource: 'payment', operation: 'get', paymentId: id, simplify: false };

		const { json } = await bench.run({ ...get, options }, [{ given: 'true' }, { given: 'false' }]);

		expect(json.map((row) => (row.payer as IDataObject).document)).toEqual(['***.982.247-**', CPF]);
	});

	it('is asked for before money moves', async () => {
		const { error } = await bench.run(payEach(options), TWO);

		expect(error?.message).toBe(
			'Row 1: Mask Personal Data is empty, which is neither true nor false',
		);
		expect(bench.requests()).toEqual([]);
	});
});

it.each([
	['true', true],
	['false', false],
])('Allow Duplicates as the text %s is %o', async (given, ok) => {
	const twice = [TWO[0], TWO[0]].map((row) => ({ ...row, given }));
	const parameters = payEach({ allowDuplicates: '={{ $json.given }}' });

	const { json } = await bench.run({ ...parameters, operation: 'checkBatch' }, twice);

	expect(json.map((row) => row.ok)).toEqual([true, ok]);
});

describe('a choice', () => {
	it('from an expression may be a text with several, in any case', async () => {
		await bench.run(charge({ methods: '={{ $json.methods }}', mode: '={{ $json.mode }}' }), [
			{ methods: 'PIX', mode: 'Headless' },
			{ methods: 'pix, boleto', mode: 'hosted' },
		]);

		expect(sent(bench)).toEqual([
			'POST /v1/payments {"amount":10,"methods":["PIX"],"mode":"headless"}',
			'POST /v1/payments {"amount":10,"methods":["PIX","BOLETO"],"mode":"hosted"}',
		]);
	});

	it('that does not exist is refused, instead of an empty list', async () => {
		bench.sandbox.seed.payment({ status: 'PAID' });
		const list = { resource: 'payment', operation: 'getAll', returnAll: true, options: {} };

		const run = await bench.run(
			{ ...list, filters: { status: '={{ $json.status }}' } },
			[{ status: 'PAYED' }, { status: 'paid' }],
			CONTINUE,
		);

		expect(run.errors[0]?.message).toBe('Status is "PAYED", which is not one of its values');
		expect(run.json[1]?.status).toBe('PAID');
	});
});
