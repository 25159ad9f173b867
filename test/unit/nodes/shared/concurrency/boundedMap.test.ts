import { BoundedMap } from '../../../../../nodes/shared/concurrency/boundedMap';

it.each([
	['keeps as many entries as it may', 'second', ['first', 'second']],
	['drops the entry that was set first if one more is set', 'third', ['second', 'third']],
	['drops none if a known entry is set again', 'first', ['first', 'second']],
])('%s', (_, added, kept) => {
	const map = new BoundedMap<string, number>(2).set('first', 1).set('second', 2).set(added, 3);
	expect([...map.keys()]).toEqual(kept);
	expect(map.get(added)).toBe(3);
});
