import { addBodyFields, bodyFieldNames } from '../../../../../nodes/shared/validation/bodyFields';
import { getRefusal } from '../../../support/refusal';

const BODY = { amount: 10, customer: { name: 'Maria' }, methods: ['PIX'], mode: 'hosted' };
const add = (name: unknown, value: unknown, guarded: string[] = []) =>
	addBodyFields(BODY, [{ name, value }], guarded);

test('a name is a field of the body, whatever blanks are around it', () => {
	expect(add(' taxId ', 'A7')).toEqual({ ...BODY, taxId: 'A7' });
});

test('dots nest, next to what is there', () => {
	expect(add('customer.phone', '+5511987654321')).toEqual({
		...BODY,
		customer: { name: 'Maria', phone: '+5511987654321' },
	});
	expect(add('a.b.c', '1')).toEqual({ ...BODY, a: { b: { c: 1 } } });
});

test('several come together in one object', () => {
	const body = addBodyFields(
		BODY,
		[
			{ name: 'customer.address', value: '{"zip": "01310-100"}' },
			{ name: 'customer.address.number', value: '7' },
		],
		[],
	);

	expect(body.customer).toEqual({ name: 'Maria', address: { zip: '01310-100', number: 7 } });
});

test.each<[unknown, unknown]>([
	['7', 7],
	['1.50', 1.5],
	['true', true],
	['null', null],
	['"7"', '7'],
	['""', ''],
	['[1, 2]', [1, 2]],
	['{"a": {"b": 1}}', { a: { b: 1 } }],
	['text', 'text'],
	['{broken', '{broken'],
	['007', '007'],
	['12345678901234567890', '12345678901234567890'],
	[' 7 ', 7],
	[' 12345678901234567890 ', ' 12345678901234567890 '],
	[7, 7],
	[false, false],
	[{ a: 1 }, { a: 1 }],
])('the value %j is sent as %j', (value, sent) => {
	expect(add('x', value)).toEqual({ ...BODY, x: sent });
});

test('a field that is not guarded is replaced', () => {
	expect(add('mode', 'headless', ['amount'])).toEqual({ ...BODY, mode: 'headless' });
});

test.each([undefined, null, ''])('the value %o leaves the field out', (value) => {
	const { mode, ...rest } = BODY;

	expect(mode).toBe('hosted');
	expect(add('mode', value)).toEqual(rest);
	expect(Object.keys(add('mode', value))).not.toContain('mode');
	expect(add('other', value)).toEqual(BODY);
	expect(add('other.deep', value)).toEqual(BODY);
	expect(add('customer.name', value)).toEqual({ ...BODY, customer: {} });
});

test('an empty row of the editor is none', () => {
	expect(addBodyFields(BODY, [{ name: '', value: '' }, {}], [])).toEqual(BODY);
});

test.each(['', ' ', '.', 'a.', '.a', 'a..b'])('the name %j is refused with a value', (name) => {
	const { message, remedy } = getRefusal(() => add(name, '1'));

	expect(message).toContain('has the invalid name');
	expect(remedy).toContain('customer.phone');
});

test.each([
	['amount', 'amount'],
	['amount.value', 'amount'],
	['destination', 'destination.pixKey'],
	['destination.pixKey', 'destination.pixKey'],
	['destination.pixKey.value', 'destination.pixKey'],
])('%s is refused where %s is guarded, even to leave it out', (name, guarded) => {
	const { message, remedy } = getRefusal(() => add(name, '1', ['other', guarded]));

	expect(message).toBe(`Additional Body Fields cannot set "${name}"`);
	expect(remedy).toContain(guarded);
	expect(() => add(name, '', [guarded])).toThrow();
});

test.each([
	['amounts', 'amount'],
	['destination.bank', 'destination.pixKey'],
	['x.amount', 'amount'],
])('%s is another field than %s', (name, guarded) => {
	expect(() => add(name, '1', [guarded])).not.toThrow();
});

test.each(['amount.value', 'methods.first', 'mode.a.b'])(
	'%s is refused, because it would take the place of a value',
	(name) => {
		const { message, remedy } = getRefusal(() => add(name, '1'));

		expect(message).toBe(`Additional Body Fields cannot set "${name}"`);
		expect(remedy).toContain('is not an object');
	},
);

test('names that every object has are fields like others', () => {
	const body = add('__proto__.polluted', '1');

	expect(JSON.stringify(body)).toContain('"__proto__":{"polluted":1}');
	expect(({} as Record<string, unknown>).polluted).toBeUndefined();
	expect(add('constructor.name', '1')).toMatchObject({ constructor: { name: 1 } });
});

test('the body that was given stays as it was', () => {
	const before = JSON.stringify(BODY);

	add('customer.phone', '1');

	expect(JSON.stringify(BODY)).toBe(before);
});

test('the names are listed for people, without values', () => {
	expect(bodyFieldNames([{ name: ' a.b ', value: 'secret' }, { name: '' }, { name: 'c' }])).toBe(
		'a.b, c',
	);
});
