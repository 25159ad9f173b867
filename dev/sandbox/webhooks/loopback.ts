import { BlockList, isIP } from 'node:net';
import { invalid } from '../errors';

const LOOPBACK = new BlockList();
LOOPBACK.addSubnet('127.0.0.0', 8, 'ipv4');
LOOPBACK.addAddress('::1', 'ipv6');

/**
 * The address of an endpoint, or VALIDATION_ERROR. The emulator must never send traffic to other
 * machines, so only loopback is accepted. The service requires HTTPS; on loopback plain HTTP will
 * do.
 */
export function checkEndpointUrl(text: string): string {
	const url = URL.canParse(text) ? new URL(text) : null;
	if (!url || !['http:', 'https:'].includes(url.protocol)) {
		throw invalid('url', 'Must be an http or https address');
	}
	// The URL parser has already turned 127.1, 0x7f000001 and the like into dotted form.
	const host = url.hostname.replace(/^\[(.*)\]$/, '$1');
	const version = isIP(host);
	const isLoopback = version !== 0 && LOOPBACK.check(host, version === 4 ? 'ipv4' : 'ipv6');
	if (host !== 'localhost' && !isLoopback) {
		throw invalid(
			'url',
			'The emulator sends to this machine only: localhost, 127.0.0.0/8 or [::1]',
		);
	}
	return url.href;
}
