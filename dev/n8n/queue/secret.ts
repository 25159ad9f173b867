import { randomBytes } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';

/** The secret in this file, made where there is none: letters, digits, "-" and "_" only. */
export async function keepSecret(file: string): Promise<string> {
	const kept = await readFile(file, 'utf8').catch(() => undefined);
	if (kept !== undefined) return kept;
	const secret = randomBytes(24).toString('base64url');
	await writeFile(file, secret, { mode: 0o600 });
	return secret;
}
