import { defineConfig } from 'vitest/config';
import base from './vitest.config.mjs';

/**
 * For Stryker: the unit tests of the nodes, of which each mutant runs those that reach it. What they leave alive of
 * the trigger is tried on its tests in n8n's engine then (dev/mutation/inEngine.mjs).
 */
const TESTS =
	process.env.MUTATION === 'trigger'
		? ['test/unit/nodes/BrlPaymentsTrigger/**/*.test.ts']
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
		env: { CASES_FACTOR: '0.05' },
	},
});
