import { createRequire } from 'node:module';
import { basename, join, posix } from 'node:path';
import type { ICredentialType, INodeType } from 'n8n-workflow';
import type { Loaded } from './checks/interface';
import type { Manifest } from './checks/manifest';
import type { Codex } from './checks/interface/node';

/** Loads nodes and credentials from an unpacked package the way n8n does: by their class names. */
export function load(
	packageFolder: string,
	{ name = '', n8n: { nodes = [], credentials = [] } = {} }: Manifest,
	files: ReadonlyMap<string, string>,
): Loaded {
	const requireFromPackage = createRequire(join(packageFolder, 'package.json'));
	const create = <T>(entry: string): T => {
		const [className = ''] = basename(entry).split('.');
		const exported = requireFromPackage(`./${entry}`) as Record<string, new () => T>;
		const Type = exported[className];
		if (!Type) throw new Error(`${entry} does not export ${className}.`);
		return new Type();
	};
	return {
		packageName: name,
		nodes: nodes.map((entry) => ({
			description: create<INodeType>(entry).description,
			codex: requireFromPackage(`./${entry.replace(/\.js$/, '.json')}`) as Codex,
			folder: posix.dirname(entry),
		})),
		credentials: credentials.map((entry) => ({
			credential: create<ICredentialType>(entry),
			folder: posix.dirname(entry),
		})),
		files,
	};
}
