/** The example that archives the statement of a day, in a real n8n. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

import { STATEMENT_EXAMPLE } from '../../../dev/demo/examples';
import { filesFolder } from '../../../dev/n8n/process/environment';
import { DAY_MS, getError, toDay, useExampleWorld } from './exampleWorld';

const ACCOUNTING = 'accounting@example.com';

const world = useExampleWorld();

const run = async () => await world.runExample(STATEMENT_EXAMPLE, 'Every Day at 06:00');

it('saves the statement of yesterday and sends it, the same again when it runs again', async () => {
	const day = toDay(Date.now() - DAY_MS);
	const name = `extrato-${day}.html`;
	for (const count of [1, 2]) {
		expect(getError(await run())).toBeUndefined();
		const mail = (await world.mailsTo(ACCOUNTING, count))[count - 1]!;
		expect(mail.subject).toBe(`Extrato de ${day.split('-').reverse().join('/')}`);
		expect(mail.attachments).toEqual([expect.objectContaining({ fileName: name })]);
		const archived = await readFile(join(filesFolder(world.n8n.userFolder), name), 'utf8');
		expect(archived).toContain(`Period: ${day} to ${day}`);
		expect((await world.mailbox.attachment(mail)).toString('utf8')).toBe(archived);
	}
});

it('takes other days, with the movements in them', async () => {
	const payments = [1_010, 2_020].map((amountCents) => world.seedPayment({ amountCents }));
	for (const { id } of payments) world.sandbox.setPaymentStatus(id, 'PAID');
	const [from, to] = [toDay(Date.now() - DAY_MS), toDay(Date.now())];
	await world.setUpExample(STATEMENT_EXAMPLE, { from, to });
	const [mail, execution] = await world.nextMail(ACCOUNTING, run);
	expect(getError(execution)).toBeUndefined();
	expect(mail.attachments).toEqual([
		expect.objectContaining({ fileName: `extrato-${from}-a-${to}.html` }),
	]);
	const statement = (await world.mailbox.attachment(mail)).toString('utf8');
	for (const { txId } of payments) expect(statement).toContain(txId);
});
