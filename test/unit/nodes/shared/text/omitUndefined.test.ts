import { omitUndefined } from '../../../../../nodes/shared/text/omitUndefined';

test('leaves out what has no value, and nothing else', () => {
	const fields = { a: 1, b: undefined, c: null, d: '', e: false, f: 0 };

	expect(Object.entries(omitUndefined(fields))).toEqual([
		['a', 1],
		['c', null],
		['d', ''],
		['e', false],
		['f', 0],
	]);
});

test('changes nothing in what it is given', () => {
	const fields = { a: 1, b: undefined };
	omitUndefined(fields);

	expect(Object.keys(fields)).toEqual(['a', 'b']);
});
