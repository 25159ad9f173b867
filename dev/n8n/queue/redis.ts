import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { findPort } from '../process/ports';
import { tryCommand } from '../process/runCommand';
import { LOOPBACK, makeSecret, startServer, type Server } from './server';

const ANSWER_TIMEOUT_MS = 2000;

/**
 * Starts a Redis that keeps its data in `folder` and writes each change to disk at once, so that
 * jobs and counters outlive it. That is not its default: there, a power cut loses the last minutes.
 *
 * @param bin the folder with its programs
 * @param nodeBinary see `startGroup`
 */
export async function startRedis(bin: string, folder: string, nodeBinary: string): Promise<Server> {
	await mkdir(folder, { recursive: true, mode: 0o700 });
	const port = await findPort();
	const password = makeSecret();
	const configuration = join(folder, 'redis.conf');
	// In a file, since everyone can read the command line of a process.
	await writeFile(
		configuration,
		[
			`bind ${LOOPBACK}`,
			`port ${port}`,
			`requirepass ${password}`,
			`dir "${folder}"`,
			'daemonize no',
			'appendonly yes',
			'appendfsync always',
		].join('\n'),
		{ mode: 0o600 },
	);

	return await startServer({
		name: 'Redis',
		file: join(bin, 'redis-server'),
		args: [configuration],
		options: {
			cwd: folder,
			env: { PATH: process.env.PATH },
			logFile: join(folder, 'redis.log'),
			nodeBinary,
		},
		port,
		password,
		// While it reads its data from disk it listens, but responds with an error.
		answers: async () => {
			const { output } = await tryCommand(join(bin, 'redis-cli'), ['-p', String(port), 'PING'], {
				cwd: folder,
				env: { REDISCLI_AUTH: password },
				timeoutMs: ANSWER_TIMEOUT_MS,
			});
			return output.trim() === 'PONG';
		},
	});
}
