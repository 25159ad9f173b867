import { runMain } from '../main';
import { ensureN8nInstalled } from './install';

/**
 * `tsx demo/n8n/installCli.ts [folder]`: installs n8n and nothing else, for build machines. The
 * variable N8N_VERSION chooses an older one.
 */
async function main(): Promise<void> {
	const folder = process.argv[2];
	let last = '';
	const host = await ensureN8nInstalled({
		folder,
		onProgress: (text) => {
			if (text !== last) process.stdout.write(`${text}\n`);
			last = text;
		},
	});
	process.stdout.write(`n8n is in ${host.folder}\n`);
}

runMain(main);
