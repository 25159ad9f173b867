import { randomBytes } from 'node:crypto';

import { waitFor } from '../process/waitFor';
import { startGroup, type GroupOptions, type ProcessGroup } from '../process/processGroup';

export const LOOPBACK = '127.0.0.1';
/** What they find on disk is read first; after a kill that takes longer. */
const START_TIMEOUT_MS = 60_000;

/** A server that n8n uses, started on a separate port with its own data. */
export interface Server {
	readonly port: number;
	readonly password: string;
	/** Started again after it was killed: on the same port, with the same data. */
	start(): Promise<void>;
	/** Ends it at once, as a power cut would. */
	kill9(): Promise<void>;
}

interface Program {
	name: string;
	file: string;
	args: readonly string[];
	options: GroupOptions;
	port: number;
	password: string;
	answers: () => Promise<boolean>;
}

/** Letters, digits, "-" and "_" only. */
export function makeSecret(): string {
	return randomBytes(24).toString('base64url');
}

export async function startServer(program: Program): Promise<Server> {
	const { name, file, args, options, port, password, answers } = program;
	let group: ProcessGroup;
	const start = async (): Promise<void> => {
		group = await startGroup(file, args, options);
		await waitFor(
			async () => {
				// The children of a killed PostgreSQL outlive it a little, and it does not start beside them.
				if (group.hasExited()) group = await startGroup(file, args, options);
				return await answers();
			},
			{
				what: `${name} to respond (see ${options.logFile})`,
				timeoutMs: START_TIMEOUT_MS,
				pollMs: 500,
			},
		);
	};
	await start();
	return { port, password, start, kill9: async () => await group.kill9() };
}
