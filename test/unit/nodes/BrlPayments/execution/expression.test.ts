import fc from 'fast-check';
import { resolvedToNothing } from '../../../../../nodes/BrlPayments/execution/expression';

const WORDS = ['undefined', 'null', 'NaN', '[object Object]', 'Invalid DateTime', 'Invalid Date'];

describe('a plain text', () => {
	test.each([
		'',
		'  ',
		'NF-1042',
		'undefined',
		'null',
		'NF-',
		'{{',
		'}} {{',
		'{ {x} }',
		'{x}',
		'{{}',
		'}}{{',
		'abc}}',
		'x}}',
		'{}}',
	])('never counts as an expression: %o', (text) => {
		expect(resolvedToNothing(text, text)).toBe(false);
	});

	test.each([undefined, null, 7, true, {}, ['={{ 1 }}']])('nor does %o', (raw) => {
		expect(resolvedToNothing(raw, raw)).toBe(false);
	});

	test.each([
		'{{ $json.ref }}',
		'NF-{{ $json.n }}',
		'{{}}',
		'{{\n$json.ref\n}}',
		' ={{ $json.ref }}',
	])('with %o in it is an expression that was never evaluated', (text) => {
		expect(resolvedToNothing(text, text)).toBe(true);
	});
});

describe('an expression alone', () => {
	const RAW = '={{ $json.ref }}';

	test.each([undefined, null, '', ' \t\n', '\u00a0', ...WORDS, ' undefined '])(
		'returned nothing: %o',
		(value) => {
			expect(resolvedToNothing(RAW, value)).toBe(true);
		},
	);

	test.each([Number.NaN, {}, { id: 1 }, [], [null], Object.create(null), new Date(Number.NaN)])(
		'returned no text: %o',
		(value) => {
			expect(resolvedToNothing(RAW, value)).toBe(true);
		},
	);

	test.each([
		'NF-1042',
		'0',
		0,
		false,
		7,
		'nullable',
		'undefined-7',
		'UNDEFINED',
		'-',
		['a'],
		'{{ x }}',
	])('returned something: %o', (value) => {
		expect(resolvedToNothing(RAW, value)).toBe(false);
	});

	test('of which there is only the sign returned nothing', () => {
		expect(resolvedToNothing('=', '')).toBe(true);
	});
});

describe('a text around expressions', () => {
	test.each([
		['=NF-{{ $json.n }}', 'NF-'],
		['=NF-{{ $json.n }}', 'NF-undefined'],
		['=NF-{{ $json.n }}', ' NF-null '],
		['=NF-{{ $json.n }}', 'NF-[object Object]'],
		['=NF-{{ $json.date.toFormat("yyyy") }}', 'NF-Invalid DateTime'],
		['=NF-{{ $json.n }}/2026', 'NF-/2026'],
		['=NF-{{ $json.n }}/2026', 'NF-NaN/2026'],
		['={{ $json.a }}-{{ $json.b }}', '-'],
		['={{ $json.a }}-{{ $json.b }}', 'undefined-null'],
		['={{ $json.a }}-{{ $json.b }}', '-null'],
		['={{ $json.a }}{{ $json.b }}', 'nullundefined'],
		['={{ $json.a }} {{ $json.b }}', 'null undefined'],
		['= NF - {{ $json.n }} ', 'NF -'],
		['=NF{{ $json.n }}', 'NF  '],
		['=Nota fiscal {{ $json.n }}', 'Nota fiscal undefined'],
		['=null{{ $json.n }}', 'null'],
		['=null{{ $json.n }}', 'nullnull'],
		// An expression ends at the first pair of brackets, so what is behind it is text.
		['={{ {a: {b: 1}}.x }}', '.x }}'],
		['=NF-{{ $json["a}b"] }}', 'NF-'],
		['=NF-{{ "{{" + $json.n }}', 'NF-'],
		['=NF-{{ "\\}}" }}', 'NF-'],
		['=\\{{NF}}-{{ $json.n }}', '\\{{NF}}-'],
		['=NF\\\\{{ $json.n }}', 'NF\\undefined'],
		['=NF-{{ $json.n', 'NF-'],
		['=a\\\\{{ $json.n }}', 'a'],
		['=NF  {{ $json.n }}  2026', 'NF undefined 2026'],
	])('returned nothing: %s as %o', (raw, value) => {
		expect(resolvedToNothing(raw, value)).toBe(true);
	});

	test.each([
		['=NF-{{ $json.n }}', 'NF-7'],
		['=NF-{{ $json.n }}', 'NF-undefined7'],
		['=NF-{{ $json.n }}', 'NF-NF-'],
		['=NF-{{ $json.n }}', 'other'],
		['=NF-{{ $json.n }}/2026', 'NF-7/2026'],
		['={{ $json.a }}-{{ $json.b }}', '-7'],
		['={{ $json.a }}-{{ $json.b }}', 'null-7'],
		['={{ $json.a }}-{{ $json.b }}', '--'],
		['=null{{ $json.n }}', 'null7'],
		['=\\{{NF}}', '\\{{NF}}'],
		// Without brackets there is nothing that could have given nothing.
		['=NF-1042', 'NF-1042'],
	])('returned something: %s as %o', (raw, value) => {
		expect(resolvedToNothing(raw, value)).toBe(false);
	});
});

describe('any template', () => {
	const literal = fc.string({ maxLength: 12 }).filter((text) => !/[{}\\]/.test(text));
	const code = fc
		.string({ maxLength: 12 })
		.filter((text) => !text.includes('}') && !text.endsWith('\\'));
	const slot = fc.record({ code, literal });
	const template = fc.record({
		first: literal,
		slots: fc.array(slot, { minLength: 1, maxLength: 4 }),
	});
	type Template = { first: string; slots: Array<{ code: string; literal: string }> };
	const getRaw = ({ first, slots }: Template) =>
		`=${first}${slots.map((each) => `{{${each.code}}}${each.literal}`).join('')}`;
	const getValue = ({ first, slots }: Template, values: readonly string[]) =>
		first + slots.map((each, index) => `${values[index] ?? ''}${each.literal}`).join('');

	test('returned nothing when nothing, or a word for it, is in place of each expression', () => {
		const nothing = fc.constantFrom('', ' ', ...WORDS);
		fc.assert(
			fc.property(template, fc.array(nothing, { minLength: 4, maxLength: 4 }), (given, values) => {
				expect(resolvedToNothing(getRaw(given), getValue(given, values))).toBe(true);
			}),
		);
	});

	test('returned something when one expression returned a text that is nowhere else', () => {
		fc.assert(
			fc.property(template, fc.nat(3), (given, place) => {
				const values = given.slots.map((_, index) =>
					index === place % given.slots.length ? '\u2460' : '',
				);
				fc.pre(!getRaw(given).includes('\u2460'));
				expect(resolvedToNothing(getRaw(given), getValue(given, values))).toBe(false);
			}),
		);
	});

	test('is judged in one pass, however many ways there are to read it', () => {
		const raw = `=${'{{ $json.n }}'.repeat(200)}`;
		expect(resolvedToNothing(raw, `${'null '.repeat(2000)}x`)).toBe(false);
		expect(resolvedToNothing(raw, 'null '.repeat(200))).toBe(true);
	});
});
