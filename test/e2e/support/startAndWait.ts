/** Starts n8n in the given user folder, says its process id, and waits to be killed. */
import { ensureN8nInstalled } from '../../../dev/n8n/install/install';
import { startN8n } from '../../../dev/n8n/process/process';

async function main(): Promise<void> {
	const n8n = await startN8n({ host: await ensureN8nInstalled(), userFolder: process.argv[2]! });
	process.stdout.write(`${n8n.pid}\n`);
	await n8n.exited;
}

void main();
