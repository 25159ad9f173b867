import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { tryLock, withLock, type Release } from '../../../../../dev/n8n/install/lockFile';

let folder: string;
let file: string;

beforeEach(async () => {
	folder = await mkdtemp(join(tmpdir(), 'lock-'));
	file = join(folder, 'a.lock');
});
afterEach(async () => await rm(folder, { recursive: true }));

/** More than any system gives out. */
const NO_PROCESS = 2 ** 30;

describe('tryLock', () => {
	it('names the process that holds the lock, until it is released', async () => {
		const release = (await tryLock(file)) as Release;
		expect(await readFile(file, 'utf8')).toBe(`${process.pid}\n`);
		expect(await tryLock(file)).toEqual({ heldBy: process.pid });
		await release();
		expect(typeof (await tryLock(file))).toBe('function');
	});

	it.each(['', `${NO_PROCESS}\n`])('takes over a leftover that says "%s"', async (text) => {
		await writeFile(file, text);
		expect(typeof (await tryLock(file))).toBe('function');
	});
});

/** Something that one waits for until another reaches it. */
function barrier() {
	let reach = (): void => {};
	const reached = new Promise<void>((resolve) => (reach = resolve));
	return { reach: () => reach(), reached };
}

describe('withLock', () => {
	it('lets one after the other work, also after a failure', async () => {
		const order: string[] = [];
		const begins = barrier();
		const waits = barrier();
		const first = withLock(file, async () => {
			order.push('first begins');
			begins.reach();
			await waits.reached;
			order.push('first ends');
			throw new Error('first failed');
		});
		await begins.reached;
		const onWait = vi.fn(waits.reach);
		const work = async () => await Promise.resolve(order.push('second'));
		await expect(
			Promise.allSettled([first, withLock(file, work, { onWait })]),
		).resolves.toMatchObject([{ status: 'rejected' }, { status: 'fulfilled' }]);
		expect(order).toEqual(['first begins', 'first ends', 'second']);
		expect(onWait).toHaveBeenCalledTimes(1);
	});
});
