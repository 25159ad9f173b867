/** `npm run docs`: writes the page in docs/ that is made from the code. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { repositoryRoot } from '../n8n/paths';
import { errorsPage } from './errorsPage';

writeFileSync(join(repositoryRoot, 'docs', 'errors.md'), errorsPage());
