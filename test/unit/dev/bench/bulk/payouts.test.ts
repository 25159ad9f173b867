import { expectEachOnce, makePayouts } from '../../../../../dev/bench/bulk/payouts';

const payouts = makePayouts(3, 'batch');
const payees = payouts.map(({ pixKey }) => pixKey);

test('no two payouts share a payee or a key, and none is below the least amount', () => {
	const many = makePayouts(1_000);

	expect(new Set(many.map(({ pixKey }) => pixKey)).size).toBe(1_000);
	expect(new Set(many.map(({ idempotencyKey }) => idempotencyKey)).size).toBe(1_000);
	expect(Math.min(...many.map(({ amount }) => amount))).toBe(10);
});

test('the keys of two batches differ, or the second would only get the result of the first', () => {
	const [one] = makePayouts(1);
	const [other] = makePayouts(1);

	expect(one?.idempotencyKey).not.toBe(other?.idempotencyKey);
});

describe('the books', () => {
	test('are right with each payee once, in any order', () => {
		expect(() => expectEachOnce(payouts, payees.toReversed())).not.toThrow();
	});

	test.each([
		['nothing', [], '0, and 3 payees'],
		['one missing', payees.slice(1), '2, and 1 payees'],
		['one twice', [...payees, payees[0]!], '4, and 0 payees'],
		['one twice in place of another', [payees[0]!, payees[0]!, payees[2]!], '3, and 1 payees'],
		['someone else', [...payees.slice(1), 'else@example.com'], '3, and 1 payees'],
	])('are wrong with %s', (_name, found, said) => {
		expect(() => expectEachOnce(payouts, found)).toThrow(said);
	});
});
