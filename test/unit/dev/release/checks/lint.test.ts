import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { lint } from '../../../../../dev/release/checks/lint';
import { scan } from '../../../../../dev/release/checks/scanner';
import { edit, writePackage, writeSources } from '../support/packages';

const NODE = 'nodes/BrlPayments/BrlPayments.node';
const CREDENTIALS = ['BrlPaymentsApi', 'BrlPaymentsWebhookApi'];
const GENUINE_URL = "'https://github.com/n8n-nodes-brl-payments/n8n-nodes-brl-payments";

let folder = '';
const { NODE_ENV, TMPDIR } = process.env;

beforeEach(() => {
	folder = mkdtempSync(join(tmpdir(), 'verify-lint-'));
	// With `test`, a plugin takes every file for one of its own tests.
	Object.assign(process.env, { NODE_ENV: '', TMPDIR: folder });
});
afterEach(() => {
	Object.assign(process.env, { NODE_ENV, TMPDIR: TMPDIR ?? '' });
	rmSync(folder, { recursive: true, force: true });
});

const textsOf = (findings: ReadonlyArray<{ text: string }>) =>
	findings.map(({ text }) => text).join('\n');

test('a forbidden global is found, whatever a comment says', async () => {
	writeSources(folder);
	const hidden = '// eslint-disable-next-line\nsetTimeout(() => undefined, 1);\n';
	const route = 'return await route(this);';
	edit(join(folder, `${NODE}.ts`), route, hidden + route);

	expect(textsOf((await lint(folder, 'sources')).findings)).toContain('no-restricted-globals');
	expect(textsOf(await scan(folder, 'sources'))).toContain('no-restricted-globals');
});

test('what the plugin only warns of is found, although the scanner lets it pass', async () => {
	writeSources(folder);
	writeFileSync(join(folder, 'nodes/BrlPayments/old.bak'), '');

	expect(textsOf((await lint(folder, 'sources')).findings)).toContain('no-dead-files');
	expect(await scan(folder, 'sources')).toEqual([]);
});

test('an exception that is no longer needed is a finding', async () => {
	writeSources(folder);
	for (const name of CREDENTIALS) {
		const path = join(folder, 'credentials', `${name}.credentials.ts`);
		edit(path, `${GENUINE_URL}#`, "'brlPayments'; // ");
	}

	expect(textsOf((await lint(folder, 'sources')).findings)).toContain(
		'the exception for n8n-nodes-base/cred-class-field-documentation-url-miscased is not needed',
	);
});

test('what only the scanner forbids is found', async () => {
	writePackage(folder);
	edit(join(folder, `dist/${NODE}.js`), '"use strict";', '"use strict";\nconsole.log(1);');

	expect(textsOf(await scan(folder, 'packed'))).toContain('no-console');
});
