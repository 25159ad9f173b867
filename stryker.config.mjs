/** `npm run mutation`. See docs/testing.md. */
export default {
	testRunner: 'warm',
	plugins: ['./dev/mutation/runner.mjs'],
	testRunnerNodeArgs: ['--import', 'tsx'],
	warm: {
		folders: ['test/unit/nodes'],
		// They count their many cases, of which the runner leaves a hundred.
		exceptFiles: ['fuzz.test.ts', 'forgeries.test.ts'],
		exceptTests: [
			'any byte',
			'a million',
			'whatever comes to an active trigger',
			'a list that changes while several pages',
			'whatever is entered, it is read as n8n evaluates it',
		],
		slowMs: 1500,
		budgetMs: Number(process.env.BUDGET_MS ?? 1500),
	},
	coverageAnalysis: 'perTest',
	mutate: [
		'nodes/shared/orders/**/*.ts',
		'nodes/shared/validation/**/*.ts',
		'nodes/shared/retry/{backoff,retryPolicy,verdict}.ts',
		'nodes/BrlPaymentsTrigger/{deduplication/{inMemoryDedup,seenEvents},receive/request,events/events}.ts',
		'nodes/BrlPaymentsTrigger/signature/**/*.ts',
	],
	thresholds: { high: 95, low: 90, break: 90 },
	concurrency: 1,
	// A test is stopped after ten seconds, so only a loop without end takes longer.
	timeoutMS: 30_000,
	timeoutFactor: 0,
	dryRunTimeoutMinutes: 20,
	incremental: true,
	incrementalFile: 'coverage/mutation.json',
	reporters: ['clear-text', 'progress-append-only'],
	tempDirName: 'coverage/stryker',
	ignorePatterns: ['/docs', '/dist', '/dev/{bench,chaos,release}', '/coverage', '/icons'],
	allowConsoleColors: false,
	warnings: { unknownOptions: false },
};
