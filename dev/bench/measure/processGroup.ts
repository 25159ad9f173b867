import { readFileSync, readdirSync } from 'node:fs';
import { processorTime } from './processorTime';
import { residentMemory } from './residentMemory';

/** What all processes of a group use together. */
export interface GroupUse {
	/** Since they started, in milliseconds. */
	readonly processorMs: number;
	/** Now, in bytes. What two processes share counts twice. */
	readonly memory: number;
}

/** What a group uses, such as n8n with its task runner; undefined if the system does not report it. */
export function readGroupUse(group: number): GroupUse | undefined {
	const uses = listGroup(group).flatMap((pid) => {
		const processorMs = processorTime(pid);
		const memory = residentMemory(pid);
		// It has ended since it was listed.
		return processorMs === undefined || memory === undefined ? [] : [{ processorMs, memory }];
	});
	if (uses.length === 0) return undefined;
	return {
		processorMs: uses.reduce((sum, each) => sum + each.processorMs, 0),
		memory: uses.reduce((sum, each) => sum + each.memory, 0),
	};
}

function listGroup(group: number): number[] {
	return readdirSync('/proc')
		.filter((name) => /^\d+$/.test(name))
		.filter((pid) => {
			try {
				return readGroup(readFileSync(`/proc/${pid}/stat`, 'utf8')) === group;
			} catch {
				return false;
			}
		})
		.map(Number);
}

/** Reads proc_pid_stat(5): field 5. */
export function readGroup(stat: string): number {
	return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[2]);
}
