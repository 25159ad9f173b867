import { createServer as createHttpServer, type Server as HttpServer } from 'node:http';
import { createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { createInterface } from 'node:readline';

import { readMailText } from './mailText';
import { SmtpSession, type Mail } from './smtpSession';

export interface Mailbox {
	/** Where the mail client delivers to. */
	smtpPort: number;
	/** A page that shows what came in. */
	url: string;
	mails: readonly Mail[];
	close(): Promise<void>;
}

const LOOPBACK = '127.0.0.1';

async function listen(server: Server | HttpServer): Promise<number> {
	return await new Promise((resolve, reject) => {
		server.once('error', reject);
		server.listen(0, LOOPBACK, () => resolve((server.address() as AddressInfo).port));
	});
}

function converse(socket: Socket, deliver: (mail: Mail) => void): void {
	const session = new SmtpSession(deliver);
	socket.on('error', () => socket.destroy());
	socket.write(`${session.greeting}\r\n`);
	createInterface({ input: socket, crlfDelay: Infinity }).on('line', (line) => {
		const reply = session.receive(line);
		if (reply === undefined || !socket.writable) return;
		socket.write(`${reply}\r\n`);
		if (reply.startsWith('221')) socket.end();
	});
}

const escape = (text: string) => text.replace(/[&<>"]/g, (sign) => `&#${sign.charCodeAt(0)};`);

function formatPage(mails: readonly Mail[]): string {
	const list = mails
		.map(
			({ to, source }) =>
				`<h2>${escape(to.join(', '))}</h2><pre>${escape(readMailText(source))}</pre>`,
		)
		.reverse()
		.join('\n');
	return `<!doctype html><html lang="en"><meta charset="utf-8"><meta http-equiv="refresh" content="5">
<title>Demo mailbox</title><h1>Demo mailbox</h1>
<p>Everything that n8n sends by e-mail in this demo ends here.</p>
${list || '<p>Nothing yet.</p>'}</html>`;
}

/** A mail server on this machine that keeps what it gets in memory and passes nothing on. */
export async function startMailbox(): Promise<Mailbox> {
	const mails: Mail[] = [];
	const sockets = new Set<Socket>();
	const smtp = createServer((socket) => {
		sockets.add(socket);
		socket.once('close', () => sockets.delete(socket));
		converse(socket, (mail) => mails.push(mail));
	});
	const page = createHttpServer((_request, response) => {
		response.setHeader('content-type', 'text/html; charset=utf-8');
		response.end(formatPage(mails));
	});
	const smtpPort = await listen(smtp);
	const pagePort = await listen(page);
	return {
		smtpPort,
		url: `http://${LOOPBACK}:${pagePort}`,
		mails,
		close: async () => {
			for (const socket of sockets) socket.destroy();
			page.closeAllConnections();
			await Promise.all(
				[smtp, page].map(
					async (server) => await new Promise<void>((resolve) => server.close(() => resolve())),
				),
			);
		},
	};
}
