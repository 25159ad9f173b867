/** `npm run mutation` and `npm run mutation:trigger`. See docs/testing.md. */
const isTrigger = process.env.MUTATION === 'trigger';

const MONEY = [
	'nodes/BrlPayments/orders/{names,asked,ledger,guard,limits,keyOnly,payouts,charges,absence}.ts',
	'nodes/shared/input/**/*.ts',
	'nodes/shared/retry/{backoff,retryPolicy,verdict}.ts',
];
const TRIGGER = [
	'nodes/BrlPaymentsTrigger/{events,item,request,webhook,execute}.ts',
	'nodes/BrlPaymentsTrigger/{seen,signature}/*.ts',
];

export default {
	testRunner: 'vitest',
	plugins: ['@stryker-mutator/vitest-runner'],
	vitest: { configFile: 'vitest.mutation.config.mts' },
	coverageAnalysis: 'perTest',
	mutate: isTrigger ? TRIGGER : MONEY,
	// Of the trigger, dev/mutation/inEngine.mjs counts what its tests in n8n's engine notice, too.
	thresholds: { high: 95, low: 90, break: isTrigger ? null : 90 },
	concurrency: 1,
	dryRunTimeoutMinutes: 20,
	incremental: true,
	incrementalFile: `coverage/mutation${isTrigger ? '-trigger' : ''}.json`,
	reporters: ['clear-text', 'progress-append-only'],
	tempDirName: 'coverage/stryker',
	ignorePatterns: ['/docs', '/dist', '/dev/{bench,release}', '/coverage', '/icons'],
	allowConsoleColors: false,
	warnings: { unknownOptions: false },
};
