import {
	correctRow,
	fixRow,
	insertRow,
	isCorrect,
	owedBy,
	removeRow,
	reorderRows,
	type Intent,
	type Payout,
} from '../../../../../dev/chaos/people/intent';

/** All of them look alike but for their amounts. */
const payout = (id: string, amountCents: number): Payout => ({
	id,
	pixKey: 'supplier@example.com',
	amountCents,
	document: '11444777000161',
	reference: `NF ${id}`,
});

const ANA = payout('ana', 1_050);
const BIA = payout('bia', 2_000);
const CAIO = payout('caio', 3_099);

const intent: Intent = { list: [correctRow(ANA), correctRow(BIA)], removed: [] };
const getNames = ({ list }: Intent) => list.map((row) => row.payout);
const owedTo = (given: Intent) =>
	owedBy(given).map(({ payout: { id, amountCents }, least }) => [id, amountCents, least]);

it('owes each payout of the list exactly once', () => {
	expect(owedTo(intent)).toEqual([
		['ana', 1_050, 1],
		['bia', 2_000, 1],
	]);
});

it('writes a correct row in reais', () => {
	expect(correctRow(CAIO)).toEqual({ payout: CAIO, pixKey: CAIO.pixKey, amount: 30.99 });
	expect(isCorrect(correctRow(CAIO))).toBe(true);
});

it.each([
	['a wrong PIX key', { pixKey: 'former-supplier@example.com' }],
	['a wrong amount', { amount: 2_020 }],
	['an amount that cannot be read', { amount: '1.234' }],
])('owes the fixed content for a row with %s', (_what, wrong) => {
	const row = { ...correctRow(BIA), ...wrong };
	expect(isCorrect(row)).toBe(false);
	const flawed: Intent = { list: [correctRow(ANA), row], removed: [] };
	expect(owedTo(flawed)).toEqual(owedTo(intent));
	const fixed = fixRow(flawed, BIA.id);
	expect(fixed.list).toEqual(intent.list);
	expect(owedTo(fixed)).toEqual(owedTo(intent));
});

it('fixes one row and leaves the others as they are', () => {
	const wrong = { ...correctRow(ANA), amount: 1 };
	const flawed: Intent = { list: [wrong, { ...correctRow(BIA), amount: 2 }], removed: [] };
	expect(fixRow(flawed, BIA.id).list).toEqual([wrong, correctRow(BIA)]);
});

it.each([
	[0, [CAIO, ANA, BIA]],
	[1, [ANA, CAIO, BIA]],
	[2, [ANA, BIA, CAIO]],
	[9, [ANA, BIA, CAIO]],
])('inserts a row at index %i, which is owed from then on', (index, order) => {
	const longer = insertRow(intent, correctRow(CAIO), index);
	expect(getNames(longer)).toEqual(order);
	expect(owedTo(longer)).toContainEqual(['caio', 3_099, 1]);
});

it('refuses a second row for the same payout, which would be owed twice', () => {
	expect(() => insertRow(intent, correctRow(ANA), 0)).toThrow('ana');
});

it('owes a removed payout once at most', () => {
	const shorter = removeRow(intent, ANA.id);
	expect(getNames(shorter)).toEqual([BIA]);
	expect(owedTo(shorter)).toEqual([
		['bia', 2_000, 1],
		['ana', 1_050, 0],
	]);
});

it('owes a payout that was put back exactly once again', () => {
	const back = insertRow(removeRow(intent, ANA.id), correctRow(ANA), 1);
	expect(owedTo(back)).toEqual([
		['bia', 2_000, 1],
		['ana', 1_050, 1],
	]);
});

it('owes the same after the rows were reordered', () => {
	const getPlace = (id: string) => (id === ANA.id ? 2 : 1);
	const reordered = reorderRows(intent, getPlace);
	expect(getNames(reordered)).toEqual([BIA, ANA]);
	expect(new Set(owedBy(reordered))).toEqual(new Set(owedBy(intent)));
});

it('changes no intent that it was given', () => {
	const before = structuredClone(intent);
	fixRow(intent, ANA.id);
	insertRow(intent, correctRow(CAIO), 0);
	removeRow(intent, ANA.id);
	reorderRows(intent, () => Math.random());
	expect(intent).toEqual(before);
});
