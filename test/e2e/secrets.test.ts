/**
 * What the credential and its key do, what those who run n8n see of payouts in doubt, and what must not be written
 * down, after everything that could: good and bad responses, errors of nodes and of the
 * network, forged deliveries, tests in the editor, stored executions, and n8n's log at its most talkative.
 */
import { readFile } from 'node:fs/promises';
import { createServer, type RequestListener } from 'node:http';
import { join } from 'node:path';

import type { INode } from 'n8n-workflow';

import { repositoryRoot } from '../../dev/n8n/paths';
import { findPort } from '../../dev/n8n/process/ports';
import { waitFor } from '../../dev/n8n/process/waitFor';
import { apiCredential, saveCredential } from '../../dev/n8n/rest/credentials';
import { getItems } from '../../dev/n8n/rest/executionData';
import {
	brlPayments,
	buildWorkflow,
	manualStart,
	node,
	payEachItem,
	webhookStart,
} from '../../dev/n8n/rest/workflow';
import { deliver, paymentPaid, post, signedHeaders } from './support/deliveries';
import { Listener, saveSecrets, TRIGGER } from './support/listener';
import { closeServer, openPort } from './support/localServer';
import { useWorld } from './support/n8nTestEnv';
import { booked, intended, loseAnswers, makePayouts } from './support/payouts';
import { findInFiles } from './support/search';

const world = useWorld({ N8N_LOG_LEVEL: 'debug', N8N_LOG_FORMAT: 'json' });
const CONTINUE = { onError: 'continueRegularOutput' } as const;

/** What n8n says of the credential; it never shows the secret of the key. */
async function testCredential(apiKey: string, changes: Record<string, string> = {}) {
	const credential = apiCredential(world.sandbox.url, apiKey);
	const data = { ...credential.data, ...changes };
	const result = await world.client.testCredential({ ...credential, data });
	expect(JSON.stringify(result)).not.toContain(apiKey.slice(-32));
	return result;
}

// What it says of each fault: test/unit/nodes/shared/client/credentialTest.test.ts.
describe('the test of the credential', () => {
	it.each(['test', 'live'] as const)('accepts the %s key', async (key) => {
		expect(await testCredential(world.sandbox.keys[key])).toMatchObject({ status: 'OK' });
		expect(world.sandbox.requests.map(({ url }) => url)).toEqual(['/v1/auth/self']);
	});

	it('explains a key that is unknown, and a host that is not there', async () => {
		const baseUrl = `http://127.0.0.1:${await findPort()}`;
		expect([
			await testCredential(`brlpay_test_unknown001_${'x'.repeat(32)}`),
			await testCredential(world.sandbox.keys.test, { baseUrl }),
		]).toMatchObject([
			{ status: 'Error', message: expect.stringMatching(/unknown, revoked|expired/i) },
			{ status: 'Error', message: expect.stringMatching(/reach/i) },
		]);
	});
});

describe('the credential in the HTTP Request node', () => {
	const request = async (url: string) =>
		await world.run(
			buildWorkflow('HTTP Request', [
				...manualStart([{ n: 1 }, { n: 2 }]),
				node(
					'Request',
					'httpRequest',
					4.2,
					{
						...{ url, authentication: 'predefinedCredentialType' },
						...{ nodeCredentialType: 'brlPaymentsApi', options: {} },
					},
					{ credentials: brlPayments('', '', '').credentials },
				),
			]),
		);

	it('opens the service', async () => {
		const execution = await request(`${world.sandbox.url}/v1/auth/self`);
		expect(execution.status).toBe('success');
		const output = getItems(execution, 'Request').map(({ json }) => json);
		const self = { apiKey: { environment: 'PRODUCTION' } };
		expect(output).toMatchObject([self, self]);
	});

	it('is not taken along to where the service redirects', async () => {
		const serve = async (listener: RequestListener) => {
			const server = createServer(listener);
			return { server, url: `http://127.0.0.1:${await openPort(server)}` };
		};
		const asked: string[] = [];
		const other = await serve((_request, response) => {
			asked.push('other');
			response.end('{}');
		});
		const service = await serve(({ headers }, response) => {
			asked.push(`service with ${headers.authorization?.slice(0, 'Bearer'.length)}`);
			response.writeHead(302, { location: `${other.url}/elsewhere` }).end();
		});
		try {
			const key = `brlpay_test_redirected_${'x'.repeat(32)}`;
			await saveCredential(world.client, apiCredential(service.url, key));
			expect((await request(`${service.url}/v1/balance`)).status).toBe('error');
			expect(new Set(asked)).toEqual(new Set(['service with Bearer']));
		} finally {
			await world.useKey(world.sandbox.keys.live);
			for (const { server } of [service, other]) await closeServer(server);
		}
	});

	it('is not sent anywhere else', async () => {
		// Another server on this machine, which would be happy to get the key.
		expect((await request(`${world.n8n.url}/healthz`)).status).toBe('error');
	});
});

