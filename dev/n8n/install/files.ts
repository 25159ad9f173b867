import { randomBytes } from 'node:crypto';
import { readFile, stat, writeFile } from 'node:fs/promises';

export async function exists(path: string): Promise<boolean> {
	return await stat(path).then(
		() => true,
		() => false,
	);
}

/** The text of a file, made where there is none, which others on this machine cannot read. */
export async function keepPrivate(file: string, make: () => string): Promise<string> {
	const kept = await readFile(file, 'utf8').catch(() => undefined);
	if (kept !== undefined) return kept;
	const text = make();
	await writeFile(file, text, { mode: 0o600 });
	return text;
}

/** The secret in this file, made where there is none: letters, digits, "-" and "_" only. */
export async function keepSecret(file: string): Promise<string> {
	return await keepPrivate(file, () => randomBytes(24).toString('base64url'));
}

export async function readJson<T>(path: string): Promise<T> {
	return JSON.parse(await readFile(path, 'utf8')) as T;
}
