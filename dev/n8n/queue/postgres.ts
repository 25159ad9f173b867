import { chown, rename, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { findFreePorts } from '../process/ports';
import { runCommand, tryCommand } from '../process/runCommand';
import { keepPostgresHome, type PostgresHome } from './postgresHome';
import { keepSecret } from '../install/files';
import { LOOPBACK, startServer, type Server } from './server';

/** The only account of the database, and the database that PostgreSQL makes for it. */
const POSTGRES_USER = 'postgres';
const POSTGRES_DATABASE = 'postgres';

export function postgresEnvironment({
	port,
	password,
}: Pick<Server, 'port' | 'password'>): NodeJS.ProcessEnv {
	return {
		DB_TYPE: 'postgresdb',
		DB_POSTGRESDB_HOST: LOOPBACK,
		DB_POSTGRESDB_PORT: String(port),
		DB_POSTGRESDB_USER: POSTGRES_USER,
		DB_POSTGRESDB_DATABASE: POSTGRES_DATABASE,
		DB_POSTGRESDB_PASSWORD: password,
	};
}

export interface Postgres extends Server {
	/** Runs SQL from outside; returns the rows, a line each, as psql prints them. */
	query(sql: string): Promise<string[]>;
	/** Removes its data for good; it has to be stopped. */
	remove(): Promise<void>;
}

async function initialise(bin: string, home: PostgresHome, password: string): Promise<string> {
	const data = join(home.folder, 'data');
	if (await stat(data).catch(() => undefined)) return data;
	// Renamed when it is complete: an interrupted attempt leaves no half of a database.
	const fresh = `${data}.new`;
	await rm(fresh, { recursive: true, force: true });
	const passwordFile = join(home.folder, 'initial-password');
	await writeFile(passwordFile, password, { mode: 0o600 });
	if (home.user) await chown(passwordFile, home.user.uid, home.user.gid);
	await runCommand(
		join(bin, 'initdb'),
		[
			...['--pgdata', fresh, '--username', POSTGRES_USER, '--pwfile', passwordFile],
			...['--auth', 'scram-sha-256', '--encoding', 'UTF8', '--no-locale'],
		],
		{ cwd: home.folder, user: home.user, timeoutMs: 120_000 },
	);
	await rm(passwordFile);
	await rename(fresh, data);
	return data;
}

/**
 * Starts a PostgreSQL that keeps its data for `folder`: in it, or, for root, where another account can
 * reach them.
 *
 * @param bin the folder with its server programs
 * @param nodeBinary see `startGroup`
 * @param serverEnv more environment variables for the server
 */
export async function startPostgres(
	bin: string,
	folder: string,
	nodeBinary: string,
	serverEnv: NodeJS.ProcessEnv = {},
): Promise<Postgres> {
	const home = await keepPostgresHome(folder);
	const password = await keepSecret(join(folder, 'password'));
	const data = await initialise(bin, home, password);
	const [port] = (await findFreePorts(1)) as [number];
	const env = { PATH: process.env.PATH };
	const logFile = join(folder, 'postgres.log');

	const psql = async (sql: string) =>
		await tryCommand(
			join(bin, 'psql'),
			[
				...['--host', LOOPBACK, '--port', String(port), '--username', POSTGRES_USER],
				...['--no-psqlrc', '--tuples-only', '--no-align', '--command', sql, POSTGRES_DATABASE],
			],
			{ cwd: folder, env: { ...env, PGPASSWORD: password }, timeoutMs: 30_000 },
		);

	const server = await startServer({
		name: 'PostgreSQL',
		file: join(bin, 'postgres'),
		args: [
			...['-D', data, '-p', String(port), '-c', `listen_addresses=${LOOPBACK}`],
			// Its socket would be in a folder that it may not be able to write.
			...['-c', 'unix_socket_directories='],
		],
		options: {
			cwd: home.folder,
			env: { ...env, ...serverEnv },
			logFile,
			nodeBinary,
			user: home.user,
			// By default, it waits until the last client has gone.
			stopSignal: 'SIGINT',
		},
		port,
		password,
		answers: async () => (await psql('SELECT 1')).code === 0,
	});
	return {
		...server,
		query: async (sql) => {
			const { code, output } = await psql(sql);
			if (code !== 0) throw new Error(`PostgreSQL refused the query: ${output}`);
			return output.split('\n').filter((line) => line !== '');
		},
		remove: async () => await rm(home.folder, { recursive: true, force: true }),
	};
}
