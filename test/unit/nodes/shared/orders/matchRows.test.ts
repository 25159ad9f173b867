import { matchRows } from '../../../../../nodes/shared/orders/matchRows';

/**
 * @param rows a letter for what each asks for, `?` for one that cannot be read
 * @param before the same of the orders of the earlier attempt; a capital letter was done
 * @returns the place of the order that each row stands for, `-` for none
 */
function match(rows: string, before: string) {
	const orders = new Map(
		[...before].map((letter, place) => {
			const content = letter.toLowerCase();
			return [place, { content, state: letter === content ? 'unclear' : 'done', place }] as const;
		}),
	);
	const contents = [...rows].map((letter) => (letter === '?' ? undefined : letter));
	const { orders: found, ambiguous } = matchRows(contents, orders);
	return {
		places: contents.map((_, row) => found.get(row)?.place ?? '-').join(''),
		ambiguous: [...ambiguous].join(''),
	};
}

test.each([
	['another order', 'bca', '120'],
	['a new row, which gets what is left', 'bda', '120'],
	['new rows, which get the orders of their places', 'dec', '012'],
	['the same, where these are free', 'cde', '210'],
	['a shorter list', 'ca', '20'],
	['a new row of a shorter list, which gets the order of its place', 'cd', '21'],
	['a new row of a shorter list, which gets what is left', 'bd', '10'],
	['a row that cannot be read, which gets what is left', '?ac', '102'],
	['new rows around all others, which are new', 'dabce', '-012-'],
	['a row twice, of which the new one is new', 'abca', '012-'],
	['a row twice, of which one is where it was', 'bbc', '012'],
])('rows keep their orders: %s', (_, rows, places) => {
	expect(match(rows, 'abc').places).toBe(places);
});

test.each([
	['one of two equal rows is gone, and one was done', 'a', 'Aa', 'a'],
	['two of three are gone, and two were done', 'a', 'AAa', 'a'],
	['both are gone', 'b', 'aAb', 'a'],
	['both are there', 'aa', 'Aa', ''],
	['all were done', 'a', 'AA', ''],
	['none was done', 'a', 'aa', ''],
])('nobody knows which order a row is if %s', (_, rows, before, ambiguous) => {
	expect(match(rows, before).ambiguous).toBe(ambiguous);
});
