import { boletoPdf } from '../../../../dev/sandbox';
import { useBench } from './support';

const bench = useBench();

describe('boleto', () => {
	test('is a PDF, the same bytes every time, different for another payment', async () => {
		const { seed } = bench.sandbox;
		const [one, two] = [5_000, 6_000].map((amountCents) =>
			seed.payment({ paymentMethod: 'BOLETO', amountCents, customer: { name: 'Maria' } }),
		);
		if (!one || !two) throw new Error('unreachable');
		const first = await bench.get(`/v1/payments/${one.id}/boleto`);
		expect(first.headers.get('content-type')).toBe('application/pdf');
		expect(first.bytes.subarray(0, 5).toString()).toBe('%PDF-');
		expect(first.bytes.subarray(-6).toString()).toContain('%%EOF');
		bench.clock.advance(1_000);
		expect((await bench.get(`/v1/payments/${one.id}/boleto`)).bytes.equals(first.bytes)).toBe(true);
		expect((await boletoPdf(one)).equals(first.bytes)).toBe(true);
		expect((await boletoPdf(two)).equals(first.bytes)).toBe(false);
	});

	test('exists for the method BOLETO only', async () => {
		const { id } = bench.sandbox.seed.payment({ paymentMethod: 'PIX' });
		const answer = await bench.get(`/v1/payments/${id}/boleto`);
		expect([answer.status, answer.json.error.code]).toEqual([404, 'NOT_FOUND']);
	});
});

describe('receipt', () => {
	test('html by default or text, the document itself, with everything escaped', async () => {
		const { seed } = bench.sandbox;
		const { id } = seed.payment({ status: 'PAID', description: '<b>&"', amountCents: 123_456 });
		const path = `/v1/documents/payments/${id}/receipt`;
		for (const query of ['', '?format=html']) {
			const page = await bench.get(path + query);
			expect(page.headers.get('content-type')).toMatch(/^text\/html/);
			expect(page.text).toContain('&lt;b&gt;&amp;&quot;');
			expect(page.text).not.toContain('<b>');
			expect(page.text).toContain('R$ 1.234,56');
		}
		const plain = await bench.get(`${path}?format=text`);
		expect(plain.headers.get('content-type')).toMatch(/^text\/plain/);
		expect(plain.text).toContain('Descrição: <b>&"');
		expect((await bench.get(`${path}?format=pdf`)).json.error.code).toBe('VALIDATION_ERROR');
	});

	test.each([
		['PAID', 200],
		['REFUNDED', 200],
		['CONFIRMED', 400],
		['CHARGEBACK', 400],
		['NEW', 400],
	] as const)('a payment that is %s: %d', async (status, expected) => {
		const { id } = bench.sandbox.seed.payment({ status });
		const answer = await bench.get(`/v1/documents/payments/${id}/receipt`);
		expect(answer.status).toBe(expected);
	});
});

describe('statement', () => {
	const read = async (query: string, key = bench.sandbox.keys.live) =>
		bench.get(`/v1/documents/statements?${query}`, key);
	const march = 'startDate=2026-03-01&endDate=2026-03-31';

	test('the production ledger, from opening to closing balance', async () => {
		const { sandbox, clock } = bench;
		const payment = sandbox.seed.payment({ environment: 'PRODUCTION', amountCents: 10_000 });
		sandbox.setPaymentStatus(payment.id, 'PAID');
		await bench.post(
			'/v1/withdrawals',
			{ amount: 50, destination: { pixKey: '52998224725' } },
			{ key: sandbox.keys.live },
		);
		// Frozen money is still the account's own.
		const pending = (await read(`${march}&format=text`)).json.content;
		expect(pending).toContain('Closing balance: R$ 1.000.099,01');
		clock.advance(5_000);
		const { json, status } = await read(`${march}&format=text`);
		expect(status).toBe(200);
		expect(Object.keys(json)).toEqual(['content']);
		const lines: string[] = json.content.split('\n');
		expect(lines).toContain('Opening balance: R$ 1.000.000,00');
		expect(lines.find((line) => line.includes(payment.txId))).toMatch(/PAYMENT .*R\$ 99,01$/);
		expect(lines.find((line) => line.includes('WITHDRAWAL'))).toMatch(/-R\$ 51,50$/);
		expect(lines).toContain('Closing balance: R$ 1.000.047,51');
		expect((await read(march)).json.content).toMatch(/^<!doctype html>/);
	});

	test('90 days pass, 91 do not', async () => {
		expect((await read('startDate=2026-01-01&endDate=2026-04-01')).status).toBe(200);
		const { json } = await read('startDate=2026-01-01&endDate=2026-04-02');
		expect(json.error.details).toEqual({ endDate: 'At most 90 days' });
	});
});
