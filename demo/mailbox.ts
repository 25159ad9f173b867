import { join } from 'node:path';

import type { N8nHost } from './n8n/install';
import { repositoryRoot } from './n8n/paths';
import { findFreePorts } from './n8n/ports';
import { waitFor } from './n8n/waitFor';
import { startGroup } from './processGroup';

export interface Mail {
	from: Array<{ address: string }>;
	to: Array<{ address: string }>;
	subject: string;
	text: string;
	html: string;
}

export interface Mailbox {
	/** Where a mail client delivers to. */
	smtpPort: number;
	/** A page that shows what came in. */
	url: string;
	mails(): Promise<Mail[]>;
	close(): Promise<void>;
}

const LOOPBACK = '127.0.0.1';
const STOP_TIMEOUT_MS = 5000;

/**
 * A mail server on this machine that keeps what it gets in `folder` and passes nothing on. A process
 * of its own: maildev, in ours, would answer Ctrl-C by ending it before n8n is stopped.
 */
export async function startMailbox(host: N8nHost, folder: string): Promise<Mailbox> {
	const [smtpPort, webPort] = (await findFreePorts(2)) as [number, number];
	const script = join(repositoryRoot, 'node_modules', 'maildev', 'bin', 'maildev');
	const logFile = join(folder, 'mailbox.log');
	const group = await startGroup(
		process.execPath,
		[
			script,
			...['--smtp', String(smtpPort), '--web', String(webPort)],
			...['--ip', LOOPBACK, '--web-ip', LOOPBACK],
			...['--mail-directory', join(folder, 'mails')],
		],
		{ cwd: folder, env: process.env, logFile, nodeBinary: host.nodeBinary },
	);
	const url = `http://${LOOPBACK}:${webPort}`;
	const read = async (): Promise<Mail[] | undefined> => {
		const response = await fetch(`${url}/email`).catch(() => undefined);
		return response?.ok ? ((await response.json()) as Mail[]) : undefined;
	};
	const close = async () => await group.stop(STOP_TIMEOUT_MS);
	try {
		await waitFor(
			async () => {
				if (group.hasExited()) throw new Error(`The mailbox ended at once; see ${logFile}.`);
				return await read();
			},
			{ what: 'the mailbox to answer', timeoutMs: 30_000 },
		);
	} catch (error) {
		await close();
		throw error;
	}
	return { smtpPort, url, mails: async () => (await read()) ?? [], close };
}
