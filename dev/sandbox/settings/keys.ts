import { createHash, randomBytes, randomUUID, timingSafeEqual } from 'node:crypto';
import { BlockList } from 'node:net';
import { ServiceError } from '../errors';
import type { Environment } from '../store/types';

const KEY_PREFIX = 'brlpay';

const DEFAULTS = {
	scopes: ['*'],
	/** IPv4 addresses or CIDR ranges; empty means no restriction. */
	ipAllowlist: [] as readonly string[],
	/** Null means the account's default. */
	rateLimitPerMinute: null as number | null,
	/** ISO 8601, or null for a key that does not expire. */
	expiresAt: null as string | null,
	revoked: false,
};

export type KeySettings = { environment: Environment } & Partial<typeof DEFAULTS>;

export interface ApiKey extends Required<KeySettings> {
	id: string;
	name: string;
	description: string | null;
	/** `<key_prefix>_<env>_<kid>`, safe to log. */
	prefix: string;
	lastUsedAt: number | null;
	createdAt: number;
	secretHash: Buffer;
	allows(address: string): boolean;
}

const KEY_FORM = new RegExp(`^(${KEY_PREFIX}_(?:test|live)_[A-Za-z0-9]{10})_([A-Za-z0-9]{32})$`);

function hash(secret: string): Buffer {
	return createHash('sha256').update(secret).digest();
}

/**
 * An allowlist of addresses and CIDR ranges as one test. IPv4 only: the emulator listens on no other
 * address. @throws on an entry that is neither
 */
function allowlistTest(entries: readonly string[]): (address: string) => boolean {
	const list = new BlockList();
	for (const entry of entries) {
		const [network = '', bits = '32'] = entry.split('/');
		list.addSubnet(network, Number(bits), 'ipv4');
	}
	return (address) => entries.length === 0 || list.check(address);
}

function letters(length: number): string {
	return randomBytes(length).toString('hex').slice(0, length);
}

/** The keys of the emulated account. Only a hash of each secret is kept, as a real service would. */
export class KeyRing {
	private readonly byPrefix = new Map<string, ApiKey>();

	/** Makes a key and returns its full text, which is not readable again. */
	create(
		settings: KeySettings,
		now: number,
		fixed: { kid?: string; secret?: string } = {},
	): string {
		const env = settings.environment === 'SANDBOX' ? 'test' : 'live';
		const kid = fixed.kid ?? letters(10);
		const secret = fixed.secret ?? `example${letters(25)}`;
		const prefix = `${KEY_PREFIX}_${env}_${kid}`;
		const complete = { ...DEFAULTS, ...settings };
		this.byPrefix.set(prefix, {
			...complete,
			id: randomUUID(),
			name: `Example ${env} key`,
			description: null,
			prefix,
			lastUsedAt: null,
			createdAt: now,
			secretHash: hash(secret),
			allows: allowlistTest(complete.ipAllowlist),
		});
		return `${prefix}_${secret}`;
	}

	/** Authentication rules 1, 4 and 6: the key behind a request, or the error it deserves. */
	authenticate(authorization: string | undefined, address: string, now: number): ApiKey {
		const token = /^Bearer +(\S.*)$/i.exec(authorization ?? '')?.[1]?.trim();
		if (token === undefined) throw new ServiceError('API_KEY_REQUIRED');
		const [, prefix = '', secret = ''] = KEY_FORM.exec(token) ?? [];
		const key = this.byPrefix.get(prefix);
		if (!key || !timingSafeEqual(key.secretHash, hash(secret)) || key.revoked) {
			throw new ServiceError('INVALID_API_KEY');
		}
		const isExpired = key.expiresAt !== null && Date.parse(key.expiresAt) <= now;
		if (isExpired) throw new ServiceError('INVALID_API_KEY');
		if (!key.allows(address)) throw new ServiceError('IP_NOT_ALLOWED');
		key.lastUsedAt = now;
		return key;
	}
}

/** Authentication rule 5: any one of `wanted` is enough; an empty list asks for none. */
export function requireScope(key: ApiKey, wanted: readonly string[]): void {
	if (wanted.length === 0 || key.scopes.includes('*')) return;
	if (wanted.some((scope) => key.scopes.includes(scope))) return;
	throw new ServiceError('FORBIDDEN', {
		message: `This endpoint needs the scope ${wanted.join(' or ')}`,
	});
}
