import { expectEachOnce, makePayouts } from '../../../../../dev/bench/bulk/payouts';

const payouts = makePayouts(3, 'batch');
const payees = payouts.map(({ pixKey }) => pixKey);

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
