import { Container } from '@n8n/di';
import type { IDataObject } from 'n8n-workflow';
import { BinaryDataService } from 'n8n-core';
import { boletoPdf, type Payment } from '../../../dev/sandbox';
import { brCode } from '../../../dev/sandbox/documents/codes';
import { decodedQrCode } from '../../support/decodedQrCode';
import type { Execution } from '../support/execution';
import { useBench } from '../support/harness';
import { CPF } from '../support/values';
import { CONTINUE, operation, type Parameters } from '../support/workflow';
import { AWKWARD, AWKWARD_ENCODED, expectNoKeys, expectOwnKeys, sent } from '../support/wire';

const bench = useBench();
const getIds = (rows: Array<{ id: string }>) => rows.map(({ id }) => ({ id }));
const seedTwo = (row = {}): Payment[] =>
	[1001, 2005].map((amountCents) => bench.sandbox.seed.payment({ amountCents, ...row }));

const payment = (name: string, more: Parameters = {}, options: Parameters = {}): Parameters =>
	operation(
		`payment.${name}`,
		{ paymentId: '={{ $json.id }}', ...more },
		{ maxConcurrency: 1, ...options },
	);
const create = (more: Parameters = {}, options: Parameters = {}): Parameters =>
	payment('create', { amount: '={{ $json.amount }}', ...more }, options);
/** A payment by PIX on a checkout page, as it goes out. */
const post = (fields: object, more = {}) =>
	`POST /v1/payments ${JSON.stringify({ ...fields, methods: ['PIX'], mode: 'hosted', ...more })}`;

describe('Payment: Create', () => {
	it.each(['hosted', 'headless'])('leaves the methods to the service: %s', async (mode) => {
		const run = await bench.run(create({ methods: [], mode }), [{ amount: 10 }, { amount: 20 }]);

		const bodies = [10, 20].map(
			(amount) => `POST /v1/payments ${JSON.stringify({ amount, mode })}`,
		);
		expect(sent(bench)).toEqual(bodies);
		expect(run.json.map(({ amount }) => amount)).toEqual([10, 20]);
	});

	it.each(['={{ $json.method }}', '={{ [] }}', '={{ "" }}'])(
		'does not take an expression that returns nothing for that: %s',
		async (methods) => {
			const run = await bench.run(create({ methods }), [{ amount: 10 }, { amount: 20 }]);

			expect(run.error?.message).toBe('Row 1: Methods is empty in this row');
			expect(sent(bench)).toEqual([]);
		},
	);

	it('sends every field, and none that is empty', async () => {
		const parameters = create({
			mode: 'headless',
			methods: ['BOLETO', 'PIX'],
			customer: {
				name: 'Maria Silva',
				email: 'maria@customer.example',
				document: '529.982.247-25',
			},
			externalId: '={{ $json.order }}',
			description: 'Pedido nº 1 — ação',
			additionalFields: {
				completionUrl: 'https://shop.example.com/thanks',
				returnUrl: '={{ $json.returnUrl }}',
				passFeeToPayer: '={{ $json.passFee }}',
				metadata: '{"order": 1}',
			},
		});

		await bench.run(parameters, [
			{ amount: '0,29', order: 'o-1', returnUrl: '', passFee: false },
			{ amount: 1000.1, order: 2, returnUrl: 'https://shop.example.com/cart', passFee: true },
		]);

		const body = (amount: number, externalId: string, more: object) =>
			JSON.stringify({
				...{ amount, methods: ['BOLETO', 'PIX'], mode: 'headless' },
				customer: {
					...{ name: 'Maria Silva', email: 'maria@customer.example' },
					...{ document: CPF, documentType: 'CPF' },
				},
				...{ externalId, description: 'Pedido nº 1 — ação' },
				...{ completionUrl: 'https://shop.example.com/thanks', ...more, metadata: { order: 1 } },
			});
		const returnUrl = 'https://shop.example.com/cart';
		expect(sent(bench)).toEqual([
			`POST /v1/payments ${body(0.29, 'o-1', { passFeeToPayer: false })}`,
			`POST /v1/payments ${body(1000.1, '2', { returnUrl, passFeeToPayer: true })}`,
		]);
		expect(bench.sandbox.books.payments.map(({ externalId }) => externalId)).toEqual(['o-1', '2']);
	});

	it('takes the type of a document that fits it', async () => {
		const customer = { document: '={{ $json.document }}', documentType: '={{ $json.type }}' };

		await bench.run(create({ customer }), [
			{ amount: '10', document: '529.982.247-25', type: 'CPF' },
			{ amount: '10', document: '12.ABC.345/01DE-35', type: 'CNPJ' },
		]);

		expect(sent(bench)).toEqual([
			post({ amount: 10 }, { customer: { document: CPF, documentType: 'CPF' } }),
			post({ amount: 10 }, { customer: { document: '12ABC34501DE35', documentType: 'CNPJ' } }),
		]);
	});

	it('charges products by list, ID and external ID, which is looked up', async () => {
		const one = bench.sandbox.seed.product({ amountCents: 4_990 });
		const two = bench.sandbox.seed.product({ externalId: AWKWARD, amountCents: 9_990 });
		const byProduct = (mode: string) =>
			create({
				chargeBy: 'product',
				productId: { __rl: true, mode, value: '={{ $json.product }}' },
			});

		await bench.run(byProduct('list'), [{ product: one.id }, { product: two.id }]);
		await bench.run(byProduct('id'), [{ product: one.id.toUpperCase() }, { product: two.id }]);
		await bench.run(byProduct('externalId'), [{ product: AWKWARD }, { product: AWKWARD }]);

		const [first, second] = [one, two].map(({ id }) => post({ productId: id }));
		const lookUp = `GET /v1/products/external/${AWKWARD_ENCODED}`;
		// All items are prepared before the first is sent.
		expect(sent(bench)).toEqual([
			...[first, second, first, second],
			...[lookUp, lookUp, second, second],
		]);
		expectOwnKeys(bench);
	});

	it.each<[string, IDataObject, Parameters, string]>([
		['an amount of zero', { amount: '0' }, {}, 'Amount is zero'],
		['card without a page', {}, { methods: ['CARD'], mode: 'headless' }, 'Card pay'],
		['card below R$ 5,00', { amount: '4,99' }, { methods: ['CARD'] }, 'Amount is below R$ 5,00'],
		['metadata that is no object', {}, { additionalFields: { metadata: '[1]' } }, 'Metadata'],
	])('sends nothing for %s', async (_name, changed, more, message) => {
		const item = { amount: '10', ...changed };

		const { error } = await bench.run(create(more), [item, item]);

		expect(error?.message.startsWith(`Row 1: ${message}`)).toBe(true);
		expect(error).toHaveProperty('itemIndex', 0);
		expect(bench.requests()).toEqual([]);
	});
});

