/** What people type in n8n's nodes panel, and whether they find the nodes by it. */
import action from '../../../nodes/BrlPayments/BrlPayments.node.json';
import trigger from '../../../nodes/BrlPaymentsTrigger/BrlPaymentsTrigger.node.json';
import manifest from '../../../package.json';

const withoutAccents = (word: string): string =>
	word.normalize('NFD').replaceAll(/\p{Diacritic}/gu, '');

it.each([
	['BRL Payments', action, 'brlPayments'],
	['BRL Payments Trigger', trigger, 'brlPaymentsTrigger'],
])('%s: belongs to the node, and names no word twice', (_name, codex, node) => {
	expect(codex.node).toBe(`${manifest.name}.${node}`);
	expect(new Set(codex.alias).size).toBe(codex.alias.length);
});

it.each([
	...['pix', 'boleto', 'cobrança', 'saque', 'payout', 'withdrawal', 'payment'],
	...['pagar fornecedor', 'pay supplier', 'cobrar', 'receber', 'salário', 'folha', 'enviar pix'],
])('is found by "%s"', (word) => {
	expect(action.alias).toContain(word);
});

it.each([
	'pagamento recebido',
	'pix recebido',
	'cobrança paga',
	'recebimento',
	'notificação',
	'saque',
	'pix',
])('its trigger is found by "%s"', (word) => {
	expect(trigger.alias).toContain(word);
});

it.each([
	['BRL Payments', action],
	['BRL Payments Trigger', trigger],
])('%s: has each word with an accent also without, as many type it', (_name, { alias }) => {
	const accented = alias.filter((word) => withoutAccents(word) !== word);
	for (const word of accented) expect(alias).toContain(withoutAccents(word));
});

it('is found by the words of its trigger, too: n8n lists both in one entry, with the words of the node', () => {
	expect(action.alias).toEqual(expect.arrayContaining(trigger.alias));
});
