import { keyExpiryNotice } from '../../../../../nodes/shared/client/connection';

const NOW = Date.parse('2026-11-21T12:00:00Z');

test.each([
	['2026-11-21T12:00:01Z', '2026-11-21 09:00'],
	['2026-12-05T12:00:00Z', '2026-12-05 09:00'],
])('a key that expires on %s gets a notice', (expiresAt, time) => {
	expect(keyExpiryNotice(expiresAt, NOW)).toContain(
		`expires on ${time} (Brasília time). Before that, create a new one`,
	);
});

test.each([null, undefined, '', 'soon', '2026-12-05T12:00:01Z'])(
	'a key that expires on %o gets none',
	(expiresAt) => {
		expect(keyExpiryNotice(expiresAt, NOW)).toBeUndefined();
	},
);
