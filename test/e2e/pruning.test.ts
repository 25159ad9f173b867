/** n8n deletes executions: what a person can still do about payouts, with references and without. */
import type { RestError } from '../../dev/n8n/rest/rest';
import { waitFor } from '../../dev/n8n/process/waitFor';
import { MANUAL, buildWorkflow, manualStart, payEachItem } from '../../dev/n8n/rest/workflow';
import { booked, intended, makePayouts } from './support/payouts';
import { useWorld } from './support/n8nTestEnv';

/** n8n looks once a minute, and keeps the last two: by default once an hour, and the last 10,000. */
const world = useWorld({
	EXECUTIONS_DATA_PRUNE_MAX_COUNT: '2',
	EXECUTIONS_DATA_PRUNE_SOFT_DELETE_INTERVAL: '1',
});

it('a failed execution cannot be retried any more, and references pay only what is unpaid', async () => {
	const payouts = makePayouts(3).map((one, index) => ({ ...one, invoice: `PR-${index}` }));
	const lose = () =>
		world.sandbox.faults.add({
			kind: 'dropAfter',
			method: 'POST',
			path: '/v1/withdrawals',
			times: Infinity,
			when: ({ rawBody }) => rawBody.includes(payouts[1]!.pixKey),
		});
	const find = lose();
	const pay = payEachItem({}, { maxConcurrency: 1 }, { reference: '={{ $json.invoice }}' });
	const { id } = await world.client.createWorkflow(
		buildWorkflow('Pays', [...manualStart(payouts), pay]),
	);
	const failed = await world.client.runToEnd(id, MANUAL);
	expect(failed.status).toBe('error');

	for (let others = 0; others < 3; others += 1) {
		await world.run(buildWorkflow(`Other ${others}`, manualStart([{ a: 1 }, { a: 2 }])));
	}
	const status = await waitFor(
		async () => {
			const all = await world.client.listExecutions(id);
			if (all.length > 0) return false;
			return await world.client.request('POST', `/rest/executions/${failed.id}/retry`, {}).then(
				() => 200,
				(error: unknown) => (error as RestError).status,
			);
		},
		{ what: 'n8n to delete the execution', timeoutMs: 150_000, pollMs: 2_000 },
	);
	expect(status).toBe(404);

	find();
	const again = await world.client.runToEnd(id, MANUAL);
	expect(again.status).toBe('success');
	expect(booked(world.sandbox.books.withdrawals)).toEqual(intended(payouts));
}, 240_000);
