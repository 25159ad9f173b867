import { access, constants, readdir } from 'node:fs/promises';
import { delimiter, join } from 'node:path';

/** Where Debian puts the server programs of PostgreSQL: one folder for each version, none on the path. */
const POSTGRES_VERSIONS = '/usr/lib/postgresql';

const INSTALL = 'apt-get install --yes --no-install-recommends redis-server postgresql';

/** Programs that are not to be had from npm. */
interface SystemTools {
	redisServer: string;
	/** The folder with `initdb`, `postgres` and `psql`. */
	postgresBin: string;
}

async function isProgram(path: string): Promise<boolean> {
	return await access(path, constants.X_OK).then(
		() => true,
		() => false,
	);
}

async function postgresFolders(root: string): Promise<string[]> {
	const versions = await readdir(root).catch(() => []);
	// The newest first, by number: "9" is older than "15".
	const sorted = versions.sort((one, other) => Number(other) - Number(one));
	return sorted.map((version) => join(root, version, 'bin'));
}

async function findFolder(
	programs: readonly string[],
	folders: readonly string[],
): Promise<string | undefined> {
	for (const folder of folders) {
		const found = await Promise.all(
			programs.map(async (program) => await isProgram(join(folder, program))),
		);
		if (found.every(Boolean)) return folder;
	}
	return undefined;
}

/** @throws Error that names the missing ones and the command that installs them */
export async function findSystemTools(
	searchPath = process.env.PATH ?? '',
	postgresVersions = POSTGRES_VERSIONS,
): Promise<SystemTools> {
	const onPath = searchPath.split(delimiter).filter((folder) => folder !== '');
	const redisFolder = await findFolder(['redis-server'], onPath);
	const postgresBin = await findFolder(
		['initdb', 'postgres', 'psql'],
		[...onPath, ...(await postgresFolders(postgresVersions))],
	);
	if (redisFolder !== undefined && postgresBin !== undefined) {
		return { redisServer: join(redisFolder, 'redis-server'), postgresBin };
	}
	const missing = [
		...(redisFolder === undefined ? ['Redis'] : []),
		...(postgresBin === undefined ? ['PostgreSQL'] : []),
	];
	throw new Error(
		`Queue mode needs ${missing.join(' and ')} on this machine. On Debian and Ubuntu: ${INSTALL}`,
	);
}