describe('Payment: Get PIX QR Code', () => {
	const getPixQrCode = (options: Parameters = {}) =>
		payment('getPixQrCode', { binaryPropertyName: 'data' }, options);
	const getPicture = async (run: Execution, index: number) =>
		await Container.get(BinaryDataService).getAsBuffer(run.output()[index]!.binary!.data!);

	it('delivers a picture of the code of each payment', async () => {
		const payments = seedTwo();

		const run = await bench.run(getPixQrCode(), getIds(payments));

		expect(sent(bench)).toEqual(payments.map(({ id }) => `GET /v1/payments/${id}`));
		expectNoKeys(bench);
		for (const [index, { id, txId, amountCents }] of payments.entries()) {
			const item = run.output()[index];
			const pixCode = brCode(amountCents, txId);
			const fileName = `pix-${id}.png`;
			expect(item?.pairedItem).toEqual({ item: index });
			expect(item?.json).toEqual({ paymentId: id, pixCode, fileName });
			expect(item?.binary?.data).toMatchObject({ mimeType: 'image/png', fileName });
			expect(decodedQrCode(await getPicture(run, index))).toBe(pixCode);
		}
	});

	it('hands on a code of the service that does not pass the check, with a hint', async () => {
		const [one, two] = seedTwo();
		const broken = `${brCode(1_000, one!.txId).slice(0, -4)}0000`;
		bench.answer({ payment: { id: one!.id, status: 'NEW', methodData: { qrCode: broken } } });

		const run = await bench.run(getPixQrCode({ maxConcurrency: 1 }), getIds([one!, two!]));

		expect(run.json.map(({ pixCode }) => pixCode as unknown)).toEqual([
			broken,
			brCode(two!.amountCents, two!.txId),
		]);
		expect(decodedQrCode(await getPicture(run, 0))).toBe(broken);
		expect(run.hints.join()).toContain('does not pass the check of its lengths and checksum');
	});
});

describe('Payment: Refund', () => {
	const refund = payment('refund', {
		amount: '={{ $json.amount }}',
		reason: '={{ $json.reason }}',
	});

	it('refunds each item, in full unless an amount is given', async () => {
		const ids = seedTwo({ status: 'PAID' }).map(({ id }) => id);

		const run = await bench.run(refund, [
			{ id: ids[0] },
			{ id: ids[1], amount: '20,05', reason: 'Pedido "2" cancelado' },
		]);

		expect(sent(bench)).toEqual([
			`POST /v1/payments/${ids[0]}/refund {}`,
			`POST /v1/payments/${ids[1]}/refund {"amount":20.05,"reason":"Pedido \\"2\\" cancelado"}`,
		]);
		expectOwnKeys(bench);
		expect(run.sources).toEqual([0, 1]);
		expect(run.json).toMatchObject([
			{ amount: 10.01, status: 'PENDING' },
			{ amount: 20.05, reason: 'Pedido "2" cancelado' },
		]);
		expect(bench.sandbox.books.refunds.map(({ paymentId }) => paymentId)).toEqual(ids);
	});
});

