import fc from 'fast-check';
import { InputError } from '../../../../../nodes/shared/input/inputError';
import { path } from '../../../../../nodes/shared/transport/path';

test('puts the values between the literals', () => {
	expect(path`/v1/payments/${'p1'}/refund/${'r1'}`).toBe('/v1/payments/p1/refund/r1');
	expect(path`/v1/balance`).toBe('/v1/balance');
});

test.each([
	['a/b\\c', 'a%2Fb%5Cc'],
	['a?b=c#d', 'a%3Fb%3Dc%23d'],
	['100% ação', '100%25%20a%C3%A7%C3%A3o'],
	['%2e%2e', '%252e%252e'],
	['../balance', '..%2Fbalance'],
	['...', '...'],
])('keeps %o one segment', (value, encoded) => {
	expect(path`/v1/customers/external/${value}`).toBe(`/v1/customers/external/${encoded}`);
});

test.each(['', '.', '..'])('refuses %o, which would lead to another endpoint', (value) => {
	expect(() => path`/v1/payments/${value}/refund`).toThrow(InputError);
	expect(() => path`/v1/payments/${'p1'}/${value}`).toThrow(InputError);
});

test('whatever the value, the server sees the same folder and one segment that means the value', () => {
	const values = fc
		.string({ unit: 'grapheme', minLength: 1 })
		.filter((value) => value !== '.' && value !== '..');
	fc.assert(
		fc.property(values, (value) => {
			const url = new URL(path`/v1/external/${value}`, 'https://api.example.com');
			const segments = url.pathname.split('/');
			expect(segments.slice(0, -1)).toEqual(['', 'v1', 'external']);
			expect(decodeURIComponent(segments.at(-1) ?? '')).toBe(value);
			expect(url.search + url.hash).toBe('');
		}),
	);
});

test('half a character is refused, not thrown as a fault', () => {
	expect(() => path`/v1/customers/external/${'a\ud800'}`).toThrow('cannot be used as an ID');
});
