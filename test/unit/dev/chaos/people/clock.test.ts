import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

import { findFaketime, JumpingClock } from '../../../../../dev/chaos/people/clock';

let root: string;
let library: string;
beforeEach(async () => {
	root = await mkdtemp(join(tmpdir(), 'libraries-'));
	library = join(root, 'aarch64-linux-gnu', 'faketime', 'libfaketimeMT.so.1');
	await mkdir(dirname(library), { recursive: true });
	await writeFile(library, '');
});
afterEach(async () => await rm(root, { recursive: true }));

it('says what to install where the library is missing', async () => {
	await rm(library);
	await expect(findFaketime(root)).rejects.toThrow(/apt-get install .*libfaketime$/);
	await expect(findFaketime(join(root, 'none'))).rejects.toThrow('libfaketime');
});

describe('the clock', () => {
	const START = Date.parse('2026-03-18T17:00:00.250Z');
	let clock: JumpingClock;
	beforeEach(async () => {
		vi.useFakeTimers({ now: START });
		clock = await JumpingClock.open(root);
	});
	afterEach(async () => {
		vi.useRealTimers();
		await clock.close();
	});
	/** What the other processes read. */
	const ahead = async (): Promise<string> =>
		await readFile(clock.environment.FAKETIME_TIMESTAMP_FILE!, 'utf8');

	it('is the real one at first, here and for processes with its environment', async () => {
		expect(clock.now()).toBe(START);
		expect(await ahead()).toBe('+0s\n');
		expect(clock.environment).toMatchObject({ LD_PRELOAD: library });
	});

	it('jumps by whole seconds, not before the moment, here and for the others', async () => {
		clock.jumpTo(START + 270_001);
		expect(clock.now()).toBe(START + 271_000);
		expect(await ahead()).toBe('+271s\n');
		clock.jumpTo(START + 300_000);
		expect(clock.now()).toBe(START + 300_000);
		expect(await ahead()).toBe('+300s\n');
	});

	it('never goes back', async () => {
		clock.jumpTo(START + 60_000);
		clock.jumpTo(START + 30_000);
		expect(clock.now()).toBe(START + 60_000);
		expect(await ahead()).toBe('+60s\n');
	});

	it('runs timers in real time, whatever jumps', () => {
		const fn = vi.fn();
		clock.setTimeout(fn, 1_000);
		clock.jumpTo(START + 60_000);
		vi.advanceTimersByTime(999);
		expect(fn).not.toHaveBeenCalled();
		vi.advanceTimersByTime(1);
		expect(fn).toHaveBeenCalledOnce();
	});
});
