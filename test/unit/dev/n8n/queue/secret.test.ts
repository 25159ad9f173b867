import { mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { keepSecret } from '../../../../../dev/n8n/queue/secret';

let folder: string;
beforeEach(async () => {
	folder = await mkdtemp(join(tmpdir(), 'secret-'));
});
afterEach(async () => await rm(folder, { recursive: true }));

describe('keepSecret', () => {
	it('makes a secret once, which no one else can read', async () => {
		const file = join(folder, 'secret');
		const secret = await keepSecret(file);
		expect(secret).toMatch(/^[\w-]{32}$/);
		expect(await keepSecret(file)).toBe(secret);
		expect((await stat(file)).mode & 0o777).toBe(0o600);
	});

	it('makes another one in another file', async () => {
		expect(await keepSecret(join(folder, 'one'))).not.toBe(await keepSecret(join(folder, 'other')));
	});
});
