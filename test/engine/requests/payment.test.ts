import { Container } from '@n8n/di';
import { BinaryDataService } from 'n8n-core';
import { boletoPdf, type Payment } from '../../../dev/sandbox';
import { boletoLine } from '../../../dev/sandbox/documents/boletoLine';
import { brCode } from '../../../dev/sandbox/documents/brCode';
import { decodedQrCode } from '../../support/decodedQrCode';
import type { Execution } from '../support/execution';
import { useBench } from '../support/harness';
import { CONTINUE } from '../support/references';
import { CNPJ, CPF } from '../support/values';
import { AWKWARD, AWKWARD_ENCODED, expectNoKeys, expectOwnKeys, sent } from '../support/wire';
import type { Parameters } from '../support/workflow';

const bench = useBench();
const ONE_BY_ONE = { maxConcurrency: 1 };
const getIds = (rows: Array<{ id: string }>) => rows.map(({ id }) => ({ id }));

const payment = (operation: string, more: Parameters = {}): Parameters => ({
	resource: 'payment',
	operation,
	paymentId: '={{ $json.id }}',
	options: ONE_BY_ONE,
	...more,
});

/** The first item shows a PIX code of R$ 10,00, the other one the line of a boleto. */
const expectCodes = ({ json }: Execution, pix: Payment, boleto: Payment) =>
	expect(json.map(({ pixCode, boletoLine: line }) => [pixCode, line])).toEqual([
		[brCode(1000, pix.txId), undefined],
		[undefined, boletoLine(boleto)],
	]);

