/** @type {import('jest').Config} */
const common = {
	rootDir: __dirname,
	testEnvironment: 'node',
	transform: {
		'^.+\\.ts$': [
			'@swc/jest',
			{ jsc: { parser: { syntax: 'typescript', decorators: true }, target: 'es2022' } },
		],
	},
	transformIgnorePatterns: ['/node_modules/'],
	modulePathIgnorePatterns: ['<rootDir>/dist/', '<rootDir>/coverage/'],
	clearMocks: true,
};

/** For tests that start no n8n. */
const inProcess = {
	...common,
	testEnvironment: '<rootDir>/test/jest/sharedContext.cjs',
	testEnvironmentOptions: { globalsCleanup: 'off' },
	moduleNameMapper: {
		'^(n8n-workflow|n8n-core|@n8n/di|@n8n/backend-common)$': '<rootDir>/test/jest/once/$1.cjs',
	},
};

module.exports = {
	// Against a test that hangs: none of them is about time, and a busy machine takes its own.
	testTimeout: 30_000,
	projects: [
		{ ...inProcess, displayName: 'unit', testMatch: ['<rootDir>/test/unit/**/*.test.ts'] },
		{ ...inProcess, displayName: 'engine', testMatch: ['<rootDir>/test/engine/**/*.test.ts'] },
		{
			// The suites that carry promises, against a service that does the opposite of what is assumed
			// wherever its description is silent (dev/sandbox/settings/dialects.ts).
			...inProcess,
			displayName: 'opposite',
			testMatch: ['<rootDir>/test/engine/{money,lists,trigger,errors,items}/**/*.test.ts'],
			// What these show is decided before anything is sent.
			testPathIgnorePatterns: ['/node_modules/', '/items/(order|plainParameter|typedFields)'],
			globals: { DIALECT: 'opposite' },
		},
		{ ...common, displayName: 'e2e', testMatch: ['<rootDir>/test/e2e/**/*.test.ts'] },
	],
};
