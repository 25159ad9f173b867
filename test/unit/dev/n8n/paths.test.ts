import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import {
	cacheRoot,
	hostFolder,
	hostManifestFolder,
	isN8nFrom,
	n8nVersion,
	otherN8nVersions,
} from '../../../../dev/n8n/paths';

const before = process.env.N8N_VERSION;
beforeEach(() => {
	delete process.env.N8N_VERSION;
});
afterAll(() => {
	if (before !== undefined) process.env.N8N_VERSION = before;
});

interface Lock {
	packages: Record<string, { version: string; resolved?: string }>;
}

const getLock = (folder: string) =>
	JSON.parse(readFileSync(join(folder, 'package-lock.json'), 'utf8')) as Lock;

describe('the n8n to run', () => {
	it('is the current one where nothing is said, or nothing in particular', () => {
		expect(hostManifestFolder({})).toMatch(/dev\/n8n\/hosts\/2.40.7$/);
		expect(hostManifestFolder({ N8N_VERSION: '' })).toMatch(/dev\/n8n\/hosts\/2.40.7$/);
	});

	it.each(otherN8nVersions())('can be %s, of a lock that any registry serves', (version) => {
		const folder = hostManifestFolder({ N8N_VERSION: version });
		const { packages } = getLock(folder);
		expect(packages['node_modules/n8n']?.version).toBe(version);
		expect(Object.values(packages).filter(({ resolved }) => resolved !== undefined)).toEqual([]);
		expect(hostFolder('/cache', folder)).not.toBe(hostFolder('/cache'));
	});

	it('is none without a lock: the error names the ones there are', () => {
		expect(() => hostManifestFolder({ N8N_VERSION: '0.1.0' })).toThrow(
			`N8N_VERSION may be ${otherN8nVersions().join(', ')}.`,
		);
	});
});

describe('whether it is of a version or a later one', () => {
	// By number and not by letter: 2.9 is older than 2.20.
	it.each([
		['2.0', true],
		['2.9', true],
		['2.20', true],
		['2.20.12', true],
		['2.20.13', false],
		['2.100', false],
		['10.0', false],
	])('2.20.12 is from %s on: %s', (version, expected) => {
		process.env.N8N_VERSION = '2.20.12';
		expect(n8nVersion()).toBe('2.20.12');
		expect(isN8nFrom(version)).toBe(expected);
	});
});

describe('hostFolder', () => {
	it('is where the cache of the user is', () => {
		expect(cacheRoot({ XDG_CACHE_HOME: '/c' })).toBe('/c/n8n-nodes-brl-payments');
		for (const XDG_CACHE_HOME of ['', 'relative', undefined]) {
			expect(cacheRoot({ XDG_CACHE_HOME })).toMatch(/\/\.cache\/n8n-nodes-brl-payments$/);
		}
	});
});
