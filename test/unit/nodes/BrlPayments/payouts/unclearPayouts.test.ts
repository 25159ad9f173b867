import {
	LATE_BOOKING_MS,
	UnclearPayouts,
} from '../../../../../nodes/BrlPayments/payouts/unclearPayouts';

const sent = { idempotencyKey: 'key-1', identity: 'execution-1', at: 1_000 };
const other = { idempotencyKey: 'key-2', identity: 'execution-2' };

let unclear: UnclearPayouts;
beforeEach(() => {
	unclear = new UnclearPayouts(2);
	unclear.note('content', sent);
});

test('another execution finds it', () => {
	expect(unclear.findOther('content', other, 1_001)).toEqual(sent);
});

test.each([
	['of another content', 'other content', other, 1_001],
	['under the same key', 'content', { ...other, idempotencyKey: 'key-1' }, 1_001],
	['of the same execution', 'content', { ...other, identity: 'execution-1' }, 1_001],
	['that is too old to be booked yet', 'content', other, 1_000 + LATE_BOOKING_MS],
])('finds none %s', (_, content, own, now) => {
	expect(unclear.findOther(content, own, now)).toBeUndefined();
});

test('it is found until the last millisecond', () => {
	expect(unclear.findOther('content', other, 1_000 + LATE_BOOKING_MS - 1)).toEqual(sent);
});

test('it is gone once its outcome is known, and others of the content are not', () => {
	const second = { idempotencyKey: 'key-3', identity: 'execution-3', at: 2_000 };
	unclear.note('content', second);
	unclear.settle('content', 'key-3');
	expect(unclear.findOther('content', other, 2_001)).toEqual(sent);
	unclear.settle('content', 'key-1');
	expect(unclear.findOther('content', other, 2_001)).toBeUndefined();
});

test('the last attempt under a key counts', () => {
	unclear.note('content', { ...sent, at: 9_000 });
	expect(unclear.findOther('content', other, 8_999 + LATE_BOOKING_MS)?.at).toBe(9_000);
});

test('a bounded number of contents is remembered, the oldest forgotten first', () => {
	unclear.note('content-2', sent);
	unclear.note('content-3', sent);
	const found = ['content', 'content-2', 'content-3'].map((content) =>
		unclear.findOther(content, other, 1_001),
	);
	expect(found).toEqual([undefined, sent, sent]);
});

test('nothing is known after a restart', () => {
	unclear.clear();
	expect(unclear.findOther('content', other, 1_001)).toBeUndefined();
});
