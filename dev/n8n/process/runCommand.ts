import { spawn } from 'node:child_process';

import type { SystemUser } from './processGroup';

export interface CommandOptions {
	cwd: string;
	env?: NodeJS.ProcessEnv;
	/** Milliseconds after which the command is ended. */
	timeoutMs?: number;
	signal?: AbortSignal;
	user?: SystemUser;
}

interface CommandResult {
	code: number;
	output: string;
}

/** How much of the output an error shows: the end of it is where tools say what went wrong. */
const TAIL_CHARACTERS = 4000;

/**
 * Runs a command to its end and gives back its exit code and output (both streams, as they came).
 * The command gets a separate process group, so that what it started ends with it.
 */
export async function tryCommand(
	file: string,
	args: readonly string[],
	{ cwd, env = process.env, timeoutMs, signal, user }: CommandOptions,
): Promise<CommandResult> {
	return await new Promise((resolve, reject) => {
		signal?.throwIfAborted();
		const child = spawn(file, args, {
			cwd,
			env,
			...user,
			detached: true,
			stdio: ['ignore', 'pipe', 'pipe'],
		});
		let output = '';
		const collect = (chunk: Buffer) => {
			output += chunk.toString();
		};
		child.stdout.on('data', collect);
		child.stderr.on('data', collect);

		const endGroup = () => {
			if (child.pid === undefined) return;
			try {
				process.kill(-child.pid, 'SIGKILL');
			} catch {
				// Already gone.
			}
		};
		const timer = timeoutMs === undefined ? undefined : setTimeout(endGroup, timeoutMs);
		signal?.addEventListener('abort', endGroup, { once: true });
		process.once('exit', endGroup);
		const cleanUp = () => {
			clearTimeout(timer);
			signal?.removeEventListener('abort', endGroup);
			process.removeListener('exit', endGroup);
		};

		child.once('error', (error) => {
			cleanUp();
			reject(error);
		});
		child.once('close', (code) => {
			cleanUp();
			if (signal?.aborted) reject(signal.reason as Error);
			else resolve({ code: code ?? 1, output });
		});
	});
}

/** Like {@link tryCommand}, but anything except exit code 0 is an error that shows the output. */
export async function runCommand(
	file: string,
	args: readonly string[],
	options: CommandOptions,
): Promise<string> {
	const { code, output } = await tryCommand(file, args, options);
	if (code !== 0) {
		const command = [file, ...args].join(' ');
		throw new Error(`"${command}" ended with code ${code}:\n${output.slice(-TAIL_CHARACTERS)}`);
	}
	return output;
}
