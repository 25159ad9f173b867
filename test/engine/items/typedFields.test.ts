import type { IDataObject } from 'n8n-workflow';
import { useBench } from '../support/harness';
import { payEach, TWO } from '../support/payouts';
import { CPF } from '../support/values';
import { sent } from '../support/wire';
import type { Parameters } from '../support/workflow';

const bench = useBench();

// What goes out is compared letter by letter.
beforeEach(() => bench.assume('requestBodies', 'listFilters', 'listOrder'));

/** What a spreadsheet, a form or an agent delivers for true and false. */
const TRUE = ['true', 'TRUE', 1, '1', true];
const FALSE = ['false', 'False', 0, '0', false];
const KEEP_GOING = { extras: { onError: 'continueRegularOutput' as const } };

describe('Pass Fee to Payer', () => {
	const charge: Parameters = {
		resource: 'payment',
		operation: 'create',
		amount: '10',
		additionalFields: { passFeeToPayer: '={{ $json.given }}' },
		options: { maxConcurrency: 1 },
	};
	const bodyFor = (isPassed: boolean) =>
		`POST /v1/payments {"amount":10,"methods":["PIX"],"mode":"hosted","passFeeToPayer":${isPassed}}`;

	it.each([
		[true, TRUE],
		[false, FALSE],
	])('%o is what it says in every form', async (isPassed, forms) => {
		await bench.run(
			charge,
			forms.map((given) => ({ given })),
		);

		expect(sent(bench)).toEqual(forms.map(() => bodyFor(isPassed)));
	});

	it('that is neither true nor false is refused, and the other item is charged', async () => {
		const run = await bench.run(charge, [{ given: 'sim' }, { given: 'true' }], KEEP_GOING);

		expect(run.json[0]?.error).toMatchObject({
			code: 'INVALID_INPUT',
			message: 'Pass Fee to Payer is "sim", which is neither true nor false',
		});
		expect(sent(bench)).toEqual([bodyFor(true)]);
	});
});

describe('Is Active', () => {
	it('as text lists the products that it says', async () => {
		bench.sandbox.seed.product({ name: 'In use' });
		bench.sandbox.seed.product({ name: 'Deleted', isActive: false });

		const { json } = await bench.run(
			{
				resource: 'product',
				operation: 'getAll',
				returnAll: '={{ $json.all }}',
				filters: { isActive: '={{ $json.given }}' },
				options: {},
			},
			[
				{ given: 'true', all: 'true' },
				{ given: 'false', all: 'true' },
			],
		);

		expect(json.map(({ name }) => name)).toEqual(['In use', 'Deleted']);
	});
});

describe('Mask Personal Data', () => {
	it('as text masks, and shows, as it says', async () => {
		const payer = {
			name: 'Maria Exemplo',
			document: CPF,
			documentType: 'CPF' as const,
			institutionName: null,
			institutionIspb: null,
		};
		const { id } = bench.sandbox.seed.payment({ status: 'PAID', payer });

		const { json } = await bench.run(
			{
				resource: 'payment',
				operation: 'get',
				paymentId: id,
				simplify: false,
				options: { maskPersonalData: '={{ $json.given }}' },
			},
			[{ given: 'true' }, { given: 'false' }],
		);

		expect(json.map((row) => (row.payer as IDataObject).document)).toEqual(['***.982.247-**', CPF]);
	});

	it('is asked for before money moves', async () => {
		const { error } = await bench.run(payEach({ maskPersonalData: '={{ $json.given }}' }), TWO);

		expect(error?.message).toBe(
			'Row 1: Mask Personal Data is empty, which is neither true nor false',
		);
		expect(bench.requests()).toEqual([]);
	});
});

describe('Allow Duplicates', () => {
	it.each([
		['true', true],
		['false', false],
	])('as the text %s is %o', async (given, ok) => {
		const twice = [TWO[0], TWO[0]].map((row) => ({ ...row, given }));
		const parameters = {
			...payEach({ allowDuplicates: '={{ $json.given }}' }),
			operation: 'checkBatch',
		};

		const { json } = await bench.run(parameters, twice);

		expect(json.map((row) => row.ok)).toEqual([true, ok]);
	});
});

describe('a choice', () => {
	it('from an expression may be a text with several, in any case', async () => {
		await bench.run(
			{
				resource: 'payment',
				operation: 'create',
				amount: '10',
				methods: '={{ $json.methods }}',
				mode: '={{ $json.mode }}',
				options: { maxConcurrency: 1 },
			},
			[
				{ methods: 'PIX', mode: 'Headless' },
				{ methods: 'pix, boleto', mode: 'hosted' },
			],
		);

		expect(sent(bench)).toEqual([
			'POST /v1/payments {"amount":10,"methods":["PIX"],"mode":"headless"}',
			'POST /v1/payments {"amount":10,"methods":["PIX","BOLETO"],"mode":"hosted"}',
		]);
	});

	it('that does not exist is refused, instead of an empty list', async () => {
		bench.sandbox.seed.payment({ status: 'PAID' });

		const run = await bench.run(
			{
				resource: 'payment',
				operation: 'getAll',
				returnAll: true,
				filters: { status: '={{ $json.status }}' },
				options: {},
			},
			[{ status: 'PAYED' }, { status: 'paid' }],
			KEEP_GOING,
		);

		expect(run.json[0]?.error?.message).toBe('Status is "PAYED", which is not one of its values');
		expect(run.json[1]?.status).toBe('PAID');
	});
});
