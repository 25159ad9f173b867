import { getHeader } from '../signature/header';
import { readOffered, type OfferedValue } from '../signature/header';
import type { SignatureSettings } from '../signature/settings';
import { readTimestamp, detectUnit, type TimestampUnit } from '../signature/timestamp';

/**
 * For a person who sets up the trigger and gets a mismatch: which parts of a delivery were present,
 * so that the wrong one can be found. Lengths and forms only; no secret and no signature.
 */
export function diagnose(
	headers: Readonly<Record<string, unknown>>,
	rawBody: Buffer,
	settings: SignatureSettings,
): string {
	const signature = getHeader(headers, 'X-Webhook-Signature') ?? '';
	const timestamp = getHeader(headers, 'X-Webhook-Timestamp') ?? '';
	const values = readOffered(signature, settings)?.values ?? [];
	return [
		`Present: X-Webhook-Signature ${describeValues(signature, values)}`,
		`X-Webhook-Timestamp ${describeForm(timestamp, settings.timestampUnit)}`,
		`X-Webhook-Delivery-Id ${getHeader(headers, 'X-Webhook-Delivery-Id') ? 'yes' : 'no'}`,
		`X-Webhook-Event ${getHeader(headers, 'X-Webhook-Event') ?? 'no'}`,
		`body of ${rawBody.length} bytes`,
		`tried ${settings.schemes.length} scheme(s) with ${settings.secrets.length} secret(s)`,
	].join(', ');
}

function describeValues(signature: string, values: readonly OfferedValue[]): string {
	if (signature === '') return 'no';
	if (values.length === 0) return `of ${signature.length} characters in an unknown format`;
	const lengths = values.map(({ text }) => text.length).join(' and ');
	return `with ${values.length} value(s) of ${lengths} characters`;
}

function describeForm(timestamp: string, chosen: TimestampUnit | undefined): string {
	if (timestamp === '') return 'no';
	if (readTimestamp(timestamp, chosen) === null) return 'unreadable';
	const unit = chosen ?? detectUnit(timestamp);
	if (unit !== undefined) return `in ${unit}`;
	return timestamp.includes('T') ? 'in ISO 8601' : 'as an HTTP date';
}
