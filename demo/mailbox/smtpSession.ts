export interface Mail {
	from: string;
	to: string[];
	/** Headers and body as they were sent. */
	source: string;
}

/** What an SMTP client is told; undefined while it sends the lines of a message. */
export type Reply = string | undefined;

const address = (line: string) => /<([^>]*)>/.exec(line)?.[1] ?? '';

/**
 * The server's side of one SMTP conversation (RFC 5321), line by line: enough for a mail client
 * without login and encryption, which is all there is on the loopback address.
 */
export class SmtpSession {
	private from = '';
	private to: string[] = [];
	private message: string[] | undefined;

	constructor(private readonly deliver: (mail: Mail) => void) {}

	readonly greeting = '220 demo mailbox';

	/** Takes one line without its line break. */
	receive(line: string): Reply {
		if (this.message) return this.receiveMessageLine(line, this.message);
		const verb = line.split(/[ :]/, 1)[0]!.toUpperCase();
		switch (verb) {
			case 'EHLO':
			case 'HELO':
			case 'NOOP':
				return '250 at your service';
			case 'RSET':
				this.clear();
				return '250 forgotten';
			case 'MAIL':
				this.clear();
				this.from = address(line);
				return '250 sender taken';
			case 'RCPT':
				this.to.push(address(line));
				return '250 recipient taken';
			case 'DATA':
				if (this.to.length === 0) return '503 a recipient first';
				this.message = [];
				return '354 end with a line that holds a single dot';
			case 'QUIT':
				return '221 goodbye';
			default:
				return '502 not known here';
		}
	}

	private receiveMessageLine(line: string, message: string[]): Reply {
		if (line !== '.') {
			// The client doubles a leading dot, so that no text can look like the end (section 4.5.2).
			message.push(line.startsWith('.') ? line.slice(1) : line);
			return undefined;
		}
		this.deliver({ from: this.from, to: this.to, source: message.join('\r\n') });
		this.clear();
		return '250 delivered';
	}

	private clear(): void {
		this.from = '';
		this.to = [];
		this.message = undefined;
	}
}
