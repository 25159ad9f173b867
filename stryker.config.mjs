/** `npm run mutation`. See docs/testing.md. */
export default {
	testRunner: 'vitest',
	plugins: ['@stryker-mutator/vitest-runner'],
	vitest: { configFile: 'vitest.mutation.config.mts' },
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
	dryRunTimeoutMinutes: 20,
	incremental: true,
	incrementalFile: 'coverage/mutation.json',
	reporters: ['clear-text', 'progress-append-only'],
	tempDirName: 'coverage/stryker',
	ignorePatterns: ['/docs', '/dist', '/dev/{bench,chaos,release}', '/coverage', '/icons'],
	allowConsoleColors: false,
	warnings: { unknownOptions: false },
};
