import { defineConfig } from 'vitest/config';
import base from './vitest.config.mjs';

/** For Stryker: the unit tests of the nodes, of which each mutant runs those that reach it. */
const { projects: _, ...test } = base.test ?? {};

export default defineConfig({
	...base,
	test: {
		...test,
		include: ['test/unit/nodes/**/*.test.ts'],
		// These reach nearly everything, with many cases each.
		exclude: ['**/{fuzz,forgeries}.test.ts'],
		setupFiles: ['test/support/restore.ts'],
		env: { CASES_FACTOR: '0.05' },
	},
});
