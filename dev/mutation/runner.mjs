import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { declareClassPlugin, PluginKind } from '@stryker-mutator/api/plugin';
import {
	determineHitLimitReached,
	DryRunStatus,
	TestStatus,
	toMutantRunResult,
} from '@stryker-mutator/api/test-runner';

/** Shared with the instrumented code. */
const instrumenter = (globalThis.__stryker__ ??= {});
const LOADING = 'loading';
/** In the sandbox of the run. */
const DURATIONS = 'durations.json';
/** What loading a file of tests costs. */
const LOAD_MS = 30;

const messageOf = (error) => (error instanceof Error ? error.message : String(error));

/**
 * Runs the tests in one warm process, with fresh modules of the project for each file and mutant. It
 * takes a tenth of the time of Stryker's own runner for jest, which makes a new environment for each
 * file and loads n8n-workflow into it.
 *
 * Loading happens with the mutant active and counts as part of each test in the file, so no mutant is
 * static for Stryker.
 */
class WarmRunner {
	static inject = ['options'];
	#files;
	#exceptTests;
	#slowMs;
	#budgetMs;
	#testFile;
	/** Milliseconds by id of a test. */
	#durations = {};

	constructor(options) {
		this.#slowMs = options.warm.slowMs;
		this.#budgetMs = options.warm.budgetMs;
		this.#files = options.warm.folders
			.flatMap((folder) =>
				readdirSync(folder, { recursive: true }).map((name) => join(folder, name)),
			)
			.filter((path) => path.endsWith('.test.ts'))
			.filter((path) => !options.warm.exceptFiles.includes(basename(path)))
			.sort();
		this.#exceptTests = options.warm.exceptTests.map((text) => new RegExp(text));
	}

	capabilities() {
		return { reloadEnvironment: true };
	}

	async init() {
		process.env.NODE_ENV = 'test';
		// What a mutant leaves behind must not end the process.
		process.on('unhandledRejection', () => undefined);
		process.on('uncaughtException', () => undefined);
		// A process that a mutant has blocked is replaced by another.
		if (existsSync(DURATIONS)) this.#durations = JSON.parse(readFileSync(DURATIONS, 'utf8'));
		this.#testFile = await import('./testFile.ts');
	}

	async dryRun() {
		const tests = [];
		const perTest = {};
		for (const path of this.#files) {
			const covered = { static: {}, perTest: {} };
			instrumenter.mutantCoverage = covered;
			instrumenter.currentTestId = LOADING;
			const ids = new Map();
			const found = this.#collect(path);
			found.forEach((test, index) => ids.set(test, `${path}#${index}`));
			const outcomes = await this.#testFile.run(found, false, (test) => {
				instrumenter.currentTestId = ids.get(test);
			});
			delete instrumenter.currentTestId;
			for (const { test, error, ms } of outcomes) {
				const id = ids.get(test);
				if (ms < this.#slowMs) this.#durations[id] = ms;
				if (ms < this.#slowMs)
					perTest[id] = { ...covered.perTest[LOADING], ...covered.perTest[id] };
				tests.push({
					id,
					name: test.name,
					fileName: resolve(path),
					timeSpentMs: ms,
					...(error === undefined
						? { status: TestStatus.Success }
						: { status: TestStatus.Failed, failureMessage: messageOf(error) }),
				});
			}
		}
		writeFileSync(DURATIONS, JSON.stringify(this.#durations));
		return { status: DryRunStatus.Complete, tests, mutantCoverage: { static: {}, perTest } };
	}

	async mutantRun({ activeMutant, testFilter, sandboxFileName, hitLimit, disableBail }) {
		const wanted = this.#chosen(testFilter ?? [], sandboxFileName);
		instrumenter.hitLimit = hitLimit;
		instrumenter.hitCount = hitLimit === undefined ? undefined : 0;
		instrumenter.activeMutant = activeMutant.id;
		try {
			const tests = [];
			for (const { path, indices } of wanted) {
				tests.push(...(await this.#runFile(path, indices, disableBail)));
				if (!disableBail && tests.at(-1)?.status === TestStatus.Failed) break;
			}
			return (
				determineHitLimitReached(instrumenter.hitCount, hitLimit) ??
				toMutantRunResult({ status: DryRunStatus.Complete, tests })
			);
		} finally {
			instrumenter.activeMutant = undefined;
		}
	}

	#collect(path) {
		return this.#testFile
			.collect(resolve(path))
			.filter(({ name }) => !this.#exceptTests.some((pattern) => pattern.test(name)));
	}

	async #runFile(path, indices, disableBail) {
		try {
			const found = this.#collect(path);
			const outcomes = await this.#testFile.run(
				indices.map((index) => found[index]),
				!disableBail,
			);
			return outcomes.map(({ test, error, ms }) => ({
				id: `${path}#${found.indexOf(test)}`,
				name: test.name,
				timeSpentMs: ms,
				status: error === undefined ? TestStatus.Success : TestStatus.Failed,
				failureMessage: messageOf(error),
			}));
		} catch (error) {
			const id = `${path}#${indices[0]}`;
			const failed = { status: TestStatus.Failed, failureMessage: messageOf(error) };
			return [{ id, name: id, timeSpentMs: 0, ...failed }];
		}
	}

	/** The file of tests that mirrors the changed one, then the quickest, as far as the budget goes. */
	#chosen(ids, sandboxFileName) {
		const byPath = new Map();
		for (const id of ids) {
			const [path, index] = id.split('#');
			const { indices, ms } = byPath.get(path) ?? { indices: [], ms: LOAD_MS };
			const all = [...indices, Number(index)];
			byPath.set(path, { path, indices: all, ms: ms + (this.#durations[id] ?? 0) });
		}
		const mirror = basename(sandboxFileName).replace(/\.ts$/, '.test.ts');
		const rank = ({ path, ms }) => (basename(path) === mirror ? -1 : ms);
		const files = [...byPath.values()].sort((one, other) => rank(one) - rank(other));
		const [first] = files;
		let spent = -(first?.ms ?? 0);
		return files.filter(({ ms }) => (spent += ms) <= this.#budgetMs);
	}
}

export const strykerPlugins = [declareClassPlugin(PluginKind.TestRunner, 'warm', WarmRunner)];
