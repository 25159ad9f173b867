import { LEDGER_NAME } from '../../nodes/BrlPayments/orders/findTable';
import { isReady, type N8nProcess } from '../n8n/process/process';
import { mailCredential, webhookCredential } from '../n8n/rest/credentials';
import type { N8nClient, Owner } from '../n8n/rest/rest';
import { PACKAGE_NODE } from '../n8n/rest/workflow';
import { LIVE_KEY_CREDENTIAL_NAME, TEST_KEY_CREDENTIAL_NAME } from './keyCredentials';

/** An n8n that the demo has not started, and does not end. */
export interface RunningN8n {
	readonly url: string;
	readonly owner: Owner;
}

const TYPES = ['brlPaymentsApi', 'brlPaymentsWebhookApi', 'smtp'];
const OWN_NAMES = [
	LIVE_KEY_CREDENTIAL_NAME,
	TEST_KEY_CREDENTIAL_NAME,
	webhookCredential('').name,
	mailCredential(0).name,
];

/**
 * @param url of the n8n, as a browser on this machine has it
 * @param env where the login is: N8N_EMAIL and N8N_PASSWORD
 * @throws Error that says what is missing
 */
export function readRunningN8n(url: string, env: NodeJS.ProcessEnv): RunningN8n {
	const { N8N_EMAIL: email, N8N_PASSWORD: password } = env;
	if (!email || !password) {
		throw new Error(
			'Set the environment variables N8N_EMAIL and N8N_PASSWORD to the login of the owner of that n8n.',
		);
	}
	if (!URL.canParse(url))
		throw new Error(`"${url}" is not an address such as http://localhost:5678`);
	const owner = { email, password, firstName: 'Demo', lastName: 'Owner' };
	return { url: new URL(url).origin, owner };
}

export async function connect(url: string): Promise<N8nProcess> {
	if (!(await isReady(url, 'start'))) throw new Error(`No n8n responds at ${url}.`);
	const leaveIt = async () => await Promise.resolve();
	return {
		...{ role: 'start', url, port: Number(new URL(url).port), env: {} },
		// It belongs to somebody else: nothing is known of it, and it is not ended.
		...{ pid: 0, userFolder: '', logFile: '' },
		exited: new Promise(() => undefined),
		stop: leaveIt,
		kill9: leaveIt,
	};
}

/**
 * The demo saves credentials and empties the table of references at each start: never in an n8n that
 * somebody works with.
 *
 * @param isFirst whether the demo has not used this n8n before
 * @throws Error that names what is there
 */
export async function refuseUsed(client: N8nClient, isFirst: boolean): Promise<void> {
	if (!(await client.nodeTypes()).has(PACKAGE_NODE)) {
		throw new Error('That n8n does not have this package. Install it there first.');
	}
	const credentials = (await client.listCredentials()).filter(
		({ type, name }) => TYPES.includes(type) && (isFirst || !OWN_NAMES.includes(name)),
	);
	const tables = await client.request<{ data: Array<{ name: string }> }>(
		'GET',
		'/rest/data-tables-global',
	);
	const found = [
		...credentials.map(({ name }) => `the credential "${name}"`),
		...(isFirst && tables.data.some(({ name }) => name === LEDGER_NAME)
			? [`the table ${LEDGER_NAME}`]
			: []),
	];
	if (found.length === 0) return;
	throw new Error(
		`Someone works with that n8n: it has ${found.join(', ')}. The demo would change them. Use an n8n without them.`,
	);
}
