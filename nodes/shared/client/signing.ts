import type { ICredentialDataDecryptedObject } from 'n8n-workflow';
import { InputError } from '../input/inputError';
import { toText } from '../input/text';

/**
 * How the bytes to sign are put together. All that is documented is that timestamp and raw body are
 * signed (docs/api.md#signatures). There is no layout without the timestamp: it would make a
 * recorded delivery valid forever.
 */
type Layout = Readonly<Record<'before' | 'between' | 'after', string> & { bodyFirst?: boolean }>;

const HASHES = ['sha256', 'sha512'] as const;

export interface Scheme {
	readonly hash: (typeof HASHES)[number];
	readonly layout: Layout;
}

/** A text, or the bytes that a text in hex or base64 stands for. */
type Secret = string | Buffer;

/** What a number in X-Webhook-Timestamp may count since the epoch, and its milliseconds. */
export const TIMESTAMP_UNITS = {
	seconds: 1_000,
	milliseconds: 1,
	microseconds: 1e-3,
	nanoseconds: 1e-6,
} as const;
export type TimestampUnit = keyof typeof TIMESTAMP_UNITS;

/** What deliveries are verified with. */
export interface SignatureSettings {
	/** One key each; in Automatic, a `whsec_` secret is two: its text, and the bytes that it encodes. */
	readonly secrets: readonly Secret[];
	/** How many secrets were entered. */
	readonly entered: number;
	/** All that are tried; one if the user fixed it. */
	readonly schemes: readonly Scheme[];
	/** What X-Webhook-Timestamp counts; undefined if its format shows it. */
	readonly timestampUnit?: TimestampUnit;
}

const LAYOUT = /^([^{}]*)\{(timestamp|body)\}([^{}]*)\{(timestamp|body)\}([^{}]*)$/;

/** What Automatic tries, as one writes it in a custom scheme. */
export const AUTOMATIC_LAYOUTS = [
	'{timestamp}.{body}',
	'{timestamp}{body}',
	'{timestamp}:{body}',
	'v1:{timestamp}:{body}',
	'{timestamp}\\n{body}',
];

export const AUTOMATIC_SCHEMES: readonly Scheme[] = HASHES.flatMap((hash) =>
	AUTOMATIC_LAYOUTS.map((layout) => ({ hash, layout: readLayout(layout) })),
);

/** Whether the credential `brlPaymentsApi` has any signing secret: who only polls needs none. */
export function hasSigningSecrets(credential: ICredentialDataDecryptedObject): boolean {
	return toText(credential.signingSecrets).trim() !== '';
}

/**
 * Reads the part of the credential `brlPaymentsApi` that is about webhooks.
 * @throws InputError when there is no usable secret, or the custom scheme is incomplete or leaves the
 * timestamp out. No message contains a secret.
 */
export function readSignatureSettings(
	credential: ICredentialDataDecryptedObject,
): SignatureSettings {
	const secrets = readSecrets(toText(credential.signingSecrets));
	const { length: entered } = secrets;
	if (credential.signatureScheme !== 'custom') {
		return { secrets: secrets.flatMap(readBothWays), entered, schemes: AUTOMATIC_SCHEMES };
	}
	const hash = credential.hash === 'sha512' ? 'sha512' : 'sha256';
	const unit = toText(credential.timestampUnit);
	return {
		secrets: secrets.map((secret) => decodeSecret(secret, credential.decodeAs)),
		entered,
		schemes: [{ hash, layout: readLayout(credential.layout) }],
		timestampUnit: Object.hasOwn(TIMESTAMP_UNITS, unit) ? (unit as TimestampUnit) : undefined,
	};
}

const ENTER_IT =
	"Clear the field 'Signing Secrets' in the BRL Payments API credential. Copy the secret that the dashboard shows under Settings > Webhooks when you register the endpoint, and paste it alone; several secrets one per line.";

/**
 * What people enter in place of a secret. The first is what n8n's editor shows, as dots, in place of a saved
 * secret: it is the same in every n8n, so anyone could sign with it.
 */
const OTHER_TEXTS: ReadonlyArray<readonly [RegExp, string]> = [
	[/__n8n_(?:BLANK|EMPTY)_VALUE_/, 'Typing next to the masked value overwrote the saved secret'],
	[/^https?:/i, 'A signing secret is a URL'],
	[/_(?:test|live)_[A-Za-z0-9]{10}_[A-Za-z0-9]{32}$/, 'A signing secret is an API key'],
	[/[•*]{4}/, 'A signing secret was copied with dots or asterisks in place of its characters'],
	[/^(["'`]).*\1$/, 'A signing secret is in quotation marks'],
	// Shorter secrets can be guessed; the dashboard generates long ones.
	[/^.{0,7}$/, 'A signing secret is too short to be complete'],
];

function readSecrets(text: string): string[] {
	const secrets = [...new Set(text.split(/\s+/).filter((secret) => secret !== ''))];
	const found = OTHER_TEXTS.find(([other]) => secrets.some((secret) => other.test(secret)));
	if (found) throw new InputError(found[1], ENTER_IT);
	if (secrets.length > 0) return secrets;
	throw new InputError(
		"There is no signing secret to verify deliveries with: copy the one that the dashboard shows under Settings > Webhooks into 'Signing Secrets' of the BRL Payments API credential",
		"It is shown once, when you register the endpoint. To receive events without webhooks, set 'Receive By' to Polling.",
	);
}

/** Some services show a secret that starts like this, and sign with the bytes of the rest. */
const SECRET_PREFIX = /^whsec_/;
const ENCODED = { hex: /^(?:[\da-f]{2})+$/i, base64: /^[\w+/-]+={0,2}$/ };
/** A key of fewer bytes can be guessed. */
const LEAST_KEY_BYTES = 16;

/** A secret as text and, if it looks like one that has to be decoded, as the bytes of its base64. */
function readBothWays(secret: string): Secret[] {
	const text = secret.replace(SECRET_PREFIX, '');
	if (text === secret || !ENCODED.base64.test(text)) return [secret];
	const decoded = Buffer.from(text, 'base64');
	return decoded.length < LEAST_KEY_BYTES ? [secret] : [secret, decoded];
}

/** Credentials saved before the field existed have no encoding: the text itself is the key. */
function decodeSecret(secret: string, encoding: unknown): Secret {
	if (encoding !== 'hex' && encoding !== 'base64') return secret;
	const text = secret.replace(SECRET_PREFIX, '');
	if (ENCODED[encoding].test(text)) return Buffer.from(text, encoding);
	throw new InputError(
		`A signing secret is not written in ${encoding}`,
		"Copy it again from the dashboard, or change 'Secret Encoding' in the BRL Payments API credential.",
	);
}

function readLayout(value: unknown): Layout {
	// What people type for a line break arrives as two characters.
	const match = LAYOUT.exec(toText(value).replaceAll('\\n', '\n'));
	const [, before = '', first, between = '', second, after = ''] = match ?? [];
	if (match && first !== second) return { before, between, after, bodyFirst: first === 'body' };
	throw new InputError(
		'The layout of the custom scheme must contain {timestamp} and {body}, each once',
		'Write it like {timestamp}.{body}. Without the timestamp, an old delivery could be replayed forever.',
	);
}
