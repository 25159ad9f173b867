import { readFileSync } from 'node:fs';
import typescript from '@rollup/plugin-typescript';

const { n8n } = JSON.parse(readFileSync(new URL('package.json', import.meta.url), 'utf8'));

/** The files that n8n loads, by their place in `dist`: each is compiled from the same place here. */
const entries = [...n8n.credentials, ...n8n.nodes].map((file) => /^dist\/(.+)\.js$/.exec(file)[1]);

/**
 * A few files with everything in them load in half the time of a hundred small ones, and need no line
 * that takes one of them into another. They can be read: names and comments stay.
 */
export default {
	input: Object.fromEntries(entries.map((entry) => [entry, `${entry}.ts`])),
	// What is not a file of this package is n8n's to bring along.
	external: ['lodash', 'luxon', 'n8n-workflow', 'node:crypto', 'zod'],
	plugins: [
		typescript({
			// The JSON files beside the nodes are copied (gulpfile.js).
			...{ tsconfig: 'tsconfig.json', include: ['{credentials,nodes}/**/*.ts'] },
			...{ module: 'ESNext', moduleResolution: 'bundler', noEmitOnError: true },
		}),
	],
	output: {
		dir: 'dist',
		format: 'cjs',
		exports: 'named',
		interop: 'auto',
		hoistTransitiveImports: false,
		minifyInternalExports: false,
		chunkFileNames: 'shared/[name].js',
		manualChunks: (id) => (id.includes('/nodes/shared/') ? 'api' : undefined),
	},
};
