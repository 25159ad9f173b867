import { execFile } from 'node:child_process';

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

/** Runs a command to its end and gives back its exit code and output, of both streams. */
export async function tryCommand(
	file: string,
	args: readonly string[],
	{ cwd, env, timeoutMs = 0, signal, user }: CommandOptions,
): Promise<CommandResult> {
	const options = { cwd, env, timeout: timeoutMs, signal, ...user };
	return await new Promise((resolve, reject) => {
		execFile(file, [...args], { ...options, maxBuffer: Infinity }, (error, stdout, stderr) => {
			if (signal?.aborted) reject(signal.reason as Error);
			// It was not started.
			else if (typeof error?.code === 'string') reject(new Error(error.message));
			else resolve({ code: error ? Number(error.code ?? 1) : 0, output: stdout + stderr });
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
