import {
	checkPayouts,
	checkRepetition,
	type BookedPayout,
	type PayoutResult,
} from '../../../../../dev/demo/payouts/checkPayouts';
import type { PayoutRow } from '../../../../../dev/demo/payouts/payoutList';

const row = (invoice: string, pixKey: string, amount: string): PayoutRow => ({
	invoice,
	pixKey,
	amount,
	name: 'Maria',
	document: '',
	description: 'Lunch',
});

const rows = [
	row('A-1', '390.533.447-05', 'R$ 1.234,56'),
	row('A-2', 'Maria@Example.com', '89,9'),
	row('A-3', '111.444.777-36', '150,00'),
];
const refused = { 'A-3': /no such key/ };

const said = (invoice: string, changes: Partial<PayoutResult> = {}): PayoutResult => ({
	invoice,
	result: 'paid',
	reason: '',
	pixKeyType: 'CPF',
	withdrawalId: `id-${invoice}`,
	...changes,
});

const booked = (invoice: string, changes: Partial<BookedPayout> = {}): BookedPayout => ({
	id: `id-${invoice}`,
	amountCents: 0,
	pixKey: '',
	description: `${invoice}: Lunch`,
	...changes,
});

const goodResults = [
	said('A-1'),
	said('A-2'),
	said('A-3', { result: 'refused', reason: 'INVALID_PIX_KEY: no such key', withdrawalId: '' }),
];
const goodBooks = [
	booked('A-1', { amountCents: 123_456, pixKey: '39053344705' }),
	booked('A-2', { amountCents: 8_990, pixKey: 'maria@example.com' }),
];

const check = (results: PayoutResult[], books: BookedPayout[]) =>
	checkPayouts({ rows, refused }, results, books);

describe('checkPayouts', () => {
	it('finds nothing where list, results and books agree', () => {
		expect(check(goodResults, goodBooks)).toEqual([]);
	});

	// Each case breaks one thing.
	it.each<[string, PayoutResult[], BookedPayout[], RegExp]>([
		['a payout that is missing', goodResults, goodBooks.slice(1), /A-1: .* show nothing/],
		[
			'a payout made twice',
			goodResults,
			[...goodBooks, { ...goodBooks[0]!, id: 'x' }],
			/and .*\(x\)/,
		],
		[
			'one centavo too much',
			goodResults,
			[{ ...goodBooks[0]!, amountCents: 123_457 }, goodBooks[1]!],
			/123456 centavos .* 123457 centavos/,
		],
		[
			'another PIX key',
			goodResults,
			[{ ...goodBooks[0]!, pixKey: '17428569001' }, goodBooks[1]!],
			/to 390.533.447-05; .* to 17428569001/,
		],
		[
			'a refused row that was paid',
			goodResults,
			[...goodBooks, booked('A-3', { amountCents: 15_000, pixKey: '11144477736' })],
			/A-3: due is a refusal .* show 15000/,
		],
		['a payout of no row', goodResults, [...goodBooks, booked('B-9')], /B-9: .*not in the list/],
		[
			'a payout without a description',
			goodResults,
			[...goodBooks, booked('B-9', { description: null })],
			/^: .*not in the list/,
		],
		[
			'an invoice whose number only begins alike',
			goodResults,
			[{ ...goodBooks[0]!, description: 'A-11: Lunch' }, goodBooks[1]!],
			/A-1: .* show nothing/,
		],
		['a row without a result', goodResults.slice(1), goodBooks, /A-1: .* says nothing/],
		['a row with two results', [...goodResults, said('A-1')], goodBooks, /A-1: .* and "paid"/],
		['a result of no row', [...goodResults, said('B-9')], goodBooks, /B-9: .*not in the list/],
		[
			'a paid row that is called refused',
			[said('A-1', { result: 'refused', reason: 'X' }), ...goodResults.slice(1)],
			goodBooks,
			/A-1: .* says "refused"/,
		],
		[
			'a refused row that is called paid',
			[...goodResults.slice(0, 2), said('A-3')],
			goodBooks,
			/A-3: .* says "paid"/,
		],
		[
			'the wrong reason',
			[...goodResults.slice(0, 2), said('A-3', { result: 'refused', reason: 'NOT_FOUND: x' })],
			goodBooks,
			/A-3: .* says "refused" NOT_FOUND/,
		],
		[
			'another withdrawal than the one in the books',
			[said('A-1', { withdrawalId: 'other' }), ...goodResults.slice(1)],
			goodBooks,
			/A-1: .* says "paid" other; .*\(id-A-1\)/,
		],
	])('reports %s', (_case, results, books, message) => {
		expect(check(results, books).join('\n')).toMatch(message);
	});
});

describe('checkRepetition', () => {
	const before = (invoice: string, changes: Partial<PayoutResult> = {}) =>
		said(invoice, { result: 'paid before', ...changes });
	const goodSecond = [before('A-1'), before('A-2'), goodResults[2]!];

	it('finds nothing where each payout was made once and is named as paid before', () => {
		expect(checkRepetition(goodResults, goodSecond, goodBooks)).toEqual([]);
	});

	// Each case breaks one thing.
	it.each<[string, PayoutResult[], BookedPayout[], RegExp]>([
		[
			'a row that was paid again',
			[said('A-1'), ...goodSecond.slice(1)],
			goodBooks,
			/A-1: was paid before, the second run says "paid"/,
		],
		['a row that is missing', goodSecond.slice(1), goodBooks, /A-1: .* says "nothing"/],
		[
			'another withdrawal',
			[goodSecond[0]!, before('A-2', { withdrawalId: 'other' }), goodSecond[2]!],
			goodBooks,
			/A-2: .*another withdrawal/,
		],
		[
			'a payout too many in the books',
			goodSecond,
			[...goodBooks, { ...goodBooks[1]!, id: 'x' }],
			/2 payouts are due, the books show 3/,
		],
	])('reports %s', (_case, second, books, message) => {
		const faults = checkRepetition(goodResults, second, books);
		expect(faults).toHaveLength(1);
		expect(faults[0]).toMatch(message);
	});
});
