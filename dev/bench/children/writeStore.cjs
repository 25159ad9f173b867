'use strict';

/**
 * Writes the row in which n8n remembers what one node has seen. Requires the Node.js that n8n runs
 * on, which includes SQLite. Arguments: the database, and a file with workflowId, context and value.
 */
const { readFileSync } = require('node:fs');
const { DatabaseSync } = require('node:sqlite');

const [file, rowFile] = process.argv.slice(2);
const { workflowId, context, value } = JSON.parse(readFileSync(rowFile, 'utf8'));

const database = new DatabaseSync(file);
database.exec('PRAGMA busy_timeout = 10000');
database
	.prepare('DELETE FROM processed_data WHERE "workflowId" = ? AND context = ?')
	.run(workflowId, context);
if (value.data.length > 0) {
	database
		.prepare('INSERT INTO processed_data ("workflowId", context, value) VALUES (?, ?, ?)')
		.run(workflowId, context, JSON.stringify(value));
}
database.close();
