/** A real n8n with a node of its own that runs JavaScript beside the ledger: `openLedger(this)` and so on. */
import { randomUUID } from 'node:crypto';
import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { transform } from '@swc/core';
import { rollup, type Plugin } from 'rollup';
import { ensureN8nInstalled } from '../../../dev/n8n/install/install';
import { makeUserFolder, N8nHolder, N8nInstance } from '../../../dev/n8n/instance';
import { repositoryRoot } from '../../../dev/n8n/paths';
import { startN8n } from '../../../dev/n8n/process/process';
import { waitFor } from '../../../dev/n8n/process/waitFor';
import { postgresEnvironment, startPostgres, type Postgres } from '../../../dev/n8n/queue/postgres';
import { findSystemTools } from '../../../dev/n8n/queue/systemTools';
import { buildWorkflow, node, webhook } from '../../../dev/n8n/rest/workflow';

const NAME = 'n8n-nodes-ledger-probe';
const LEDGER = join(repositoryRoot, 'nodes', 'BrlPayments', 'ledger', 'dataTable.ts');

/** Runs what it is given, with `this` as n8n calls nodes, `ledgerModule` and `require`. */
const PROBE = `
'use strict';
const ledgerModule = require('./ledger.js');
const AsyncFunction = (async () => {}).constructor;
class LedgerProbe {
	description = {
		displayName: 'Ledger Probe',
		name: 'ledgerProbe',
		group: ['transform'],
		version: 1,
		description: 'Runs JavaScript',
		defaults: { name: 'Ledger Probe' },
		inputs: ['main'],
		outputs: ['main'],
		properties: [],
	};

	async execute() {
		const { body } = this.getInputData()[0].json;
		const run = new AsyncFunction('openLedger', 'input', 'require', body.code);
		const result = await run.call(this, ledgerModule.openLedger, body.input, require)
			.then((value) => ({ value }), ({ name, message, problem }) => ({ error: { name, message, problem } }));
		return [[{ json: result }]];
	}
}
module.exports = { LedgerProbe };
`;

/** Takes the types out of the sources of the package. */
const fromSources: Plugin = {
	name: 'from-sources',
	resolveId: (id, importer) =>
		id.startsWith('.') && importer !== undefined ? `${resolve(dirname(importer), id)}.ts` : null,
	async transform(code) {
		const jsc = { parser: { syntax: 'typescript' as const }, target: 'es2022' as const };
		return (await transform(code, { jsc })).code;
	},
};

async function installProbe(userFolder: string): Promise<void> {
	const nodes = join(userFolder, '.n8n', 'nodes');
	const folder = join(nodes, 'node_modules', NAME);
	await mkdir(folder, { recursive: true });
	const bundle = await rollup({
		input: LEDGER,
		external: ['n8n-workflow'],
		plugins: [fromSources],
	});
	await bundle.write({ file: join(folder, 'ledger.js'), format: 'cjs' });
	await writeFile(join(folder, 'LedgerProbe.node.js'), PROBE);
	const manifest = { name: NAME, version: '1.0.0', n8n: { nodes: ['LedgerProbe.node.js'] } };
	await writeFile(join(folder, 'package.json'), JSON.stringify(manifest));
	const list = { name: 'installed-nodes', private: true, dependencies: { [NAME]: '1.0.0' } };
	await writeFile(join(nodes, 'package.json'), JSON.stringify(list));
}

export interface ProbeError {
	readonly name: string;
	readonly message: string;
	readonly problem?: string;
}

/** One n8n, on SQLite or PostgreSQL, with a workflow that runs what it is given. */
export class LedgerProbe extends N8nHolder {
	postgres: Postgres | undefined;
	workflowId = '';
	private path = '';

	constructor(
		private readonly database: 'sqlite' | 'postgres',
		private readonly env: NodeJS.ProcessEnv = {},
	) {
		super();
	}

	async start(): Promise<void> {
		const host = await ensureN8nInstalled();
		const userFolder = await makeUserFolder('ledger');
		await installProbe(userFolder);
		if (this.database === 'postgres') {
			const { postgresBin } = await findSystemTools();
			const folder = join(userFolder, 'postgres');
			this.postgres = await startPostgres(postgresBin, folder, host.nodeBinary);
		}
		const env = { ...this.databaseEnv(), ...this.env };
		this.instance = new N8nInstance({
			host,
			userFolder,
			launch: async (port) => await startN8n({ host, userFolder, env, ...(port && { port }) }),
		});
		await this.instance.start();
		await this.useNewWorkflow();
	}

	/** What n8n remembers of a node does not hold for that of another workflow. */
	async useNewWorkflow(): Promise<void> {
		this.path = randomUUID();
		const workflow = buildWorkflow('Probe', [
			webhook(this.path, { responseMode: 'lastNode' }, { webhookId: this.path }),
			node('Probe', `${NAME}.ledgerProbe`, 1),
		]);
		this.workflowId = (await this.client.createWorkflow(workflow)).id;
		await this.client.activateWorkflow(this.workflowId);
	}

	/**
	 * Runs JavaScript in the node; `input` is what is given.
	 * @throws ProbeError what it throws
	 */
	async run<T = unknown>(code: string, input: unknown = {}): Promise<T> {
		const response = await waitFor(
			async () => {
				const answer = await fetch(`${this.n8n.url}/webhook/${this.path}`, {
					method: 'POST',
					headers: { 'content-type': 'application/json' },
					body: JSON.stringify({ code, input }),
				});
				// Activation responds before the webhook is there.
				return answer.status !== 404 && answer;
			},
			{ what: 'the webhook', timeoutMs: 120_000 },
		);
		const result = (await response.json()) as { value?: T; error?: ProbeError };
		if (result.error) throw Object.assign(new Error(result.error.message), result.error);
		return result.value as T;
	}

	/** Power cut and restart, on the same database. */
	async crashAndRestart(): Promise<void> {
		await this.getInstance().crash();
	}

	async end(): Promise<void> {
		await this.instance?.remove('atOnce');
		await this.postgres?.stop();
		await this.postgres?.remove();
	}

	private databaseEnv(): NodeJS.ProcessEnv {
		return this.postgres === undefined ? {} : postgresEnvironment(this.postgres);
	}
}
