import { createTestPayment } from '../addresses';
import { isEnded, getItems } from '../../n8n/rest/executionData';
import { waitFor } from '../../n8n/process/waitFor';
import type { ExampleCheck } from '../exampleCheck';
import { TEAM } from '../notification';
import { POLLING_EXAMPLE } from './pollingExample';

const TRIGGER = 'Payment Received';

/** From a payment with a test key, of which the service sends no webhook, to the message about it. */
export async function tryPolling(check: ExampleCheck): Promise<void> {
	const { sandbox, client, workflows } = check.session;
	const id = workflows[POLLING_EXAMPLE]!;
	const txIds = await Promise.all([89.9, 12.5].map((amount) => createTestPayment(sandbox, amount)));
	const mailsAbout = async (txId: string) =>
		(await check.mailsTo(TEAM)).filter(({ text }) => text.includes(txId));
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
	check.expect(
		'Two payments with the test key are paid; polling finds them and starts the workflow',
		events
			.map(
				({ json }) => `${json.event as string} by ${json.source as string}: ${json.txId as string}`,
			)
			.join('\n'),
		events.every(({ json }) => json.source === 'polling'),
	);
	const counts = await Promise.all(txIds.map(async (txId) => (await mailsAbout(txId)).length));
	check.expect(
		'The team gets one e-mail about each, and the next polls start nothing',
		`${counts.join(' and ')} e-mail(s), ${executions.length} execution(s)`,
		counts.every((count) => count === 1) && executions.length === before,
	);
}
