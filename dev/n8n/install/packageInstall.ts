import { cp, mkdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { repositoryRoot } from '../paths';

interface PackageManifest {
	name: string;
	version: string;
	n8n: { nodes: string[]; credentials: string[] };
}

/** What `npm pack` would put into the package besides `dist`. */
const DOCUMENTS = ['package.json', 'README.md', 'LICENSE', 'CHANGELOG.md'];

/**
 * Puts a copy of the built package where n8n looks for community packages. A copy, not a link: from
 * a link, `zod` and the others would resolve to this repository instead of to n8n's own, and what
 * works here would fail for users. n8n must be (re)started afterwards.
 *
 * @param from the folder of the package
 */
export async function installPackage(userFolder: string, from = repositoryRoot): Promise<void> {
	const text = await readFile(join(from, 'package.json'), 'utf8');
	const manifest = JSON.parse(text) as PackageManifest;
	for (const file of [...manifest.n8n.nodes, ...manifest.n8n.credentials]) {
		await stat(join(from, file)).catch(() => {
			throw new Error(`${file} is missing: run "npm run build" first.`);
		});
	}

	const folder = join(userFolder, '.n8n', 'nodes');
	const target = join(folder, 'node_modules', manifest.name);
	const fresh = `${target}.new`;
	await rm(fresh, { recursive: true, force: true });
	await mkdir(fresh, { recursive: true });
	await cp(join(from, 'dist'), join(fresh, 'dist'), { recursive: true });
	for (const document of DOCUMENTS) {
		await cp(join(from, document), join(fresh, document)).catch((error: unknown) => {
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
	const list = join(folder, 'package.json');
	await writeFile(list, `${JSON.stringify(installed, null, 2)}\n`);
}
