import { existsSync } from 'node:fs';
import { mkdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';

import { startGroup, type ProcessGroup } from './processGroup';
import { filesFolder, n8nEnvironment } from './environment';
import type { N8nHost } from '../install/install';
import { findPort } from './ports';
import { waitFor } from './waitFor';

/** What a process of n8n does: everything, or one part of it in queue mode. */
export type Role = 'start' | 'webhook' | 'worker';

interface StartOptions {
	host: N8nHost;
	role?: Role;
	/** n8n keeps its database, settings and binary files below it; made where it is missing. */
	userFolder: string;
	/** Where relative paths of files begin; the user folder by default. */
	workingFolder?: string;
	/** Taken where it is free; without it any free port. */
	port?: number;
	/** More environment variables, which win over the harness's own. */
	env?: NodeJS.ProcessEnv;
	signal?: AbortSignal;
}

export interface N8nProcess extends Pick<ProcessGroup, 'pid' | 'exited' | 'kill9'> {
	role: Role;
	url: string;
	port: number;
	userFolder: string;
	/** All that n8n printed, over all starts on this user folder. */
	logFile: string;
	env: NodeJS.ProcessEnv;
	/** Ends n8n in order; after 20 s by force. */
	stop(): Promise<void>;
}

/** On a busy machine it takes minutes. */
const READY_TIMEOUT_MS = 300_000;
const STOP_TIMEOUT_MS = 20_000;
const LOG_TAIL_CHARACTERS = 3000;

export async function isReady(url: string, role: Role): Promise<boolean> {
	// Readiness is about the database, /rest/settings about the nodes and the web server's routes.
	const paths = ['/healthz/readiness', ...(role === 'start' ? ['/rest/settings'] : [])];
	for (const path of paths) {
		const response = await fetch(`${url}${path}`, { signal: AbortSignal.timeout(5000) }).catch(
			() => undefined,
		);
		await response?.arrayBuffer();
		if (response?.status !== 200) return false;
	}
	return true;
}

/**
 * Turns off the part of n8n that fetches a list of servers from the internet. An n8n that is configured
 * to leave out a part that it does not have refuses to start.
 */
function withoutRegistry({ folder }: N8nHost): NodeJS.ProcessEnv {
	const name = 'mcp-registry';
	const path = join(folder, 'node_modules', 'n8n', 'dist', 'modules', name);
	return existsSync(path) ? { N8N_DISABLED_MODULES: name } : {};
}

export async function readLogTail(logFile: string): Promise<string> {
	const text = await readFile(logFile, 'utf8').catch(() => '');
	return text.slice(-LOG_TAIL_CHARACTERS);
}

export async function startN8n(options: StartOptions): Promise<N8nProcess> {
	const { host, role = 'start', userFolder, signal } = options;
	const { workingFolder = userFolder } = options;
	const port = await findPort(options.port);
	const brokerPort = await findPort();
	const env = n8nEnvironment({
		...{ userFolder, port, brokerPort },
		extra: {
			// Of Node 22 and later: n8n starts in three quarters of the time.
			NODE_COMPILE_CACHE: join(host.folder, 'compile-cache'),
			...withoutRegistry(host),
			...options.env,
		},
	});
	await mkdir(filesFolder(workingFolder), { recursive: true });
	// By this file n8n knows that it was killed, and then does nothing for ten seconds before it starts.
	await rm(join(userFolder, '.n8n', 'crash.journal'), { force: true });

	const logFile = join(userFolder, 'n8n.log');
	const group = await startGroup(host.nodeBinary, [host.n8nScript, role], {
		cwd: workingFolder,
		env,
		logFile,
		nodeBinary: host.nodeBinary,
	});

	const url = `http://127.0.0.1:${port}`;
	try {
		await waitFor(
			async () => {
				if (group.hasExited()) {
					throw new Error(`n8n ended while starting:\n${await readLogTail(logFile)}`);
				}
				return await isReady(url, role);
			},
			{ what: `n8n ${role} to answer`, timeoutMs: READY_TIMEOUT_MS, pollMs: 150, signal },
		);
	} catch (error) {
		await group.kill9();
		throw error;
	}
	const stop = async () => await group.stop(STOP_TIMEOUT_MS);
	return { ...group, role, url, port, userFolder, logFile, env, stop };
}
