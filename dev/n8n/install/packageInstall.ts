import { cp, mkdir, rename, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { readJson } from './files';
import { repositoryRoot } from '../paths';

interface PackageManifest {
	name: string;
	version: string;
	n8n: { nodes: string[]; credentials: string[] };
}

/** What `npm pack` would put into the package besides `dist`. */
const DOCUMENTS = ['package.json', 'README.md', 'LICENSE', 'CHANGELOG.md'];

async function readManifest(): Promise<PackageManifest> {
	return await readJson(join(repositoryRoot, 'package.json'));
}

/** Where an n8n with this user folder loads the package from. */
export async function installedPackage(userFolder: string): Promise<string> {
	const { name } = await readManifest();
	return join(modulesFolder(userFolder), 'node_modules', name);
}

function modulesFolder(userFolder: string): string {
	return join(userFolder, '.n8n', 'nodes');
}

/**
 * Puts a copy of the built package where n8n looks for community packages. A copy, not a link: from
 * a link, `zod` and the others would resolve to this repository instead of to n8n's own, and what
 * works here would fail for users. n8n must be (re)started afterwards.
 */
export async function installPackage(userFolder: string): Promise<void> {
	const manifest = await readManifest();
	for (const file of [...manifest.n8n.nodes, ...manifest.n8n.credentials]) {
		await stat(join(repositoryRoot, file)).catch(() => {
			throw new Error(`${file} is missing: run "npm run build" first.`);
		});
	}

	const target = await installedPackage(userFolder);
	const fresh = `${target}.new`;
	await rm(fresh, { recursive: true, force: true });
	await mkdir(fresh, { recursive: true });
	await cp(join(repositoryRoot, 'dist'), join(fresh, 'dist'), { recursive: true });
	for (const document of DOCUMENTS) {
		await cp(join(repositoryRoot, document), join(fresh, document)).catch((error: unknown) => {
			if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
		});
	}
	await rm(target, { recursive: true, force: true });
	await rename(fresh, target);
	const installed = {
		name: 'installed-nodes',
		private: true,
		dependencies: { [manifest.name]: manifest.version },
	};
	const list = join(modulesFolder(userFolder), 'package.json');
	await writeFile(list, `${JSON.stringify(installed, null, 2)}\n`);
}
