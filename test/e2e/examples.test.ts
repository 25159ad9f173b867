/** Each example in a real n8n: imported as n8n's command line does it, and run. */
import { cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import type { IDataObject } from 'n8n-workflow';

import { checkPayouts, type PayoutResult } from '../../demo/check';
import { mailCredential, saveCredential } from '../../demo/credentials';
import { examplesFolder, listExamples, loadExamples, readExample } from '../../demo/examples';
import { startMailbox, type Mailbox } from '../../demo/mailbox';
import { itemsOf } from '../../demo/n8n/executionData';
import { runN8nCommand } from '../../demo/n8n/install';
import { waitFor } from '../../demo/n8n/waitFor';
import { readPayouts, REFUSED_ON_PURPOSE } from '../../demo/payoutList';
import { useWorld } from './support/world';

const world = useWorld();
let mailbox: Mailbox;
let workflows: Record<string, string>;

beforeAll(async () => {
	mailbox = await startMailbox(world.host, world.n8n.userFolder);
	await saveCredential(world.client, mailCredential(mailbox.smtpPort));
	workflows = await loadExamples(world.client, world.n8n.userFolder);
});
afterAll(async () => await mailbox?.close());

it('use only node types and versions that this n8n has', async () => {
	const versions = await world.client.nodeTypes();
	for (const file of await listExamples()) {
		for (const { type, typeVersion } of (await readExample(file)).nodes) {
			expect([type, [...(versions.get(type) ?? [])]]).toEqual([
				type,
				expect.arrayContaining([typeVersion]),
			]);
		}
	}
});

it('are imported by "n8n import:workflow"', async () => {
	// The command reads every JSON file of a folder, and n8n must not be running meanwhile.
	const folder = await mkdtemp(join(tmpdir(), 'examples-'));
	try {
		for (const file of await listExamples()) {
			await cp(join(examplesFolder, file), join(folder, file));
		}
		await world.n8n.stop();
		const { userFolder, env } = world.n8n;
		const output = await runN8nCommand(
			world.host,
			['import:workflow', '--separate', `--input=${folder}`],
			{ cwd: userFolder, env, timeoutMs: 60_000 },
		);
		const { length: count } = await listExamples();
		expect(output).toContain(`Successfully imported ${count} workflows`);
	} finally {
		await world.startN8n();
		await rm(folder, { recursive: true });
	}
	for (const file of await listExamples()) {
		const { name } = await readExample(file);
		const count = (await world.client.listWorkflows()).filter((each) => each.name === name).length;
		expect([name, count]).toEqual([name, 2]);
	}
});

it('payouts from a spreadsheet: pays each row once and refuses the two bad ones', async () => {
	const execution = await world.client.runToEnd(
		workflows['payouts-from-spreadsheet.json']!,
		'When Clicking Execute Workflow',
	);
	expect(execution.data.resultData.error?.message).toBeUndefined();
	const results = itemsOf(execution, 'Result').map(({ json }) => json as unknown as PayoutResult);
	const faults = checkPayouts(
		{ rows: readPayouts(), refused: REFUSED_ON_PURPOSE },
		results,
		world.sandbox.books.withdrawals,
	);
	expect(faults).toEqual([]);
});

it('payment link: a form becomes a payment and an e-mail with its link', async () => {
	const id = workflows['payment-link-with-email.json']!;
	await world.client.activateWorkflow(id);
	const { nodes } = await readExample('payment-link-with-email.json');
	const { webhookId } = nodes.find(({ type }) => type.endsWith('formTrigger'))!;
	const form = new FormData();
	// n8n's form page sends the fields by number, in their order.
	const answers = ['João da Silva', 'joao@example.com', '390.533.447-05', '1.234,56', 'Order 77'];
	for (const [index, answer] of answers.entries()) form.set(`field-${index}`, answer);
	await waitFor(
		async () => {
			const response = await fetch(`${world.n8n.url}/form/${webhookId}`, {
				method: 'POST',
				body: form,
			});
			await response.text();
			return response.status === 200;
		},
		{ what: 'the form to answer', timeoutMs: 15_000 },
	);
	const mail = await waitFor(async () => (await mailbox.mails())[0], { what: 'an e-mail' });
	expect(mail.to.map(({ address }) => address)).toEqual(['joao@example.com']);
	const [payment] = world.sandbox.books.payments;
	expect(world.sandbox.books.payments).toHaveLength(1);
	expect(payment).toMatchObject({ amountCents: 123_456, mode: 'hosted', externalId: 'Order 77' });
	expect(payment!.methods).toEqual(['PIX', 'CARD']);
	const link = `${world.sandbox.url}/checkout/${payment!.id}`;
	expect(mail.text).toContain(link);
	expect(mail.text).toContain('Hello João da Silva');
	// What the customer sees there is the payment page.
	expect((await fetch(link)).status).toBe(200);
});

it('daily reconciliation: the payments of yesterday, each once, also when it runs again', async () => {
	const id = workflows['daily-reconciliation.json']!;
	const day = 24 * 60 * 60_000;
	const yesterday = Date.now() - day;
	const seed = (submittedCents: number, createdAt: number, status: 'PAID' | 'NEW' = 'PAID') =>
		world.sandbox.seed.payment({
			environment: 'PRODUCTION',
			submittedCents,
			createdAt,
			status,
		});
	const wanted = [
		...Array.from({ length: 104 }, (_value, index) => seed(1_010 + index, yesterday)),
	];
	wanted.push(seed(990, yesterday, 'NEW'));
	seed(5_555, yesterday - 2 * day);
	seed(6_666, yesterday + 2 * day);

	const run = async () => await world.client.runToEnd(id, 'Every Day at 06:00');
	await run();
	const execution = await run();
	expect(execution.data.resultData.error?.message).toBeUndefined();

	const { data: tables } = await world.client.request<{
		data: Array<{ id: string; projectId: string; name: string }>;
	}>('GET', '/rest/data-tables-global');
	const table = tables.find(({ name }) => name === 'Payments by day')!;
	const { data: rows } = await world.client.request<{ data: Array<IDataObject> }>(
		'GET',
		`/rest/projects/${table.projectId}/data-tables/${table.id}/rows?take=250`,
	);
	expect(rows.map(({ paymentId }) => paymentId).sort()).toEqual(wanted.map(({ id }) => id).sort());
	const [first] = wanted as [(typeof wanted)[0]];
	expect(rows.find(({ paymentId }) => paymentId === first.id)).toMatchObject({
		txId: first.txId,
		status: 'PAID',
		method: 'PIX',
		amount: first.amountCents / 100,
		fee: first.feeCents / 100,
		net: first.netCents / 100,
		created: new Date(first.createdAt).toISOString(),
		paid: new Date(first.createdAt).toISOString(),
	});
	const paid = wanted.filter(({ status }) => status === 'PAID');
	const cents = paid.reduce((sum, { amountCents }) => sum + amountCents, 0);
	const totals = itemsOf(execution, 'Totals').map(({ json }) => json);
	expect(totals).toHaveLength(2);
	expect(totals).toContainEqual(
		expect.objectContaining({
			status: 'PAID',
			payments: 104,
			amount: cents / 100,
			fee: (104 * first.feeCents) / 100,
		}),
	);
});
