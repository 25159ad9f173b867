import { mkdir, open, readFile, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

const POLL_MS = 500;

function isRunning(pid: number): boolean {
	try {
		process.kill(pid, 0);
		return true;
	} catch (error) {
		// EPERM: there is such a process, it belongs to someone else.
		return (error as NodeJS.ErrnoException).code === 'EPERM';
	}
}

async function tryCreate(file: string): Promise<boolean> {
	try {
		const handle = await open(file, 'wx');
		await handle.writeFile(`${process.pid}\n`);
		await handle.close();
		return true;
	} catch (error) {
		if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
		throw error;
	}
}

/** The process that holds the lock; undefined where it is gone or the file names none. */
async function readHolder(file: string): Promise<number | undefined> {
	const text = await readFile(file, 'utf8').catch(() => '');
	const pid = Number.parseInt(text, 10);
	return Number.isInteger(pid) && isRunning(pid) ? pid : undefined;
}

export interface LockOptions {
	/** Called once, where another process holds the lock and this one has to wait. */
	onWait?: (pid: number) => void;
	signal?: AbortSignal;
}

/**
 * Runs `work` while this process is the only one that holds the lock file. A lock of a process that
 * died is taken over. Two processes can race for such a leftover; that costs time and nothing else,
 * because an installation appears under its final name only when it is complete.
 */
export async function withLock<T>(
	file: string,
	work: () => Promise<T>,
	{ onWait, signal }: LockOptions = {},
): Promise<T> {
	await mkdir(dirname(file), { recursive: true });
	let told = false;
	let emptyReads = 0;
	while (!(await tryCreate(file))) {
		const holder = await readHolder(file);
		// A file without a pid may be one that is being written: look twice before taking it over.
		emptyReads = holder === undefined ? emptyReads + 1 : 0;
		if (emptyReads >= 2) {
			await rm(file, { force: true });
			continue;
		}
		if (holder !== undefined && !told) {
			told = true;
			onWait?.(holder);
		}
		await sleep(POLL_MS, undefined, { signal });
	}
	try {
		return await work();
	} finally {
		await rm(file, { force: true });
	}
}
