function decodeQuotedPrintable(text: string): string {
	const joined = text.replace(/=\r?\n/g, '');
	const bytes = joined.replace(/=([\dA-F]{2})/gi, (_match, code: string) =>
		String.fromCharCode(Number.parseInt(code, 16)),
	);
	return Buffer.from(bytes, 'latin1').toString('utf8');
}

/** The body of a plain text mail as its reader sees it; anything else as it was sent. */
export function readMailText(source: string): string {
	const [, head = '', body = ''] = /^([\s\S]*?)\r?\n\r?\n([\s\S]*)$/.exec(source) ?? [];
	const encoding = /^content-transfer-encoding:\s*(\S+)/im.exec(head)?.[1]?.toLowerCase();
	if (!/^content-type:\s*text\/plain/im.test(head)) return source;
	if (encoding === 'quoted-printable') return decodeQuotedPrintable(body);
	if (encoding === 'base64') return Buffer.from(body, 'base64').toString('utf8');
	return body;
}
