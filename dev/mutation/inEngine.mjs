// Stryker loads all tests into one process, and n8n-core cannot be loaded into it twice. So what the unit tests of
// the trigger leave alive is tried here on its tests in n8n's engine, one mutant after the other.
import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';

const REPORT = 'coverage/mutation-trigger.json';
const report = JSON.parse(readFileSync(REPORT, 'utf8'));

const isKilled = () =>
	spawnSync('npx', ['vitest', 'run', '--project', 'engine', 'test/engine/trigger', '--bail', '1'], {
		stdio: 'ignore',
		timeout: 180_000,
	}).status !== 0;

/** Offset in a text of a place as the report counts it, from 1. */
const offsetOf = (text, { line, column }) =>
	text.split('\n', line - 1).reduce((sum, one) => sum + one.length + 1, 0) + column - 1;

if (isKilled()) throw new Error('The tests fail without a mutant');
let [killed, alive] = [0, 0];
for (const [file, { source, mutants }] of Object.entries(report.files)) {
	const original = readFileSync(file, 'utf8');
	if (original !== source) throw new Error(`${file} is not the one that Stryker has changed`);
	for (const mutant of mutants) {
		if (mutant.status === 'Survived' || mutant.status === 'NoCoverage') {
			const [start, end] = [mutant.location.start, mutant.location.end].map((place) =>
				offsetOf(source, place),
			);
			try {
				writeFileSync(file, source.slice(0, start) + mutant.replacement + source.slice(end));
				if (isKilled()) mutant.status = 'Killed';
			} finally {
				writeFileSync(file, original);
			}
			writeFileSync(REPORT, JSON.stringify(report));
			const { line } = mutant.location.start;
			console.log(
				`${mutant.status} ${file}:${line} ${mutant.mutatorName} -> ${mutant.replacement}`,
			);
		}
		if (mutant.status === 'Killed' || mutant.status === 'Timeout') killed += 1;
		else alive += 1;
	}
}
console.log(
	`${killed} of ${killed + alive} mutants killed: ${((100 * killed) / (killed + alive)).toFixed(1)} %`,
);
if (killed < 0.9 * (killed + alive)) process.exitCode = 1;
