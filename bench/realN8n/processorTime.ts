import { readFile } from 'node:fs/promises';

/** Of every Linux that Node.js runs on. */
const TICKS_PER_SECOND = 100;

/**
 * Time that all threads of a process have been at work, in seconds. Other work of the machine is not
 * in it, which the clock cannot say.
 *
 * @returns null where the system does not tell
 */
export async function processorTime(pid: number): Promise<number | null> {
	const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => null);
	return stat === null ? null : readProcessorTime(stat);
}

/** @param stat what the kernel tells of a process; the name in brackets may hold anything */
export function readProcessorTime(stat: string): number {
	const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
	const [user, system] = [fields[11], fields[12]].map(Number);
	if (user === undefined || system === undefined || Number.isNaN(user + system)) {
		throw new Error('The kernel describes the process in an unknown form');
	}
	return (user + system) / TICKS_PER_SECOND;
}
