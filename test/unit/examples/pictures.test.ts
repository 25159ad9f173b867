/** The pictures of the pages are of what is there now. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { PNG } from 'pngjs';

import {
	hashOf,
	MAX_WIDTH,
	PICTURES,
	PICTURES_FOLDER,
	readMadeFrom,
	type Picture,
} from '../../../dev/docs/screenshotSources';

const names = Object.keys(PICTURES) as Picture[];

it('are those that npm run screenshots makes', () => {
	const files = readdirSync(PICTURES_FOLDER).filter((file) => file.endsWith('.png'));
	expect(files.sort()).toEqual(names.map((name) => `${name}.png`).sort());
});

it.each(names)('%s is no older than what it shows: otherwise, npm run screenshots', (name) => {
	expect(readMadeFrom()[name]).toBe(hashOf(PICTURES[name]));
});

it.each(names)('%s can be read on the page', (name) => {
	const { width, height } = PNG.sync.read(readFileSync(join(PICTURES_FOLDER, `${name}.png`)));
	expect(width).toBeLessThanOrEqual(MAX_WIDTH);
	expect(Math.min(width, height)).toBeGreaterThan(100);
});
