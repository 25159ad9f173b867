import { DAY_MS, toBrasiliaTime } from '../text/time';
import { toText } from '../validation/text';

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
