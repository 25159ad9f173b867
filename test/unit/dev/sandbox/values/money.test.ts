import fc from 'fast-check';
import { centsToReais, formatBrl, reaisToCents } from '../../../../../dev/sandbox/values/money';

test.each([
	[10, 1_000],
	[8.2, 820],
	[1.1, 110],
	[0.01, 1],
	[1_000_000, 100_000_000],
	[-5.5, -550],
])('%d reais are %d centavos', (reais, cents) => expect(reaisToCents(reais)).toBe(cents));

test.each([1.005, 0.001, 10.0199999, 1e21, 1e-7, NaN, Infinity])(
	'%d is no multiple of 0.01',
	(reais) => expect(reaisToCents(reais)).toBeNull(),
);

test('centavos survive the way over the wire', () => {
	fc.assert(
		fc.property(fc.integer({ min: -1e12, max: 1e12 }), (cents) => {
			const wire = JSON.parse(JSON.stringify(centsToReais(cents))) as number;
			return reaisToCents(wire) === cents;
		}),
	);
});

test('reais for people', () => {
	expect(formatBrl(123_456_789)).toBe('R$ 1.234.567,89');
	expect(formatBrl(-5)).toBe('-R$ 0,05');
});
