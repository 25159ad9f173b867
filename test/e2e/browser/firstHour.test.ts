/** What a builder reads in the first hour if something goes wrong, and that doing it ends well. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import type { IDataObject, INodeParameters } from 'n8n-workflow';
import type { Locator } from 'playwright-core';

import { APPROVER, decisionPage, PAY as APPROVE } from '../../../dev/demo/payouts/approval';
import { PAYOUT_EXAMPLE } from '../../../dev/demo/examples';
import { filesFolder } from '../../../dev/n8n/process/environment';
import { isEnded } from '../../../dev/n8n/rest/executionData';
import { waitFor } from '../../../dev/n8n/process/waitFor';
import {
	brlPayments,
	buildWorkflow,
	manualStart,
	type NodeExtras,
	webhookStart,
} from '../../../dev/n8n/rest/workflow';
import { useExampleWorld } from '../examples/exampleWorld';
import { Listener, TRIGGER } from '../support/listener';
import { booked, intended, makePayouts } from '../support/payouts';
import { useScreen, waitForText } from './support';

const world = useExampleWorld();
const screen = useScreen(world);

const PAY = 'Pay';
const rows = makePayouts(4).map((payout, index) => ({ ...payout, invoice: `NF-${index + 1}` }));
const rowsWith = (...changes: Array<[number, IDataObject]>): IDataObject[] =>
	rows.map((row, index) => ({ ...row, ...changes.find(([changed]) => changed === index)?.[1] }));

const pay = (parameters: INodeParameters = {}, extras: NodeExtras = {}) =>
	brlPayments(
		PAY,
		'withdrawal',
		'create',
		{
			amount: '={{ $json.amount }}',
			pixKey: '={{ $json.pixKey }}',
			...parameters,
			// One after the other, so that it is known which were paid.
			options: { maxConcurrency: 1 },
		},
		extras,
	);
const byInvoice: INodeParameters = { reference: '={{ $json.invoice }}' };

/** The list of what this workflow has done: the newest execution once it has ended. */
async function newest(workflowId: string, known: readonly string[]): Promise<string> {
	const ended = await waitFor(
		async () =>
			(await world.client.listExecutions(workflowId)).find(
				({ id, status }) => !known.includes(id) && isEnded(status),
			),
		{ what: 'the execution to end', timeoutMs: 60_000 },
	);
	return ended.id;
}

/** Opens an execution in the list, and the output of the node that pays. */
async function openExecution(workflowId: string, id: string): Promise<Locator> {
	const { editor } = screen;
	await editor.openExecution(workflowId, id);
	await editor.openNode(PAY);
	return editor.part('output-panel');
}

describe('a published workflow without references', () => {
	/** Publishes it, and sends it a list. */
	async function publish(path: string) {
		const id = await world.listen(buildWorkflow(path, [...webhookStart(path), pay()]));
		const known: string[] = [];
		const send = async (items: IDataObject[]): Promise<string> => {
			await world.trigger(id, path, { items });
			known.push(await newest(id, known));
			return known.at(-1)!;
		};
		/** Presses Retry next to the execution on the screen. */
		const retry = async (): Promise<string> => {
			await screen.editor.retryExecution();
			known.push(await newest(id, known));
			return known.at(-1)!;
		};
		return { id, send, retry };
	}

	it('says that nothing was sent if a row is wrong, also after Retry; corrected, it pays', async () => {
		const { id, send, retry } = await publish('wrong-row');
		const failed = await openExecution(id, await send(rowsWith([1, { pixKey: '529.982.247-26' }])));
		await waitForText(failed, 'Row 2: The PIX key is a CPF with wrong check digits');
		await waitForText(
			failed,
			'Nothing was paid. Correct the row in your list and start the workflow again; this is safe. Do not use Retry: it repeats the saved rows.',
		);

		await screen.editor.closeNode();
		const again = await openExecution(id, await retry());
		await waitForText(again, '1 failed without effect (row 2), 3 valid, not sent (rows 1, 3-4)');
		await waitForText(again, 'Nothing was paid. Correct the row in your list');
		expect(await again.innerText()).not.toContain('possibly');
		expect(world.sandbox.books.withdrawals).toEqual([]);

		await send(rows);
		expect(booked(world.sandbox.books.withdrawals)).toEqual(intended(rows));
	});

	it('names the rows to remove if some were paid; without them, everyone is paid once', async () => {
		world.sandbox.account.blocklist = ['blocked@example.com'];
		const { id, send } = await publish('refused-row');
		const list = rowsWith([2, { pixKey: 'blocked@example.com' }]);
		const failed = await openExecution(id, await send(list));
		await waitForText(failed, 'Row 3: The risk policy of the service blocks this destination');
		await waitForText(
			failed,
			'Retry repeats the saved rows, so it cannot use a correction. To correct a row, remove the rows that were paid (rows 1-2) from the list, correct the rest, and start the workflow again.',
		);

		await send(rows.slice(2));
		expect(booked(world.sandbox.books.withdrawals)).toEqual(intended(rows));
	});
});

