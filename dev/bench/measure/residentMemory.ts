import { readFileSync } from 'node:fs';

/** Memory that a process has now, in bytes; undefined where the system does not report it. */
export function residentMemory(pid: number): number | undefined {
	return read(pid, 'VmRSS');
}

/** The most memory that a process has had so far, in the same way. */
export function peakMemory(pid: number): number | undefined {
	return read(pid, 'VmHWM');
}

type Field = 'VmRSS' | 'VmHWM';

function read(pid: number, field: Field): number | undefined {
	try {
		return readStatus(readFileSync(`/proc/${pid}/status`, 'utf8'), field);
	} catch {
		return undefined;
	}
}

/** Reads proc_pid_status(5). */
export function readStatus(text: string, field: Field): number | undefined {
	const line = text.split('\n').find((each) => each.startsWith(`${field}:`)) ?? '';
	const kibibytes = /^\w+:\s+(\d+) kB$/.exec(line)?.[1];
	return kibibytes === undefined ? undefined : Number(kibibytes) * 1024;
}
