/**
 * Ends a process group when the program that started it is gone, however it went: a terminal that
 * was closed, a test runner that was killed. Run by Node 24 as it stands (types are stripped), as
 * `node processGroupGuard.ts <pid of the group>`, with its standard input held open by that program.
 */
const group = Number(process.argv[2]);

let dismissed = false;
process.stdin.on('data', () => {
	// Any byte says: the group was ended in order, and its number may belong to someone else now.
	dismissed = true;
});
process.stdin.on('end', () => {
	if (!dismissed && group > 1) {
		try {
			process.kill(-group, 'SIGKILL');
		} catch {
			// It has exited on its own.
		}
	}
	process.exit();
});
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => {});
