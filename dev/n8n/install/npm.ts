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

/** Runs the npm that started this process, else the one on the path. */
export async function runNpm(args: readonly string[], options: CommandOptions): Promise<string> {
	const env = npmEnvironment(options.env);
	const npmCli = process.env.npm_execpath;
	if (npmCli && /npm-cli\.[cm]?js$/.test(npmCli)) {
		return await runCommand(process.execPath, [npmCli, ...args], { ...options, env });
	}
	return await runCommand('npm', args, { ...options, env });
}
