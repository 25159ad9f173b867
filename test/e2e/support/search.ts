import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';

/** All files below a folder. */
async function listFiles(folder: string): Promise<string[]> {
	const entries = await readdir(folder, { withFileTypes: true, recursive: true });
	return entries
		.filter((entry) => entry.isFile())
		.map((entry) => join(entry.parentPath, entry.name));
}

/** The files below a folder that contain a text, byte for byte, in UTF-8, UTF-16 or base64. */
export async function findInFiles(folder: string, text: string): Promise<string[]> {
	const needles = [
		Buffer.from(text, 'utf8'),
		Buffer.from(text, 'utf16le'),
		// The middle of what base64 makes of it, at each of the three possible offsets.
		...[0, 1, 2].map((offset) => {
			const encoded = Buffer.from(' '.repeat(offset) + text).toString('base64');
			return Buffer.from(encoded.slice(4, -4), 'latin1');
		}),
	];
	const found: string[] = [];
	for (const file of await listFiles(folder)) {
		// Half a package manager is below the user folder too; nothing writes secrets into it.
		if (file.includes(`${join('.n8n', 'nodes', 'node_modules')}`)) continue;
		const content = await readFile(file);
		if (needles.some((needle) => content.includes(needle))) found.push(file);
	}
	return found;
}
