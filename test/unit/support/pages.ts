import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';

export const repositoryRoot = resolve(__dirname, '..', '..', '..');

/** Everything that people read: the Markdown files, as paths from the root of the repository. */
export const PAGES: readonly string[] = [
	'.',
	'docs',
	'dev/sandbox',
	'dev/n8n/hosts',
	'.github',
	'.github/ISSUE_TEMPLATE',
]
	.filter((folder) => existsSync(join(repositoryRoot, folder)))
	.flatMap((folder) =>
		readdirSync(join(repositoryRoot, folder))
			.filter((name) => name.endsWith('.md'))
			.map((name) => join(folder, name)),
	);

export const DOCS_PAGES = PAGES.filter((page) => page.startsWith('docs/'));

export function readPage(page: string): string {
	return readFileSync(join(repositoryRoot, page), 'utf8');
}

/** All codes of docs/errors.md, in the order of its tables. */
export function readErrorCodes(): string[] {
	return [...readPage('docs/errors.md').matchAll(/^\|`([A-Z_\d]+)`\|/gm)].map(
		([, code = '']) => code,
	);
}

/** ID of each open point -> its row in docs/open-points.md. */
export function readOpenPoints(): ReadonlyMap<string, string> {
	const rows = readPage('docs/open-points.md').matchAll(/^\|\*\*(\w+)\*\*: .*$/gm);
	return new Map([...rows].map(([row, id = '']) => [id, row]));
}

/** Without blocks of code, in which `#` is a comment and brackets are no link. */
function toProse(markdown: string): string {
	return markdown.replaceAll(/^( *)```[\s\S]*?^\1```$/gm, '');
}

/** The anchors of a page: those that GitHub makes of its headings, and its own. */
export function findAnchors(markdown: string): string[] {
	const headings = [...toProse(markdown).matchAll(/^#{1,6} (.+)$/gm)].map(([, heading = '']) =>
		heading
			.toLowerCase()
			.replaceAll(/[^\p{Letter}\p{Number} _-]/gu, '')
			.replaceAll(' ', '-'),
	);
	return [...headings, ...[...markdown.matchAll(/<a id="(.+?)">/g)].map(([, id = '']) => id)];
}

/** What people read: what has a letter or a digit, without the lines of tables. */
export function countWords(page: string): number {
	const words = readPage(page).replaceAll('|', ' ').split(/\s+/);
	return words.filter((word) => /[\p{Letter}\p{Number}]/u.test(word)).length;
}

/** The links and images of a page that stay in the repository: from its root, with their anchor. */
export function findLinks(page: string): Array<{ target: string; anchor: string | undefined }> {
	const links = toProse(readPage(page)).matchAll(/\]\((?!https?:)([^)#\s]*)(?:#([^)\s]*))?\)/g);
	return [...links].map(([, path = '', anchor]) => ({
		target: path === '' ? page : relative('.', join(dirname(page), path)),
		anchor,
	}));
}

/** The commands of a page, with what follows them on the line: `npm run bench -- pages`. */
export function findCommands(markdown: string): string[] {
	const inText = [...markdown.matchAll(/`(np[mx] [^`\n]+)`/g)];
	const inBlocks = [...markdown.matchAll(/^ *(?:[A-Z_]+=\S+ )*(np[mx] [^#\n]+)/gm)];
	return [...inText, ...inBlocks]
		.flatMap(([, line = '']) => line.split('&&'))
		.map((command) => command.trim());
}

/** Names of the editor as pages write them: `_Options > Timeout_` is `['Options', 'Timeout']`. */
export function findMenuPaths(markdown: string): string[][] {
	return [
		...toProse(markdown).matchAll(/(?<![\w*])(?:_|\*\*)([A-Z][^_*\n]* > [^_*\n]*)(?:_|\*\*)/g),
	].map(([, path = '']) => path.split(' > '));
}
