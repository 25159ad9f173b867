import { randomBytes } from 'node:crypto';

import { keepPrivate } from '../install/files';

/** The secret in this file, made where there is none: letters, digits, "-" and "_" only. */
export async function keepSecret(file: string): Promise<string> {
	return await keepPrivate(file, () => randomBytes(24).toString('base64url'));
}
