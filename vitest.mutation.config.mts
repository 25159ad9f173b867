import { defineConfig } from 'vitest/config';
import base from './vitest.config.mjs';

/**
 * For Stryker: the unit tests of the nodes, of which each mutant runs those that reach it. The trigger has its
 * tests in n8n's engine as well, which takes seconds to load for each mutant.
 */
const TESTS =
	process.env.MUTATION === 'trigger'
		? ['test/unit/nodes/BrlPaymentsTrigger/**/*.test.ts', 'test/engine/trigger/**/*.test.ts']
		: ['test/unit/nodes/**/*.test.ts'];

const { projects: _, ...test } = base.test ?? {};

export default defineConfig({
	...base,
	test: {
		...test,
		include: TESTS,
		// The first two reach nearly everything, with many cases each; the last one reads files that Stryker leaves out.
		exclude: ['**/{fuzz,forgeries,guidelines}.test.ts'],
		setupFiles: ['test/support/restore.ts'],
		// Stryker runs all in one process; what n8n-core loads into it crashes it when it is loaded again.
		poolMatchGlobs: [['**/test/engine/**', 'forks']],
		env: { CASES_FACTOR: '0.05' },
	},
});
