import { randomBytes, randomUUID } from 'node:crypto';
import { DateTime } from 'luxon';

const ALPHANUMERIC = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789';

export const uuid = (): string => randomUUID();

function alphanumeric(length: number): string {
	return [...randomBytes(length)].map((byte) => ALPHANUMERIC[byte % 36]).join('');
}

export function paymentTxId(): string {
	return `PAY${randomBytes(16).toString('hex').toUpperCase()}`;
}

export function withdrawalTxId(now: number): string {
	return `WIT${now}${alphanumeric(5)}`;
}

export function refundTxId(): string {
	return `REF${randomBytes(16).toString('hex').toUpperCase()}`;
}

/** The PIX network's end-to-end id: E, an ISPB, UTC minutes, 11 alphanumerics. */
export function endToEndId(now: number): string {
	const minute = DateTime.fromMillis(now, { zone: 'utc' }).toFormat('yyyyMMddHHmm');
	return `E00000000${minute}${alphanumeric(11)}`;
}

export function customerSlug(): string {
	return `cus_${alphanumeric(14).toLowerCase()}`;
}
