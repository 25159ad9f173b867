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

export type Release = () => Promise<void>;

/**
 * Takes the lock file for this process, or says which running process holds it. A lock of a process
 * that died is taken over. Two processes can race for such a leftover: what a lock guards must
 * survive that, it is there to save work and to give a clear message.
 */
export async function tryLock(file: string): Promise<Release | { heldBy: number }> {
	await mkdir(dirname(file), { recursive: true });
	for (;;) {
		if (await tryCreate(file)) return async () => await rm(file, { force: true });
		let holder = await readHolder(file);
		if (holder === undefined) {
			// A file without a process may be one that is being written: look again before taking it.
			await sleep(POLL_MS);
			holder = await readHolder(file);
		}
		if (holder !== undefined) return { heldBy: holder };
		await rm(file, { force: true });
	}
}

export interface LockOptions {
	/** Called once, where another process holds the lock and this one has to wait. */
	onWait?: (pid: number) => void;
	signal?: AbortSignal | undefined;
}

/** Runs `work` while this process holds the lock file; waits for the lock as long as it takes. */
export async function withLock<T>(
	file: string,
	work: () => Promise<T>,
	{ onWait, signal }: LockOptions = {},
): Promise<T> {
	let hasReported = false;
	for (;;) {
		const lock = await tryLock(file);
		if (typeof lock === 'function') {
			try {
				return await work();
			} finally {
				await lock();
			}
		}
		if (!hasReported) onWait?.(lock.heldBy);
		hasReported = true;
		await sleep(POLL_MS, undefined, { signal });
	}
}
