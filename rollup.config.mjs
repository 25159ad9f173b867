import { readFileSync } from 'node:fs';
import typescript from '@rollup/plugin-typescript';
import { format, resolveConfig } from 'prettier';

const { n8n } = JSON.parse(readFileSync(new URL('package.json', import.meta.url), 'utf8'));

/** The files that n8n loads, by their place in `dist`: each is compiled from the same place here. */
const entries = [...n8n.credentials, ...n8n.nodes].map((file) => /^dist\/(.+)\.js$/.exec(file)[1]);

/** The published code looks like its sources: nobody installs a payment node that he cannot read. */
const readable = {
	name: 'readable',
	async renderChunk(code) {
		const style = await resolveConfig(new URL(import.meta.url));
		return await format(code, { ...style, parser: 'babel' });
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
	plugins: [typescript({ tsconfig: 'tsconfig.build.json', noEmitOnError: true }), readable],
	output: {
		dir: 'dist',
		format: 'cjs',
		exports: 'named',
		interop: 'auto',
		hoistTransitiveImports: false,
		chunkFileNames: 'shared/[name].js',
		manualChunks: (id) => (id.includes('/nodes/api/') ? 'api' : undefined),
	},
};
