import { join } from 'node:path';

import { runCommand } from '../../../dev/n8n/process/runCommand';
import type { N8nTestEnv } from './n8nTestEnv';

/** Node 24, which n8n runs on, brings SQLite along; the Node of the tests may be older. */
const SCRIPT = `
const { DatabaseSync } = require('node:sqlite');
const database = new DatabaseSync(process.argv[1]);
database.exec('PRAGMA busy_timeout = 10000');
database.exec(process.argv[2]);
database.close();
`;

/** Changes n8n's database from outside, whether n8n runs or not. */
export async function runSql(world: N8nTestEnv, sql: string): Promise<void> {
	const { userFolder } = world.n8n;
	const file = join(userFolder, '.n8n', 'database.sqlite');
	await runCommand(
		world.host.nodeBinary,
		['--disable-warning=ExperimentalWarning', '-e', SCRIPT, file, sql],
		{ cwd: userFolder, timeoutMs: 30_000 },
	);
}

/** Lets every insert into a table of n8n's database fail, as a full disk would, while `task` runs. */
export async function whileInsertsFail(
	world: N8nTestEnv,
	table: 'execution_entity' | 'processed_data',
	task: () => Promise<void>,
): Promise<void> {
	await runSql(
		world,
		`CREATE TRIGGER example_full BEFORE INSERT ON ${table}
		BEGIN SELECT RAISE(ABORT, 'no space, for example'); END`,
	);
	try {
		await task();
	} finally {
		await runSql(world, 'DROP TRIGGER example_full');
	}
}
