import { join } from 'node:path';
import type { N8nHost } from '../n8n/install/install';
import { runCommand } from '../n8n/process/runCommand';
import { postgresEnvironment, startPostgres } from '../n8n/queue/postgres';
import { findSystemTools } from '../n8n/queue/systemTools';

const QUERY_SQLITE = join(__dirname, 'children', 'querySqlite.cjs');

export type DatabaseName = 'SQLite' | 'PostgreSQL';

export interface Database {
	readonly name: DatabaseName;
	/** Runs SQL beside n8n; returns the rows, a line each. */
	query(sql: string): Promise<string[]>;
}

/** Sets up a PostgreSQL for as long as `use` takes. @param use is given what n8n needs to find it */
export async function withPostgres<T>(
	host: N8nHost,
	use: (database: Database, settings: NodeJS.ProcessEnv) => Promise<T>,
): Promise<T> {
	const { postgresBin } = await findSystemTools();
	const postgres = await startPostgres(postgresBin, host.nodeBinary);
	try {
		const query = async (sql: string) => await postgres.query(sql);
		return await use({ name: 'PostgreSQL', query }, postgresEnvironment(postgres));
	} finally {
		await postgres.remove();
	}
}

/** @param file that n8n has open */
export function toSqlite({ nodeBinary, folder }: N8nHost, file: string): Database {
	return {
		name: 'SQLite',
		query: async (sql) => {
			const args = ['--disable-warning=ExperimentalWarning', QUERY_SQLITE, file, sql];
			const output = await runCommand(nodeBinary, args, { cwd: folder, timeoutMs: 120_000 });
			return output.split('\n').filter((line) => line !== '');
		},
	};
}
