import { readRunningN8n, refuseUsed } from '../../../../dev/demo/runningN8n';
import { LIVE_KEY_CREDENTIAL_NAME } from '../../../../dev/demo/keyCredentials';
import type { N8nClient } from '../../../../dev/n8n/rest/rest';

const LOGIN = { N8N_EMAIL: 'owner@n8n.example', N8N_PASSWORD: 'Example-password-1' };

describe('where it is', () => {
	it('is an address without a path, with the login of the environment', () => {
		const { url, owner } = readRunningN8n('http://localhost:5678/home/workflows', LOGIN);
		expect(url).toBe('http://localhost:5678');
		expect(owner).toMatchObject({ email: LOGIN.N8N_EMAIL, password: LOGIN.N8N_PASSWORD });
	});

	it.each([
		['http://localhost:5678', { N8N_EMAIL: '' }, 'N8N_EMAIL and N8N_PASSWORD'],
		['http://localhost:5678', { N8N_PASSWORD: '' }, 'N8N_EMAIL and N8N_PASSWORD'],
		['my n8n', {}, '"my n8n" is not an address'],
	])('is refused as %s with %j', (url, env, said) => {
		expect(() => readRunningN8n(url, { ...LOGIN, ...env })).toThrow(said);
	});
});

interface There {
	nodes?: string[];
	credentials?: Array<{ name: string; type: string }>;
	tables?: string[];
}

/** The part of an n8n that is asked. */
function n8nWith({ nodes, credentials = [], tables = [] }: There): N8nClient {
	const names = nodes ?? ['n8n-nodes-brl-payments.brlPayments'];
	return {
		nodeTypes: async () => new Map(names.map((name) => [name, new Set([2])])),
		listCredentials: async () => credentials,
		request: async () => ({ data: tables.map((name) => ({ name })) }),
	} as unknown as N8nClient;
}

const LEFT_BY_DEMO: There = {
	credentials: [
		{ name: LIVE_KEY_CREDENTIAL_NAME, type: 'brlPaymentsApi' },
		{ name: 'SMTP account', type: 'smtp' },
	],
	tables: ['BRL Payouts'],
};
const OF_OTHERS: There = {
	credentials: [{ name: 'Slack', type: 'slackApi' }],
	tables: ['Movements by day'],
};

it.each<[what: string, There, isFirst: boolean]>([
	['nobody works with it, also where other things are in it', OF_OTHERS, true],
	['it holds what the demo has left there the last time', LEFT_BY_DEMO, false],
])('the demo may use it if %s', async (_what, there, isFirst) => {
	await expect(refuseUsed(n8nWith(there), isFirst)).resolves.toBeUndefined();
});

it.each<[what: string, There, isFirst: boolean, said: string]>([
	[
		'someone works with it',
		LEFT_BY_DEMO,
		true,
		`the credential "${LIVE_KEY_CREDENTIAL_NAME}", the credential "SMTP account", the table BRL Payouts`,
	],
	[
		'somebody has added a key of their own since',
		{ credentials: [{ name: 'Ours', type: 'brlPaymentsApi' }] },
		false,
		'it has the credential "Ours"',
	],
	['it lacks the package', { nodes: ['slack'] }, true, 'does not have this package'],
])('the demo may not use it if %s', async (_what, there, isFirst, said) => {
	await expect(refuseUsed(n8nWith(there), isFirst)).rejects.toThrow(said);
});
