import { readFileSync } from 'node:fs';
import typescript from '@rollup/plugin-typescript';
import { minify } from '@swc/core';
import { shortMemberNames } from './scripts/shortMemberNames.mjs';

const { n8n } = JSON.parse(readFileSync(new URL('package.json', import.meta.url), 'utf8'));

/** The files that n8n loads, by their place in `dist`: each is compiled from the same place here. */
const entries = [...n8n.credentials, ...n8n.nodes].map((file) => /^dist\/(.+)\.js$/.exec(file)[1]);

/** What n8n, errors and stack traces show: nodes, credentials, errors. */
const SHOWN = [
	...entries.map((entry) => /([^/.]+)\.\w+$/.exec(entry)[1]),
	...['ApiFailure', 'InputError'],
];

/**
 * The published code is less than two thirds of what was written. Its sources are public, and each
 * release proves from which of them it was built.
 */
const small = {
	name: 'small',
	async renderChunk(code, { name }) {
		// n8n's lint rules read the literals in the descriptions of the nodes, which must stay as they
		// were written.
		const mayRewrite = name === 'api';
		return await minify(code, {
			ecma: 2022,
			module: false,
			compress: {
				toplevel: true,
				passes: 3,
				ecma: 2022,
				unsafe_arrows: true,
				unsafe_methods: true,
				booleans: mayRewrite,
				evaluate: mayRewrite,
				reduce_vars: mayRewrite,
				keep_classnames: true,
			},
			mangle: { toplevel: true, reserved: SHOWN },
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
	plugins: [
		typescript({
			tsconfig: 'tsconfig.build.json',
			noEmitOnError: true,
			transformers: { before: [{ type: 'program', factory: shortMemberNames }] },
		}),
		small,
	],
	output: {
		dir: 'dist',
		format: 'cjs',
		exports: 'named',
		interop: 'auto',
		hoistTransitiveImports: false,
		minifyInternalExports: true,
		chunkFileNames: 'shared/[name].js',
		manualChunks: (id) => (id.includes('/nodes/api/') ? 'api' : undefined),
	},
};
