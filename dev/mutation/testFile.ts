import { ModernFakeTimers } from '@jest/fake-timers';
import { expect } from 'expect';
import fc from 'fast-check';
import { bind } from 'jest-each';
import { ModuleMocker } from 'jest-mock';
import { Modules } from './modules';

type Body = () => unknown;

interface Suite {
	readonly name: string;
	readonly parent: Suite | undefined;
	readonly beforeAll: Body[];
	readonly beforeEach: Body[];
	readonly afterEach: Body[];
	readonly afterAll: Body[];
}

export interface Test {
	readonly name: string;
	readonly suite: Suite;
	readonly body: Body;
	readonly timeoutMs: number;
}

const DEFAULT_TIMEOUT_MS = 10_000;

/** For each of thousands of mutants; what only the ten-thousandth case shows, the examples should. */
const PROPERTY_RUNS = 100;

const mocker = new ModuleMocker(globalThis);
const timers = new ModernFakeTimers({
	global: globalThis,
	config: { fakeTimers: {}, rootDir: '' } as never,
});

const limited: unknown = Object.create(fc, {
	assert: {
		value: (property: never, parameters?: { numRuns?: number }) =>
			fc.assert(property, {
				...parameters,
				numRuns: Math.min(parameters?.numRuns ?? PROPERTY_RUNS, PROPERTY_RUNS),
			}),
	},
});

// Inline snapshots need vitest itself.
expect.extend({ toMatchInlineSnapshot: () => ({ pass: true, message: () => '' }) });

const suiteIn = (parent: Suite | undefined, name: string): Suite => ({
	name,
	parent,
	beforeAll: [],
	beforeEach: [],
	afterEach: [],
	afterAll: [],
});

const chain = (suite: Suite | undefined): Suite[] => (suite ? [...chain(suite.parent), suite] : []);

/** The part of vitest that the tests here use. */
const vi = {
	fn: mocker.fn.bind(mocker),
	spyOn: mocker.spyOn.bind(mocker),
	mocked: <T>(value: T) => value,
	restoreAllMocks: () => mocker.restoreAllMocks(),
	useFakeTimers: (config?: never) => timers.useFakeTimers(config),
	useRealTimers: () => timers.useRealTimers(),
	advanceTimersByTimeAsync: (ms: number) => timers.advanceTimersByTimeAsync(ms),
};

type Each = (...table: unknown[]) => (title: string, ...body: unknown[]) => void;

/** Tables of tests. What vitest shows for `%o` is `%p` here; `%o` would show where an error was made. */
function tableFor(define: unknown): Each {
	const each = bind(define as never, false) as unknown as Each;
	return (...table) =>
		(title, ...body) =>
			each(...table)(title.replaceAll('%o', '%p'), ...body);
}

/** Loads a test file with fresh modules, and so with the mutant that is active now. */
export function collect(path: string): Test[] {
	const tests: Test[] = [];
	let current = suiteIn(undefined, '');
	const describe = (name: string, define: () => void) => {
		current = suiteIn(current, name);
		define();
		current = current.parent ?? current;
	};
	const test = (title: string, body: Body, timeoutMs = DEFAULT_TIMEOUT_MS) => {
		const name = [...chain(current).map((suite) => suite.name), title].join(' ').trim();
		tests.push({ name, suite: current, body, timeoutMs });
	};
	const hook = (kind: 'beforeAll' | 'beforeEach' | 'afterEach' | 'afterAll') => (body: Body) =>
		void current[kind].push(body);
	Object.assign(globalThis, {
		vi,
		expect,
		describe: Object.assign(describe, { each: tableFor(describe) }),
		test: Object.assign(test, { each: tableFor(test) }),
		it: test,
		beforeAll: hook('beforeAll'),
		beforeEach: hook('beforeEach'),
		afterEach: hook('afterEach'),
		afterAll: hook('afterAll'),
	});
	const modules = new Modules();
	modules.mock('fast-check', '', () => ({ __esModule: true, default: limited }));
	modules.load(path);
	return tests;
}

async function within(timeoutMs: number, body: Body): Promise<void> {
	let timer: NodeJS.Timeout | undefined;
	const timeout = new Promise<never>((_, reject) => {
		timer = setTimeout(() => reject(new Error(`Took longer than ${timeoutMs} ms`)), timeoutMs);
	});
	try {
		await Promise.race([body(), timeout]);
	} finally {
		clearTimeout(timer);
	}
}

async function runHooks(hooks: readonly Body[]): Promise<void> {
	for (const hook of hooks) await within(DEFAULT_TIMEOUT_MS, hook);
}

async function runTest({ suite, body, timeoutMs }: Test): Promise<void> {
	const suites = chain(suite);
	mocker.clearAllMocks();
	try {
		await runHooks(suites.flatMap((each) => each.beforeEach));
		await within(timeoutMs, body);
	} finally {
		await runHooks(suites.reverse().flatMap((each) => each.afterEach));
	}
}

export interface Outcome {
	readonly test: Test;
	readonly error: unknown;
	readonly ms: number;
}

const getError = (run: Promise<void>): Promise<unknown> =>
	run.then(
		() => undefined,
		(error: unknown) => error ?? new Error('Thrown without a value'),
	);

/**
 * Runs tests of one file.
 * @param begin called before each test
 * @param bail to stop at the first that fails
 */
export async function run(
	tests: readonly Test[],
	bail: boolean,
	begin: (test: Test) => void = () => undefined,
): Promise<Outcome[]> {
	const outcomes: Outcome[] = [];
	const open = new Set<Suite>();
	for (const test of tests) {
		begin(test);
		const started = performance.now();
		const entered = chain(test.suite).filter((suite) => !open.has(suite));
		entered.forEach((suite) => open.add(suite));
		const error =
			(await getError(runHooks(entered.flatMap((suite) => suite.beforeAll)))) ??
			(await getError(runTest(test)));
		outcomes.push({ test, error, ms: performance.now() - started });
		if (bail && error !== undefined) break;
	}
	await getError(runHooks([...open].reverse().flatMap((suite) => suite.afterAll)));
	mocker.restoreAllMocks();
	timers.useRealTimers();
	return outcomes;
}
