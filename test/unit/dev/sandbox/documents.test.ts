import { boletoPdf } from '../../../../dev/sandbox';
import { useBench, withdrawalBody } from './support';

const bench = useBench();

describe('boleto', () => {
	test('is a PDF, the same bytes every time, different for another payment', async () => {
		const [one, two] = [5_000, 6_000].map((amountCents) =>
			bench.sandbox.seed.payment({ paymentMethod: 'BOLETO', amountCents }),
		);
		const first = await bench.get(`/v1/payments/${one!.id}/boleto`);
		expect(first.headers.get('content-type')).toBe('application/pdf');
		expect(first.text).toMatch(/^%PDF-[^]*%%EOF\s*$/);
		bench.clock.advance(1_000);
		expect((await bench.get(`/v1/payments/${one!.id}/boleto`)).bytes.equals(first.bytes)).toBe(
			true,
		);
		expect((await boletoPdf(two!)).equals(first.bytes)).toBe(false);
	});

	test('exists for the method BOLETO only', async () => {
		const { id } = bench.sandbox.seed.payment({ paymentMethod: 'PIX' });
		expect((await bench.get(`/v1/payments/${id}/boleto`)).code).toBe('NOT_FOUND');
	});
});

describe('receipt', () => {
	const receipt = (id: string, query = '') =>
		bench.get(`/v1/documents/payments/${id}/receipt${query}`);

	test('html by default or text, the document itself, with everything escaped', async () => {
		const paid = { status: 'PAID', description: '<b>&"', amountCents: 123_456 } as const;
		const { id } = bench.sandbox.seed.payment(paid);
		for (const query of ['', '?format=html']) {
			const page = await receipt(id, query);
			expect(page.headers.get('content-type')).toMatch(/^text\/html/);
			expect(page.text).toContain('&lt;b&gt;&amp;&quot;');
			expect(page.text).not.toContain('<b>');
			expect(page.text).toContain('R$ 1.234,56');
		}
		const plain = await receipt(id, '?format=text');
		expect(plain.headers.get('content-type')).toMatch(/^text\/plain/);
		expect(plain.text).toContain('Descrição: <b>&"');
		expect((await receipt(id, '?format=pdf')).code).toBe('VALIDATION_ERROR');
	});

	test.each([
		['PAID', 200],
		['REFUNDED', 200],
		['CONFIRMED', 400],
		['CHARGEBACK', 400],
		['NEW', 400],
	] as const)('a payment that is %s: %d', async (status, expected) => {
		expect((await receipt(bench.sandbox.seed.payment({ status }).id)).status).toBe(expected);
	});
});

describe('statement', () => {
	const read = async (query: string, key = bench.sandbox.keys.live) =>
		bench.get(`/v1/documents/statements?${query}`, key);
	const march = 'startDate=2026-03-01&endDate=2026-03-31';

	test('the production ledger, from opening to closing balance', async () => {
		const { sandbox, clock } = bench;
		const { id, txId } = sandbox.seed.payment({ environment: 'PRODUCTION', amountCents: 10_000 });
		sandbox.setPaymentStatus(id, 'PAID');
		await bench.post('/v1/withdrawals', withdrawalBody(), { key: sandbox.keys.live });
		// Frozen money is still the account's own.
		const pending = (await read(`${march}&format=text`)).json.content;
		expect(pending).toContain('Closing balance: R$ 1.000.099,01');
		clock.advance(5_000);
		const { json } = await read(`${march}&format=text`);
		expect(Object.keys(json as object)).toEqual(['content']);
		expect(json.content).toMatch(/^Opening balance: R\$ 1\.000\.000,00$/m);
		expect(json.content).toMatch(new RegExp(`PAYMENT .*${txId}.*R\\$ 99,01$`, 'm'));
		expect(json.content).toMatch(/WITHDRAWAL .*-R\$ 101,50$/m);
		expect(json.content).toMatch(/^Closing balance: R\$ 999\.997,51$/m);
		expect((await read(march)).json.content).toMatch(/^<!doctype html>/);
	});

	test('a test key gets an empty one, with zero balances', async () => {
		const { json } = await read(`${march}&format=text`, bench.sandbox.keys.test);
		expect(json.content).toMatch(/Opening balance: R\$ 0,00\nClosing balance: R\$ 0,00/);
	});

	test('90 days pass, 91 do not', async () => {
		expect((await read('startDate=2026-01-01&endDate=2026-04-01')).status).toBe(200);
		const { json } = await read('startDate=2026-01-01&endDate=2026-04-02');
		expect(json.error.details).toEqual({ endDate: 'At most 90 days' });
	});
});
