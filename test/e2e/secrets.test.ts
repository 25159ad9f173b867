/**
 * What must not be written down, after everything that could: good and bad responses, errors of nodes and of the
 * network, forged deliveries, tests in the editor, stored executions, and n8n's log at its most talkative.
 */
import { readFile } from 'node:fs/promises';

import { brlPayments, buildWorkflow, manualStart, payEachItem } from '../../dev/n8n/rest/workflow';
import { deliver, paymentPaid, post, signedHeaders } from './support/deliveries';
import { Listener, saveSecrets, TRIGGER } from './support/listener';
import { useWorld } from './support/n8nTestEnv';
import { makePayouts } from './support/payouts';
import { findInFiles } from './support/search';

const world = useWorld({ N8N_LOG_LEVEL: 'debug' });
const CONTINUE = { onError: 'continueRegularOutput' } as const;

/** What n8n has shown to whoever asked. */
let seen: string[] = [];
beforeEach(() => {
	seen = [];
});

async function run(...given: Parameters<typeof world.run>): Promise<string> {
	const execution = await world.run(...given);
	seen.push(JSON.stringify(execution));
	return execution.status;
}

/** Searches what was shown, and what n8n keeps: written out and closed, so that nothing is in memory only. */
async function expectNowhere(secrets: string[], butFound: string[]): Promise<void> {
	for (const secret of secrets) expect(seen.join()).not.toContain(secret);
	await world.n8n.stop();
	const { userFolder } = world.n8n;
	// The search can find.
	for (const text of butFound) expect(await findInFiles(userFolder, text)).not.toEqual([]);
	for (const secret of secrets) expect(await findInFiles(userFolder, secret)).toEqual([]);
	await world.startN8n();
}

it('the API key is found nowhere but in the encrypted credential', async () => {
	const { live } = world.sandbox.keys;
	const payouts = makePayouts(2);
	// Without the guard, which would stop the same payouts before any of the faults strikes.
	const pay = (name: string, extras = {}, options = {}) =>
		buildWorkflow(name, [
			...manualStart(payouts),
			payEachItem(extras, { duplicateGuard: 'never', ...options }),
		]);
	const creation = { method: 'POST', path: '/v1/withdrawals', times: Infinity } as const;

	expect(await run(pay('Good'))).toBe('success');
	for (const fault of [
		{ kind: 'dropAfter' },
		{ kind: 'html', status: 502 },
		{ kind: 'truncate' },
		{ kind: 'error', code: 'INVALID_API_KEY' },
		{ kind: 'error', code: 'VALIDATION_ERROR', details: { amount: 'is odd' } },
	] as const) {
		world.sandbox.faults.add({ ...creation, ...fault });
		expect(await run(pay(`Bad: ${fault.kind}`))).toBe('error');
		await run(pay(`Continued: ${fault.kind}`, CONTINUE));
		world.sandbox.faults.clear();
	}
	world.sandbox.faults.add({ ...creation, kind: 'delay', ms: 3000 });
	expect(await run(pay('Too slow', {}, { timeout: 1 }), 60_000)).toBe('error');
	world.sandbox.faults.clear();
	await run(buildWorkflow('Key', [...manualStart([{}, {}]), brlPayments('Key', 'apiKey', 'get')]));
	await world.client.testCredential({
		name: 'x',
		type: 'brlPaymentsApi',
		data: { apiKey: live, baseUrl: `${world.sandbox.url}/nowhere`, environment: 'auto' },
	});

	// The public part of the key is in the response of the service.
	await expectNowhere([live.slice(-32)], ['livekey001', payouts[0]!.pixKey]);
});

it('the signing secret is found nowhere but in the encrypted credential', async () => {
	const secrets = ['whsec_example_old_7e1b9f3c5a60', 'whsec_example_new_2d8c4e6a0b17'];
	const [OLD, NEW] = secrets as [string, string];
	const FOREIGN = 'whsec_example_of_somebody_else';
	await saveSecrets(world, 'Two secrets', ...secrets);
	const listener = await Listener.open(world, { credential: 'Two secrets' });
	const send = async (url: string, secret: string, change: Record<string, string> = {}) => {
		const delivery = paymentPaid();
		const headers = { ...signedHeaders(delivery, secret), ...change };
		seen.push((await post(url, headers, delivery.body)).text);
		return delivery;
	};

	const genuine = await send(listener.url, OLD);
	await send(listener.url, NEW);
	await deliver(listener.url, genuine, NEW);
	await send(listener.url, FOREIGN);
	await send(listener.url, OLD, { 'X-Webhook-Signature': 'v1=' });
	await send(listener.url, OLD, { 'X-Webhook-Timestamp': '1' });
	await send(listener.url, OLD, { 'content-type': 'text/xml' });
	// The editor's test, with a mismatch that is explained.
	await world.client.listenForTest(listener.workflowId, TRIGGER);
	await send(listener.testUrl, FOREIGN);
	// A credential that is refused although there is something in it, and the button that tests it.
	const scheme = { signingSecrets: secrets.join(' '), signatureScheme: 'custom', layout: '{body}' };
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
	await expectNowhere(secrets, [genuine.id]);
});

it('personal data is not logged, and with the option no document is stored', async () => {
	const items = [
		{ amount: '100,00', pixKey: '52998224725', description: 'one' },
		{ amount: '101,00', pixKey: 'maria.silva@recipient.example', description: 'two' },
		{ amount: '102,00', pixKey: '52998224726', description: 'mistyped' },
	];
	const pay = (name: string, extras = {}) =>
		buildWorkflow(name, [...manualStart(items), payEachItem(extras, { maskPersonalData: true })]);
	await run(pay('Continued', CONTINUE));
	expect(await run(pay('Failed'))).toBe('error');
	world.sandbox.seed.customer({ externalId: 'payer', environment: 'PRODUCTION' });
	const customer = brlPayments('Customer', 'customer', 'getByExternalId', { externalId: 'payer' });
	expect(await run(buildWorkflow('Customer', [...manualStart([{}]), customer]))).toBe('success');
	const deliverOf = async (document: string, name: string, maskPersonalData: boolean) => {
		const listener = await Listener.open(world, { options: { maskPersonalData } });
		await deliver(listener.url, paymentPaid({ payer: { name, document, documentType: 'CPF' } }));
		await listener.executions();
	};
	await deliverOf('11144477735', 'Masked Payer', true);
	await deliverOf('12345678909', 'Plain Payer', false);

	// Without the option the payer is stored, with it all but the document.
	await expectNowhere(['11144477735'], ['12345678909', 'Masked Payer']);
	const log = await readFile(world.n8n.logFile, 'utf8');
	expect(log).toContain('debug');
	for (const personal of [
		...['52998224725', '52998224726', 'maria.silva@', 'maria@customer.example'],
		...['11144477735', '12345678909', 'Masked Payer', 'Plain Payer'],
	]) {
		expect(log).not.toContain(personal);
	}
});
