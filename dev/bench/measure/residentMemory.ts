import { readFileSync } from 'node:fs';

/** Memory that a process has now, in bytes; undefined where the system does not report it. */
export function residentMemory(pid: number): number | undefined {
	try {
		return readStatus(readFileSync(`/proc/${pid}/status`, 'utf8'));
	} catch {
		return undefined;
	}
}

/** Reads proc_pid_status(5). */
export function readStatus(text: string): number | undefined {
	const kibibytes = /^VmRSS:\s+(\d+) kB$/m.exec(text)?.[1];
	return kibibytes === undefined ? undefined : Number(kibibytes) * 1024;
}
