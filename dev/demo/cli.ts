import { once } from 'node:events';

import { Command } from 'commander';
import { Listr } from 'listr2';

import { formUrl } from './addresses';
import { describeError, interruption, runMain } from '../cli/command';
import { firstSteps, STEP_OPTIONS } from '../cli/steps';
import type { N8nHost } from '../n8n/install/install';
import {
	LINK_EXAMPLE,
	PAYOUT_EXAMPLE,
	RECONCILIATION_EXAMPLE,
	REFUND_EXAMPLE,
	REMINDER_EXAMPLE,
} from './examples';
import { tryNotification } from './notification';
import { payoutFile } from './payouts/payoutList';
import { runPayouts } from './payouts/runPayouts';
import { findSystemTools } from '../n8n/queue/systemTools';
import { readLogTail } from '../n8n/process/process';
import { DemoSession, type Mode } from './session';

function print(text: string): void {
	process.stdout.write(`${text}\n`);
}

async function start(session: DemoSession, mode: Mode, signal: AbortSignal): Promise<void> {
	let host: N8nHost;
	const tasks = new Listr(
		[
			{
				title: 'Look for PostgreSQL and Redis',
				enabled: mode === 'queue',
				task: async () => {
					await findSystemTools();
				},
			},
			...firstSteps(signal, (installed) => (host = installed)),
			{
				title: 'Start the sandbox of the payment service and the mailbox',
				task: async () => await session.startServices(host),
			},
			{
				title:
					mode === 'queue'
						? 'Start n8n in queue mode (five processes, about a minute)'
						: 'Start n8n (about fifteen seconds)',
				task: async (_context, task) =>
					await session.startN8n(host, signal, (part) => {
						task.output = part;
					}),
			},
			{
				title: 'Load credentials and example workflows',
				task: async () => await session.furnish(),
			},
		],
		STEP_OPTIONS,
	);
	await tasks.run();
}

/** Pays out and gets paid; says what came of it. @returns whether all of it is as expected */
async function check(session: DemoSession): Promise<boolean> {
	print(
		'\nUploading examples/payouts.csv, approving it by e-mail, paying it, and uploading it again ...',
	);
	const { results, faults } = await runPayouts(session);
	for (const { invoice, result, reason } of results) print(`${invoice}  ${result}  ${reason}`);
	const paid = results.filter(({ result }) => result === 'paid').length;
	print(`${paid} paid, ${results.length - paid} refused.`);
	print(
		'\nRequesting two payments, paying them, and waiting for the messages (a poll takes up to a minute) ...',
	);
	// Even if the payouts failed: their table may show why.
	faults.push(...(await tryNotification(session).catch((error) => [describeError(error)])));
	print(
		faults.length === 0
			? 'The books agree, the second run asked nobody and paid nobody, and each payment got one e-mail.'
			: `This is not as expected:\n${faults.map((fault) => `- ${fault}`).join('\n')}`,
	);
	return faults.length === 0;
}

async function present(session: DemoSession): Promise<void> {
	const { n8n, webhookUrl, owner, sandbox, mailbox, history, workflows } = session;
	const open = (file: string) => `${n8n.url}/workflow/${workflows[file]}`;
	print(`
n8n       ${n8n.url}
  login   ${owner.email}
          ${owner.password}
sandbox   ${sandbox.url}   (what was paid, and the payment pages)
mailbox   ${mailbox.url}   (e-mails that the workflows send)

For a workflow of your own, in the credential BRL Payments API:
  Base URL  ${sandbox.url}
  test key  ${sandbox.keys.test}
  live key  ${sandbox.keys.live}   (here it moves play money too)

Pay out:  open this workflow, press "Execute workflow", and upload the list. Then answer the e-mail
          in the mailbox. A second run pays nobody twice.
          ${open(PAYOUT_EXAMPLE)}
          The list: ${payoutFile}   (a copy of it, changed, works too)

Get paid: open this payment page, press "Pagar com PIX", and look into the mailbox a minute later.
          ${history.checkoutUrl}
          This form creates more of them and e-mails each to its customer.
          ${await formUrl(LINK_EXAMPLE, webhookUrl)}

Refund:   request a refund in this form. This payment was made yesterday: ${history.paidYesterday.txId}
          ${await formUrl(REFUND_EXAMPLE, webhookUrl)}

Review:   open one of these, and press "Execute workflow": reminders of boletos, reconciliation.
          ${open(REMINDER_EXAMPLE)}
          ${open(RECONCILIATION_EXAMPLE)}

Ctrl-C stops everything and keeps nothing: download a workflow that you want to keep.`);
}

async function main(): Promise<void> {
	const { check: checkOnly, queue } = new Command('npm run demo --')
		.description(
			'Starts a real n8n with this package and an emulated payment service. No real money.',
		)
		.option('--check', 'pay and get paid unattended, compare with the books, exit with 0 or 1')
		.option('--queue', 'n8n in queue mode: five processes, PostgreSQL and Redis')
		.parse()
		.opts<{ check?: boolean; queue?: boolean }>();

	const mode = queue ? 'queue' : 'single';
	const session = new DemoSession({ mode, isForPerson: !checkOnly });
	const signal = interruption();
	const interrupted = once(signal, 'abort').then(() => undefined);

	try {
		await start(session, mode, signal);
		if (checkOnly) {
			const agreed = await Promise.race([check(session), interrupted.then(() => false)]);
			process.exitCode = agreed ? 0 : 1;
		} else {
			await present(session);
			const logFile = await Promise.race([interrupted, session.ended]);
			if (logFile !== undefined) {
				throw new Error(`n8n exited unexpectedly:\n${await readLogTail(logFile)}`);
			}
			print('\nStopping ...');
			await session.end();
			print('Everything has stopped.');
		}
	} catch (error) {
		if (!signal.aborted) throw error;
		process.exitCode = checkOnly ? 1 : 0;
	} finally {
		await session.end();
	}
}

runMain(main);
