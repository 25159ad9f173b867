import { randomBytes } from 'node:crypto';
import { join } from 'node:path';

import { keepPrivate } from '../install/files';
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

export async function keepOwner(folder: string): Promise<Owner> {
	const text = await keepPrivate(join(folder, 'owner.json'), () => JSON.stringify(makeOwner()));
	return JSON.parse(text) as Owner;
}
