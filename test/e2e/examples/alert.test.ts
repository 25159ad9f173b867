/** The example that reports what needs a person, in a real n8n. */
import { ALERT_EXAMPLE, readExample } from '../../../dev/demo/examples';
import type { Mail } from '../../../dev/demo/mailbox';
import { payEachItem, webhookStart, buildWorkflow } from '../../../dev/n8n/rest/workflow';
import { makePayouts } from '../support/payouts';
import { DAY_MS, getError, MINUTE_MS, useExampleWorld } from './exampleWorld';

const RECIPIENT = 'alerts@example.com';
const PAID = { status: 'PAID', createdAt: Date.now() - 3 * 60 * MINUTE_MS } as const;

const world = useExampleWorld();

const check = async () => await world.runExample(ALERT_EXAMPLE, 'Every Hour');

/** What one check sends; a second one right after it must have nothing to add. */
async function readAlert(): Promise<Mail> {
	const [mail] = await world.nextMail(RECIPIENT, async () => {
		expect(getError(await check())).toBeUndefined();
		expect(getError(await check())).toBeUndefined();
	});
	return mail;
}

/** A key that has this many days to live is used from now on. */
async function useKeyExpiringIn(days: number): Promise<string> {
	const expiresAt = new Date(Date.now() + days * DAY_MS).toISOString();
	const name = `n8n, ${days} days`;
	await world.useKey(
		world.sandbox.createKey({ name, environment: 'PRODUCTION', scopes: ['*'], expiresAt }),
	);
	return name;
}
afterEach(async () => await world.useKey(world.sandbox.keys.live));

// The first check makes the table.
beforeAll(async () => expect((await check()).status).toBe('success'), MINUTE_MS);

it('ends quietly when all is well, and the key has more than 14 days', async () => {
	await useKeyExpiringIn(15);
	const known = await world.countMailsTo(RECIPIENT);
	const { txId } = world.seedPayment(PAID);
	await world.addTableRows('Payments received', { txId, receivedAt: new Date().toISOString() });
	world.seedPayment({ createdAt: PAID.createdAt });
	const execution = await check();
	expect(execution.status).toBe('success');
	expect(await world.countMailsTo(RECIPIENT)).toBe(known);
});

it('reports, once, which paid payments have sent no event, and where to look', async () => {
	const missed = [
		world.seedPayment({ ...PAID, amountCents: 12_590 }),
		world.seedPayment({ ...PAID, amountCents: 48_000, status: 'CONFIRMED' }),
	];
	const arrived = world.seedPayment(PAID);
	const unpaid = world.seedPayment({ createdAt: PAID.createdAt });
	const late = world.seedPayment({ status: 'PAID', createdAt: Date.now() - MINUTE_MS });
	const receivedAt = new Date().toISOString();
	await world.addTableRows('Payments received', { txId: arrived.txId, receivedAt });

	const { subject, text } = await readAlert();

	expect(subject).toBe('Minha empresa: 2 avisos');
	for (const { txId } of missed) expect(text).toContain(txId);
	for (const { txId } of [arrived, unpaid, late]) expect(text).not.toContain(txId);
	expect(text.replaceAll('\u00a0', ' ')).toContain('R$ 125,90');
	expect(text).toContain('O endpoint foi suspenso?');
});

it.each([0.5, 6, 13])('reports, once, that the key expires in %d days', async (days) => {
	const name = await useKeyExpiringIn(days);
	const { subject, text } = await readAlert();
	expect(subject).toBe('Minha empresa: 1 aviso');
	expect(text).toContain(`A chave de API "${name}" expira em`);
	expect(text).not.toContain('endpoint');
});

it('reports an execution that failed, in a workflow that names it, and how to continue', async () => {
	const id = world.workflows[ALERT_EXAMPLE]!;
	await world.client.activateWorkflow(id);
	const nodes = [...webhookStart('pay-list'), payEachItem()];
	const workflow = buildWorkflow('Pay the list', nodes);
	const payer = await world.listen({ ...workflow, settings: { errorWorkflow: id } });
	world.sandbox.account.balanceCents = 0;
	const [mail, executionId] = await world.nextMail(
		RECIPIENT,
		async () => await world.trigger(payer, 'pay-list', { items: makePayouts(2) }),
	);

	expect(mail.subject).toBe('Falhou: Pay the list');
	expect(mail.text).toMatch(/balance/i);
	expect(mail.text).toContain(`/workflow/${payer}/executions/${executionId}`);
	expect(mail.text).toContain('clique em Retry. O que já foi pago não é pago de novo');
});

it('reports that the check itself has failed', async () => {
	const known = await world.countMailsTo(RECIPIENT);
	await world.useKey(world.sandbox.keys.live.replace(/.{4}$/, 'xxxx'));
	const { nodes, ...example } = await readExample(ALERT_EXAMPLE);
	const everySecond = { rule: { interval: [{ field: 'seconds', secondsInterval: 1 }] } };
	const id = await world.listen({
		...example,
		name: 'Alert, every second',
		nodes: nodes.map((node) =>
			node.name === 'Every Hour' ? { ...node, parameters: everySecond } : node,
		),
	});
	const [mail] = (await world.mailsTo(RECIPIENT, known + 1)).slice(known);
	await world.client.request('POST', `/rest/workflows/${id}/deactivate`, {});
	expect(mail!.subject).toBe('Falhou: Alert, every second');
	expect(mail!.text).toMatch(/API key/);
});
