import { once } from 'node:events';
import { join } from 'node:path';

import { Command, Option } from 'commander';
import { Listr } from 'listr2';

import { createCheckout, createTestPayment, linkFormUrl, refundFormUrl } from './addresses';
import { interruption, runMain } from '../cli/command';
import { firstSteps, STEP_OPTIONS } from '../cli/steps';
import type { N8nHost } from '../n8n/install/install';
import { filesFolder } from '../n8n/process/environment';
import { tryDailyWork } from './dailyWork';
import { ExampleCheck } from './exampleCheck';
import { tryNotification } from './notification';
import { formatPayouts, formatSteps } from './report';
import { readRunningN8n, type RunningN8n } from './runningN8n';
import { runPayouts } from './payouts/runPayouts';
import { tryPolling } from './polling/polling';
import { findSystemTools } from '../n8n/queue/systemTools';
import { DemoSession, type Mode } from './session';

function print(text: string): void {
	process.stdout.write(`${text}\n`);
}

function asList(sentences: readonly string[]): string {
	return sentences.map((sentence) => `- ${sentence}`).join('\n');
}

const LOAD = (session: DemoSession) => ({
	title: 'Load credentials and example workflows',
	task: async () => await session.furnish(),
});

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
			LOAD(session),
		],
		STEP_OPTIONS,
	);
	await tasks.run();
}

/** The same with an n8n that is running already, with the package. */
async function connect(session: DemoSession, running: RunningN8n): Promise<void> {
	const tasks = new Listr(
		[
			{
				title: `Sign in to the n8n at ${running.url}`,
				task: async () => await session.connectN8n(running),
			},
			{
				title: 'Start the sandbox of the payment service and the mailbox',
				task: async () => await session.startServices({ nodeBinary: process.execPath }),
			},
			LOAD(session),
		],
		STEP_OPTIONS,
	);
	await tasks.run();
}

async function checkPayouts(session: DemoSession): Promise<boolean> {
	print(
		'\nChecking the list in examples/payouts.csv, approving it by e-mail, paying it, and running it again ...',
	);
	const { rows, results, faults } = await runPayouts(session);
	print(formatPayouts(rows, results, process.stdout.isTTY));
	if (faults.length > 0) {
		print(`\nThe books of the sandbox differ:\n${asList(faults)}`);
		return false;
	}
	const paid = results.filter(({ result }) => result === 'paid').length;
	print(
		`\n${paid} paid, ${results.length - paid} refused, in agreement with the books of the sandbox.`,
	);
	print('The second run found everything paid before, asked nobody, and paid nobody.');
	return true;
}

async function checkExample(
	session: DemoSession,
	tried: string,
	work: (check: ExampleCheck) => Promise<void>,
	outcome: string,
): Promise<boolean> {
	print(`\n${tried} ...`);
	const check = new ExampleCheck(session);
	await check.try(work);
	const { steps, faults } = check;
	print(formatSteps(steps, process.stdout.isTTY));
	const isRight = faults.length === 0;
	print(isRight ? `\n${outcome}` : `\nThis is not as expected:\n${asList(faults)}`);
	return isRight;
}

async function check(session: DemoSession, mode: Mode): Promise<boolean> {
	// Each of them even when the other failed: its table may show why.
	const agreed = [
		await checkPayouts(session),
		await checkExample(
			session,
			'Sending reminders, refunding a payment, and reconciling yesterday',
			tryDailyWork,
			'Reminders, refund and reconciliation agree with the books of the sandbox.',
		),
		await checkExample(
			session,
			'Requesting a payment, paying it, and waiting for the message',
			tryNotification,
			'One payment, one e-mail about it, and none about the duplicate.',
		),
		await checkExample(
			session,
			'Paying with the test key, which sends no webhook, and waiting for polling',
			tryPolling,
			mode === 'queue'
				? 'Each event once: the leader polls, and a worker runs the workflow.'
				: 'Each event once.',
		),
	];
	return agreed.every(Boolean);
}

async function present(session: DemoSession, isRunning: boolean): Promise<void> {
	const { n8n, webhookUrl, owner, sandbox, mailbox, past, userFolder } = session;
	const login = isRunning
		? `  login   yours
  list    copy ${join(filesFolder(userFolder), 'payouts.csv')}
          into .n8n-files in the home folder of that n8n's user`
		: `  login   ${owner.email}
          ${owner.password}`;
	print(`
n8n       ${n8n.url}
${login}
sandbox   ${sandbox.url}   (what was paid, and the payment pages)
mailbox   ${mailbox.url}   (e-mails that the workflows send)

For a workflow of your own, in the credential BRL Payments API:
  Base URL  ${sandbox.url}
  test key  ${sandbox.keys.test}
  live key  ${sandbox.keys.live}   (here it moves play money too)

Pay out: open the workflow "Payouts from a spreadsheet, with approval", press "Execute workflow",
          and answer the e-mail in the mailbox. A second run pays nobody twice; the next start
          of the demo begins with empty books.

Get paid: open this payment page, press "Pagar", and look into the mailbox.
          ${await createCheckout(sandbox)}
          This form creates more of them and e-mails each to its customer.
          ${await linkFormUrl(webhookUrl)}

Poll:     a payment of 89.90 with the test key is paid about now. The service sends no webhook for it;
          polling finds it, and an e-mail arrives in the mailbox: ${await createTestPayment(sandbox, 89.9)}

Refund:   request a refund in this form. This payment was made yesterday: ${past.paidYesterday[0]!.txId}
          ${await refundFormUrl(webhookUrl)}

Review:   open "Reminders of overdue boletos" or "Daily reconciliation", and press
          "Execute workflow".

Ctrl-C stops everything${isRunning ? ' but that n8n' : ''}; the next start takes seconds and keeps your changes.`);
}

async function main(): Promise<void> {
	const {
		check: checkOnly,
		queue,
		n8n,
	} = new Command('npm run demo --')
		.description(
			'Starts a real n8n with this package and an emulated payment service. No real money.',
		)
		.option('--check', 'run the examples unattended, compare with the books, exit with 0 or 1')
		.option('--queue', 'n8n in queue mode: five processes, PostgreSQL and Redis')
		.addOption(
			new Option(
				'--n8n <url>',
				'use an n8n that is running on this machine, with the package; its login is in N8N_EMAIL and N8N_PASSWORD',
			).conflicts(['check', 'queue']),
		)
		.parse()
		.opts<{ check?: boolean; queue?: boolean; n8n?: string }>();

	const running = n8n === undefined ? undefined : readRunningN8n(n8n, process.env);
	const mode = queue ? 'queue' : 'single';
	const session = running
		? await DemoSession.at(running)
		: checkOnly
			? await DemoSession.fresh({ mode })
			: await DemoSession.kept(mode);
	const signal = interruption();
	const interrupted = once(signal, 'abort').then(() => undefined);

	try {
		await (running ? connect(session, running) : start(session, mode, signal));
		if (checkOnly) {
			const agreed = await Promise.race([check(session, mode), interrupted.then(() => false)]);
			process.exitCode = agreed ? 0 : 1;
		} else {
			await present(session, running !== undefined);
			const logFile = await Promise.race([interrupted, session.ended]);
			if (logFile !== undefined) {
				throw new Error(`n8n exited unexpectedly; its log is ${logFile}`);
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
