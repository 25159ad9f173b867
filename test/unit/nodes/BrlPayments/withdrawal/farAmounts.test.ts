import { warnOfFarAmounts } from '../../../../../nodes/BrlPayments/withdrawal/farAmounts';

/** Amounts of an ordinary list, in centavos; the one in the middle is R$ 200,00. */
const USUAL = [15_000, 20_000, 20_000, 450_000];

const warn = (amount: number | undefined, others: readonly number[] = USUAL) =>
	warnOfFarAmounts([...others, amount]).at(-1);

test.each<[string, number, string | undefined, number[]?]>([
	['150,00 was read as 15000', 1_500_000, 'R$ 15.000,00 is about 80 times the usual amount'],
	['15.500 was read as 15.5', 1_550, 'R$ 15,50 is about 800 times less', [12e5, 155e4, 2e6]],
	['30 times', 600_000, 'about 30 times the'],
	['less than 30 times', 599_999, undefined],
	['a thirtieth', 666, 'about 30 times less'],
	['more than a thirtieth', 667, undefined],
	['beside zeros', 2_000_000, 'R$ 200,00', [0, 0, 0, 0, ...USUAL]],
	['zero', 0, undefined],
])('%s', (_, amount, words, others) => {
	if (words === undefined) expect(warn(amount, others)).toBeUndefined();
	else expect(warn(amount, others)).toContain(words);
});

test('says what to do', () => {
	expect(warn(2_000_000)).toContain('of this list, R$ 200,00. Compare it with your list.');
	expect(warn(2_000_000)).toContain('turn on RAW Data');
	expect(warn(undefined)).toBeUndefined();
});

test('a list of fewer than four amounts has no usual one', () => {
	expect(warnOfFarAmounts([100, 10_000_000, 100])).toEqual([undefined, undefined, undefined]);
	expect(warnOfFarAmounts([100, 10_000_000, 100, undefined, 0])).not.toContainEqual(
		expect.any(String),
	);
});
