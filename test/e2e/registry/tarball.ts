import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { runNpm } from '../../../dev/n8n/install/npm';
import { repositoryRoot } from '../../../dev/n8n/paths';
import { runCommand } from '../../../dev/n8n/process/runCommand';

/** A package as it goes to a registry. */
export interface Tarball {
	file: string;
	name: string;
	version: string;
}

interface PackageManifest {
	name: string;
	version: string;
	n8n: { nodes: string[]; credentials: string[] };
}

async function pack(folder: string, destination: string): Promise<Tarball> {
	await mkdir(destination, { recursive: true });
	const output = await runNpm(
		['pack', '--json', '--ignore-scripts', '--silent', '--pack-destination', destination],
		{ cwd: folder },
	);
	const [packed] = JSON.parse(output.slice(output.indexOf('['))) as Array<{
		name: string;
		version: string;
		filename: string;
		files: Array<{ path: string }>;
	}>;
	if (!packed) throw new Error('npm packed nothing');
	const { n8n } = await readManifest(folder);
	const paths = new Set(packed.files.map(({ path }) => path));
	for (const file of [...n8n.nodes, ...n8n.credentials]) {
		if (!paths.has(file)) {
			throw new Error(`${file} is not in the package: run "npm run build" first.`);
		}
	}
	const { name, version, filename } = packed;
	return { file: join(destination, filename), name, version };
}

async function readManifest(folder: string): Promise<PackageManifest> {
	return JSON.parse(await readFile(join(folder, 'package.json'), 'utf8')) as PackageManifest;
}

/** This package, exactly as `npm pack` makes it. */
export async function packPackage(destination: string): Promise<Tarball> {
	return await pack(repositoryRoot, destination);
}

function nextPatch(version: string): string {
	const [major, minor, patch] = version.split('.').map(Number) as [number, number, number];
	return `${major}.${minor}.${patch + 1}`;
}

/** The same files under the next patch version. */
export async function packNextPatch(tarball: Tarball, destination: string): Promise<Tarball> {
	await mkdir(destination, { recursive: true });
	await runCommand('tar', ['-xzf', tarball.file, '-C', destination], { cwd: destination });
	const folder = join(destination, 'package');
	const next = { ...(await readManifest(folder)), version: nextPatch(tarball.version) };
	await writeFile(join(folder, 'package.json'), `${JSON.stringify(next, null, 2)}\n`);
	return await pack(folder, destination);
}
