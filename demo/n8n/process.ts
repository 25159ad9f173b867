import { spawn, type ChildProcess } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';
import { mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';

import { filesFolder, n8nEnvironment } from './environment';
import type { N8nHost } from './install';
import { findFreePorts, findPort } from './ports';
import { waitFor } from './waitFor';

export interface StartOptions {
	host: N8nHost;
	/** n8n keeps its database, settings and binary files below it; made where it is missing. */
	userFolder: string;
	/** Taken where it is free; without it any free port. */
	port?: number;
	/** More environment variables, which win over the harness's own. */
	env?: NodeJS.ProcessEnv;
	/** Milliseconds until n8n must answer. */
	readyTimeoutMs?: number;
	signal?: AbortSignal;
}

export interface N8nProcess {
	url: string;
	port: number;
	pid: number;
	userFolder: string;
	/** All that n8n printed, over all starts on this user folder. */
	logFile: string;
	env: NodeJS.ProcessEnv;
	/** Resolves when the process is gone, with its exit code (null after a signal). */
	exited: Promise<number | null>;
	/** Ends n8n in order; after 20 s by force. */
	stop(): Promise<void>;
	/** Ends n8n and its children at once, as a power cut would. */
	kill9(): Promise<void>;
}

const STOP_TIMEOUT_MS = 20_000;
const LOG_TAIL_CHARACTERS = 3000;

function signalGroup(pid: number, signal: NodeJS.Signals): void {
	try {
		process.kill(-pid, signal);
	} catch (error) {
		if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
	}
}

async function isReady(url: string): Promise<boolean> {
	// Readiness tells of the database, /rest/settings of the nodes and of the web server's routes.
	for (const path of ['/healthz/readiness', '/rest/settings']) {
		const response = await fetch(`${url}${path}`, { signal: AbortSignal.timeout(5000) }).catch(
			() => undefined,
		);
		await response?.arrayBuffer();
		if (response?.status !== 200) return false;
	}
	return true;
}

async function readLogTail(logFile: string): Promise<string> {
	const text = await readFile(logFile, 'utf8').catch(() => '');
	return text.slice(-LOG_TAIL_CHARACTERS);
}

/** Starts the process that ends n8n if this one dies without having done so. */
function startGuard(host: N8nHost, group: number): ChildProcess {
	const guard = spawn(
		host.nodeBinary,
		['--disable-warning=MODULE_TYPELESS_PACKAGE_JSON', join(__dirname, 'guard.ts'), String(group)],
		{ detached: true, stdio: ['pipe', 'ignore', 'ignore'] },
	);
	// The guard must not be what keeps this process alive, nor its death an error here.
	guard.unref();
	guard.stdin?.on('error', () => {});
	guard.on('error', () => {});
	return guard;
}

/** Starts n8n and waits until it answers. */
export async function startN8n(options: StartOptions): Promise<N8nProcess> {
	const { host, userFolder, signal, readyTimeoutMs = 120_000 } = options;
	const [freePort, brokerPort] = (await findFreePorts(2)) as [number, number];
	const port = options.port === undefined ? freePort : await findPort(options.port);
	const env = n8nEnvironment({ userFolder, port, brokerPort, extra: options.env });
	await mkdir(filesFolder(userFolder), { recursive: true });

	const logFile = join(userFolder, 'n8n.log');
	const log = openSync(logFile, 'a', 0o600);
	const child = spawn(host.nodeBinary, [host.n8nScript, 'start'], {
		cwd: userFolder,
		env,
		// A group of its own, so that its task runner can be ended with it.
		detached: true,
		stdio: ['ignore', log, log],
	});
	closeSync(log);
	const exited = new Promise<number | null>((resolve, reject) => {
		child.once('error', reject);
		child.once('exit', (code) => resolve(code));
	});
	const pid = child.pid;
	if (pid === undefined) {
		await exited;
		throw new Error('n8n could not be started.');
	}
	let hasExited = false;
	const guard = startGuard(host, pid);
	const settled = exited.finally(() => {
		hasExited = true;
	});

	const kill9 = async () => {
		signalGroup(pid, 'SIGKILL');
		await settled;
		guard.stdin?.end('ended');
	};
	const stop = async () => {
		if (!hasExited) {
			// n8n alone: it ends its task runner itself, in the right order.
			child.kill('SIGTERM');
			const timer = setTimeout(() => signalGroup(pid, 'SIGKILL'), STOP_TIMEOUT_MS);
			await settled;
			clearTimeout(timer);
		}
		// Whatever n8n left behind.
		signalGroup(pid, 'SIGKILL');
		guard.stdin?.end('ended');
	};

	const url = `http://127.0.0.1:${port}`;
	try {
		await waitFor(
			async () => {
				if (hasExited) {
					throw new Error(`n8n ended while starting:\n${await readLogTail(logFile)}`);
				}
				return await isReady(url);
			},
			{ what: 'n8n to answer', timeoutMs: readyTimeoutMs, pollMs: 150, signal },
		);
	} catch (error) {
		await kill9();
		throw error;
	}
	return { url, port, pid, userFolder, logFile, env, exited: settled, stop, kill9 };
}
