/**
 * The secret of the API key after everything that could write it down: good and bad responses,
 * errors of nodes and of the network, stored executions, and n8n's log at its most talkative.
 */
import type { Execution } from '../../dev/n8n/rest/executionData';
import { brlPayments, manualStart, payEachItem, buildWorkflow } from '../../dev/n8n/rest/workflow';
import { findInFiles } from './support/search';
import { makePayouts } from './support/payouts';
import { useWorld } from './support/n8nTestEnv';

const world = useWorld({ N8N_LOG_LEVEL: 'debug' });
const getSecret = (key: string) => key.slice(-32);

it('is found nowhere but in the encrypted credential', async () => {
	const { live } = world.sandbox.keys;
	const secret = getSecret(live);
	const seen: string[] = [];
	const run = async (...given: Parameters<typeof world.run>): Promise<Execution> => {
		const execution = await world.run(...given);
		seen.push(JSON.stringify(execution));
		return execution;
	};
	const payouts = makePayouts(2);
	// Without the guard, which would stop the same payouts before any of the faults strikes.
	const pay = (name: string, extras = {}, options = {}) =>
		buildWorkflow(name, [
			...manualStart(payouts),
			payEachItem(extras, { duplicateGuard: 'never', ...options }),
		]);
	const post = { method: 'POST', path: '/v1/withdrawals', times: Infinity } as const;

	expect((await run(pay('Good'))).status).toBe('success');
	for (const fault of [
		{ kind: 'dropAfter' },
		{ kind: 'html', status: 502 },
		{ kind: 'truncate' },
		{ kind: 'error', code: 'INVALID_API_KEY' },
		{ kind: 'error', code: 'VALIDATION_ERROR', details: { amount: 'is odd' } },
	] as const) {
		world.sandbox.faults.add({ ...post, ...fault });
		expect((await run(pay(`Bad: ${fault.kind}`))).status).toBe('error');
		await run(pay(`Continued: ${fault.kind}`, { onError: 'continueRegularOutput' }));
		world.sandbox.faults.clear();
	}
	world.sandbox.faults.add({ ...post, kind: 'delay', ms: 3000 });
	expect((await run(pay('Too slow', {}, { timeout: 1 }), 60_000)).status).toBe('error');
	world.sandbox.faults.clear();
	await run(buildWorkflow('Key', [...manualStart([{}, {}]), brlPayments('Key', 'apiKey', 'get')]));
	await world.client.testCredential({
		name: 'x',
		type: 'brlPaymentsApi',
		data: { apiKey: live, baseUrl: `${world.sandbox.url}/nowhere`, environment: 'auto' },
	});

	for (const text of seen) expect(text).not.toContain(secret);
	// Written out and closed, so that nothing is still in memory only.
	await world.n8n.stop();
	// The search can find: the public part of the key is in the response of the service, for one.
	const { userFolder } = world.n8n;
	expect(await findInFiles(userFolder, 'livekey001')).not.toEqual([]);
	expect(await findInFiles(userFolder, payouts[0]!.pixKey)).not.toEqual([]);
	expect(await findInFiles(userFolder, secret)).toEqual([]);
	await world.startN8n();
});
