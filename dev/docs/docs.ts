/** `npm run docs`: writes the tables in docs/ that are made from the code. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { repositoryRoot } from '../n8n/paths';
import { fillTables, TABLES } from './tables';

for (const page of Object.keys(TABLES)) {
	const file = join(repositoryRoot, page);
	writeFileSync(file, fillTables(page, readFileSync(file, 'utf8')));
}
