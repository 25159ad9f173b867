import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { repositoryRoot } from '../../n8n/paths';
import { alternate } from '../measure/alternate';
import type { Suite } from '../suite';
import { installPeers, packOurs, type InstalledPackage } from '../peers';
import { spread, type Row } from '../report';
import { ratios, summarize } from '../measure/statistics';

interface Loading {
	readonly milliseconds: number;
	readonly bytes: number;
	readonly types: number;
}

/** What the package costs an n8n that installs it: time to load it, memory, files. */
export const weight: Suite = async ({ runs, onProgress }) => {
	const target = await mkdtemp(join(tmpdir(), 'brl-payments-bench-'));
	try {
		const ours = await packOurs(target);
		const documentation = (await stat(join(ours.folder, 'README.md'))).size;
		const rows: Row[] = [];
		for (const peer of await installPeers(onProgress)) {
			const bytes = await measureSize(peer.folder);
			rows.push(...(await compare(ours, peer, runs, onProgress)), {
				measured: 'unpacked size',
				ours: `${kilobytes(ours.bytes)}, of which the documentation is ${kilobytes(documentation)}`,
				compared: `${peer.name} ${peer.version}: ${kilobytes(bytes)}, dependencies not counted`,
				ratio: (ours.bytes / bytes).toFixed(2),
				limitedBy: 'The texts of the editor and the catalogue of errors; the code is minified.',
			});
		}
		return rows;
	} finally {
		await rm(target, { recursive: true, force: true });
	}
};

async function compare(
	ours: InstalledPackage,
	peer: InstalledPackage,
	runs: number,
	onProgress: (text: string) => void,
): Promise<Row[]> {
	const bytes: Record<'ours' | 'peer', number[]> = { ours: [], peer: [] };
	const measure = (name: 'ours' | 'peer', folder: string) => async () => {
		const loading = await load(folder);
		bytes[name].push(loading.bytes);
		return loading.milliseconds;
	};
	const milliseconds = await alternate(
		{ ours: measure('ours', ours.folder), peer: measure('peer', peer.folder) },
		runs,
		(name, run) => onProgress(`loading next to ${peer.name}, ${name}, run ${run} of ${runs}`),
	);
	const kibibytes = (name: 'ours' | 'peer') => bytes[name].slice(1).map((count) => count / 1024);
	const named = `${peer.name} ${peer.version}`;
	return [
		{
			measured: 'time to load the nodes',
			ours: spread(summarize(milliseconds.ours), 1, ' ms'),
			compared: `${named}: ${spread(summarize(milliseconds.peer), 1, ' ms')}`,
			ratio: spread(ratios(milliseconds.ours, milliseconds.peer)),
			limitedBy: 'Reading and compiling the files.',
		},
		{
			measured: 'memory after loading',
			ours: spread(summarize(kibibytes('ours')), 0, ' KiB'),
			compared: `${named}: ${spread(summarize(kibibytes('peer')), 0, ' KiB')}`,
			ratio: spread(ratios(kibibytes('ours'), kibibytes('peer'))),
			limitedBy: 'The descriptions of the fields, which n8n keeps as well.',
		},
	];
}

const kilobytes = (bytes: number) => `${(bytes / 1000).toFixed(1)} kB`;

/** In a fresh process each time, which has what every n8n has loaded already. */
async function load(folder: string): Promise<Loading> {
	const child = fork(join(__dirname, '..', 'children', 'loadPackage.cjs'), [folder], {
		execArgv: ['--expose-gc'],
		env: { ...process.env, NODE_PATH: join(repositoryRoot, 'node_modules') },
	});
	const exit = once(child, 'exit').then(([code]) => {
		throw new Error(`${folder} could not be loaded: code ${String(code)}`);
	});
	const [loading] = (await Promise.race([once(child, 'message'), exit])) as [Loading];
	exit.catch(() => undefined);
	return loading;
}

/** Bytes of all files of a package, without the packages inside it. */
async function measureSize(folder: string): Promise<number> {
	let bytes = 0;
	for (const entry of await readdir(folder, { withFileTypes: true })) {
		const path = join(folder, entry.name);
		if (entry.isDirectory()) bytes += entry.name === 'node_modules' ? 0 : await measureSize(path);
		else bytes += (await stat(path)).size;
	}
	return bytes;
}
