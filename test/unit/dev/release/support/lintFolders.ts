import { lint, type Exception } from '../../../../../dev/release/checks/lint';
import { scan } from '../../../../../dev/release/checks/scanner';

/** What is to be looked at: in a process of its own. */
export interface Task {
	readonly folder: string;
	readonly what: 'sources' | 'packed';
	readonly exceptions?: readonly Exception[];
}

async function main(tasks: readonly Task[]): Promise<void> {
	const results = [];
	for (const { folder, what, exceptions } of tasks) {
		results.push({
			lint: await lint(folder, what, exceptions),
			scan: await scan(folder, what),
		});
	}
	process.stdout.write(JSON.stringify(results));
}

void main(JSON.parse(process.argv[2] ?? '[]') as Task[]);
