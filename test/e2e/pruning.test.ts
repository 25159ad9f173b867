/** n8n deletes executions: what a person can still do about payouts, with references and without. */
import { waitFor } from '../../dev/n8n/process/waitFor';
import { buildWorkflow, MANUAL, manualStart, payEachItem } from '../../dev/n8n/rest/workflow';
import { useWorld } from './support/n8nTestEnv';
import { booked, intended, loseAnswers, makeInvoices } from './support/payouts';

/** n8n looks once a minute, and keeps the last two: by default once an hour, and the last 10,000. */
const world = useWorld({
	EXECUTIONS_DATA_PRUNE_MAX_COUNT: '2',
	EXECUTIONS_DATA_PRUNE_SOFT_DELETE_INTERVAL: '1',
});

it('a failed execution cannot be retried any more, and references pay only what is unpaid', async () => {
	const payouts = makeInvoices(['PR-1', 'PR-2', 'PR-3']);
	const findAnswers = loseAnswers(world, payouts[1]!.pixKey);
	const pay = payEachItem({}, { maxConcurrency: 1 }, { reference: '={{ $json.invoice }}' });
	const { id } = await world.client.createWorkflow(
		buildWorkflow('Pays', [...manualStart(payouts), pay]),
	);
	const failed = await world.client.runToEnd(id, MANUAL);
	expect(failed.status).toBe('error');

	for (let others = 0; others < 3; others += 1) {
		await world.run(buildWorkflow(`Other ${others}`, manualStart([{ a: 1 }, { a: 2 }])));
	}
	await waitFor(async () => (await world.client.listExecutions(id)).length === 0, {
		...{ what: 'n8n to delete the execution', timeoutMs: 150_000, pollMs: 2_000 },
	});
	const retry = world.client.request('POST', `/rest/executions/${failed.id}/retry`, {});
	await expect(retry).rejects.toMatchObject({ status: 404 });

	findAnswers();
	const again = await world.client.runToEnd(id, MANUAL);
	expect(again.status).toBe('success');
	expect(booked(world.sandbox.books.withdrawals)).toEqual(intended(payouts));
}, 240_000);
