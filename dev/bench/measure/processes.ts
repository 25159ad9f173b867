import { readFileSync } from 'node:fs';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/** Linux counts in hundredths of a second, on every machine that Node.js runs on. */
const MILLISECONDS_PER_TICK = 10;

/** What a process has used since it started; undefined if it has ended, or the system does not report it. */
export function readProcessorMs(pid: number): number | undefined {
	try {
		const text = readFileSync(`/proc/${pid}/stat`, 'utf8');
		// From the third field on (proc_pid_stat(5)): the second, a name, may contain blanks and brackets.
		const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
		const ticks = Number(fields[11]) + Number(fields[12]);
		return Number.isFinite(ticks) ? ticks * MILLISECONDS_PER_TICK : undefined;
	} catch {
		return undefined;
	}
}

setFlagsFromString('--expose-gc');

/** Earlier garbage must not be collected during a measurement. */
export const collectGarbage = runInNewContext('gc') as () => void;
