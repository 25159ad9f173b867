import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join, resolve } from 'node:path';

/** The root of this repository. */
export const repositoryRoot = resolve(__dirname, '..', '..');

/** package.json and lock of the n8n that demo and end-to-end tests run. */
export const hostManifestFolder = join(repositoryRoot, 'demo', 'n8n-host');

/** Where things live that cost minutes to make and may be thrown away at any time. */
export function cacheRoot(environment: NodeJS.ProcessEnv = process.env): string {
	// An empty or relative XDG_CACHE_HOME has to be ignored, by the XDG specification.
	const configured = environment.XDG_CACHE_HOME;
	const base = configured?.startsWith('/') ? configured : join(homedir(), '.cache');
	return join(base, 'n8n-nodes-brl-payments');
}

/** One folder per lock: whoever changes the lock gets a new installation, never a mixed one. */
export function hostFolder(root = cacheRoot()): string {
	const lock = readFileSync(join(hostManifestFolder, 'package-lock.json'));
	const hash = createHash('sha256').update(lock).digest('hex');
	return join(root, `n8n-${hash.slice(0, 16)}`);
}