/** The nodes that docs/operating.md advises, with its expression. */
async function nodesOfDocs(): Promise<INode[]> {
	const page = await readFile(join(repositoryRoot, 'docs', 'operating.md'), 'utf8');
	const [, expression = ''] = /an \*\*If\*\* on `(\{\{.+?\}\})`/.exec(page) ?? [];
	const operator = { type: 'boolean', operation: 'true', singleValue: true };
	const condition = { id: 'in-doubt', leftValue: `=${expression}`, rightValue: '', operator };
	const conditions = {
		options: { caseSensitive: true, typeValidation: 'strict', version: 2 },
		...{ conditions: [condition], combinator: 'and' },
	};
	return [
		node('Any in Doubt?', 'if', 2.2, { conditions, options: {} }),
		node('Some Are in Doubt', 'stopAndError', 1, { errorMessage: 'Payouts are in doubt.' }),
	];
}

it('payouts in doubt are in the log, and the nodes of the docs let the execution fail after its report', async () => {
	const payouts = makePayouts(2);
	loseAnswers(world);
	const alarm = await world.listen(
		buildWorkflow('Alarm', [node('Error', 'errorTrigger', 1), node('Tell', 'noOp', 1)]),
	);
	const nodes = [payEachItem(CONTINUE), node('Report', 'noOp', 1), ...(await nodesOfDocs())];
	const workflow = buildWorkflow('Operator', [...webhookStart('operator'), ...nodes]);
	const settings = { ...workflow.settings, errorWorkflow: alarm };
	const workflowId = await world.listen({ ...workflow, settings });
	const id = await world.trigger(workflowId, 'operator', { items: payouts });
	const execution = await world.client.waitForExecution(id, 300_000);

	expect(execution.status).toBe('error');
	expect(execution.data.resultData.error?.message).toContain('Payouts are in doubt');
	const reported = getItems(execution, 'Report').map(({ json }) => json);
	expect(reported).toMatchObject(payouts.map(() => ({ error: { effect: 'unknown' } })));
	expect(booked(world.sandbox.books.withdrawals)).toEqual(intended(payouts));
	await waitFor(async () => (await world.client.listExecutionsOfAllModes(alarm)).length === 1, {
		what: 'the error workflow to run',
	});
	const lines = (await readFile(world.n8n.logFile, 'utf8'))
		.split('\n')
		.filter((line) => line.startsWith('{') && line.includes('BRL Payments withdrawal.create'))
		.map((line) => JSON.parse(line) as { level: string; metadata: { executionId: string } })
		.filter(({ metadata }) => metadata.executionId === id);
	expect(lines.map(({ level }) => level)).toEqual(['info', 'warn', 'warn']);
	for (const { pixKey } of payouts) expect(JSON.stringify(lines)).not.toContain(pixKey);
}, 360_000);

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
	const pay = (name: string, items = payouts, extras = {}, options = {}) =>
		buildWorkflow(name, [...manualStart(items), payEachItem(extras, options)]);

	expect(await run(pay('Good'))).toBe('success');
	const faults = [
		{ kind: 'dropAfter' },
		{ kind: 'html', status: 502 },
		{ kind: 'truncate' },
		{ kind: 'error', code: 'INVALID_API_KEY' },
		{ kind: 'error', code: 'VALIDATION_ERROR', details: { amount: 'is odd' } },
		{ kind: 'delay', ms: 3000 },
	] as const;
	// All at the same time: most of it is waiting.
	const statuses = await Promise.all(
		faults.map(async (fault, index) => {
			const items = makePayouts(2 * index + 4).slice(-2);
			world.sandbox.faults.add({
				...{ method: 'POST', path: '/v1/withdrawals', times: Infinity, ...fault },
				when: ({ rawBody }) => items.some(({ pixKey }) => rawBody.includes(pixKey)),
			});
			// Without the guard, which would stop the same payouts before the fault strikes.
			const options = { duplicateGuard: 'never', ...(fault.kind === 'delay' && { timeout: 1 }) };
			const [bad] = await Promise.all([
				run(pay(`Bad: ${fault.kind}`, items, {}, options)),
				run(pay(`Continued: ${fault.kind}`, items, CONTINUE, options)),
			]);
			return bad;
		}),
	);
	expect(new Set(statuses)).toEqual(new Set(['error']));
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
	const { data, ...rest } = apiCredential(world.sandbox.url, world.sandbox.keys.live, 'Half');
	const half = { ...rest, data: { ...data, ...scheme } };
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
