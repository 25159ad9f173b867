import { join } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { npmEnvironment } from '../../n8n/install/npm';
import { repositoryRoot } from '../../n8n/paths';
import { tryCommand } from '../../n8n/process/runCommand';
import type { Finding } from '../finding';
import { readReport } from './scanner';

/**
 * Runs `n8n-node lint`, which n8n asks of a package that is submitted. As the package is `strict`, it
 * refuses an eslint.config.mjs other than n8n's own.
 *
 * @param root of the repository, with its `node_modules`
 */
export async function lintWithNodeCli(root: string): Promise<Finding[]> {
	const command = join(repositoryRoot, 'node_modules', '.bin', 'n8n-node');
	// ESLint then finds the configurations of dev/ and test/: n8n's own has no way to leave them out.
	const env = { ...npmEnvironment(), ESLINT_FLAGS: 'unstable_config_lookup_from_file' };
	const { code, output } = await tryCommand(command, ['lint'], { cwd: root, env });
	const passed = code === 0;
	const message = passed ? '' : stripVTControlCharacters(output).trim();
	return readReport({ passed, message, details: output }, root);
}
