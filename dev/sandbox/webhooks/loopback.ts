import { lookup, type LookupAddress } from 'node:dns';
import { BlockList, isIP, type LookupFunction } from 'node:net';
import { invalid } from '../errors';

const LOOPBACK = new BlockList();
LOOPBACK.addSubnet('127.0.0.0', 8, 'ipv4');
LOOPBACK.addAddress('::1', 'ipv6');

function isLoopbackAddress(address: string): boolean {
	const version = isIP(address);
	return version !== 0 && LOOPBACK.check(address, version === 4 ? 'ipv4' : 'ipv6');
}

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
	if (host !== 'localhost' && !isLoopbackAddress(host)) {
		throw invalid(
			'url',
			'The emulator sends to this machine only: localhost, 127.0.0.0/8 or [::1]',
		);
	}
	if (url.username !== '' || url.password !== '') {
		throw invalid('url', 'Must not hold a user name or password');
	}
	return url.href;
}

/** Resolves `localhost`, and refuses it if it is not this machine. */
export const loopbackLookup: LookupFunction = (hostname, options, callback) => {
	lookup(hostname, options, (error, address: string | LookupAddress[], family) => {
		const found = typeof address === 'string' ? [{ address }] : address;
		if (!error && !found.every((entry) => isLoopbackAddress(entry.address))) {
			callback(new Error(`${hostname} is not this machine`), '', 0);
		} else {
			callback(error, address, family);
		}
	});
};
