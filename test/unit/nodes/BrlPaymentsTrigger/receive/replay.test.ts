import { readOptions } from '../../../../../nodes/BrlPaymentsTrigger/description/options';
import { replayKey } from '../../../../../nodes/BrlPaymentsTrigger/receive/delivery';

test.each([
	['', []],
	[' \n', []],
	['a', ['a']],
	['a b', ['a', 'b']],
	['a,b;c\nd,  e', ['a', 'b', 'c', 'd', 'e']],
	['a a', ['a', 'a']],
])('reads the IDs in %o', (text, ids) => {
	const { replayIds } = readOptions((name) =>
		name === 'options' ? { letThroughAgain: text } : name === 'events' ? [] : false,
	);
	expect(replayIds).toEqual(ids);
});

test('a delivery keeps its ID, unless the user wants it again', () => {
	expect(replayKey('a', [])).toBe('a');
	expect(replayKey('a', ['b'])).toBe('a');
	expect(replayKey('a', ['aa'])).toBe('a');
});

test('each time that the ID is written makes another key', () => {
	const keys = [[], ['a'], ['a', 'a'], ['a', 'b', 'a', 'a']].map((ids) => replayKey('a', ids));
	expect(new Set(keys).size).toBe(4);
	// A delivery ID has no blank, so no delivery can have such a key as its ID.
	for (const key of keys.slice(1)) expect(key).toContain(' ');
});

test('the same entries make the same key, in any order', () => {
	expect(replayKey('a', ['b', 'a', 'a'])).toBe(replayKey('a', ['a', 'a', 'b']));
});
