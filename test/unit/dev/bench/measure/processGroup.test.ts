import { spawn } from 'node:child_process';
import { readGroup, readGroupUse } from '../../../../../dev/bench/measure/processGroup';

test('the group is read behind a name with blanks and brackets', () => {
	expect(readGroup('4712 (no) 1 2 de) S 4711 4710 4709 0 -1')).toBe(4710);
});

test('adds up all processes of a group, and nothing else', async () => {
	const child = spawn('sh', ['-c', 'sleep 60 & echo ready; wait'], { detached: true });
	try {
		await new Promise((resolve) => child.stdout.once('data', resolve));
		const use = readGroupUse(child.pid!);

		// Two small processes, and not this one, which is far larger.
		expect(use!.memory).toBeGreaterThan(0);
		expect(use!.memory).toBeLessThan(process.memoryUsage().rss / 2);
		expect(use!.processorMs).toBeGreaterThanOrEqual(0);
	} finally {
		process.kill(-child.pid!, 'SIGKILL');
	}
});

test('is unknown for a group that does not exist', () => {
	// Above what Linux gives out.
	expect(readGroupUse(2 ** 31)).toBeUndefined();
});
