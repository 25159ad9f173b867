import { mkdir, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { join } from 'node:path';

import { findFreePorts } from '../process/ports';
import { keepSecret } from './secret';
import { LOOPBACK, startServer, type Server } from './server';

const ANSWER_TIMEOUT_MS = 2000;

/**
 * Whether it responds to a PING: while it reads its data from disk it listens, but responds with an
 * error.
 */
async function answers(port: number, password: string): Promise<boolean> {
	return await new Promise((resolve) => {
		const socket = connect(port, LOOPBACK);
		let answer = '';
		const end = (ready: boolean): void => {
			socket.destroy();
			resolve(ready);
		};
		socket.setTimeout(ANSWER_TIMEOUT_MS, () => end(false));
		socket.once('error', () => end(false));
		socket.once('close', () => end(false));
		socket.once('connect', () => socket.write(`AUTH ${password}\r\nPING\r\n`));
		socket.on('data', (chunk: Buffer) => {
			answer += chunk.toString();
			if (answer.includes('PONG')) end(true);
			else if (answer.includes('-')) end(false);
		});
	});
}

/**
 * Starts a Redis that keeps its data in `folder` and writes each change to disk at once, so that
 * jobs and counters outlive it. That is not its default: there, a power cut loses the last minutes.
 *
 * @param nodeBinary see `startGroup`
 */
export async function startRedis(
	redisServer: string,
	folder: string,
	nodeBinary: string,
): Promise<Server> {
	await mkdir(folder, { recursive: true, mode: 0o700 });
	const [port] = (await findFreePorts(1)) as [number];
	const password = await keepSecret(join(folder, 'password'));
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
		file: redisServer,
		args: [configuration],
		options: {
			cwd: folder,
			env: { PATH: process.env.PATH },
			logFile: join(folder, 'redis.log'),
			nodeBinary,
		},
		port,
		password,
		answers: async () => await answers(port, password),
	});
}
