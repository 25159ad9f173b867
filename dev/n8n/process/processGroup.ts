import { spawn } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';
import { join } from 'node:path';

export interface ProcessGroup {
	pid: number;
	hasExited: () => boolean;
	/** Resolves when the first process of the group is gone, with its exit code (null by a signal). */
	exited: Promise<number | null>;
	/** Ends it in order; by force after `timeoutMs`, with everything it left behind. */
	stop: (timeoutMs: number) => Promise<void>;
	/** Ends it and its children at once, as a power cut would. */
	kill9: () => Promise<void>;
}

export interface GroupOptions {
	cwd: string;
	env: NodeJS.ProcessEnv;
	/** Everything that is printed is added to this file. */
	logFile: string;
	/** A Node.js that reads TypeScript, 24 or later: it runs the guard. */
	nodeBinary: string;
	user?: SystemUser;
}

export interface SystemUser {
	uid: number;
	gid: number;
}

function signalGroup(pid: number, signal: NodeJS.Signals): void {
	try {
		process.kill(-pid, signal);
	} catch (error) {
		if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
	}
}

/** Starts the process that ends the group if this one dies without having done so. */
function startGuard(nodeBinary: string, group: number): { dismiss: () => void } {
	const guard = spawn(
		nodeBinary,
		[
			'--disable-warning=MODULE_TYPELESS_PACKAGE_JSON',
			join(__dirname, 'processGroupGuard.ts'),
			String(group),
		],
		{ detached: true, stdio: ['pipe', 'ignore', 'ignore'] },
	);
	// The guard must not be what keeps this process alive, nor its death an error here.
	guard.unref();
	guard.stdin?.on('error', () => {});
	guard.on('error', () => {});
	return { dismiss: () => guard.stdin?.end('ended') };
}

export async function startGroup(
	file: string,
	args: readonly string[],
	{ cwd, env, logFile, nodeBinary, user }: GroupOptions,
): Promise<ProcessGroup> {
	const log = openSync(logFile, 'a', 0o600);
	const child = spawn(file, args, {
		cwd,
		env,
		...user,
		detached: true,
		stdio: ['ignore', log, log],
	});
	closeSync(log);
	const hasExited = () => child.exitCode !== null || child.signalCode !== null;
	const exited = new Promise<number | null>((resolve, reject) => {
		child.once('error', reject);
		child.once('exit', resolve);
	});
	const pid = child.pid;
	if (pid === undefined) {
		await exited;
		throw new Error(`${file} could not be started.`);
	}
	const guard = startGuard(nodeBinary, pid);

	return {
		pid,
		hasExited,
		exited,
		kill9: async () => {
			signalGroup(pid, 'SIGKILL');
			await exited;
			guard.dismiss();
		},
		stop: async (timeoutMs) => {
			if (!hasExited()) {
				// The first process alone: it ends its own children, in the right order.
				child.kill('SIGTERM');
				const timer = setTimeout(() => signalGroup(pid, 'SIGKILL'), timeoutMs);
				await exited;
				clearTimeout(timer);
			}
			signalGroup(pid, 'SIGKILL');
			guard.dismiss();
		},
	};
}
