import { readFileSync, readdirSync } from 'node:fs';
import { homedir } from 'node:os';
import { join, resolve } from 'node:path';

export const repositoryRoot = resolve(__dirname, '..', '..');

/** One folder for each n8n, named after its version, with its package.json and lock. */
const hosts = join(repositoryRoot, 'dev', 'n8n', 'hosts');

/** The n8n that demo and end-to-end tests run, unless configured otherwise. */
const currentVersion = readFileSync(join(hosts, 'current'), 'utf8').trim();

/** The versions of n8n besides the current one that can be installed and tested on. */
export function otherN8nVersions(): string[] {
	return readdirSync(hosts, { withFileTypes: true })
		.filter((entry) => entry.isDirectory() && entry.name !== currentVersion)
		.map(({ name }) => name)
		.sort((one, other) => other.localeCompare(one, 'en', { numeric: true }));
}

/**
 * package.json and lock of the n8n to run: of the current one, or of the other one that the variable
 * N8N_VERSION names.
 */
export function hostManifestFolder(): string {
	const version = process.env.N8N_VERSION;
	if (!version) return join(hosts, currentVersion);
	if (!otherN8nVersions().includes(version)) {
		const known = otherN8nVersions().join(', ');
		throw new Error(`There is no n8n ${version} to install. N8N_VERSION may be ${known}.`);
	}
	return join(hosts, version);
}

/** Where things live that cost minutes to make and may be thrown away at any time. */
export function cacheRoot(): string {
	// An empty or relative XDG_CACHE_HOME has to be ignored, by the XDG specification.
	const configured = process.env.XDG_CACHE_HOME;
	const base = configured?.startsWith('/') ? configured : join(homedir(), '.cache');
	return join(base, 'n8n-nodes-brl-payments');
}
