import { createHash } from 'node:crypto';
import type { FileBody } from './client';

/**
 * A multipart/form-data body with one file (RFC 7578), built here because nothing that ships may have
 * dependencies, and n8n's helper accepts form data only from its own package.
 *
 * @param name name of the part, for example `file`
 * @param fileName quotes and line breaks in it are percent-encoded, as browsers do
 */
export function multipartFile(
	name: string,
	fileName: string,
	contentType: string,
	content: Buffer,
): FileBody {
	// Derived from the content, so that the same file gives the same bytes and no content can contain it.
	const boundary = `n8n-${createHash('sha256').update(content).digest('hex').slice(0, 32)}`;
	const head = [
		`--${boundary}`,
		`Content-Disposition: form-data; name="${name}"; filename="${encodeQuotes(fileName)}"`,
		`Content-Type: ${contentType}`,
		'',
		'',
	].join('\r\n');
	return {
		bytes: Buffer.concat([Buffer.from(head), content, Buffer.from(`\r\n--${boundary}--\r\n`)]),
		contentType: `multipart/form-data; boundary=${boundary}`,
	};
}

function encodeQuotes(text: string): string {
	return text.replace(/["\r\n]/g, (character) => encodeURIComponent(character));
}
