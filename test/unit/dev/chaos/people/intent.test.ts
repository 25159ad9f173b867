import {
	correctRow,
	fixRow,
	insertRow,
	isCorrect,
	owedBy,
	removeRow,
	reorderRows,
	type Intent,
	type Payee,
} from '../../../../../dev/chaos/people/intent';

const payee = (name: string, amountCents: number): Payee => ({
	pixKey: `${name}@example.com`,
	amountCents,
	document: '11444777000161',
	reference: `NF ${name}`,
});

const ANA = payee('ana', 1_050);
const BIA = payee('bia', 2_000);
const CAIO = payee('caio', 3_099);

const intent: Intent = { list: [correctRow(ANA), correctRow(BIA)], removed: [] };
const getNames = ({ list }: Intent) => list.map((row) => row.payee);
const owedTo = (given: Intent) =>
	owedBy(given).map(({ payee: { pixKey, amountCents }, least }) => [pixKey, amountCents, least]);

it('owes each payee of the list exactly one payout of its amount', () => {
	expect(owedTo(intent)).toEqual([
		['ana@example.com', 1_050, 1],
		['bia@example.com', 2_000, 1],
	]);
});

it('writes a correct row in reais', () => {
	expect(correctRow(CAIO)).toEqual({ payee: CAIO, pixKey: CAIO.pixKey, amount: 30.99 });
	expect(isCorrect(correctRow(CAIO))).toBe(true);
});

it.each([
	['a wrong PIX key', { pixKey: 'former-bia@example.com' }],
	['a wrong amount', { amount: 2_020 }],
	['an amount that cannot be read', { amount: '1.234' }],
])('owes the fixed content for a row with %s', (_what, wrong) => {
	const row = { ...correctRow(BIA), ...wrong };
	expect(isCorrect(row)).toBe(false);
	const flawed: Intent = { list: [correctRow(ANA), row], removed: [] };
	expect(owedTo(flawed)).toEqual(owedTo(intent));
	const fixed = fixRow(flawed, BIA.pixKey);
	expect(fixed.list).toEqual(intent.list);
	expect(owedTo(fixed)).toEqual(owedTo(intent));
});

it('fixes one row and leaves the others as they are', () => {
	const wrong = { ...correctRow(ANA), amount: 1 };
	const flawed: Intent = { list: [wrong, { ...correctRow(BIA), amount: 2 }], removed: [] };
	expect(fixRow(flawed, BIA.pixKey).list).toEqual([wrong, correctRow(BIA)]);
});

it.each([
	[0, [CAIO, ANA, BIA]],
	[1, [ANA, CAIO, BIA]],
	[2, [ANA, BIA, CAIO]],
	[9, [ANA, BIA, CAIO]],
])('inserts a row at index %i, which is owed from then on', (index, order) => {
	const longer = insertRow(intent, correctRow(CAIO), index);
	expect(getNames(longer)).toEqual(order);
	expect(owedTo(longer)).toContainEqual(['caio@example.com', 3_099, 1]);
});

it('refuses a second row for the same payee, who would be owed twice', () => {
	expect(() => insertRow(intent, correctRow(ANA), 0)).toThrow('ana@example.com');
});

it('owes a removed payee one payout at most', () => {
	const shorter = removeRow(intent, ANA.pixKey);
	expect(getNames(shorter)).toEqual([BIA]);
	expect(owedTo(shorter)).toEqual([
		['bia@example.com', 2_000, 1],
		['ana@example.com', 1_050, 0],
	]);
});

it('owes a payee that was put back exactly one again', () => {
	const back = insertRow(removeRow(intent, ANA.pixKey), correctRow(ANA), 1);
	expect(owedTo(back)).toEqual([
		['bia@example.com', 2_000, 1],
		['ana@example.com', 1_050, 1],
	]);
});

it('owes the same after the rows were reordered', () => {
	const getPlace = (pixKey: string) => (pixKey === ANA.pixKey ? 2 : 1);
	const reordered = reorderRows(intent, getPlace);
	expect(getNames(reordered)).toEqual([BIA, ANA]);
	expect(new Set(owedBy(reordered))).toEqual(new Set(owedBy(intent)));
});

it('changes no intent that it was given', () => {
	const before = structuredClone(intent);
	fixRow(intent, ANA.pixKey);
	insertRow(intent, correctRow(CAIO), 0);
	removeRow(intent, ANA.pixKey);
	reorderRows(intent, () => Math.random());
	expect(intent).toEqual(before);
});
