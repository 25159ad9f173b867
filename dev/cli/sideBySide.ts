import { tryCommand } from '../n8n/process/runCommand';

/** A program and its arguments. */
export type Command = readonly [string, ...string[]];

/**
 * Runs commands at the same time, each to its end. Prints one line about each that passes, and all
 * that a command has printed where it fails.
 *
 * @param signal ends all of them, and the promise with its reason
 * @returns whether all of them have passed
 */
export async function runSideBySide(
	commands: readonly Command[],
	cwd: string,
	print: (text: string) => void,
	signal?: AbortSignal,
): Promise<boolean> {
	const codes = await Promise.all(
		commands.map(async ([file, ...args]) => {
			const name = [file, ...args].join(' ');
			const { code, output } = await tryCommand(file, args, { cwd, signal });
			print(code === 0 ? `passed: ${name}` : `failed: ${name}\n\n${output}`);
			return code;
		}),
	);
	return codes.every((code) => code === 0);
}
