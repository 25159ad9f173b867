import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { repositoryRoot } from '../n8n/paths';

export const PICTURES_FOLDER = join(repositoryRoot, 'docs', 'images');

const PAYOUTS = 'examples/payouts-from-spreadsheet.json';
const CREDENTIAL = 'credentials/BrlPaymentsApi.credentials.ts';

/** Name of a picture -> the file that it shows; see {@link hashOf}. */
export const PICTURES = {
	credential: CREDENTIAL,
	'payment-node': PAYOUTS,
	'your-columns': PAYOUTS,
	approval: PAYOUTS,
	report: PAYOUTS,
	'trigger-panel': 'examples/pix-received-notification.json',
} as const;

export type Picture = keyof typeof PICTURES;

/** The widest that a page of GitHub shows without making it smaller, in pixels. */
export const MAX_WIDTH = 830;

const MADE_FROM = join(PICTURES_FOLDER, 'made-from.json');

/** What a picture shows of a file. Notes and the places of nodes count for nothing: no picture shows them. */
export function hashOf(file: string): string {
	const text = readFileSync(join(repositoryRoot, file), 'utf8');
	const hash = createHash('sha256');
	if (!file.endsWith('.json')) return hash.update(text).digest('hex');
	const { nodes } = JSON.parse(text) as { nodes: Array<{ type: string; parameters: object }> };
	const shown = nodes.filter(({ type }) => !type.endsWith('.stickyNote'));
	return hash.update(JSON.stringify(shown.map(({ parameters }) => parameters))).digest('hex');
}

/** Name of a picture -> {@link hashOf} its file when the picture was taken. */
export function readMadeFrom(): Record<string, string> {
	return JSON.parse(readFileSync(MADE_FROM, 'utf8')) as Record<string, string>;
}

export function noteMadeFrom(): void {
	const names = Object.keys(PICTURES) as Picture[];
	const hashes = Object.fromEntries(names.map((name) => [name, hashOf(PICTURES[name])]));
	writeFileSync(MADE_FROM, `${JSON.stringify(hashes, null, 2)}\n`);
}
