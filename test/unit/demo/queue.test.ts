import { chmod, mkdir, mkdtemp, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { queueEnvironment } from '../../../demo/queue/environment';
import { keepSecret } from '../../../demo/queue/secret';
import { findSystemTools } from '../../../demo/queue/systemTools';

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

	it('prefers the PostgreSQL on the path', async () => {
		const both = await programs('both', 'redis-server', ...POSTGRES);
		await programs('15/bin', ...POSTGRES);
		expect(await findSystemTools(both, folder)).toMatchObject({ postgresBin: both });
	});

	it('passes over a version of which a part is missing', async () => {
		const redis = await programs('redis', 'redis-server');
		await programs('16/bin', 'psql');
		await programs('15/bin', ...POSTGRES);
		expect(await findSystemTools(redis, folder)).toMatchObject({
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

	it('takes no file that cannot be run', async () => {
		const redis = await programs('redis', 'redis-server', ...POSTGRES);
		await chmod(join(redis, 'redis-server'), 0o644);
		await expect(findSystemTools(redis, folder)).rejects.toThrow('needs Redis on');
	});
});

describe('keepSecret', () => {
	it('makes a secret once, which nobody else can read', async () => {
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

describe('queueEnvironment', () => {
	const environment = queueEnvironment({
		frontUrl: 'http://127.0.0.1:4000',
		postgres: { port: 4001, password: 'example-of-postgres' },
		redis: { port: 4002, password: 'example-of-redis' },
		encryptionKey: 'example-key',
		sharedFolder: '/somewhere',
	});

	it('talks to this machine only', () => {
		expect(environment).toMatchObject({
			EXECUTIONS_MODE: 'queue',
			DB_TYPE: 'postgresdb',
			DB_POSTGRESDB_HOST: '127.0.0.1',
			DB_POSTGRESDB_PORT: '4001',
			QUEUE_BULL_REDIS_HOST: '127.0.0.1',
			QUEUE_BULL_REDIS_PORT: '4002',
			WEBHOOK_URL: 'http://127.0.0.1:4000/',
		});
	});

	it('leaves the execution of a dead worker alone for as long as the service knows a key', () => {
		expect(environment.QUEUE_WORKER_STALLED_INTERVAL).toBe('86400000');
	});
});
