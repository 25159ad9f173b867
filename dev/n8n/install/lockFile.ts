import { mkdir } from 'node:fs/promises';
import { dirname } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

import { lock } from 'proper-lockfile';

const POLL_MS = 500;

/** A lock of a process that died, or slept, may be taken over after this time. */
const STALE_MS = 5_000;

/**
 * Takes the lock file for this process. What a lock guards must survive that another process takes it
 * over: it is there to save work and to give a clear message.
 *
 * @returns what releases it; undefined where another process has it
 */
export async function tryLock(lockfilePath: string): Promise<(() => Promise<void>) | undefined> {
	await mkdir(dirname(lockfilePath), { recursive: true });
	try {
		return await lock(lockfilePath, {
			...{ lockfilePath, realpath: false, stale: STALE_MS },
			onCompromised: () => undefined,
		});
	} catch (error) {
		if ((error as NodeJS.ErrnoException).code === 'ELOCKED') return undefined;
		throw error;
	}
}

interface LockOptions {
	/** Called once, where another process holds the lock and this one has to wait. */
	onWait?: () => void;
	signal?: AbortSignal | undefined;
}

/** Runs `work` while this process holds the lock file; waits for the lock as long as it takes. */
export async function withLock<T>(
	file: string,
	work: () => Promise<T>,
	{ onWait, signal }: LockOptions = {},
): Promise<T> {
	let release = await tryLock(file);
	if (!release) onWait?.();
	while (!release) {
		await sleep(POLL_MS, undefined, { signal });
		release = await tryLock(file);
	}
	try {
		return await work();
	} finally {
		await release();
	}
}
