import { createHash } from 'node:crypto';
import { cp, mkdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { runNpm } from '../demo/n8n/npm';
import { cacheRoot, repositoryRoot } from '../demo/n8n/paths';

const MANIFESTS = join(__dirname, 'peers');

/** A package of nodes, unpacked, with what it depends on where Node.js finds it. */
export interface InstalledPackage {
	readonly name: string;
	readonly version: string;
	readonly folder: string;
}

async function readJson<T>(path: string): Promise<T> {
	return JSON.parse(await readFile(path, 'utf8')) as T;
}

/** Installs the peers into the cache folder, once for each lock. None of their scripts is run. */
export async function installPeers(
	onProgress: (text: string) => void,
): Promise<InstalledPackage[]> {
	const lock = await readFile(join(MANIFESTS, 'package-lock.json'));
	const hash = createHash('sha256').update(lock).digest('hex').slice(0, 16);
	const folder = join(cacheRoot(), `peers-${hash}`);
	if (!(await exists(folder))) {
		onProgress('installing the peers');
		const fresh = `${folder}.installing-${process.pid}`;
		await mkdir(fresh, { recursive: true });
		await cp(MANIFESTS, fresh, { recursive: true });
		// What they have in common with n8n comes from n8n, so it is not installed.
		await runNpm(['ci', '--ignore-scripts', '--legacy-peer-deps', '--no-audit', '--no-fund'], {
			cwd: fresh,
		});
		await rename(fresh, folder);
	}
	const { dependencies } = await readJson<{ dependencies: Record<string, string> }>(
		join(MANIFESTS, 'package.json'),
	);
	return Object.entries(dependencies).map(([name, version]) => ({
		name,
		version,
		folder: join(folder, 'node_modules', name),
	}));
}

/** This package as npm would publish it, unpacked beside its dependencies: there are none. */
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

async function exists(path: string): Promise<boolean> {
	return await stat(path).then(
		() => true,
		() => false,
	);
}
