import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { MUTATIONS } from '../../../dev/chaos/mutations';

const SOURCES = readdirSync('nodes', { recursive: true, encoding: 'utf8' })
	.filter((name) => name.endsWith('.ts'))
	.map((name) => readFileSync(join('nodes', name), 'utf8'));

// The campaign runs with a defect only by hand: nobody would notice that it no longer fits.
it.each(Object.keys(MUTATIONS))('the defect "%s" fits the sources once', (name) => {
	const [search] = MUTATIONS[name]!;
	const hits = SOURCES.map((text) => text.split(search).length - 1);
	expect(hits.reduce((sum, count) => sum + count, 0)).toBe(1);
});
