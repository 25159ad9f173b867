import { randomBytes } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import type { Owner } from './rest';

/** A password that n8n accepts: letters of both cases and digits, at most 64 characters. */
export function makeOwner(): Owner {
	return {
		email: 'owner@demo.example',
		password: `Demo1-${randomBytes(12).toString('base64url')}`,
		firstName: 'Demo',
		lastName: 'Owner',
	};
}

/** The owner of the n8n in this folder, the same at every start. */
export async function keepOwner(folder: string): Promise<Owner> {
	const file = join(folder, 'owner.json');
	const text = await readFile(file, 'utf8').catch(() => undefined);
	if (text !== undefined) return JSON.parse(text) as Owner;
	const owner = makeOwner();
	await writeFile(file, `${JSON.stringify(owner)}\n`, { mode: 0o600 });
	return owner;
}
