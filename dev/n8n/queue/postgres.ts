import { chown, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { findPort } from '../process/ports';
import type { SystemUser } from '../process/processGroup';
import { runCommand, tryCommand } from '../process/runCommand';
import { LOOPBACK, makeSecret, startServer, type Server } from './server';

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
	/** Ends it, and removes its data. */
	remove(): Promise<void>;
}

/** The account that it runs as: PostgreSQL refuses to run as root. Undefined where this process is not root. */
async function findUser(): Promise<SystemUser | undefined> {
	if (process.getuid?.() !== 0) return undefined;
	// Debian's package of PostgreSQL creates it.
	const readId = async (option: string) =>
		Number(await runCommand('id', [option, 'postgres'], { cwd: '/' }));
	return { uid: await readId('-u'), gid: await readId('-g') };
}

/**
 * Starts an empty PostgreSQL.
 *
 * @param bin the folder with its server programs
 * @param nodeBinary see `startGroup`
 * @param serverEnv more environment variables for the server
 */
export async function startPostgres(
	bin: string,
	nodeBinary: string,
	serverEnv: NodeJS.ProcessEnv = {},
): Promise<Postgres> {
	const user = await findUser();
	// Its own folder: another account cannot enter those of root.
	const folder = await mkdtemp(join(tmpdir(), 'brl-payments-postgres-'));
	const data = join(folder, 'data');
	const password = makeSecret();
	const passwordFile = join(folder, 'initial-password');
	await writeFile(passwordFile, password, { mode: 0o600 });
	if (user) for (const path of [folder, passwordFile]) await chown(path, user.uid, user.gid);
	await runCommand(
		join(bin, 'initdb'),
		[
			...['--pgdata', data, '--username', POSTGRES_USER, '--pwfile', passwordFile],
			...['--auth', 'scram-sha-256', '--encoding', 'UTF8', '--no-locale'],
		],
		{ cwd: folder, user, timeoutMs: 120_000 },
	);
	const port = await findPort();
	const env = { PATH: process.env.PATH };

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
			cwd: folder,
			env: { ...env, ...serverEnv },
			logFile: join(folder, 'postgres.log'),
			nodeBinary,
			user,
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
		remove: async () => {
			await server.kill9();
			await rm(folder, { recursive: true, force: true });
		},
	};
}
