import { cp, mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { installCached } from '../n8n/install/cachedInstall';
import { readJson } from '../n8n/install/files';
import { runNpm } from '../n8n/install/npm';
import { repositoryRoot } from '../n8n/paths';

const MANIFESTS = join(__dirname, 'peers');

/** A package of nodes, unpacked, with what it depends on where Node.js finds it. */
export interface InstalledPackage {
	readonly name: string;
	readonly version: string;
	readonly folder: string;
}

/** Installs the peers into the cache folder, once for each lock. None of their scripts is run. */
export async function installPeers(
	onProgress: (text: string) => void,
): Promise<InstalledPackage[]> {
	const folder = await installCached('peers', MANIFESTS, {
		// What they have in common with n8n comes from n8n, so it is not installed.
		npmOptions: ['--legacy-peer-deps'],
		onInstall: () => onProgress('installing the peers'),
	});
	const { dependencies } = await readJson<{ dependencies: Record<string, string> }>(
		join(MANIFESTS, 'package.json'),
	);
	return Object.entries(dependencies).map(([name, version]) => ({
		name,
		version,
		folder: join(folder, 'node_modules', name),
	}));
}

/** This package as npm would publish it, unpacked next to its dependencies: there are none. */
export async function packOurs(target: string): Promise<InstalledPackage & { bytes: number }> {
	const output = await runNpm(['pack', '--dry-run', '--json', '--ignore-scripts', '--silent'], {
		cwd: repositoryRoot,
	});
	const [packed] = JSON.parse(output.slice(output.indexOf('['))) as Array<{
		name: string;
		version: string;
		unpackedSize: number;
		files: Array<{ path: string }>;
	}>;
	if (!packed) throw new Error('npm packed nothing');
	const folder = join(target, 'node_modules', packed.name);
	await rm(folder, { recursive: true, force: true });
	for (const { path } of packed.files) {
		await mkdir(join(folder, path, '..'), { recursive: true });
		await cp(join(repositoryRoot, path), join(folder, path));
	}
	await writeFile(join(target, 'package.json'), '{ "private": true }\n');
	return { name: packed.name, version: packed.version, folder, bytes: packed.unpackedSize };
}
