import { readMailText } from '../../../demo/mailbox/mailText';
import { SmtpSession, type Mail } from '../../../demo/mailbox/smtpSession';

function converse(...lines: string[]): { replies: Array<string | undefined>; mails: Mail[] } {
	const mails: Mail[] = [];
	const session = new SmtpSession((mail) => mails.push(mail));
	const replies = lines.map((line) => session.receive(line)?.slice(0, 3));
	return { replies, mails };
}

describe('SmtpSession', () => {
	it('takes a mail for two recipients', () => {
		const { replies, mails } = converse(
			'EHLO me',
			'MAIL FROM:<a@example.com> SIZE=10',
			'RCPT TO:<b@example.com>',
			'rcpt to:<c@example.com>',
			'DATA',
			'Subject: Hi',
			'',
			'..dots',
			'QUIT',
			'.',
			'QUIT',
		);
		expect(replies).toEqual([
			...['250', '250', '250', '250', '354'],
			...[undefined, undefined, undefined, undefined, '250', '221'],
		]);
		expect(mails).toEqual([
			{
				from: 'a@example.com',
				to: ['b@example.com', 'c@example.com'],
				source: 'Subject: Hi\r\n\r\n.dots\r\nQUIT',
			},
		]);
	});

	it('takes nothing without a recipient, and forgets what was reset', () => {
		const { replies, mails } = converse('RCPT TO:<b@example.com>', 'RSET', 'DATA', 'STARTTLS');
		expect(replies).toEqual(['250', '250', '503', '502']);
		expect(mails).toEqual([]);
	});
});

describe('readMailText', () => {
	const mail = (encoding: string, body: string, type = 'text/plain; charset=utf-8') =>
		`Content-Type: ${type}\r\nContent-Transfer-Encoding: ${encoding}\r\n\r\n${body}`;

	it.each([
		['7bit', 'Hello', 'Hello'],
		['quoted-printable', 'S=C3=A3o =\r\nPaulo a=3Db', 'São Paulo a=b'],
		['base64', Buffer.from('São Paulo').toString('base64'), 'São Paulo'],
	])('decodes %s', (encoding, body, text) => {
		expect(readMailText(mail(encoding, body))).toBe(text);
	});

	it('leaves anything but plain text as it is', () => {
		const source = mail('7bit', '<p>Hello</p>', 'text/html');
		expect(readMailText(source)).toBe(source);
	});
});
