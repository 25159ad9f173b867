import { isReplayed, whenMade } from '../../../../../nodes/BrlPayments/ledger/origin';

const NOW = Date.parse('2026-11-21T12:00:00Z');
const SECOND = 1_000;

interface Answer {
	/** createdAt, as epoch ms or as it is shown. */
	madeAt?: number | string | undefined;
	sentAt?: number | undefined;
	/** By the clock of the service. */
	date?: number | undefined;
}

/** A response at noon to what this run sent for the first time two seconds ago. */
const check = (changed: Answer = {}) => {
	const { madeAt, sentAt, date } = { madeAt: NOW, sentAt: NOW - 2 * SECOND, date: NOW, ...changed };
	const createdAt = typeof madeAt === 'number' ? new Date(madeAt).toISOString() : madeAt;
	return isReplayed({ createdAt }, { firstSentInRunAt: sentAt }, date, NOW);
};

const HOUR = 3_600 * SECOND;

test.each<[boolean, string, Answer]>([
	[false, 'it was made after this run sent it', {}],
	[false, 'it was made before, within the slack', { madeAt: NOW - 3.5 * SECOND }],
	[true, 'it was made before, beyond the slack', { madeAt: NOW - 3.5 * SECOND - 1 }],
	[false, 'it was asked for again for an hour', { madeAt: NOW - HOUR, sentAt: NOW - HOUR }],
	[false, 'the service is an hour behind', { date: NOW - HOUR, madeAt: NOW - HOUR - 2 * SECOND }],
	[true, 'the service is an hour behind', { date: NOW - HOUR, madeAt: NOW - HOUR - 60 * SECOND }],
	[false, 'the service is an hour ahead', { date: NOW + HOUR, madeAt: NOW + HOUR - 2 * SECOND }],
	[true, 'the service is an hour ahead', { date: NOW + HOUR, madeAt: NOW + HOUR - 60 * SECOND }],
	[
		true,
		'the service does not say what time it is',
		{ date: undefined, madeAt: NOW - 60 * SECOND },
	],
	[false, 'the service does not say what time it is', { date: undefined }],
	[false, 'it does not show when it was made', { madeAt: undefined }],
	[false, 'it shows no text for that', { madeAt: '' }],
	[false, 'it shows no time for that', { madeAt: 'yesterday' }],
	[false, 'this run did not send it', { sentAt: undefined, madeAt: 0 }],
])('a withdrawal is an earlier one (%o) if %s: %j', (isEarlier, _, answer) => {
	expect(check(answer)).toBe(isEarlier);
});

test.each<[string, string | undefined, number | undefined, string | undefined]>([
	['since', new Date(NOW).toISOString(), NOW, 'since this run sent it'],
	['before', new Date(NOW - 60 * SECOND).toISOString(), NOW, 'before this run sent it'],
	['unknown', new Date(NOW).toISOString(), undefined, 'the service does not say what time it is'],
	['unknown', undefined, NOW, 'it does not say when it was made'],
	['unknown', 'just now', NOW, 'it says so in words'],
])('a withdrawal was made %s: %s, as of %s (%s)', (expected, createdAt, date) => {
	const sent = { firstSentInRunAt: NOW - 2 * SECOND };
	expect(whenMade({ createdAt }, sent, date, NOW) ?? 'unknown').toBe(expected);
});
