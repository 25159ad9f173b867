import { applied, mutantsOf } from '../../../../scripts/mutation/mutants';

const changed = (text: string) => mutantsOf(text).map((mutant) => applied(text, mutant));

test.each<[string, string[]]>([
	['a === b;', ['a !== b;']],
	['a < b;', ['a <= b;']],
	['a && b;', ['a || b;']],
	['a - b;', ['a + b;']],
	['x = !a;', ['x = a;']],
	['x = true;', ['x = false;']],
	['x = 5;', ['x = (5 + 1);']],
	['x = a ? b : c;', ['x = !(a) ? b : c;']],
	['if (a) b = c;', ['if (true) b = c;', 'if (false) b = c;']],
	['a.b();', [';']],
])('%s becomes %j', (text, mutants) => {
	expect(changed(text)).toEqual(mutants);
});

test.each([
	"import { a } from './5';",
	'type A = 1 | true;',
	'let a: 1 | true;',
	"const text = 'a === b';",
	'// a === b',
	'x = a ?? b;',
])('%s has none', (text) => {
	expect(mutantsOf(text)).toEqual([]);
});

test('each is one change, and says where it is', () => {
	const text = 'const a = 1;\nif (b === 2) c();\n';

	expect(mutantsOf(text).map(({ line, original }) => [line, original])).toEqual([
		[1, '1'],
		[2, 'b === 2'],
		[2, 'b === 2'],
		[2, '==='],
		[2, '2'],
		[2, 'c();'],
	]);
});
