import { createHash } from 'node:crypto';
import { cp, mkdir, readFile, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';

import { exists } from './files';
import { withLock, type LockOptions } from './lockFile';
import { runNpm } from './npm';
import { cacheRoot } from '../paths';

/** Installs what the lock in a folder names. None of the install scripts is run. */
export async function npmCi(folder: string, signal?: AbortSignal): Promise<void> {
	await runNpm(['ci', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'], {
		cwd: folder,
		signal,
	});
}

/**
 * Installs what a folder's package.json and lock name into the cache folder, once for each lock: a
 * changed lock gets a new installation, never a mixed one.
 *
 * @param install called with a folder that contains package.json and lock
 * @returns the folder that contains `node_modules`
 */
export async function installCached(
	name: string,
	manifests: string,
	install: (folder: string) => Promise<void> = npmCi,
	options?: LockOptions,
): Promise<string> {
	const lock = await readFile(join(manifests, 'package-lock.json'));
	const hash = createHash('sha256').update(lock).digest('hex').slice(0, 16);
	const folder = join(cacheRoot(), `${name}-${hash}`);
	if (await exists(folder)) return folder;
	const makeFolder = async () => {
		// Another process may have installed it while this one was waiting.
		if (await exists(folder)) return;
		// Next to the final place, and moved there at once: an interrupted run leaves nothing there.
		const fresh = `${folder}.installing`;
		await rm(fresh, { recursive: true, force: true });
		await mkdir(fresh, { recursive: true });
		await cp(manifests, fresh, { recursive: true });
		await install(fresh);
		await rename(fresh, folder);
	};
	await withLock(`${folder}.lock`, makeFolder, options);
	return folder;
}
