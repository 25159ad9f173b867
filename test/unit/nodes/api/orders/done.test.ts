import { type ApiFailure } from '../../../../../nodes/api/failure';
import { checkNotDone, idOfAnswer, isDoneForGood } from '../../../../../nodes/api/idempotency/done';
import type { OperationRecord } from '../../../../../nodes/api/idempotency/memory';
import { KEY_LIFETIME_MS } from '../../../../../nodes/api/idempotency/window';

const SENT = Date.parse('2026-11-20T12:00:00Z');
const FORGOTTEN = SENT + KEY_LIFETIME_MS;

/** Sent on Friday at noon, and answered with success a second later. */
const done = (changed: Partial<OperationRecord> = {}): OperationRecord => ({
	generation: 0,
	firstUsedAt: SENT,
	unclear: true,
	doneAt: SENT + 1000,
	doneId: 'w1',
	...changed,
});

describe('what succeeded is done for good', () => {
	test('from the moment on at which the server forgets its first key', () => {
		expect(isDoneForGood(done(), FORGOTTEN - 1)).toBe(false);
		expect(isDoneForGood(done(), FORGOTTEN)).toBe(true);
	});

	test('and what did not, never', () => {
		expect(isDoneForGood(done({ doneAt: undefined }), 2 * FORGOTTEN)).toBe(false);
	});

	test('and says when it took effect, as what, and how to go on', () => {
		expect(() => checkNotDone(done(), 'key-1', FORGOTTEN - 1)).not.toThrow();
		let failure: ApiFailure['failure'] | undefined;
		try {
			checkNotDone(done(), 'key-1', FORGOTTEN);
		} catch (error) {
			failure = (error as ApiFailure).failure;
		}

		expect(failure?.message).toBe(
			'This took effect on 2026-11-20T12:00:01.000Z already (ID w1), so it was not sent again',
		);
		expect(failure?.description).toContain('set Settings > On Error of this node to Continue');
		expect(failure?.description).toContain('alone, and no other,');
	});
});

test.each([
	[{ id: '3fa85f64-5717-4562-b3fc-2c963f66afa6' }, '3fa85f64-5717-4562-b3fc-2c963f66afa6'],
	[{ id: 'maria@customer.example' }, undefined],
	[{ id: 'x'.repeat(65) }, undefined],
	[{ txId: 'w1' }, undefined],
	['w1', undefined],
	[null, undefined],
])('the ID of the answer %p is %p', (body, id) => {
	expect(idOfAnswer(body)).toBe(id);
});
