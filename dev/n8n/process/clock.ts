import { chmod, mkdtemp, readdir, rm } from 'node:fs/promises';
import { existsSync, renameSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { createRealClock, type Clock } from '../../sandbox';

/** Where Debian puts libraries: a folder for each architecture. */
const LIBRARIES = '/usr/lib';
/** The variant for programs with threads. */
const FAKETIME = join('faketime', 'libfaketimeMT.so.1');

/**
 * The library that gives a program another time of day than the machine's.
 * @throws Error that says how to install it
 */
async function findFaketime(): Promise<string> {
	for (const architecture of await readdir(LIBRARIES).catch(() => [])) {
		const path = join(LIBRARIES, architecture, FAKETIME);
		if (existsSync(path)) return path;
	}
	throw new Error(
		'Moving the clock of n8n forward takes libfaketime, which this machine does not have. On Debian and Ubuntu: apt-get install --yes --no-install-recommends libfaketime',
	);
}

/**
 * One clock for this program, the emulated service, an n8n and its database. It runs like the real one, and can be moved forward. Timers keep real time everywhere.
 */
export class JumpingClock implements Clock {
	/** Runs timers. */
	private readonly real = createRealClock();
	/** Milliseconds, of whole seconds. */
	private aheadMs = 0;

	private constructor(
		private readonly library: string,
		/** Where the other processes read by how much they are ahead. */
		private readonly folder: string,
	) {}

	static async open(): Promise<JumpingClock> {
		const library = await findFaketime();
		const folder = await mkdtemp(join(tmpdir(), 'brl-payments-clock-'));
		// PostgreSQL reads it as another user where this one is root.
		await chmod(folder, 0o755);
		const clock = new JumpingClock(library, folder);
		clock.tellOthers();
		return clock;
	}

	/** Environment variables of a process that is to have this clock. */
	get environment(): NodeJS.ProcessEnv {
		return {
			LD_PRELOAD: this.library,
			FAKETIME_TIMESTAMP_FILE: this.file,
			// A jump counts at once.
			FAKETIME_NO_CACHE: '1',
			FAKETIME_DONT_FAKE_MONOTONIC: '1',
		};
	}

	/** Epoch ms. */
	now(): number {
		return this.real.now() + this.aheadMs;
	}

	setTimeout(fn: () => void, ms: number): () => void {
		return this.real.setTimeout(fn, ms);
	}

	/** Moves all clocks forward to this moment, epoch ms, or up to a second later; never back. */
	jumpTo(moment: number): void {
		const seconds = Math.ceil((moment - this.now()) / 1_000);
		if (seconds <= 0) return;
		this.aheadMs += seconds * 1_000;
		this.tellOthers();
	}

	/** To be called after the processes that have this clock are gone. */
	async close(): Promise<void> {
		await rm(this.folder, { recursive: true, force: true });
	}

	private get file(): string {
		return join(this.folder, 'ahead');
	}

	private tellOthers(): void {
		// Renamed, since it may be read at any moment; in one go with `aheadMs`, so that nothing of this
		// process happens in between.
		const fresh = `${this.file}.new`;
		writeFileSync(fresh, `+${this.aheadMs / 1_000}s\n`, { mode: 0o644 });
		renameSync(fresh, this.file);
	}
}
