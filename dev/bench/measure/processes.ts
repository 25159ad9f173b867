import { readFileSync, readdirSync } from 'node:fs';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

export interface Use {
	/** Since it started, in milliseconds. */
	readonly processorMs: number;
	/** Now, in bytes. What two processes share counts twice. */
	readonly memory: number;
}

/** Linux counts in hundredths of a second, on every machine that Node.js runs on. */
const MILLISECONDS_PER_TICK = 10;

/** The fields of proc_pid_stat(5) from the third on: the second, a name, may contain blanks and brackets. */
function readStat(pid: number): string[] {
	const text = readFileSync(`/proc/${pid}/stat`, 'utf8');
	return text.slice(text.lastIndexOf(')') + 2).split(' ');
}

/** What a process uses; undefined if it has ended, or the system does not report it. */
export function readUse(pid: number): Use | undefined {
	try {
		const fields = readStat(pid);
		const status = readFileSync(`/proc/${pid}/status`, 'utf8');
		const ticks = Number(fields[11]) + Number(fields[12]);
		const kibibytes = Number(/^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1]);
		if (!Number.isFinite(ticks + kibibytes)) return undefined;
		return { processorMs: ticks * MILLISECONDS_PER_TICK, memory: kibibytes * 1024 };
	} catch {
		return undefined;
	}
}

/** What a group of processes uses, such as n8n with its task runner. */
export function readGroupUse(group: number): Use | undefined {
	const isMember = (pid: number) => {
		try {
			return Number(readStat(pid)[2]) === group;
		} catch {
			return false;
		}
	};
	const pids = readdirSync('/proc').map(Number).filter(Number.isInteger);
	const uses = pids.filter(isMember).flatMap((pid) => readUse(pid) ?? []);
	if (uses.length === 0) return undefined;
	return {
		processorMs: uses.reduce((sum, each) => sum + each.processorMs, 0),
		memory: uses.reduce((sum, each) => sum + each.memory, 0),
	};
}

/** Processor time of this process, in milliseconds. */
export function ownProcessorMs(): number {
	const { user, system } = process.cpuUsage();
	return (user + system) / 1000;
}

setFlagsFromString('--expose-gc');

/** Earlier garbage must not be collected during a measurement. */
export const collectGarbage = runInNewContext('gc') as () => void;
