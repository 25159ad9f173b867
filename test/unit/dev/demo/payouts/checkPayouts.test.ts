import {
	checkPayouts,
	checkRepetition,
	type BookedPayout,
	type PayoutResult,
} from '../../../../../dev/demo/payouts/checkPayouts';
import type { PayoutRow } from '../../../../../dev/demo/payouts/payoutList';

const row = (invoice: string, pixKey: string, amount: string): PayoutRow => ({
	...{ invoice, pixKey, amount, name: 'Maria', document: '', description: 'Lunch' },
});
const rows = [
	row('A-1', '390.533.447-05', 'R$ 1.234,56'),
	row('A-2', 'Maria@Example.com', '89,9'),
	row('A-3', '111.444.777-36', '150,00'),
];
const refused = { 'A-3': /no such key/ };

const said = (invoice: string, changes: Partial<PayoutResult> = {}): PayoutResult => ({
	...{ invoice, result: 'paid', reason: '', pixKeyType: 'CPF', withdrawalId: `id-${invoice}` },
	...changes,
});
const REFUSAL = said('A-3', {
	...{ result: 'refused', reason: 'INVALID_PIX_KEY: no such key', withdrawalId: '' },
});
const RESULTS = [said('A-1'), said('A-2'), REFUSAL];

const booked = (invoice: string, amountCents: number, pixKey: string): BookedPayout => ({
	...{ id: `id-${invoice}`, amountCents, pixKey, description: `${invoice}: Lunch` },
});
const ONE = booked('A-1', 123_456, '39053344705');
const TWO = booked('A-2', 8_990, 'maria@example.com');
const BOOKS = [ONE, TWO];
const OTHER = booked('B-9', 100, 'someone@example.com');

/** One thing that is broken: the results, or the books. */
interface Broken {
	results?: PayoutResult[];
	books?: BookedPayout[];
}
type Case = [fault: string, Broken, message: RegExp];

const says = (changed: PayoutResult, all = RESULTS): Broken => ({
	results: all.map((one) => (one.invoice === changed.invoice ? changed : one)),
});
const books = (changes: Partial<BookedPayout>): Broken => ({
	books: [{ ...ONE, ...changes }, TWO],
});
const alsoBooks = (other: BookedPayout): Broken => ({ books: [...BOOKS, other] });

describe('checkPayouts', () => {
	const check = ({ results = RESULTS, books = BOOKS }: Broken) =>
		checkPayouts({ rows, refused }, results, books).join('\n');

	it('finds nothing where list, results and books agree', () => {
		expect(check({})).toBe('');
	});

	it.each<Case>([
		['a payout that is missing', { books: [TWO] }, /A-1: .* show nothing/],
		['a payout made twice', alsoBooks({ ...ONE, id: 'x' }), /and .*\(x\)/],
		['one centavo too much', books({ amountCents: 123_457 }), /123456 .* 123457 centavos/],
		['another PIX key', books({ pixKey: '17428569001' }), /to 390.533.447-05; .* to 17428569001/],
		[
			'a paid refusal',
			alsoBooks(booked('A-3', 15_000, 'x')),
			/A-3: due is a refusal .* show 15000/,
		],
		['a payout of no row', alsoBooks(OTHER), /B-9: .*not in the list/],
		['one without description', alsoBooks({ ...OTHER, description: null }), /^: .*not in the list/],
		['an invoice that begins alike', books({ description: 'A-11: Lunch' }), /A-1: .* show nothing/],
		['a row without a result', { results: RESULTS.slice(1) }, /A-1: .* says nothing/],
		['a row with two results', { results: [...RESULTS, said('A-1')] }, /A-1: .* and "paid"/],
		['a result of no row', { results: [...RESULTS, said('B-9')] }, /B-9: .*not in the list/],
		['a denial', says(said('A-1', { result: 'refused', reason: 'X' })), /A-1: .* says "refused"/],
		['a refused row that is called paid', says(said('A-3')), /A-3: .* says "paid"/],
		[
			'the wrong reason',
			says({ ...REFUSAL, reason: 'NOT_FOUND: x' }),
			/A-3: .*"refused" NOT_FOUND/,
		],
		['another withdrawal', says(said('A-1', { withdrawalId: 'x' })), /says "paid" x; .*\(id-A-1\)/],
	])('reports %s', (_fault, broken, message) => {
		expect(check(broken)).toMatch(message);
	});
});

describe('checkRepetition', () => {
	const before = (invoice: string, withdrawalId = `id-${invoice}`) =>
		said(invoice, { result: 'paid before', withdrawalId });
	const AGAIN = [before('A-1'), before('A-2'), REFUSAL];
	const check = ({ results = AGAIN, books = BOOKS }: Broken) =>
		checkRepetition(RESULTS, results, books);

	it('finds nothing where each payout was made once and is named as paid before', () => {
		expect(check({})).toEqual([]);
	});

	it.each<Case>([
		[
			'a row paid again',
			says(said('A-1'), AGAIN),
			/A-1: was paid before, the second run says "paid"/,
		],
		['a row that is missing', { results: AGAIN.slice(1) }, /A-1: .* says "nothing"/],
		['another withdrawal', says(before('A-2', 'other'), AGAIN), /A-2: .*another withdrawal/],
		['a payout too many', alsoBooks({ ...TWO, id: 'x' }), /2 payouts are due, the books show 3/],
	])('reports %s', (_fault, broken, message) => {
		expect(check(broken)).toEqual([expect.stringMatching(message)]);
	});
});
