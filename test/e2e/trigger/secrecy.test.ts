/**
 * The signing secret after everything that could write it down: genuine and forged deliveries, tests
 * in the editor, failed activations, stored executions, and n8n's log at its most talkative.
 */
import { deliver, paymentPaid, post, signedHeaders } from '../support/deliveries';
import { Listener, saveSecrets, TRIGGER } from '../support/listener';
import { findInFiles } from '../support/search';
import { useWorld } from '../support/n8nTestEnv';

const world = useWorld({ N8N_LOG_LEVEL: 'debug' });

const OLD = 'whsec_example_old_7e1b9f3c5a60';
const NEW = 'whsec_example_new_2d8c4e6a0b17';

it('is found nowhere but in the encrypted credential', async () => {
	const credential = 'Two secrets';
	await saveSecrets(world, credential, OLD, NEW);
	const listener = await Listener.open(world, { credential });
	const seen: string[] = [];
	const send = async (url: string, secret: string, change: Record<string, string> = {}) => {
		const delivery = paymentPaid();
		const headers = { ...signedHeaders(delivery, secret), ...change };
		seen.push((await post(url, headers, delivery.body)).text);
		return delivery;
	};

	const genuine = await send(listener.url, OLD);
	await send(listener.url, NEW);
	await deliver(listener.url, genuine, NEW);
	await send(listener.url, 'whsec_example_of_somebody_else');
	await send(listener.url, OLD, { 'X-Webhook-Signature': 'v1=' });
	await send(listener.url, OLD, { 'X-Webhook-Timestamp': '1' });
	await send(listener.url, OLD, { 'content-type': 'text/xml' });
	// The editor's test, with a mismatch that is explained.
	await world.client.listenForTest(listener.workflowId, TRIGGER);
	await send(listener.testUrl, 'whsec_example_of_somebody_else');
	// A credential that is refused although there is something in it, and the button that tests it.
	const scheme = { signingSecrets: `${OLD} ${NEW}`, signatureScheme: 'custom', layout: '{body}' };
	const half = { name: 'Half', type: 'brlPaymentsWebhookApi', data: scheme };
	seen.push(JSON.stringify(await world.client.testCredential(half)));
	await world.client.createCredential(half);
	const refused = await Listener.save(world, { credential: half.name });
	await refused.activate().catch((error: unknown) => seen.push(String(error)));

	for (const { workflowId } of [listener, refused]) {
		// What "Download" in the editor writes into a file.
		seen.push(JSON.stringify(await world.client.request('GET', `/rest/workflows/${workflowId}`)));
	}
	for (const { id } of await listener.executions()) {
		seen.push(JSON.stringify(await world.client.getExecution(id)));
	}
	expect(seen.join()).toContain(genuine.id);
	for (const secret of [OLD, NEW]) expect(seen.join()).not.toContain(secret);

	// Written out and closed, so that nothing is still in memory only.
	await world.n8n.stop();
	const { userFolder } = world.n8n;
	// The search can find: what is no secret is there.
	expect(await findInFiles(userFolder, genuine.id)).not.toEqual([]);
	for (const secret of [OLD, NEW]) expect(await findInFiles(userFolder, secret)).toEqual([]);
	await world.startN8n();
});
