import { readRunningN8n, refuseUsed } from '../../../../dev/demo/runningN8n';
import { LIVE_KEY_CREDENTIAL_NAME } from '../../../../dev/demo/keyCredentials';
import type { N8nClient } from '../../../../dev/n8n/rest/rest';

const LOGIN = { N8N_EMAIL: 'owner@n8n.example', N8N_PASSWORD: 'Example-password-1' };
const PACKAGE = 'n8n-nodes-brl-payments.brlPayments';

interface There {
	nodes?: string[];
	credentials?: Array<{ name: string; type: string }>;
	tables?: string[];
}

/** The part of an n8n that is asked. */
function n8nWith({ nodes = [PACKAGE], credentials = [], tables = [] }: There): N8nClient {
	return {
		nodeTypes: async () => new Map(nodes.map((name) => [name, new Set([2])])),
		listCredentials: async () => credentials,
		request: async () => ({ data: tables.map((name) => ({ name })) }),
	} as unknown as N8nClient;
}

describe('where it is', () => {
	it('is an address without a path, with the login of the environment', () => {
		const { url, owner } = readRunningN8n('http://localhost:5678/home/workflows', LOGIN);
		expect(url).toBe('http://localhost:5678');
		expect(owner).toMatchObject({ email: LOGIN.N8N_EMAIL, password: LOGIN.N8N_PASSWORD });
	});

	it.each(['N8N_EMAIL', 'N8N_PASSWORD'])('is refused without %s', (name) => {
		const read = () => readRunningN8n('http://localhost:5678', { ...LOGIN, [name]: '' });
		expect(read).toThrow('N8N_EMAIL and N8N_PASSWORD');
	});

	it('is refused if it is no address', () => {
		expect(() => readRunningN8n('my n8n', LOGIN)).toThrow('"my n8n" is not an address');
	});
});

describe('whether the demo may use it', () => {
	it('may if nobody works with it, also where other things are in it', async () => {
		const client = n8nWith({
			credentials: [{ name: 'Slack', type: 'slackApi' }],
			tables: ['Movements by day'],
		});
		await expect(refuseUsed(client, true)).resolves.toBeUndefined();
	});

	it('may the next time, with what it has left there itself', async () => {
		const client = n8nWith({
			credentials: [
				{ name: LIVE_KEY_CREDENTIAL_NAME, type: 'brlPaymentsApi' },
				{ name: 'SMTP account', type: 'smtp' },
			],
			tables: ['BRL Payouts'],
		});
		await expect(refuseUsed(client, false)).resolves.toBeUndefined();
		await expect(refuseUsed(client, true)).rejects.toThrow(
			`the credential "${LIVE_KEY_CREDENTIAL_NAME}", the credential "SMTP account", the table BRL Payouts`,
		);
	});

	it('may not the next time if somebody has added a key of their own', async () => {
		const client = n8nWith({ credentials: [{ name: 'Ours', type: 'brlPaymentsApi' }] });
		await expect(refuseUsed(client, false)).rejects.toThrow('it has the credential "Ours"');
	});

	it('may not without the package', async () => {
		await expect(refuseUsed(n8nWith({ nodes: ['slack'] }), true)).rejects.toThrow(
			'does not have this package',
		);
	});
});
