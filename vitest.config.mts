import { createRequire } from 'node:module';
import { defineConfig } from 'vitest/config';

const { resolve } = createRequire(import.meta.url);

const RESTORE = './test/support/restore.ts';
const WALK = 'test/engine/walk.test.ts';

export default defineConfig({
	resolve: {
		// The instance that n8n-core has, which is CommonJS: an import would load another.
		alias: [{ find: /^n8n-workflow$/, replacement: resolve('n8n-workflow') }],
	},
	test: {
		globals: true,
		// A run in CI never ended after its last tests. A process that does not report its end is the likely cause, so
		// unit and model use threads. The others cannot: n8n-core crashes where a second thread loads it.
		pool: 'forks',
		// Vitest leaves one processor to the process that hands out the files, which needs little of it.
		minWorkers: 1,
		maxWorkers: '100%',
		// Loading n8n-core and the nodes anew for each file takes long (test/support/restore.ts).
		isolate: false,
		clearMocks: true,
		// Against a test that hangs: none of them is about time, and a busy machine takes its own.
		testTimeout: 30_000,
		hookTimeout: 30_000,
		projects: [
			{
				extends: true,
				test: {
					name: 'unit',
					include: ['test/unit/**/*.test.ts'],
					setupFiles: [RESTORE],
					pool: 'threads',
				},
			},
			{
				// All ways in which a payout with a reference may go, within small bounds (test/model/suite.ts).
				extends: true,
				test: {
					name: 'model',
					include: ['test/model/**/*.test.ts'],
					setupFiles: [RESTORE],
					pool: 'threads',
					// Searches take as long as the machine lets them.
					testTimeout: 180_000,
				},
			},
			{
				extends: true,
				test: {
					name: 'engine',
					include: ['test/engine/**/*.test.ts'],
					exclude: [WALK],
					setupFiles: [RESTORE],
				},
			},
			{
				// Node counts each continuation of an async function as a call, but not those of a generator
				// without a name, which the compiler makes of it here.
				extends: true,
				oxc: { target: 'es2016' },
				test: { name: 'walk', include: [WALK], setupFiles: [RESTORE] },
			},
			{
				// The suites that carry promises, against a service that does the opposite of what is assumed
				// wherever its description is silent (dev/sandbox/settings/dialects.ts).
				extends: true,
				test: {
					name: 'opposite',
					include: ['test/engine/{money,lists,trigger,errors,items}/**/*.test.ts'],
					// What these show is decided before anything is sent.
					exclude: ['test/engine/items/{order,plainParameter,typedFields}*'],
					env: { DIALECT: process.env.DIALECT ?? 'opposite' },
					setupFiles: [RESTORE],
				},
			},
			{
				extends: true,
				test: {
					name: 'e2e',
					include: ['test/e2e/**/*.test.ts'],
					// Each file has its own n8n, which takes as long as the machine lets it.
					isolate: true,
					testTimeout: 180_000,
					hookTimeout: 180_000,
				},
			},
		],
	},
});
