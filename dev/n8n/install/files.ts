import { readFile, stat } from 'node:fs/promises';

/** Whether there is a file or folder of this name. */
export async function exists(path: string): Promise<boolean> {
	return await stat(path).then(
		() => true,
		() => false,
	);
}

/** @throws where there is no such file, or it contains no JSON; its shape is not checked */
export async function readJson<T>(path: string): Promise<T> {
	return JSON.parse(await readFile(path, 'utf8')) as T;
}
