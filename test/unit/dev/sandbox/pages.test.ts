import { useBench } from './support';

const bench = useBench();

const hosted = async (amount: number, key: string, methods = ['PIX', 'CARD']) => {
	const completionUrl = 'https://shop.example/done?a=1&b="';
	const body = { amount, mode: 'hosted', methods, completionUrl };
	return (await bench.post('/v1/payments', body, { key })).json.payment;
};

const choose = (id: string, fields: Record<string, string>) =>
	bench.send({
		...{ method: 'POST', path: `/checkout/${id}`, key: null },
		headers: { 'content-type': 'application/x-www-form-urlencoded' },
		body: new URLSearchParams(fields).toString(),
	});

const read = async (id: string, key: string) =>
	(await bench.get(`/v1/payments/${id}`, key)).json.payment;

test('the checkout offers the methods of the payment, three buttons, and says what it is', async () => {
	const { id } = await hosted(50, bench.sandbox.keys.test);
	const page = await bench.get(`/checkout/${id}`);
	expect(page.status).toBe(200);
	for (const text of ['Emulador — nenhum dinheiro de verdade', 'lang="pt-BR"', 'R$ 50,00']) {
		expect(page.text).toContain(text);
	}
	expect(page.text).toMatch(/Vencimento: \d\d\/\d\d\/\d{4} \d\d:\d\d/);
	const values = [...page.text.matchAll(/value="(\w+)"/g)].map((match) => match[1]);
	expect(values).toEqual(['PIX', 'CREDIT', 'DEBIT', 'pay', 'decline', 'expire']);
});

test('with a test key paying starts the cents rule 5 s later, not before the choice', async () => {
	const { test: key } = bench.sandbox.keys;
	const { id } = await hosted(50.03, key);
	bench.clock.advance(60_000);
	expect((await read(id, key)).status).toBe('PENDING_METHOD_SELECTION');
	const answer = await choose(id, { action: 'pay', method: 'PIX' });
	expect([answer.status, answer.headers.get('location')]).toEqual([303, `/checkout/${id}`]);
	expect((await read(id, key)).status).toBe('NEW');
	bench.clock.advance(5_000);
	expect((await read(id, key)).status).toBe('CANCELLED');
});

test('with a live key PIX is paid at once, a card is confirmed and keeps its funding type', async () => {
	const { live } = bench.sandbox.keys;
	const pay = async (method: string) => {
		const { id } = await hosted(50, live);
		await choose(id, { action: 'pay', method });
		return await read(id, live);
	};
	expect((await pay('PIX')).status).toBe('PAID');
	const card = await pay('DEBIT');
	expect(card).toMatchObject({
		...{ status: 'CONFIRMED', paymentMethod: 'CARD', feeAmount: 3.99 },
		methodData: { type: 'CARD', cardFundingType: 'debit' },
	});
	const page = await bench.get(`/checkout/${card.id}`);
	expect(page.text).toContain('href="https://shop.example/done?a=1&amp;b=&quot;"');
});

test.each([
	['decline', 'CANCELLED'],
	['expire', 'EXPIRED'],
])('"%s" makes it %s, which is final', async (action, status) => {
	const { test: key } = bench.sandbox.keys;
	const { id } = await hosted(50, key);
	await choose(id, { action });
	expect((await choose(id, { action: 'pay', method: 'PIX' })).status).toBe(409);
	expect((await read(id, key)).status).toBe(status);
});

test('a method that was not offered, no method, no payment: all refused', async () => {
	const { test: key } = bench.sandbox.keys;
	const { id } = await hosted(50, key, ['PIX']);
	expect((await choose(id, { action: 'pay', method: 'CREDIT' })).status).toBe(400);
	expect((await choose(id, { action: 'pay' })).status).toBe(400);
	expect((await choose(id, { action: 'x' })).status).toBe(400);
	expect((await read(id, key)).status).toBe('PENDING_METHOD_SELECTION');
	const headless = bench.sandbox.seed.payment().id;
	expect((await bench.get(`/checkout/${headless}`)).status).toBe(404);
	expect((await choose(headless, { action: 'pay', method: 'PIX' })).status).toBe(404);
	expect((await bench.get('/checkout/%3Cscript%3E')).text).not.toContain('<script>');
});
