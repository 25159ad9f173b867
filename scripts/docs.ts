/** `npm run docs`: writes the pages in docs/ that are made from the code. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { errorsPage } from './errorsPage';

writeFileSync(join(__dirname, '..', 'docs', 'errors.md'), errorsPage());