describe('Payment: Download Boleto', () => {
	it('delivers the very bytes of each PDF', async () => {
		const boletos = seedTwo({ paymentMethod: 'BOLETO' });

		const run = await bench.run(
			payment('downloadBoleto', { binaryPropertyName: '={{ $json.field }}' }),
			boletos.map(({ id }, index) => ({ id, field: `file${index}` })),
		);

		expect(sent(bench)).toEqual(boletos.map(({ id }) => `GET /v1/payments/${id}/boleto`));
		expectNoKeys(bench);
		for (const [index, boleto] of boletos.entries()) {
			const item = run.output()[index];
			const file = item?.binary?.[`file${index}`];
			expect(item?.pairedItem).toEqual({ item: index });
			expect(item?.json).toEqual({ paymentId: boleto.id, fileName: `boleto-${boleto.id}.pdf` });
			expect(file).toMatchObject({ mimeType: 'application/pdf', fileExtension: 'pdf' });
			expect(file).toHaveProperty('fileName', `boleto-${boleto.id}.pdf`);
			const bytes = await Container.get(BinaryDataService).getAsBuffer(file!);
			expect(bytes.equals(await boletoPdf(boleto))).toBe(true);
		}
	});

	it('does not take a page for a PDF', async () => {
		const { id } = bench.sandbox.seed.payment({ paymentMethod: 'BOLETO' });
		bench.sandbox.faults.add({ kind: 'html', status: 200, times: Infinity });

		const { error } = await bench.run(payment('downloadBoleto'), [{ id }, { id }]);

		expect(error?.message).toBe(
			'Row 1: The server reported success, but its response cannot be read',
		);
	});
});

describe('Payment: Simulate', () => {
	const seeded = () => {
		const [one, two] = getIds(seedTwo());
		return [
			{ ...one, status: 'PAID' },
			{ ...two, status: 'EXPIRED' },
		];
	};
	const simulate = (options: Parameters = {}) =>
		payment('simulate', { status: '={{ $json.status }}' }, options);

	it('sends the body of the options instead, and takes an empty response for success', async () => {
		const items = seeded();
		bench.answer('', { status: 204, times: 2 });

		const { json } = await bench.run(
			simulate({ body: '={"status": "{{ $json.status }}", "outcome": "x"}' }),
			items,
		);

		expect(bench.requests().map(({ rawBody }) => rawBody.toString())).toEqual([
			'{"status":"PAID","outcome":"x"}',
			'{"status":"EXPIRED","outcome":"x"}',
		]);
		expect(json).toEqual(items.map(({ id }) => ({ id })));
	});

	it.each<[string, string | object, object]>([
		['a list', [{ status: 'PAID' }], { response: [{ status: 'PAID' }] }],
		['another object', { result: { status: 'PAID' } }, { result: { status: 'PAID' } }],
	])('takes any response for success: %s', async (_name, body, shown) => {
		const items = seeded();
		bench.answer(body, { times: 2 });

		const { json } = await bench.run(simulate(), items);

		expect(json).toEqual(items.map(({ id }) => ({ id, ...shown })));
		expect(bench.requests()).toHaveLength(2);
	});

	it.each<[string, () => unknown, code: string]>([
		['the response is lost', () => bench.lose('dropAfter'), 'CONNECTION_LOST'],
		['the service fails', () => bench.fail('INTERNAL_ERROR'), 'INTERNAL_ERROR'],
	])('is sent once if %s, and says that it may have taken effect', async (_name, cause, code) => {
		cause();

		const { errors } = await bench.run(simulate(), seeded(), CONTINUE);

		expect(errors.map((error) => error?.code)).toEqual([code, code]);
		for (const error of errors) {
			expect(error?.description).toContain('It was sent once and may still have taken effect');
		}
		expect(bench.requests()).toHaveLength(2);
		expect(bench.keys).toHaveLength(2);
	});

	it('sends nothing with a live key', async () => {
		const { error } = await bench.run(simulate(), seeded(), { credential: bench.liveCredential });

		expect(error?.message).toBe(
			'Row 1: Simulate works with test keys only, and this is a live key',
		);
		expect(bench.requests()).toEqual([]);
	});
});

describe('the External ID of a charge', () => {
	const charge = (options: Parameters): Parameters => ({
		...{ resource: 'payment', operation: 'create', methods: ['PIX'], mode: 'headless' },
		...{ amount: '={{ $json.amount }}', options },
		externalId: '={{ $json.order }}',
	});
	const ORDERS = [
		{ amount: 10, order: 'o-1' },
		{ amount: 20, order: 'o-2' },
	];

	it('is not there where none was given, and a hint says what that means', async () => {
		const { json, hints } = await bench.run({ ...charge({}), externalId: '' }, ORDERS);
		expect(json).toHaveLength(2);
		for (const item of json) expect(item).not.toHaveProperty('externalId');
		expect(hints).toContain(
			'Each run creates another charge. To charge each order once, fill in External ID.',
		);
	});
});