describe('Payment: Create', () => {
	const create = (more: Parameters = {}): Parameters => ({
		resource: 'payment',
		operation: 'create',
		amount: '={{ $json.amount }}',
		options: ONE_BY_ONE,
		...more,
	});

	it('charges the amount of each item on a checkout page', async () => {
		const run = await bench.run(create(), [{ amount: 'R$ 1.234,56' }, { amount: 10 }]);

		expect(sent(bench)).toEqual([
			'POST /v1/payments {"amount":1234.56,"methods":["PIX"],"mode":"hosted"}',
			'POST /v1/payments {"amount":10,"methods":["PIX"],"mode":"hosted"}',
		]);
		expectOwnKeys(bench);
		expect(run.sources).toEqual([0, 1]);
		expect(run.json.map(({ amount }) => amount)).toEqual([1234.56, 10]);
		expect(run.json.map(({ checkoutUrl }) => checkoutUrl)).toEqual(
			run.json.map(({ id }) => `${bench.sandbox.url}/checkout/${id}`),
		);
	});

	it('puts out what a customer pays with where there is no page', async () => {
		bench.sandbox.dialect.methodData.fields = 'nested';
		const methods = '={{ $json.methods }}';
		const customer = { name: 'Maria Silva', email: 'maria@example.com', document: CPF };

		const run = await bench.run(create({ mode: 'headless', methods, customer }), [
			{ amount: 10, methods: ['PIX'] },
			{ amount: 20, methods: ['BOLETO'] },
		]);

		const [pix, boleto] = run.json.map(({ id }) =>
			bench.sandbox.books.payments.find((one) => one.id === id),
		);
		expectCodes(run, pix!, boleto!);
	});

	it('sends every field, and none that is empty', async () => {
		const parameters = create({
			mode: 'headless',
			methods: ['BOLETO', 'PIX'],
			customer: {
				name: 'Maria Silva',
				email: 'maria@customer.example',
				document: '529.982.247-25',
			},
			additionalFields: {
				externalId: '={{ $json.order }}',
				description: 'Pedido nº 1 — ação',
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

		const rest = (order: string, more: string) =>
			`"methods":["BOLETO","PIX"],"mode":"headless",` +
			`"customer":{"name":"Maria Silva","email":"maria@customer.example","document":"${CPF}","documentType":"CPF"},` +
			`"externalId":"${order}","description":"Pedido nº 1 — ação",` +
			`"completionUrl":"https://shop.example.com/thanks",${more},"metadata":{"order":1}}`;
		expect(sent(bench)).toEqual([
			`POST /v1/payments {"amount":0.29,${rest('o-1', '"passFeeToPayer":false')}`,
			`POST /v1/payments {"amount":1000.1,${rest('2', '"returnUrl":"https://shop.example.com/cart","passFeeToPayer":true')}`,
		]);
		expect(bench.sandbox.books.payments.map(({ externalId }) => externalId)).toEqual(['o-1', '2']);
	});

	it.each([
		['finds out the type of each document', {}],
		['takes the type that fits it', { documentType: '={{ $json.type }}' }],
	])('%s', async (_what, more) => {
		const customer = { document: '={{ $json.document }}', ...more };

		await bench.run(create({ customer }), [
			{ amount: '10', document: '529.982.247-25', type: 'CPF' },
			{ amount: '10', document: '12.ABC.345/01DE-35', type: 'CNPJ' },
		]);

		const post = (document: string, documentType: string) =>
			`POST /v1/payments {"amount":10,"methods":["PIX"],"mode":"hosted","customer":{"document":"${document}","documentType":"${documentType}"}}`;
		expect(sent(bench)).toEqual([post(CPF, 'CPF'), post('12ABC34501DE35', 'CNPJ')]);
	});

	it('sends no document that is of another type than is chosen, and charges the other item', async () => {
		const customer = { document: '={{ $json.document }}', documentType: 'CPF' };
		const items = [CNPJ, CPF].map((document) => ({ amount: 10, document }));

		const run = await bench.run(create({ customer }), items, CONTINUE);

		expect(run.json[0]?.error).toMatchObject({
			code: 'INVALID_INPUT',
			message: 'Customer document is a CNPJ, but Document Type says CPF',
			description: expect.stringContaining('Remove Document Type from Customer'),
		});
		expect(run.json[1]).toMatchObject({ amount: 10 });
		expect(bench.requests()).toHaveLength(1);
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

		const post = (id: string) =>
			`POST /v1/payments {"productId":"${id}","methods":["PIX"],"mode":"hosted"}`;
		const lookUp = `GET /v1/products/external/${AWKWARD_ENCODED}`;
		expect(sent(bench)).toEqual([
			post(one.id),
			post(two.id),
			post(one.id),
			post(two.id),
			// All items are prepared before the first is sent.
			lookUp,
			lookUp,
			post(two.id),
			post(two.id),
		]);
		expectOwnKeys(bench);
	});

	it('says where to look if the outcome is not known, by what a payment shows', async () => {
		bench.sandbox.faults.add({ kind: 'dropAfter', times: Infinity });

		const { error } = await bench.run(create(), [{ amount: 10 }, { amount: 20 }]);

		expect(error?.description).toContain(
			'use Payment > Get Many, by amount, creation date and description',
		);
	});

	it('charges R$ 5,00 by card, the least that is possible', async () => {
		const { error } = await bench.run(create({ methods: ['CARD'] }), [
			{ amount: '5,00' },
			{ amount: 5.01 },
		]);

		expect(error).toBeUndefined();
		expect(bench.sandbox.books.payments.map(({ amountCents }) => amountCents)).toEqual([500, 501]);
	});

	it.each([
		['an amount of zero', { amount: '0' }, {}, 'Amount is zero'],
		['card without a page', { amount: '10' }, { methods: ['CARD'], mode: 'headless' }, 'Card pay'],
		['card below R$ 5,00', { amount: '4,99' }, { methods: ['CARD'] }, 'Amount is below R$ 5,00'],
		[
			'metadata that is no object',
			{ amount: '10' },
			{ additionalFields: { metadata: '[1]' } },
			'Me',
		],
	])('sends nothing for %s', async (_name, item, more, message) => {
		const { error } = await bench.run(create(more as Parameters), [item, item]);

		expect(error?.message.startsWith(`Row 1: ${message}`)).toBe(true);
		expect(error).toHaveProperty('itemIndex', 0);
		expect(bench.requests()).toEqual([]);
	});
});

describe('Payment: Get', () => {
	it.each(['', 'nonsense', '../balance'])('sends nothing for the ID "%s"', async (id) => {
		const { error } = await bench.run(payment('get'), [{ id }, { id }]);

		expect(error?.name).toBe('NodeOperationError');
		expect(bench.requests()).toEqual([]);
	});
});

describe('Payment: Get, and what a customer pays with', () => {
	const both = () => [
		bench.sandbox.seed.payment({ amountCents: 1000 }),
		bench.sandbox.seed.payment({ amountCents: 2000, paymentMethod: 'BOLETO' }),
	];

	it.each([
		['simplified', 'qrCode', {}],
		['raw', 'qrCode', { simplify: false }],
		['in any field', 'nested', {}],
		['masked', 'nested', { options: { maskPersonalData: true } }],
	] as const)('is put out %s', async (_, fields, more) => {
		bench.sandbox.dialect.methodData.fields = fields;
		const [pix, boleto] = both();

		const byId = await bench.run(payment('get', more), [{ id: pix!.id }, { id: boleto!.id }]);
		const byTxId = await bench.run(payment('getByTxId', { txId: '={{ $json.tx }}', ...more }), [
			{ tx: pix!.txId },
			{ tx: boleto!.txId },
		]);

		for (const run of [byId, byTxId]) expectCodes(run, pix!, boleto!);
	});

	it('is absent where the service shows none', async () => {
		bench.sandbox.dialect.methodData.fields = 'typeOnly';
		const { json } = await bench.run(payment('get'), getIds(both()));
		for (const one of json) {
			expect(one).not.toHaveProperty('pixCode');
			expect(one).not.toHaveProperty('boletoLine');
		}
	});
});

describe('Payment: Get PIX QR Code', () => {
	const getPicture = async (run: Awaited<ReturnType<typeof bench.run>>, index: number) =>
		await Container.get(BinaryDataService).getAsBuffer(run.output()[index]!.binary!.data!);

	it('delivers a picture of the code of each payment', async () => {
		const payments = [1001, 2005].map((amountCents) => bench.sandbox.seed.payment({ amountCents }));

		const run = await bench.run(
			payment('getPixQrCode', { binaryPropertyName: 'data' }),
			getIds(payments),
		);

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

	it('takes the size and the margin from the options of each item', async () => {
		const payments = [bench.sandbox.seed.payment(), bench.sandbox.seed.payment()];
		const options = { ...ONE_BY_ONE, size: '={{ $json.size }}', margin: '={{ $json.margin }}' };

		const run = await bench.run(
			payment('getPixQrCode', { binaryPropertyName: 'data', options }),
			payments.map(({ id }, index) => ({ id, size: [250, '333'][index], margin: [8, 1][index] })),
		);

		for (const [index, size] of [250, 333].entries()) {
			const picture = await getPicture(run, index);
			expect([picture.readUInt32BE(16), picture.readUInt32BE(20)]).toEqual([size, size]);
			expect(decodedQrCode(picture)).toBe(run.json[index]?.pixCode);
		}
	});

	it('says how large a picture has to be, and what to do where a payment has no code', async () => {
		const boleto = bench.sandbox.seed.payment({ paymentMethod: 'BOLETO', status: 'NEW' });
		const pix = bench.sandbox.seed.payment();
		const options = { ...ONE_BY_ONE, size: '={{ $json.size }}' };

		const run = await bench.run(
			payment('getPixQrCode', { binaryPropertyName: 'data', options }),
			[
				{ id: boleto.id, size: 300 },
				{ id: pix.id, size: 50 },
				{ id: pix.id, size: 300 },
			],
			CONTINUE,
		);

		const [noCode, tooSmall, none] = run.errors;
		expect(noCode).toMatchObject({
			code: 'NO_PIX_CODE',
			message: 'The payment has no PIX code (BOLETO, NEW)',
			effect: 'none',
			retryable: false,
		});
		expect(tooSmall?.message).toMatch(/^The QR code of this payment needs at least \d+ pixels/);
		expect(none).toBeUndefined();
	});
});

describe('Payment: Get Many', () => {
	const getAll = (more: Parameters = {}) => payment('getAll', { returnAll: true, ...more });

	it('lets Additional Query Parameters replace what it sends, and add to it', async () => {
		const parameter = [
			{ name: 'status', value: 'NEW' },
			{ name: 'limit', value: '={{ $json.limit }}' },
			{ name: 'reference', value: 'a b&c=ç+d/e' },
			{ name: '', value: 'ignored' },
		];

		await bench.run(
			getAll({
				filters: { status: 'PAID' },
				options: { ...ONE_BY_ONE, additionalQueryParameters: { parameter } },
			}),
			[{ limit: '7' }, { limit: '8' }],
		);

		const queries = bench
			.requests()
			.map(({ url }) => [...new URL(url, bench.sandbox.url).searchParams]);
		expect(queries).toEqual(
			['7', '8'].map((limit) => [
				['status', 'NEW'],
				['page', '1'],
				['limit', limit],
				['reference', 'a b&c=ç+d/e'],
			]),
		);
	});
});

describe('Payment: Refund', () => {
	const refund = payment('refund', {
		amount: '={{ $json.amount }}',
		reason: '={{ $json.reason }}',
	});
	const paid = (amountCents: number) =>
		bench.sandbox.seed.payment({ status: 'PAID', amountCents }).id;

	it('refunds each item, in full unless an amount is given', async () => {
		const ids = [paid(1001), paid(123_456)];

		const run = await bench.run(refund, [
			{ id: ids[0] },
			{ id: ids[1], amount: '1.234,56', reason: 'Pedido "2" cancelado' },
		]);

		expect(sent(bench)).toEqual([
			`POST /v1/payments/${ids[0]}/refund {}`,
			`POST /v1/payments/${ids[1]}/refund {"amount":1234.56,"reason":"Pedido \\"2\\" cancelado"}`,
		]);
		expectOwnKeys(bench);
		expect(run.sources).toEqual([0, 1]);
		expect(run.json).toMatchObject([
			{ amount: 10.01, status: 'PENDING' },
			{ amount: 1234.56, reason: 'Pedido "2" cancelado' },
		]);
		expect(bench.sandbox.books.refunds.map(({ paymentId }) => paymentId)).toEqual(ids);
	});
});

describe('a payment chosen in another way', () => {
	const by = (mode: string, value: string): Parameters => ({
		paymentId: { __rl: true, mode, value } as never,
	});

	it.each([
		['from the list', 'list', '={{ $json.id }}', 0],
		['by its ID', 'id', '={{ $json.id }}', 0],
		['by its TxID', 'txId', '={{ $json.txId }}', 2],
	])('%s is the same', async (_, mode, value, lookUps) => {
		const payments = [bench.sandbox.seed.payment(), bench.sandbox.seed.payment()];
		const items = payments.map(({ id, txId }) => ({ id, txId }));

		const run = await bench.run(payment('get', by(mode, value)), items);

		expect(run.ids).toEqual(payments.map(({ id }) => id));
		expect(sent(bench).filter((line) => line.includes('/txid/'))).toHaveLength(lookUps);
	});

	it('by a TxID that no payment has says so, and refunds nothing', async () => {
		const { error } = await bench.run(payment('refund', by('txId', 'PAY0')), [{}, {}]);

		expect(error?.message).toBe('Row 1: There is no such record in this account and environment');
		expect(bench.sandbox.books.refunds).toEqual([]);
	});

	it('asks for the TxID where it is missing', async () => {
		const { error } = await bench.run(payment('get', by('txId', '={{ $json.none }}')), [{}, {}]);

		expect(error?.message).toMatch(/^Row 1: TxID is empty/);
	});
});

describe('Payment: Download Boleto', () => {
	it('delivers the very bytes of each PDF', async () => {
		const boletos = [1001, 2005].map((amountCents) =>
			bench.sandbox.seed.payment({ paymentMethod: 'BOLETO', amountCents }),
		);

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
			expect(file).toMatchObject({
				mimeType: 'application/pdf',
				fileName: `boleto-${boleto.id}.pdf`,
				fileExtension: 'pdf',
			});
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
	const seeded = () =>
		['PAID', 'EXPIRED'].map((status) => ({ id: bench.sandbox.seed.payment().id, status }));
	const simulate = (options: Parameters = {}) =>
		payment('simulate', {
			status: '={{ $json.status }}',
			options: { ...ONE_BY_ONE, ...options } as never,
		});

	it('forces the status of each item', async () => {
		const items = seeded();

		const run = await bench.run(simulate(), items);

		expect(sent(bench)).toEqual([
			`POST /v1/payments/${items[0]?.id}/simulate {"status":"PAID"}`,
			`POST /v1/payments/${items[1]?.id}/simulate {"status":"EXPIRED"}`,
		]);
		expectNoKeys(bench);
		for (const { headers } of bench.requests()) {
			expect(headers['content-type']).toBe('application/json');
		}
		expect(run.json.map(({ status }) => status)).toEqual(['PAID', 'EXPIRED']);
		expect(run.sources).toEqual([0, 1]);
	});

	it('sends the body of the options instead', async () => {
		const items = seeded();

		await bench.run(simulate({ body: '={"status": "{{ $json.status }}", "outcome": "x"}' }), items);

		expect(bench.requests().map(({ rawBody }) => rawBody.toString())).toEqual([
			'{"status":"PAID","outcome":"x"}',
			'{"status":"EXPIRED","outcome":"x"}',
		]);
	});

	it('sends nothing with a live key', async () => {
		const { error } = await bench.run(simulate(), seeded(), { credential: bench.liveCredential });

		expect(error?.message).toBe(
			'Row 1: Simulate works with test keys only, and this is a live key',
		);
		expect(bench.requests()).toEqual([]);
	});

	it('takes an empty response for success', async () => {
		const items = seeded();
		bench.sandbox.faults.add({ kind: 'status', status: 204, body: '', times: 2, process: true });

		const { json } = await bench.run(simulate(), items);

		expect(json).toEqual(items.map(({ id }) => ({ id })));
	});
});

describe('Payment: Create with an External ID that was used before, not once per External ID', () => {
	const charge = (more: Parameters = {}): Parameters => ({
		resource: 'payment',
		operation: 'create',
		amount: '={{ $json.amount }}',
		methods: ['CARD'],
		additionalFields: { externalId: '={{ $json.order }}' },
		options: { ...ONE_BY_ONE, oncePerExternalId: false },
		...more,
	});
	it('names the old payment where it has another amount, and charges the other item', async () => {
		await bench.run(charge(), [{ amount: 10, order: 'o-1' }]);
		const [old] = bench.sandbox.books.payments;

		const items = [
			{ amount: 20, order: 'o-1' },
			{ amount: 30, order: 'o-2' },
		];
		const run = await bench.run(charge(), items, CONTINUE);

		expect(run.json[0]?.error).toMatchObject({
			code: 'EXISTING_PAYMENT',
			effect: 'none',
			retryable: false,
			message: expect.stringMatching(/returned that payment \(R\$\s10,00\) instead of a new one/),
			description: expect.stringContaining(old!.id),
		});
		expect(run.json[1]).toMatchObject({ amount: 30 });
	});

	it('charges in a retry under a corrected External ID', async () => {
		await bench.run(charge(), [{ amount: 10, order: 'o-1' }]);
		const failed = await bench.run(charge(), [{ amount: 20, order: 'o-1' }]);
		failed.workflow.nodes['BRL Payments']!.parameters.additionalFields = { externalId: 'o-1b' };

		const { json, error } = await bench.retry(failed);

		expect(error).toBeUndefined();
		expect(json).toMatchObject([{ amount: 20 }]);
		expect(bench.sandbox.books.payments).toHaveLength(2);
	});

	it('returns the old payment where it is the same, and says so', async () => {
		const [first] = (await bench.run(charge(), [{ amount: 10, order: 'o-1' }])).json;
		bench.clock.advance(3_600_000);

		const run = await bench.run(charge(), [{ amount: 10, order: 'o-1' }]);

		expect(run.ids).toEqual([first?.id]);
		expect(run.hints).toEqual([
			expect.stringContaining('returned an earlier one with the same External ID'),
		]);
	});
});
