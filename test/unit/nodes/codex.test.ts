/** What people type in n8n's nodes panel, and whether they find the nodes by it. */
import action from '../../../nodes/BrlPayments/BrlPayments.node.json';
import trigger from '../../../nodes/BrlPaymentsTrigger/BrlPaymentsTrigger.node.json';
import manifest from '../../../package.json';

const withoutAccents = (word: string): string =>
	word.normalize('NFD').replaceAll(/\p{Diacritic}/gu, '');

it.each([
	['BRL Payments', action, 'brlPayments'],
	['BRL Payments Trigger', trigger, 'brlPaymentsTrigger'],
])(
	'%s: belongs to the node, and has each word once, without its accents too',
	(_name, codex, node) => {
		expect(codex.node).toBe(`${manifest.name}.${node}`);
		expect(new Set(codex.alias).size).toBe(codex.alias.length);
		expect(codex.alias).toEqual(expect.arrayContaining(codex.alias.map(withoutAccents)));
	},
);

it('each is found by what people type', () => {
	expect(action.alias).toEqual(
		expect.arrayContaining([
			...['pix', 'boleto', 'cobrança', 'saque', 'payout', 'withdrawal', 'payment', 'receber'],
			...['pagar fornecedor', 'pay supplier', 'cobrar', 'salário', 'folha', 'enviar pix'],
		]),
	);
	expect(trigger.alias).toEqual(
		expect.arrayContaining([
			...['pagamento recebido', 'pix recebido', 'cobrança paga', 'recebimento', 'notificação'],
		]),
	);

	// n8n lists both in one entry, with the words of the node.
	expect(action.alias).toEqual(expect.arrayContaining(trigger.alias));
});
