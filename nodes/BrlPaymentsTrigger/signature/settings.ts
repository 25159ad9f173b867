import type { ICredentialDataDecryptedObject } from 'n8n-workflow';
import { InputError } from '../../shared/validation/inputError';
import { toText } from '../../shared/validation/text';
import {
	NAMED_SCHEMES,
	type Encoding,
	type Hash,
	type Layout,
	type Scheme,
	type Secret,
} from './schemes';
import { TIMESTAMP_UNITS, type TimestampUnit } from './timestamp';

/** What deliveries are verified with. */
export interface SignatureSettings {
	/** One key each; in Automatic, a `whsec_` secret is two: its text, and the bytes that it encodes. */
	readonly secrets: readonly Secret[];
	/** How many secrets were entered. */
	readonly entered: number;
	/** In the order in which they are tried; one if the user fixed it. */
	readonly schemes: readonly Scheme[];
	/** What X-Webhook-Timestamp counts; undefined if its format shows it. */
	readonly timestampUnit?: TimestampUnit;
}

/**
 * What n8n's editor shows, as dots, in place of a saved secret. A person who types another secret
 * next to it saves the placeholder itself. It is the same in every n8n, so anyone could sign with
 * it.
 */
const PLACEHOLDER = /__n8n_(?:BLANK|EMPTY)_VALUE_/;

/** Shorter secrets can be guessed; the dashboard generates long ones. */
const LEAST_SECRET_LENGTH = 8;

/**
 * Reads the credential `brlPaymentsWebhookApi`.
 * @throws InputError when there is no secret, or the custom scheme is incomplete or leaves the
 * timestamp out. No message contains a secret.
 */
export function readSignatureSettings(
	credential: ICredentialDataDecryptedObject,
): SignatureSettings {
	const secrets = readSecrets(toText(credential.signingSecrets));
	const { length: entered } = secrets;
	const chosen = toText(credential.signatureScheme) || 'auto';
	if (chosen === 'auto') {
		return { secrets: secrets.flatMap(readBothWays), entered, schemes: NAMED_SCHEMES };
	}
	if (chosen === 'custom') {
		return {
			secrets: secrets.map((secret) => decodeSecret(secret, credential.decodeAs)),
			entered,
			schemes: [readCustomScheme(credential)],
			timestampUnit: TIMESTAMP_UNITS.find((unit) => unit === credential.timestampUnit),
		};
	}
	const scheme = NAMED_SCHEMES.find(({ name }) => name === chosen);
	if (!scheme) {
		throw new InputError(
			`There is no signature scheme "${chosen}"`,
			'Choose one from the list in the BRL Payments Webhook API credential.',
		);
	}
	return { secrets, entered, schemes: [scheme] };
}

function readSecrets(text: string): string[] {
	if (PLACEHOLDER.test(text)) {
		throw new InputError(
			'Typing next to the masked value overwrote the saved signing secret',
			'Clear the field Signing Secrets in the BRL Payments Webhook API credential and enter all secrets again, one per line.',
		);
	}
	const secrets = [...new Set(text.split(/\s+/).filter((secret) => secret !== ''))];
	if (secrets.length === 0) {
		throw new InputError(
			'There is no signing secret, so deliveries cannot be verified',
			'Copy the secret that the dashboard shows under Settings > Webhooks when you register the endpoint, and paste it into the BRL Payments Webhook API credential.',
		);
	}
	if (secrets.some((secret) => secret.length < LEAST_SECRET_LENGTH)) {
		throw new InputError(
			'A signing secret is too short to be complete',
			'Copy it again from the dashboard. Enter several secrets one per line.',
		);
	}
	for (const secret of secrets) refuseOtherText(secret);
	return secrets;
}

/** What people paste in place of the secret. */
const OTHER_TEXTS: ReadonlyArray<readonly [RegExp, string]> = [
	[/^https?:/i, 'A signing secret is a URL'],
	[/_(?:test|live)_[A-Za-z0-9]{10}_[A-Za-z0-9]{32}$/, 'A signing secret is an API key'],
	[/[•*]{4}/, 'A signing secret was copied with dots or asterisks in place of its characters'],
	[/^(["'`]).*\1$/, 'A signing secret is in quotation marks'],
];

/** @throws InputError, which does not show it */
function refuseOtherText(secret: string): void {
	const found = OTHER_TEXTS.find(([pattern]) => pattern.test(secret));
	if (!found) return;
	throw new InputError(
		found[1],
		'Copy the secret that the dashboard shows under Settings > Webhooks when you register the endpoint, and paste it alone into the BRL Payments Webhook API credential, one per line.',
	);
}

/** Some services show a secret that starts like this, and sign with the bytes of the rest. */
const SECRET_PREFIX = /^whsec_/;
const HEX = /^(?:[\da-f]{2})+$/i;
const BASE64 = /^[\w+/-]+={0,2}$/;

/** A key of fewer bytes can be guessed. */
const LEAST_KEY_BYTES = 16;

/** A secret as text and, if it looks like one that has to be decoded, as the bytes of its base64. */
function readBothWays(secret: string): Secret[] {
	const text = secret.replace(SECRET_PREFIX, '');
	if (text === secret || !BASE64.test(text)) return [secret];
	const decoded = Buffer.from(text, 'base64');
	return decoded.length < LEAST_KEY_BYTES ? [secret] : [secret, decoded];
}

/** Credentials saved before the field existed have no encoding: the text itself is the key. */
function decodeSecret(secret: string, encoding: unknown): Secret {
	if (encoding !== 'hex' && encoding !== 'base64') return secret;
	const text = secret.replace(SECRET_PREFIX, '');
	if ((encoding === 'hex' ? HEX : BASE64).test(text)) return Buffer.from(text, encoding);
	throw new InputError(
		`A signing secret is not written in ${encoding}`,
		'Copy it again from the dashboard, or change Secret Encoding in the BRL Payments Webhook API credential.',
	);
}

function readCustomScheme(credential: ICredentialDataDecryptedObject): Scheme {
	return {
		name: 'custom',
		hash: parseChoice<Hash>(credential.hash, ['sha256', 'sha512'], 'hash'),
		layout: readLayout(toText(credential.layout)),
		encoding: parseChoice<Encoding>(
			credential.encoding,
			['hex', 'base64', 'base64url'],
			'encoding',
		),
		// No header begins with a blank.
		prefix: toText(credential.prefix).trimStart(),
	};
}

function parseChoice<T extends string>(value: unknown, choices: readonly T[], label: string): T {
	const choice = choices.find((one) => one === value);
	if (choice !== undefined) return choice;
	throw new InputError(
		`The custom scheme has no ${label}`,
		`Choose the ${label} in the BRL Payments Webhook API credential.`,
	);
}

const LAYOUT = /^([^{}]*)\{(timestamp|body)\}([^{}]*)\{(timestamp|body)\}([^{}]*)$/;

function readLayout(text: string): Layout {
	// What people type for a line break arrives as two characters.
	const match = LAYOUT.exec(text.replaceAll('\\n', '\n'));
	const [, before = '', first, between = '', second, after = ''] = match ?? [];
	if (!match || first === second) {
		throw new InputError(
			'The layout of the custom scheme must contain {timestamp} and {body}, each once',
			'Write it like {timestamp}.{body}. Without the timestamp, an old delivery could be replayed forever.',
		);
	}
	return { before, between, after, ...(first === 'body' && { bodyFirst: true }) };
}
