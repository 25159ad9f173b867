/** A static PIX code ("copia e cola") in place of a PIX key. */
import { useBench } from '../support/harness';
import { payEach } from '../support/payouts';
import { CONTINUE } from '../support/workflow';
import { sent } from '../support/wire';

const bench = useBench();

// Made with pix-utils 2.8.2.
const MARIA =
	'00020126540014br.gov.bcb.pix0117maria@example.com0211Pedido 10425204000053039865406149.905802BR5911MARIA SILVA6009SAO PAULO62070503***6304D4A0';
const JOSE =
	'00020126330014br.gov.bcb.pix0111529982247255204000053039865802BR5910JOSE SOUZA6006RECIFE62070503***6304965D';
const LOJA =
	'00020126360014br.gov.bcb.pix0114+5511987654321520400005303986540510.005802BR5912LOJA EXEMPLO6008CURITIBA62140510PEDIDO104263049174';
const DAMAGED = `${MARIA.slice(0, -1)}1`;

const TO_MARIA = { recipientName: 'MARIA SILVA', recipientCity: 'SAO PAULO' };
const TO_JOSE = { recipientName: 'JOSE SOUZA', recipientCity: 'RECIFE' };
const BOTH = [
	{ amount: '', pixKey: MARIA },
	{ amount: '25,00', pixKey: JOSE },
];

const pay = payEach({ maxConcurrency: 1 });

it('pays the key and the amount of the code, and shows whom', async () => {
	const { json, hints } = await bench.run(pay, BOTH);

	expect(sent(bench).filter((line) => line.startsWith('POST'))).toEqual([
		'POST /v1/withdrawals {"amount":149.9,"destination":{"pixKey":"maria@example.com"}}',
		'POST /v1/withdrawals {"amount":25,"destination":{"pixKey":"52998224725"}}',
	]);
	expect(json).toMatchObject([
		{ pixKey: 'maria@example.com', ...TO_MARIA },
		{ pixKey: '52998224725', ...TO_JOSE },
	]);
	expect(hints.join()).not.toContain('identifier');
});

it('stands for its key in Allowed PIX Keys', async () => {
	const options = { allowedPixKeys: `${MARIA}\n52998224725`, whenOverLimit: 'refuseItem' };
	const items = [
		{ amount: '149,90', pixKey: 'maria@example.com' },
		{ amount: '25,00', pixKey: JOSE },
		{ amount: '', pixKey: LOJA },
	];
	const { codes } = await bench.run({ ...pay, options }, items, CONTINUE);
	expect(codes).toEqual([undefined, undefined, 'OVER_LIMIT']);
});

it('takes the same amount beside the code, and says that its identifier does not reach the recipient', async () => {
	const { json, hints } = await bench.run(pay, [
		{ amount: '149,90', pixKey: MARIA },
		{ amount: 10, pixKey: LOJA },
	]);
	expect(json.map(({ netAmount }) => netAmount)).toEqual([149.9, 10]);
	expect(hints.join()).toContain('an identifier for the recipient');
});

it.each([
	['another amount', '150,00', MARIA, 'the PIX code in PIX Key is for R$ 149,90'],
	['no amount', '', JOSE, 'Amount is empty, and the PIX code in PIX Key contains no amount'],
	['a damaged code', '', DAMAGED, 'damaged'],
])('sends nothing if one row has %s', async (_, amount, pixKey, message) => {
	const { error } = await bench.run(pay, [BOTH[0]!, { amount, pixKey }]);
	expect(`${error?.message} ${String(error?.description)}`).toContain(message);
	expect(bench.sandbox.books.withdrawals).toEqual([]);
});

it('is checked with the list', async () => {
	const { json } = await bench.run({ ...pay, operation: 'checkBatch' }, BOTH);
	expect(json).toMatchObject([
		{ ok: true, amount: 149.9, pixKey: 'maria@example.com', ...TO_MARIA },
		{ ok: true, amount: 25, ...TO_JOSE },
	]);
});
