import { readdir, readFile, symlink } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';
import { runNpm } from '../n8n/install/npm';
import { runCommand } from '../n8n/process/runCommand';

/**
 * Builds and packs the package as `npm publish` does, and unpacks it.
 *
 * @param root of the repository
 * @param workFolder an empty one; the package is in it next to the modules that an n8n has
 * @returns the folder of the unpacked package
 */
export async function pack(root: string, workFolder: string): Promise<string> {
	await runNpm(['run', 'build', '--silent'], { cwd: root });
	await runNpm(['pack', '--silent', '--pack-destination', workFolder], { cwd: root });
	const [archive] = (await readdir(workFolder)).filter((file) => file.endsWith('.tgz'));
	if (!archive) throw new Error('npm pack wrote no archive.');
	await runCommand('tar', ['-xzf', archive], { cwd: workFolder });
	await symlink(join(root, 'node_modules'), join(workFolder, 'node_modules'));
	return join(workFolder, 'package');
}

/** The text of every file below a folder, by its path with `/`. @param parts to look into */
export async function readFiles(
	folder: string,
	parts: readonly string[] = ['.'],
): Promise<ReadonlyMap<string, string>> {
	const found = await Promise.all(
		parts.map(
			async (part) => await readdir(join(folder, part), { recursive: true, withFileTypes: true }),
		),
	);
	const files = found.flat().filter((entry) => !entry.isDirectory());
	const texts = files.map(async (entry) => {
		const path = join(entry.parentPath, entry.name);
		return [relative(folder, path).split(sep).join('/'), await readFile(path, 'utf8')] as const;
	});
	return new Map(await Promise.all(texts));
}
