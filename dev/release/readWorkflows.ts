import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** The text of every workflow of GitHub Actions in a repository, by the name of its file, sorted. */
export function readWorkflows(root: string): ReadonlyMap<string, string> {
	const folder = join(root, '.github', 'workflows');
	const names = existsSync(folder) ? readdirSync(folder) : [];
	return new Map(
		names
			.filter((name) => /\.ya?ml$/.test(name))
			.sort()
			.map((name) => [name, readFileSync(join(folder, name), 'utf8')]),
	);
}
