'use strict';

/** Loads a package of nodes as n8n does, and reports what that took. Arguments: its folder. */
const { readFileSync } = require('node:fs');
const { basename, join } = require('node:path');

const [folder] = process.argv.slice(2);
// What every n8n has loaded before it loads a package of nodes.
for (const shared of ['n8n-workflow', 'axios', 'zod', 'luxon', 'p-limit', 'lodash'])
	require(shared);

const { n8n } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));

const inUse = () => {
	global.gc();
	const { heapUsed, external } = process.memoryUsage();
	return heapUsed + external;
};

const memoryBefore = inUse();
const start = performance.now();
const loaded = [...(n8n.credentials ?? []), ...n8n.nodes].map((file) => {
	const Type = require(join(folder, file))[basename(file).split('.')[0]];
	return new Type();
});
const milliseconds = performance.now() - start;
process.send({ milliseconds, bytes: inUse() - memoryBefore, types: loaded.length });
