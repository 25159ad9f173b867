import { createHash } from 'node:crypto';
import { cp, mkdir, readFile, rename, rm } from 'node:fs/promises';
import { basename, join } from 'node:path';

import { exists } from './files';
import { withLock } from './lockFile';
import { runNpm } from './npm';
import { cacheRoot } from '../paths';

/**
 * Installs what a folder's package.json and lock name into the cache folder, once for each lock.
 * None of the install scripts is run. Returns the folder that contains `node_modules`.
 */
export async function installCached(name: string, manifests: string): Promise<string> {
	const lock = await readFile(join(manifests, 'package-lock.json'));
	const hash = createHash('sha256').update(lock).digest('hex').slice(0, 16);
	const folder = join(cacheRoot(), `${name}-${hash}`);
	if (await exists(folder)) return folder;
	await withLock(`${folder}.lock`, async () => {
		// Another process may have installed it while this one was waiting.
		if (await exists(folder)) return;
		// Next to the final place: an interrupted run leaves nothing there.
		const fresh = join(cacheRoot(), `${basename(folder)}.installing`);
		await rm(fresh, { recursive: true, force: true });
		await mkdir(fresh, { recursive: true });
		await cp(manifests, fresh, { recursive: true });
		await runNpm(['ci', '--ignore-scripts', '--no-audit', '--no-fund'], { cwd: fresh });
		await rename(fresh, folder);
	});
	return folder;
}
