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

test('a withdrawal that was made after this run sent it is its own', () => {
	expect(check()).toBe(false);
});

test('one that was made before is an earlier one, beyond the slack', () => {
	expect(check({ madeAt: NOW - 3.5 * SECOND })).toBe(false);
	expect(check({ madeAt: NOW - 3.5 * SECOND - 1 })).toBe(true);
});

test('a withdrawal that was asked for again for an hour is still its own', () => {
	expect(check({ madeAt: NOW - 3_600 * SECOND, sentAt: NOW - 3_600 * SECOND })).toBe(false);
});

test.each([-3_600, 3_600])('the clock of the service counts, %i s off as it may be', (seconds) => {
	const date = NOW + seconds * SECOND;

	expect(check({ date, madeAt: date - 2 * SECOND })).toBe(false);
	expect(check({ date, madeAt: date - 60 * SECOND })).toBe(true);
});

test('the own clock counts where the service does not say', () => {
	expect(check({ date: undefined, madeAt: NOW - 60 * SECOND })).toBe(true);
	expect(check({ date: undefined })).toBe(false);
});

test.each([undefined, '', 'yesterday'])('createdAt %o proves no earlier one', (madeAt) => {
	expect(check({ madeAt })).toBe(false);
});

test('what this run did not send is not judged', () => {
	expect(check({ sentAt: undefined, madeAt: 0 })).toBe(false);
});

describe('when a withdrawal was made', () => {
	const shown = { createdAt: new Date(NOW).toISOString() };
	const sent = { firstSentInRunAt: NOW - 2 * SECOND };

	test('since this run sent it', () => {
		expect(whenMade(shown, sent, NOW, NOW)).toBe('since');
	});

	test('before this run sent it', () => {
		const old = { createdAt: new Date(NOW - 60 * SECOND).toISOString() };
		expect(whenMade(old, sent, NOW, NOW)).toBe('before');
	});

	test.each([
		['the service does not say what time it is', shown, undefined],
		['it does not say when it was made', {}, NOW],
		['it says so in words', { createdAt: 'just now' }, NOW],
	])('is not known if %s', (_, withdrawal, date) => {
		expect(whenMade(withdrawal, sent, date, NOW)).toBeUndefined();
	});
});
