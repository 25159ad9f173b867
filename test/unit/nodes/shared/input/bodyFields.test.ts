import { addBodyFields } from '../../../../../nodes/shared/input/bodyFields';
import { expectRefusals } from '../../../support/refusal';

const BODY = { amount: 10, customer: { name: 'Maria' }, methods: ['PIX'], mode: 'hosted' };
const add = (name: unknown, value: unknown, guarded: string[] = []) =>
	addBodyFields(BODY, [{ name, value }], guarded);

test.each<[string, string, unknown, object]>([
	['a name, whatever blanks are around it', ' taxId ', 'A7', { taxId: 'A7' }],
	['a path to what is there', 'customer.phone', 'p', { customer: { name: 'Maria', phone: 'p' } }],
	['a path to what is not there', 'a.b.c', '1', { a: { b: { c: 1 } } }],
	['a field that is there and not guarded', 'mode', 'headless', { mode: 'headless' }],
	['a name that every object has', 'constructor.name', '1', { constructor: { name: 1 } }],
])('adds %s', (_, name, value, added) => {
	const before = JSON.stringify(BODY);

	expect(add(name, value, ['amount'])).toEqual({ ...BODY, ...added });
	expect(JSON.stringify(BODY)).toBe(before);
});

test('several come together in one object', () => {
	const fields = [
		{ name: 'customer.address', value: '{"zip": "01310-100"}' },
		{ name: 'customer.address.number', value: '7' },
		// An empty row of the editor.
		{ name: '', value: '' },
		{},
	];

	expect(addBodyFields(BODY, fields, [])).toEqual({
		...BODY,
		customer: { name: 'Maria', address: { zip: '01310-100', number: 7 } },
	});
});

test('the prototype of all objects is left alone', () => {
	expect(JSON.stringify(add('__proto__.polluted', '1'))).toContain('"__proto__":{"polluted":1}');
	expect({}).not.toHaveProperty('polluted');
});

test.each<[unknown, unknown]>([
	['1.50', 1.5],
	['"7"', '7'],
	['{"a": {"b": [1, true]}}', { a: { b: [1, true] } }],
	['007', '007'],
	[' 7 ', 7],
	[' 12345678901234567890 ', ' 12345678901234567890 '],
	[{ a: 1 }, { a: 1 }],
])('the value %j is sent as %j', (value, sent) => {
	expect(add('x', value)).toEqual({ ...BODY, x: sent });
});

test.each([null, ''])('the value %o leaves the field out', (value) => {
	expect(Object.keys(add('mode', value))).toEqual(['amount', 'customer', 'methods']);
	expect(add('customer.name', value)).toStrictEqual({ ...BODY, customer: {} });
	for (const other of ['other', 'other.deep']) expect(add(other, value)).toStrictEqual(BODY);
});

test.each(['', 'a.', 'a..b'])('the name %j is refused with a value', (name) => {
	const message = `Additional Body Fields has the invalid name "${name}"`;
	expectRefusals([name], (one) => add(one, '1'), message, 'customer.phone');
});

test.each([
	['amount', 'amount'],
	['destination', 'destination.pixKey'],
	['destination.pixKey.value', 'destination.pixKey'],
])('%s is refused where %s is guarded, even to leave it out', (name, guarded) => {
	const setGuarded = (value: string) => add(name, value, ['other', guarded]);
	const remedy = `This node checks ${guarded} before it sends it.`;
	expectRefusals(['1', ''], setGuarded, `Additional Body Fields cannot set "${name}"`, remedy);
});

test.each([
	['amounts', 'amount'],
	['destination.bank', 'destination.pixKey'],
])('%s is another field than %s', (name, guarded) => {
	expect(() => add(name, '1', [guarded])).not.toThrow();
});

test('what would take the place of a value is refused', () => {
	const names = ['amount.value', 'methods.first', 'mode.a.b'];
	expectRefusals(names, (name) => add(name, '1'), /cannot set "/, 'is not an object');
});
