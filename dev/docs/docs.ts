/** `npm run docs`: writes the pages in docs/ that are made from the code. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { repositoryRoot } from '../n8n/paths';
import { errorsPage } from './errorsPage';
import { openPointsPage } from './openPointsPage';

const PAGES = { 'errors.md': errorsPage, 'open-points.md': openPointsPage };

for (const [name, writePage] of Object.entries(PAGES)) {
	writeFileSync(join(repositoryRoot, 'docs', name), writePage());
}
