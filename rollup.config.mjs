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
	async renderChunk(code, { isEntry }) {
		const options = {
			ecma: 2022,
			module: false,
			// Class names are what errors and stack traces show. n8n's lint rules read the literals in the
			// descriptions of the nodes, which must stay as they were written; the shared code has none.
			compress: {
				ecma: 2022,
				toplevel: true,
				passes: 3,
				keep_classnames: true,
				booleans: !isEntry,
				evaluate: false,
				reduce_vars: false,
				// Unsafe only for functions that are called with `new`, which the compiler forbids.
				unsafe_arrows: true,
			},
			mangle: { toplevel: true, keep_classnames: true },
			format: { comments: false },
		};
		const once = await minify(code, options);
		// The first time leaves `let Name = class Name`; the second shortens the variable, not the class.
		return await minify(once.code, options);
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
		// Only these files import the shared one, so what it exports needs no long names.
		minifyInternalExports: true,
		chunkFileNames: 'shared/[name].js',
		manualChunks: (id) => (id.includes('/nodes/shared/') ? 'api' : undefined),
	},
};
