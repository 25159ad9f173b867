/**
 * `npm run mutation`: changes the code that decides about money and trust in one small place after the
 * other, and looks whether the tests notice. Not in CI: it takes hours.
 *
 *   npm run mutation                                    all of FILES
 *   npm run mutation -- --file retryPolicy --share 0.2  every fifth mutant of the files so named
 *   npm run mutation -- --quick                         with the tests of each file alone
 */
import { spawnSync } from 'node:child_process';
import {
	cpSync,
	mkdtempSync,
	readdirSync,
	readFileSync,
	rmSync,
	symlinkSync,
	writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { Command } from 'commander';
import { applied, mutantsOf, type Mutant } from './mutants';

const root = join(__dirname, '..', '..');

/** Files and folders, with those that lie in them. */
const FILES = [
	'nodes/api/input',
	'nodes/api/orders',
	'nodes/api/backoff.ts',
	'nodes/api/retryPolicy.ts',
	'nodes/BrlPaymentsTrigger/claims.ts',
	'nodes/BrlPaymentsTrigger/signature',
];

/** A mutant that makes a loop endless has to be noticed by the clock; the slowest stage takes minutes. */
const TIMEOUT_MS = 30 * 60_000;

const { file, share, quick } = new Command()
	.option('--file <text>', 'only files whose path contains it', '')
	.option('--share <number>', 'the share of mutants to try, from 0 to 1', '1')
	.option('--quick', 'run only the tests of each file, which leaves more unnoticed')
	.parse()
	.opts<{ file: string; share: string; quick?: true }>();

const files = FILES.flatMap((path) =>
	path.endsWith('.ts')
		? [path]
		: readdirSync(join(root, path), { recursive: true, encoding: 'utf8' })
				.filter((name) => name.endsWith('.ts'))
				.map((name) => join(path, name)),
).filter((path) => path.includes(file));

const copy = mkdtempSync(join(tmpdir(), 'mutation-'));
process.on('exit', () => rmSync(copy, { recursive: true, force: true }));
for (const name of ['nodes', 'credentials', 'sandbox', 'test', 'jest.config.js', 'package.json']) {
	cpSync(join(root, name), join(copy, name), { recursive: true });
}
symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'));

/** From the quickest to the slowest; a mutant goes on to the next where it is not noticed. */
const stages = (path: string): string[][] => [
	[
		...['--selectProjects', 'unit', '--testPathPatterns'],
		path.replace('nodes/', 'unit/nodes/').replace(/\.ts$/, '.test'),
	],
	['--selectProjects', 'unit', '--findRelatedTests', path],
	['--selectProjects', 'engine', '--testPathPatterns', 'engine/(money|errors|requests)'],
];

function isNoticed(path: string): boolean {
	return stages(path)
		.slice(0, quick ? 1 : undefined)
		.some((stage) => {
			const jest = join(copy, 'node_modules', 'jest', 'bin', 'jest.js');
			const args = [jest, ...stage, '--bail', '--maxWorkers=1', '--passWithNoTests'];
			return spawnSync(process.execPath, args, { cwd: copy, timeout: TIMEOUT_MS }).status !== 0;
		});
}

function tryOut(path: string, mutant: Mutant, text: string): boolean {
	writeFileSync(join(copy, path), applied(text, mutant));
	try {
		return isNoticed(path);
	} finally {
		writeFileSync(join(copy, path), text);
	}
}

let tried = 0;
let noticed = 0;
for (const path of files) {
	const text = readFileSync(join(root, path), 'utf8');
	const step = Math.max(1, Math.round(1 / Number(share)));
	for (const mutant of mutantsOf(text).filter((_, index) => index % step === 0)) {
		tried += 1;
		if (tryOut(path, mutant, text)) noticed += 1;
		else {
			const { line, original, replacement } = mutant;
			console.log(`${relative('.', path)}:${line}  ${original}  ->  ${replacement}`);
		}
	}
	console.log(`${path}: ${noticed} of ${tried} noticed so far`);
}
