import { searchRows } from '../../../../../nodes/BrlPayments/orders/absence';
import type { Excerpt, Reading } from '../../../../../nodes/BrlPayments/orders/accountList';
import type { ApiRecord } from '../../../../../nodes/shared/transport/schemas';

const search = (given: Reading) => searchRows(given, 'withdrawals', ({ amount }) => amount === 100);
const list = (rows: readonly ApiRecord[], changed: Partial<Excerpt> = {}): Reading => ({
	...{ rows, isComplete: true, isTooLong: false },
	...changed,
});
const OTHER = { id: 'w1', amount: 7 };
const ALIKE = { id: 'w2', amount: 100 };

test.each<[string, Reading, readonly string[]]>([
	['an empty one', list([]), []],
	['one with others', list([OTHER]), []],
	['one with two that look alike', list([ALIKE, OTHER, { ...ALIKE, id: 'w3' }]), ['w2', 'w3']],
	['one that has gaps, and a look-alike', list([ALIKE], { isComplete: false }), ['w2']],
	['an ID that is no text', list([{ ...ALIKE, id: { toString: {} } }]), ['{"toString":{}}']],
])('a list says what may be the order: %s', (_, reading, ids) => {
	expect(search(reading)).toEqual(
		ids.length === 0 ? { state: 'absent' } : { state: 'candidates', ids },
	);
});

test.each<[string, Reading, string]>([
	['has gaps', list([OTHER], { isComplete: false }), 'fewer rows than it counts'],
	['is too long', list([OTHER], { isComplete: false, isTooLong: true }), 'newest 20,000 rows'],
	[
		'cannot be read',
		{
			failure: {
				...{ code: 'FORBIDDEN', httpStatus: 403, retryable: false, effect: 'none' },
				message: 'The API key lacks a scope',
				description: 'Give it the scope withdrawals:read.',
			},
		},
		'The list of withdrawals cannot be read: The API key lacks a scope. Give it the scope withdrawals:read.',
	],
])('a list that %s proves nothing, and says why', (_, reading, reason) => {
	expect(search(reading)).toEqual({
		state: 'unreadable',
		reason: expect.stringContaining(reason) as string,
	});
});
