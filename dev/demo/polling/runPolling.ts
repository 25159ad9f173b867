import { createTestPayment } from '../addresses';
import { sentTo } from '../mailbox';
import { isEnded, getItems } from '../../n8n/rest/executionData';
import { waitFor } from '../../n8n/process/waitFor';
import { POLLING_EXAMPLE } from './pollingExample';
import { tryExample, type ExampleRun } from '../report';
import type { DemoSession } from '../session';

/** The address of the team, as the example has it. */
const TEAM = 'finance@example.com';
/** The trigger, as the example calls it. */
const TRIGGER = 'Payment Received';

async function check({ sandbox, mailbox, client, workflows }: DemoSession, run: ExampleRun) {
	const id = workflows[POLLING_EXAMPLE]!;
	const txIds = await Promise.all([89.9, 12.5].map((amount) => createTestPayment(sandbox, amount)));
	const mailsAbout = async (txId: string) =>
		sentTo(await mailbox.mails(), TEAM).filter(({ text }) => text.includes(txId));
	await waitFor(
		async () => (await Promise.all(txIds.map(mailsAbout))).every(({ length }) => length > 0),
		{ what: `an e-mail to ${TEAM} about each test payment`, timeoutMs: 90_000 },
	);
	// Two more polls, in which nothing may come.
	const before = (await client.listExecutions(id)).length;
	const polls = () =>
		sandbox.requests.filter(({ url }) => url === '/v1/payments?page=1&limit=100').length;
	const until = polls() + 2;
	await waitFor(() => polls() >= until, { what: 'two more polls', timeoutMs: 60_000 });
	const executions = await client.listExecutions(id);
	const events = [];
	for (const execution of executions.filter(({ status }) => isEnded(status))) {
		events.push(...getItems(await client.getExecution(execution.id), TRIGGER));
	}
	run.steps.push({
		step: 'Two payments with the test key are paid; polling finds them and starts the workflow',
		result: events
			.map(
				({ json }) => `${json.event as string} by ${json.source as string}: ${json.txId as string}`,
			)
			.join('\n'),
	});
	const counts = await Promise.all(txIds.map(async (txId) => (await mailsAbout(txId)).length));
	run.steps.push({
		step: 'The team gets one e-mail about each, and the next polls start nothing',
		result: `${counts.join(' and ')} e-mail(s), ${executions.length} execution(s)`,
	});
	if (counts.some((count) => count !== 1)) run.faults.push('There is not one e-mail per payment.');
	if (executions.length !== before) run.faults.push('A poll that found nothing started something.');
	for (const { json } of events) {
		if (json.source !== 'polling')
			run.faults.push(`${json.txId as string} did not come by polling.`);
	}
}

/** From a payment with a test key, of which the service sends no webhook, to the message about it. */
export async function runPolling(session: DemoSession): Promise<ExampleRun> {
	return await tryExample(async (run) => await check(session, run));
}
