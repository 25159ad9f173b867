import { createHmac } from 'node:crypto';
import { invalid } from '../errors';
import type { SignatureFormat } from './types';

const NAMED: Readonly<Record<string, string>> = {
	dot: '{timestamp}.{body}',
	plain: '{timestamp}{body}',
	colon: '{timestamp}:{body}',
	v1Colon: 'v1:{timestamp}:{body}',
	newline: '{timestamp}\n{body}',
};

function getTemplate(layout: string): string {
	// A line break typed into a form arrives as two characters.
	return Object.hasOwn(NAMED, layout) ? (NAMED[layout] ?? '') : layout.replaceAll('\\n', '\n');
}

/** Refuses a layout that does not cover both timestamp and body: the API signs both. */
export function checkLayout(layout: string): void {
	const template = getTemplate(layout);
	for (const part of ['{timestamp}', '{body}']) {
		if (template.split(part).length !== 2) {
			throw invalid('scheme.layout', `Must be a named layout or hold ${part} once`);
		}
	}
}

/** X-Webhook-Timestamp of an attempt. */
export function writeTimestamp(unit: SignatureFormat['timestamp'], epochMs: number): string {
	switch (unit) {
		case 's':
			return String(Math.floor(epochMs / 1_000));
		case 'ms':
			return String(epochMs);
		case 'us':
			return `${epochMs}000`;
		case 'ns':
			return `${epochMs}000000`;
		case 'iso':
			return new Date(epochMs).toISOString();
		case 'httpDate':
			return new Date(epochMs).toUTCString();
	}
}

/** X-Webhook-Signature over the timestamp, exactly as in its header, and the raw body. */
export function writeSignature(
	format: SignatureFormat,
	secret: string,
	timestamp: string,
	body: string | Buffer,
): string {
	// Split, not replaced: a body may well contain `{timestamp}`.
	const hmac = createHmac(format.hash, secret);
	for (const part of getTemplate(format.layout).split(/(\{timestamp\}|\{body\})/)) {
		hmac.update(part === '{timestamp}' ? timestamp : part === '{body}' ? body : part);
	}
	const signature = hmac.digest(format.encoding);
	switch (format.value) {
		case 'bare':
			return signature;
		case 'v1=':
		case 'v1,':
			return `${format.value}${signature}`;
		case 'sha256=':
			return `${format.hash}=${signature}`;
		case 't=,v1=':
			return `t=${timestamp},v1=${signature}`;
	}
}
