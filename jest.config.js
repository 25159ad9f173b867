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

module.exports = {
	// Against a test that hangs: none of them is about time, and a busy machine takes its own.
	testTimeout: 30_000,
	projects: [
		{ ...common, displayName: 'unit', testMatch: ['<rootDir>/test/unit/**/*.test.ts'] },
		{ ...common, displayName: 'engine', testMatch: ['<rootDir>/test/engine/**/*.test.ts'] },
		{
			// The suites that carry promises, against a service that does the opposite of what is assumed
			// wherever its description is silent (dev/sandbox/settings/dialects.ts).
			...common,
			displayName: 'opposite',
			testMatch: ['<rootDir>/test/engine/{money,lists,trigger,errors,items}/**/*.test.ts'],
			// What these show is decided before anything is sent.
			testPathIgnorePatterns: ['/node_modules/', '/items/(order|plainParameter|typedFields)'],
			globals: { DIALECT: 'opposite' },
		},
		{ ...common, displayName: 'e2e', testMatch: ['<rootDir>/test/e2e/**/*.test.ts'] },
	],
};
