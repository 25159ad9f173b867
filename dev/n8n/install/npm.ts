import { runCommand, type CommandOptions } from '../process/runCommand';

/**
 * The environment for an npm that works in a folder outside this repository. `npm run` leaves the
 * facts of its own project in the environment, and an npm started from there would take them up.
 */
export function npmEnvironment(environment: NodeJS.ProcessEnv = process.env): NodeJS.ProcessEnv {
	const ofTheProject =
		/^(npm_(package|lifecycle)_|npm_config_local_prefix$|npm_command$|INIT_CWD$)/;
	return Object.fromEntries(
		Object.entries(environment).filter(([name]) => !ofTheProject.test(name)),
	);
}

export async function runNpm(args: readonly string[], options: CommandOptions): Promise<string> {
	return await runCommand('npm', args, { ...options, env: npmEnvironment(options.env) });
}
