'use strict';

/**
 * Runs one SQL statement and prints the rows, a line each. Requires the Node.js that n8n runs on, which
 * includes SQLite. Arguments: the database, and the statement.
 */
const { DatabaseSync } = require('node:sqlite');

const [file, sql] = process.argv.slice(2);

const database = new DatabaseSync(file);
database.exec('PRAGMA busy_timeout = 10000');
for (const row of database.prepare(sql).all()) console.log(Object.values(row).join('|'));
database.close();