describe('wrong rows', () => {
	const wrong = rowsWith([1, { pixKey: '529.982.247-26' }], [2, { amount: '1.234' }]);

	async function execute(extras: NodeExtras, items: IDataObject[]): Promise<Locator> {
		const workflow = buildWorkflow('Wrong rows', [...manualStart(items), pay(byInvoice, extras)]);
		const { id } = await world.client.createWorkflow(workflow);
		await screen.editor.openWorkflow(id);
		await screen.editor.part('execute-workflow-button').first().click();
		await newest(id, []);
		await screen.editor.openNode(PAY);
		return screen.editor.part('output-panel');
	}

	it('are all named, with their references and reasons', async () => {
		const output = await execute({}, wrong);
		await waitForText(output, 'Row 2 (NF-2): The PIX key is a CPF with wrong check digits');
		await waitForText(
			output,
			'Row 3 (NF-3): Amount "1.234" is ambiguous: R$ 1.234,00, or R$ 1,23 with one digit too many?',
		);
		await waitForText(output, '2 valid, not sent (rows 1, 4)');
		expect(await output.innerText()).not.toMatch(/\[item|item 0/);
	});

	it('keep in the table what a person knows them by, and a hint counts', async () => {
		const output = await execute({ onError: 'continueRegularOutput' }, wrong);
		await waitForText(
			output,
			'2 paid now, 0 already paid, 2 not paid: rows 2 (NF-2) and 3 (NF-3).',
		);
		await screen.editor.showTable(output);
		const columns = await output.locator('th').allInnerTexts();
		const names = columns.map((name) => name.trim()).filter((name) => name !== '');
		expect(names.slice(0, 4)).toEqual(['reference', 'pixKey', 'netAmount', 'status']);
		await waitForText(output.locator('tbody tr').nth(1), /NF-2[^]*NOT PAID/);
	});
});

describe('the approval', () => {
	it('asks for what is new, and for nothing the second time', async () => {
		const { editor } = screen;
		await writeFile(
			join(filesFolder(world.n8n.userFolder), 'payouts.csv'),
			[
				'invoice;name;document;pixKey;amount;description',
				'FH-1;Ana Souza;;ana@payee.example;25,00;Almoço',
				'FH-2;Bia Lima;;bia@payee.example;30,00;Café',
			].join('\n'),
		);
		const workflowId = world.workflows[PAYOUT_EXAMPLE]!;
		await editor.openWorkflow(workflowId);
		await editor.part('execute-workflow-button').click();
		const question = await world.question(0);
		expect(question.subject).toMatch(/^Pagamentos a aprovar: 2 novos \(0 já pagos\), R\$\s55,00$/);
		const page = await screen.openPage(decisionPage(question));
		await page.getByLabel('Decisão').selectOption(APPROVE);
		await page.getByLabel('Seu nome').fill('Joana');
		await page.getByRole('button', { name: 'Enviar a decisão' }).click();
		const [first] = await world.mailsTo('payouts@example.com', 1);
		expect(first!.subject).toBe('Pagamentos: 2 de 2 pagos');

		await editor.openWorkflow(workflowId);
		await editor.part('execute-workflow-button').click();
		const [, second] = await world.mailsTo('payouts@example.com', 2);
		expect(second!.subject).toBe('Pagamentos: 0 de 2 pagos, 2 já pagos antes');
		expect(await world.countMailsTo(APPROVER)).toBe(1);
		expect(world.sandbox.books.withdrawals).toHaveLength(2);
	});
});

describe('the trigger', () => {
	it('says what is listened to, and which secret each endpoint has', async () => {
		const { editor } = screen;
		const listener = await Listener.save(world, { events: ['PAYMENT_PAID'] });
		await editor.openWorkflow(listener.workflowId);
		await editor.openNode(TRIGGER);
		const parameters = editor.part('node-parameters');
		await waitForText(parameters, 'each endpoint has its own');
		await waitForText(parameters, 'After choosing another credential, publish again.');
		expect(await parameters.locator('li').allInnerTexts()).not.toContainEqual(
			expect.stringMatching(/^\s*\d/),
		);
		await editor.part('trigger-execute-button').click();
		await editor.part('trigger-listening').waitFor();
		// What n8n says next to it, "Go to BRL Payments and create an event", is not the node's to change.
		await waitForText(
			parameters,
			'While n8n listens for a test event, it listens to the Test URL only: register it at the service as a second endpoint and press Send test there, or set Receive By to Polling',
		);
	});
});
