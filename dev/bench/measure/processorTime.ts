import { readFileSync } from 'node:fs';

/** Linux counts in hundredths of a second, on every machine that Node.js runs on. */
const MILLISECONDS_PER_TICK = 10;

/**
 * Processor time that a process has used, in milliseconds; undefined where the system does not
 * report it.
 */
export function processorTime(pid: number): number | undefined {
	try {
		return readStat(readFileSync(`/proc/${pid}/stat`, 'utf8'));
	} catch {
		return undefined;
	}
}

/** Reads proc_pid_stat(5): fields 14 and 15. The second, the name, may contain blanks and brackets. */
export function readStat(text: string): number | undefined {
	const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
	const ticks = Number(fields[11]) + Number(fields[12]);
	return Number.isFinite(ticks) ? ticks * MILLISECONDS_PER_TICK : undefined;
}
