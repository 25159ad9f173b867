import { access, constants, readdir } from 'node:fs/promises';
import { delimiter, join } from 'node:path';

/** Where Debian puts the server programs of PostgreSQL: one folder for each version, none on the path. */
const POSTGRES_VERSIONS = '/usr/lib/postgresql';

const INSTALL = 'apt-get install --yes --no-install-recommends redis-server postgresql';

/** Programs that are not to be had from npm. */
interface SystemTools {
	/** The folder with `redis-server` and `redis-cli`. */
	redisBin: string;
	/** The folder with `initdb`, `postgres` and `psql`. */
	postgresBin: string;
}

async function hasPrograms(folder: string, programs: readonly string[]): Promise<boolean> {
	const checks = programs.map(
		async (program) => await access(join(folder, program), constants.X_OK),
	);
	return await Promise.all(checks).then(
		() => true,
		() => false,
	);
}

async function findFolder(
	programs: readonly string[],
	folders: readonly string[],
): Promise<string | undefined> {
	for (const folder of folders) if (await hasPrograms(folder, programs)) return folder;
	return undefined;
}

/** @throws Error that names the missing ones and the command that installs them */
export async function findSystemTools(): Promise<SystemTools> {
	const onPath = (process.env.PATH ?? '').split(delimiter).filter((folder) => folder !== '');
	const versions = await readdir(POSTGRES_VERSIONS).catch(() => []);
	const postgresFolders = versions
		// The newest first, by number: "9" is older than "15".
		.sort((one, other) => Number(other) - Number(one))
		.map((version) => join(POSTGRES_VERSIONS, version, 'bin'));
	const redisBin = await findFolder(['redis-server', 'redis-cli'], onPath);
	const postgresBin = await findFolder(
		['initdb', 'postgres', 'psql'],
		[...onPath, ...postgresFolders],
	);
	if (redisBin !== undefined && postgresBin !== undefined) return { redisBin, postgresBin };
	const missing = [
		...(redisBin === undefined ? ['Redis'] : []),
		...(postgresBin === undefined ? ['PostgreSQL'] : []),
	];
	throw new Error(
		`Queue mode needs ${missing.join(' and ')} on this machine. On Debian and Ubuntu: ${INSTALL}`,
	);
}
