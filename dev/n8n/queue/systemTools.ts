import { readdir } from 'node:fs/promises';
import { delimiter, dirname, join } from 'node:path';
import which from 'which';

/** Where Debian puts the server programs of PostgreSQL: one folder for each version, none on the path. */
const POSTGRES_VERSIONS = '/usr/lib/postgresql';

const INSTALL = 'apt-get install --yes --no-install-recommends redis-server postgresql';

/**
 * The folders of programs that are not to be had from npm: `redis-server`, and `initdb` with `postgres`.
 * @throws Error that names the command that installs them
 */
export async function findSystemTools(): Promise<{ redisBin: string; postgresBin: string }> {
	const versions = await readdir(POSTGRES_VERSIONS).catch(() => []);
	const postgresFolders = versions
		// The newest first, by number: "9" is older than "15".
		.sort((one, other) => Number(other) - Number(one))
		.map((version) => join(POSTGRES_VERSIONS, version, 'bin'));
	const path = [...postgresFolders, process.env.PATH].join(delimiter);
	const redis = await which('redis-server', { nothrow: true });
	const initdb = await which('initdb', { nothrow: true, path });
	if (redis !== null && initdb !== null) {
		return { redisBin: dirname(redis), postgresBin: dirname(initdb) };
	}
	throw new Error(
		`Queue mode needs Redis and PostgreSQL on this machine. On Debian and Ubuntu: ${INSTALL}`,
	);
}
