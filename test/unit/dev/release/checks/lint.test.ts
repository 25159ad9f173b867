import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { LintResult } from '../../../../../dev/release/checks/lint';
import type { Finding } from '../../../../../dev/release/finding';
import type { Task } from '../support/lintFolders';
import { edit, writePackage, writeSources } from '../support/packages';

interface Result {
	readonly lint: LintResult;
	readonly scan: readonly Finding[];
}

interface Case extends Omit<Task, 'folder'> {
	/** Breaks one aspect. */
	readonly change: (folder: string) => void;
}

const NODE = 'nodes/BrlPayments/BrlPayments.node';
const CREDENTIALS = ['BrlPaymentsApi', 'BrlPaymentsWebhookApi'];
const GENUINE_URL = "'https://github.com/n8n-nodes-brl-payments/n8n-nodes-brl-payments";

const cases = {
	sources: { what: 'sources', change: () => undefined },
	packed: { what: 'packed', change: () => undefined },
	hidden: {
		what: 'sources',
		change: (folder) =>
			edit(
				join(folder, `${NODE}.ts`),
				'return await route(this);',
				'// eslint-disable-next-line\nsetTimeout(() => undefined, 1);\nreturn await route(this);',
			),
	},
	leftOver: {
		what: 'sources',
		change: (folder) => writeFileSync(join(folder, 'nodes/BrlPayments/old.bak'), ''),
	},
	unneeded: {
		what: 'sources',
		change: (folder) => {
			for (const name of CREDENTIALS) {
				const path = join(folder, 'credentials', `${name}.credentials.ts`);
				edit(path, `${GENUINE_URL}#`, "'brlPayments'; // ");
			}
		},
	},
	unlawful: {
		what: 'sources',
		change: (folder) =>
			edit(
				join(folder, `${NODE}.ts`),
				"'Charge customers and pay suppliers in Brazilian reais by PIX, boleto and card'",
				"''",
			),
		exceptions: [
			{
				rule: 'n8n-nodes-base/node-class-description-empty-string',
				in: ['sources'],
				reason: 'none',
			},
		],
	},
	console: {
		what: 'packed',
		change: (folder) =>
			edit(join(folder, `dist/${NODE}.js`), '"use strict";', '"use strict";\nconsole.log(1);'),
	},
} satisfies Record<string, Case>;
type Name = keyof typeof cases;

const workFolder = mkdtempSync(join(tmpdir(), 'verify-lint-'));
let results: Record<Name, Result>;

beforeAll(async () => {
	const tasks = Object.entries<Case>(cases).map(([name, { what, change, exceptions }]): Task => {
		const folder = join(workFolder, name);
		(what === 'sources' ? writeSources : writePackage)(folder);
		change(folder);
		return { folder, what, exceptions };
	});
	const { stdout } = await promisify(execFile)(
		process.execPath,
		['--import', 'tsx', join(__dirname, '../support/lintFolders.ts'), JSON.stringify(tasks)],
		{
			cwd: join(__dirname, '../../../../..'), // With `test`, a plugin would take every file for one of its own tests.
			env: { ...process.env, NODE_ENV: '', TMPDIR: workFolder },
		},
	);
	const found = JSON.parse(stdout) as Result[];
	results = Object.fromEntries(
		Object.keys(cases).map((name, index) => [name, found[index]]),
	) as Record<Name, Result>;
}, 120_000);

afterAll(() => rmSync(workFolder, { recursive: true, force: true }));

const getLint = (name: Name) => results[name].lint.findings.map(({ text }) => text).join('\n');
const getScan = (name: Name) => results[name].scan.map(({ text }) => text).join('\n');

test.each(['sources', 'packed'] as const)(
	'nothing is found in the %s of a valid package',
	(name) => {
		const { lint, scan } = results[name];

		expect(lint.findings).toEqual([]);
		expect(scan).toEqual([]);
		expect(lint.files).toBe(7);
		expect(lint.rules).toBeGreaterThan(150);
		expect(lint.exceptions.length).toBeGreaterThan(0);
	},
);

test('a forbidden global is found, whatever a comment says', () => {
	expect(getLint('hidden')).toContain('no-restricted-globals');
	expect(getScan('hidden')).toContain('no-restricted-globals');
});

test('what the plugin only warns of is found, although the scanner lets it pass', () => {
	expect(getLint('leftOver')).toContain('no-dead-files');
	expect(getScan('leftOver')).toBe('');
});

test('an exception that is no longer needed is a finding', () => {
	expect(getLint('unneeded')).toContain(
		'the exception for n8n-nodes-base/cred-class-field-documentation-url-miscased is not needed',
	);
});

test('no exception holds against a rule that n8n runs', () => {
	expect(getLint('unlawful')).toContain('node-class-description-empty-string');
});

test('what only the scanner forbids is found', () => {
	expect(getScan('console')).toContain('no-console');
});
