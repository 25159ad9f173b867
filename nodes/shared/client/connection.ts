import { InputError } from '../input/inputError';
import { toText } from '../input/text';
import { DAY_MS, toBrasiliaTime } from '../text/time';

export type Environment = 'sandbox' | 'production';

/** The fields of the credential `brlPaymentsApi`. */
export interface ApiCredential {
	apiKey: string;
	baseUrl: string;
	environment: 'auto' | Environment;
}

/** Where requests go and on whose behalf; nothing in it is secret. */
export interface Connection {
	/** Without a trailing slash and without the version prefix, for example `https://api.example.com`. */
	readonly baseUrl: string;
	readonly environment: Environment;
	/** The public part of the key, `<key_prefix>_<env>_<kid>`. */
	readonly keyPrefix: string;
}

/** The word in a key of each environment. */
const KIND = { sandbox: 'test', production: 'live' } as const;

/** `<key_prefix>_<env>_<kid>_<secret>`, kid 10 and secret 32 characters (docs/api.md#api-keys). */
const API_KEY = /^([^\s:]+)_(test|live)_(.{10})_(.{32})$/;

/**
 * Checks a credential before anything is sent with it.
 *
 * The key decides the environment (docs/api.md#environments).
 * @throws InputError when the key or the base URL is unusable, when the key does not belong to the
 * environment that the user fixed, or when the key would travel unencrypted. No message contains the
 * key.
 */
export function checkConnection(credential: ApiCredential): Connection {
	const { environment, keyPrefix } = readApiKey(credential.apiKey);
	if (credential.environment !== 'auto' && credential.environment !== environment) {
		throw new InputError(
			`The credential is fixed to ${credential.environment}, but its API key is a ${KIND[environment]} key`,
			`Nothing was sent. Paste a ${KIND[credential.environment]} key into the credential. If the ${KIND[environment]} key is meant, change Environment there.`,
		);
	}
	return {
		baseUrl: readBaseUrl(credential.baseUrl),
		environment,
		keyPrefix,
	};
}

function readApiKey(apiKey: unknown): Pick<Connection, 'environment' | 'keyPrefix'> {
	const text = toText(apiKey);
	if (text === '') {
		throw new InputError(
			'The credential has no API key',
			'Create a key in the dashboard under Settings > API Keys and paste it here.',
		);
	}
	const match = API_KEY.exec(text.trim());
	// A key with a blank or line break around it came from a sloppy copy; n8n sends it as it is stored.
	if (!match || text !== text.trim()) {
		throw new InputError(
			'The API key is not complete, or has extra characters around it',
			'Copy the whole key again. It looks like <prefix>_test_<10 characters>_<32 characters>, or has "live" in place of "test".',
		);
	}
	const [, prefix, mode, kid] = match;
	return {
		environment: mode === 'live' ? 'production' : 'sandbox',
		keyPrefix: `${prefix}_${mode}_${kid}`,
	};
}

function readBaseUrl(baseUrl: unknown): string {
	const text = toText(baseUrl).trim();
	const url = isWholeAddress(text) && URL.canParse(text) ? new URL(text) : null;
	if (!url || !/^https?:$/.test(url.protocol) || url.username || url.search || url.hash) {
		throw new InputError(
			text === '' ? 'The credential has no base URL' : 'The base URL is not a web address',
			'Enter the address of the service, for example https://api.example.com, without parameters.',
		);
	}
	if (url.protocol === 'http:' && !isLoopback(url.hostname)) {
		throw new InputError(
			'The base URL starts with http://, which would send the API key unencrypted',
			'Use https://. Plain http is accepted only for a server on this machine (localhost).',
		);
	}
	// People copy the address together with the version prefix that every path here begins with.
	return `${url.origin}${url.pathname}`.replace(/\/+$/, '').replace(/\/v1$/, '');
}

/**
 * Whether every library reads the same host in an address: with both slashes, and without anything
 * that some of them skip or take for a slash.
 */
export function isWholeAddress(text: string): boolean {
	return /^https?:\/\/[^\\/\s][^\\\s\p{Cc}]*$/iu.test(text);
}

function isLoopback(hostname: string): boolean {
	return hostname === 'localhost' || hostname === '[::1]' || /^127\.\d+\.\d+\.\d+$/.test(hostname);
}

const NOTICE_DAYS = 14;

/**
 * Says that an API key ends soon: from then on every request fails with INVALID_API_KEY.
 * @param expiresAt as the service shows it; null for a key that does not expire
 * @param now epoch ms
 */
export function keyExpiryNotice(expiresAt: unknown, now: number): string | undefined {
	const timestamp = Date.parse(toText(expiresAt));
	if (!(timestamp - now <= NOTICE_DAYS * DAY_MS)) return undefined;
	return `This API key expires on ${toBrasiliaTime(timestamp, 'down')}. Before that, create a new one in the dashboard under Settings > API Keys and paste it into the credential.`;
}
