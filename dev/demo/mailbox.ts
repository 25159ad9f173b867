import { join } from 'node:path';

import type { N8nHost } from '../n8n/install/install';
import { repositoryRoot } from '../n8n/paths';
import { findPort } from '../n8n/process/ports';
import { waitFor } from '../n8n/process/waitFor';
import { startGroup } from '../n8n/process/processGroup';

export interface Mail {
	to: Array<{ address: string }>;
	subject: string;
	/** Empty where it was sent as a web page only. */
	text: string;
	/** Absent where it was sent as text only. */
	html?: string;
	/** Absent where there are none. */
	attachments?: Array<{ fileName: string; generatedFileName: string }>;
	id: string;
}

export function sentTo(mails: readonly Mail[], recipient: string): Mail[] {
	return mails.filter(({ to }) => to.some(({ address }) => address === recipient));
}

export type Mailbox = Awaited<ReturnType<typeof startMailbox>>;

const LOOPBACK = '127.0.0.1';
const STOP_TIMEOUT_MS = 5000;

/**
 * A mail server on this machine that keeps what it gets in `folder` and passes nothing on. A
 * separate process: in ours, maildev would respond to Ctrl-C by ending it before n8n is stopped.
 */
export async function startMailbox(host: Pick<N8nHost, 'nodeBinary'>, folder: string) {
	const smtpPort = await findPort();
	const webPort = await findPort();
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
		if (!response?.ok) return undefined;
		const mails = (await response.json()) as Array<Omit<Mail, 'text'> & { text?: string }>;
		return mails.map((mail) => ({ ...mail, text: mail.text ?? '' }));
	};
	/** A file that is attached: the first one, or the one at this index. */
	const attachment = async ({ id, subject, attachments }: Mail, index = 0): Promise<Buffer> => {
		const file = attachments?.[index];
		if (!file) throw new Error(`Nothing is attached to "${subject}".`);
		const response = await fetch(`${url}/email/${id}/attachment/${file.generatedFileName}`);
		if (!response.ok) throw new Error(`The mailbox answered ${response.status}.`);
		return Buffer.from(await response.arrayBuffer());
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
	return { smtpPort, url, mails: async () => (await read()) ?? [], attachment, close };
}
