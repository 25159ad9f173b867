import { readFileSync } from 'node:fs';
import typescript from '@rollup/plugin-typescript';
import { minify } from '@swc/core';

const { n8n } = JSON.parse(readFileSync(new URL('package.json', import.meta.url), 'utf8'));

/** The files that n8n loads, by their place in `dist`: each is compiled from the same place here. */
const entries = [...n8n.credentials, ...n8n.nodes].map((file) => /^dist\/(.+)\.js$/.exec(file)[1]);

/**
 * The published code is less than two thirds of what was written. Its sources are public, and each
 * release proves from which of them it was built.
 */
const small = {
	name: 'small',
	async renderChunk(code) {
		return await minify(code, {
			ecma: 2022,
			module: false,
			// Class names are what errors and stack traces show. n8n's lint rules read the literals in the
			// descriptions of the nodes, which must stay as they were written.
			compress: {
				toplevel: true,
				passes: 3,
				keep_classnames: true,
				booleans: false,
				evaluate: false,
				reduce_vars: false,
			},
			mangle: { toplevel: true, keep_classnames: true },
			format: { comments: false },
		});
	},
};

/**
 * A few files with everything in them load in half the time of a hundred small ones, and need no line
 * that takes one of them into another.
 */
export default {
	input: Object.fromEntries(entries.map((entry) => [entry, `${entry}.ts`])),
	// What is not a file of this package is n8n's to bring along.
	external: ['lodash', 'luxon', 'n8n-workflow', 'node:crypto', 'zod'],
	plugins: [typescript({ tsconfig: 'tsconfig.build.json', noEmitOnError: true }), small],
	output: {
		dir: 'dist',
		format: 'cjs',
		exports: 'named',
		interop: 'auto',
		hoistTransitiveImports: false,
		chunkFileNames: 'shared/[name].js',
		manualChunks: (id) => (id.includes('/nodes/shared/') ? 'api' : undefined),
	},
};
