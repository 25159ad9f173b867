import { formatReais, type Cents } from '../../shared/input/money';

/** Among fewer amounts, none is usual. */
const LEAST_AMOUNTS = 4;
/** Below the 100 times by which a program errs that reads 150,00 as 15000: amounts of a list differ, too. */
const FAR = 30;

const COMPARE =
	'Compare it with your list. A program that reads a spreadsheet can turn 150,00 into 15000: turn on RAW Data there.';

/**
 * Finds amounts far from the others of their list. That is a reason to look, not to refuse: large invoices
 * exist.
 *
 * @param amounts in the order of the rows; undefined where one cannot be read
 * @returns for each row what to warn of; undefined if there is nothing
 */
export function warnOfFarAmounts(
	amounts: ReadonlyArray<Cents | undefined>,
): Array<string | undefined> {
	const sorted = amounts
		.filter((amount) => amount !== undefined)
		.filter((amount) => amount > 0)
		.sort((one, other) => one - other);
	const usual = sorted[Math.floor((sorted.length - 1) / 2)];
	return amounts.map((amount) => {
		if (usual === undefined || sorted.length < LEAST_AMOUNTS || !amount) return undefined;
		const isLarger = amount > usual;
		const times = isLarger ? amount / usual : usual / amount;
		if (times < FAR) return undefined;
		// One digit: "about 100 times" is what a person recognizes.
		const distance = `about ${Number(times.toPrecision(1))} times ${isLarger ? '' : 'less than '}`;
		return `${formatReais(amount)} is ${distance}the usual amount of this list, ${formatReais(usual)}. ${COMPARE}`;
	});
}
