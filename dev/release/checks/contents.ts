import { unless, type Finding } from '../finding';
import runtimeModules from '../runtimeModules.json';
import type { Manifest } from './manifest';

/** All that is published. Anything else is there by accident. */
const PUBLISHED =
	/^(package\.json|README\.md|LICENSE|CHANGELOG\.md|dist\/(nodes|credentials|shared)\/.+\.js|dist\/nodes\/.+\.node\.json|dist\/nodes\/\w+\/__schema__\/v[\d.]+\/\w+\/\w+\.json|dist\/icons\/\w+(\.dark)?\.svg)$/;

/** What the README of a community node must contain, for a person who has only the page on npm. */
const README_TOPICS: ReadonlyArray<readonly [topic: string, pattern: RegExp]> = [
	['installation', /^## .*\binstall/im],
	['credentials', /^## .*\bcredential/im],
	['operations', /^## .*\boperations/im],
	['example workflows', /\]\((?:examples\/|https:\S+\/examples\b)/i],
	['license', /\bMIT\b/],
];

/** @param files text by path, as unpacked */
export function checkContents(files: ReadonlyMap<string, string>, manifest: Manifest): Finding[] {
	const { nodes = [], credentials = [] } = manifest.n8n ?? {};
	const codexes = nodes.map((node) => node.replace(/\.js$/, '.json'));
	const wanted = [...nodes, ...codexes, ...credentials, 'README.md', 'LICENSE', 'package.json'];
	return [
		...wanted
			.filter((path) => !files.has(path))
			.map((path) => ({ place: path, text: 'is missing in the package' })),
		...[...files.keys()]
			.filter((path) => !PUBLISHED.test(path))
			.map((path) => ({ place: path, text: 'does not belong into the package' })),
		...unless(/^MIT License/.test(files.get('LICENSE') ?? ''), 'LICENSE', 'is not the MIT license'),
		...checkReadme(files.get('README.md') ?? ''),
		...[...files].flatMap(([path, text]) => (path.endsWith('.js') ? checkImports(path, text) : [])),
	];
}

function checkReadme(readme: string): Finding[] {
	return README_TOPICS.filter(([, pattern]) => !pattern.test(readme)).map(([topic]) => ({
		place: 'README.md',
		text: `says nothing about ${topic}`,
	}));
}

/** The import rule of n8n accepts every development dependency, although none exists in an n8n. */
function checkImports(path: string, text: string): Finding[] {
	const imports = text.matchAll(
		/\b(?:require|import)\s*\(\s*([^)]*?)\s*\)|\bfrom\s+(['"][^'"]+['"])/g,
	);
	return [...imports].flatMap(([, called, from]) => {
		const [, name] = /^['"](.+)['"]$/.exec(called ?? from ?? '') ?? [];
		if (name !== undefined && (/^\.{1,2}\//.test(name) || runtimeModules.includes(name))) return [];
		return [{ place: path, text: `imports ${name ?? called}, which no n8n has` }];
	});
}
