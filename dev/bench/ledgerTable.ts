import type { Database, DatabaseName } from './database';

interface Dialect {
	/** A table of one column `i`, that counts from one number to another. */
	readonly count: (from: number, to: number) => string;
	/** `i` with leading zeros. */
	readonly number: string;
	readonly uuid: string;
	/** How many seconds are added to a time. */
	readonly later: (column: string, seconds: string) => string;
	readonly now: string;
}

const HEX = (length: number) => `lower(substr(hex(randomblob(16)), 1, ${length}))`;

const DIALECTS: Readonly<Record<DatabaseName, Dialect>> = {
	SQLite: {
		count: (from, to) =>
			`(WITH RECURSIVE n(i) AS (SELECT ${from} UNION ALL SELECT i + 1 FROM n WHERE i < ${to}) SELECT i FROM n) AS n`,
		number: "printf('%06d', i)",
		uuid: `${HEX(8)} || '-' || ${HEX(4)} || '-4' || ${HEX(3)} || '-a' || ${HEX(3)} || '-' || ${HEX(12)}`,
		later: (column, seconds) =>
			`strftime('%Y-%m-%d %H:%M:%f', ${column}, (${seconds}) || ' seconds')`,
		now: "'now'",
	},
	PostgreSQL: {
		count: (from, to) => `generate_series(${from}, ${to}) AS n(i)`,
		number: "lpad(i::text, 6, '0')",
		uuid: 'gen_random_uuid()::text',
		later: (column, seconds) => `${column} + (${seconds}) * interval '1 second'`,
		now: 'now()',
	},
};

const DAY_S = 86_400;

export class LedgerTable {
	private constructor(
		private readonly database: Database,
		private readonly table: string,
	) {}

	/** To be called when the node has created it. */
	static async find(database: Database): Promise<LedgerTable> {
		const [id] = await database.query(`SELECT id FROM data_table WHERE name = 'BRL Payouts'`);
		if (id === undefined) throw new Error('The node has created no ledger');
		return new LedgerTable(database, `"data_table_user_${id}"`);
	}

	async count(): Promise<number> {
		const [count] = await this.database.query(`SELECT COUNT(*) FROM ${this.table}`);
		return Number(count);
	}

	/** Adds what was paid long ago, until there are so many rows: half of it has a number, half a UUID. */
	async fill(rows: number): Promise<void> {
		const { count, number, uuid, later, now } = DIALECTS[this.database.name];
		const present = await this.count();
		if (present >= rows) return;
		const at = later(now, `(i - ${rows}) * 60 - ${DAY_S}`);
		const cells = {
			reference: `CASE WHEN i % 2 = 0 THEN 'NF-' || ${number} ELSE ${uuid} END`,
			status: "'paid'",
			amount: 'i / 100.0',
			pixKey: "'p***@example.com'",
			withdrawalId: uuid,
			sentAt: at,
			environment: "'test'",
			generation: '0',
			apiKey: "'fil_test_0123456789'",
			content: `substr(${uuid}, 1, 22) || '.' || substr(${uuid}, 1, 22)`,
			run: `substr(${uuid}, 1, 22)`,
			workflow: "'kJ3mXq0aYt7Lw2Pz'",
			execution: 'CAST(i AS TEXT)',
			createdAt: at,
			updatedAt: at,
		};
		const columns = Object.keys(cells).map((name) => `"${name}"`);
		await this.database.query(
			`INSERT INTO ${this.table} (${columns.join(', ')}) SELECT ${Object.values(cells).join(', ')} FROM ${count(present + 1, rows)}`,
		);
		await this.database.query(`ANALYZE ${this.table}`);
	}

	/** Makes all rows a day older: nobody pays such lists within seconds, and new rows are read apart. */
	async age(): Promise<void> {
		const { later, now } = DIALECTS[this.database.name];
		const older = (column: string) => `"${column}" = ${later(`"${column}"`, `-${DAY_S}`)}`;
		await this.database.query(
			`UPDATE ${this.table} SET ${older('createdAt')}, ${older('updatedAt')} WHERE "updatedAt" > ${later(now, `-${DAY_S / 2}`)}`,
		);
	}
}
