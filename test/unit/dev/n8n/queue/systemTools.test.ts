import { chmod, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { findSystemTools } from '../../../../../dev/n8n/queue/systemTools';

let folder: string;
beforeEach(async () => {
	folder = await mkdtemp(join(tmpdir(), 'queue-'));
});
afterEach(async () => await rm(folder, { recursive: true }));

describe('findSystemTools', () => {
	/** A folder with empty programs of these names. */
	async function programs(name: string, ...files: string[]): Promise<string> {
		const path = join(folder, name);
		await mkdir(path, { recursive: true });
		for (const file of files) {
			await writeFile(join(path, file), '');
			await chmod(join(path, file), 0o755);
		}
		return path;
	}
	const POSTGRES = ['initdb', 'postgres', 'psql'];

	it('finds the programs on the path, and of PostgreSQL the newest version below the folder', async () => {
		const redis = await programs('redis', 'redis-server');
		for (const version of ['9', '15', '12']) await programs(`${version}/bin`, ...POSTGRES);
		expect(await findSystemTools(redis, folder)).toEqual({
			redisServer: join(redis, 'redis-server'),
			postgresBin: join(folder, '15', 'bin'),
		});
	});

	it('names what is missing, and the command that installs it', async () => {
		const redis = await programs('redis', 'redis-server');
		const install = 'apt-get install --yes --no-install-recommends redis-server postgresql';
		await expect(findSystemTools(redis, folder)).rejects.toThrow(
			`Queue mode needs PostgreSQL on this machine. On Debian and Ubuntu: ${install}`,
		);
		await expect(findSystemTools('', folder)).rejects.toThrow('needs Redis and PostgreSQL');
		const postgres = await programs('postgres', ...POSTGRES);
		await expect(findSystemTools(postgres, folder)).rejects.toThrow('needs Redis on');
	});
});
