import { isCorrect } from '../../../../../dev/chaos/people/intent';
import {
	AMOUNTS_CENTS,
	HOLDER_DOCUMENT,
	KEY_THAT_NEEDS_DOCUMENT,
	LARGEST_WITHDRAWAL_CENTS,
	LATE_ROWS,
	LIST_SIZE,
	PIX_KEYS,
	planLists,
	REFUSED_KEYS,
	SHAPES,
} from '../../../../../dev/chaos/people/lists';
import { isCnpj } from '../../../../../dev/sandbox/rules/taxDocument';
import { parseReais } from '../../../../../nodes/shared/validation/money';
import { parsePixKey } from '../../../../../nodes/shared/validation/pixKey';
import { readPixKey } from '../../../../../dev/sandbox/rules/pixKey';

const COUNT = 6 * LIST_SIZE + 10;
const lists = planLists(7, 'example', COUNT);
const getRows = (given: typeof lists) =>
	given.flatMap(({ intent, late }) => [...intent.list, ...late]);
const rows = getRows(lists);
const wrong = rows.filter((row) => !isCorrect(row));

it('plans the same for the same seed, and something else for another', () => {
	expect(planLists(7, 'example', COUNT)).toEqual(lists);
	expect(planLists(8, 'example', COUNT)).not.toEqual(lists);
});

it('makes as many payouts as asked for, each with its own ID and reference', () => {
	expect(rows).toHaveLength(COUNT);
	expect(new Set(rows.map(({ payout }) => payout.id)).size).toBe(COUNT);
	expect(new Set(rows.map(({ payout }) => payout.reference)).size).toBe(COUNT);
});

it('draws them from five PIX keys and three amounts', () => {
	expect(new Set(rows.map(({ payout }) => payout.pixKey))).toEqual(new Set(PIX_KEYS));
	expect(new Set(rows.map(({ payout }) => payout.amountCents))).toEqual(new Set(AMOUNTS_CENTS));
	expect(PIX_KEYS).toHaveLength(5);
	expect(AMOUNTS_CENTS).toHaveLength(3);
	for (const { ids } of lists) expect(ids).toHaveLength(new Set(ids).size);
});

it('gives two strategies different payouts', () => {
	const others = new Set(getRows(planLists(7, 'other', COUNT)).map(({ payout }) => payout.id));
	expect(rows.some(({ payout }) => others.has(payout.id))).toBe(false);
});

it('fills lists in turn with every shape; only the last may be short', () => {
	expect(lists.map(({ shape }) => shape).slice(0, 3)).toEqual(SHAPES);
	expect(lists.map(({ intent, late }) => intent.list.length + late.length)).toEqual([
		...Array.from({ length: 6 }, () => LIST_SIZE),
		10,
	]);
	expect(new Set(lists.map(({ isRetriedByN8n }) => isRetriedByN8n))).toEqual(
		new Set([true, false]),
	);
});

it('keeps some rows for later', () => {
	for (const { late } of lists) expect(late).toHaveLength(LATE_ROWS);
});

it('has one PIX key that needs the document of its holder, and is seldom drawn', () => {
	const needy = rows.filter(({ payout }) => payout.pixKey === KEY_THAT_NEEDS_DOCUMENT);
	expect(needy.length).toBeGreaterThan(0);
	expect(needy.length).toBeLessThan(COUNT / 10);
	for (const { payout } of needy) expect(payout.document).toBe(HOLDER_DOCUMENT);
	expect(isCnpj(HOLDER_DOCUMENT)).toBe(true);
});

it('starts every list with rows that only the service refuses', () => {
	for (const { intent } of lists) {
		expect(intent.list.some((row) => !isCorrect(row))).toBe(true);
	}
	const former = wrong.filter(({ pixKey }) => pixKey.startsWith('former-'));
	expect(former.length).toBeGreaterThan(0);
	for (const { pixKey } of former) {
		expect(REFUSED_KEYS).toContain(pixKey);
		expect(readPixKey(pixKey)?.type).toBe('EMAIL');
	}
	const large = wrong.filter(
		({ amount }) => typeof amount === 'number' && amount * 100 > LARGEST_WITHDRAWAL_CENTS,
	);
	expect(large.length).toBeGreaterThan(0);
});

it('has rows that the node refuses without the service', () => {
	const unreadable = wrong.filter(({ amount }) => typeof amount === 'string');
	expect(unreadable.length).toBeGreaterThan(0);
	for (const { amount } of unreadable) expect(() => parseReais(amount)).toThrow();
	const noKeys = wrong.filter(({ pixKey }) => !pixKey.includes('@'));
	expect(noKeys.length).toBeGreaterThan(0);
	for (const { pixKey } of noKeys) expect(() => parsePixKey(pixKey)).toThrow();
});

it('never owes what cannot be paid, and no wrong row can be paid', () => {
	for (const { payout } of rows) {
		expect(payout.amountCents).toBeGreaterThanOrEqual(1_000);
		expect(payout.amountCents).toBeLessThan(LARGEST_WITHDRAWAL_CENTS);
	}
	for (const { pixKey, amount } of wrong) {
		const isRefused =
			REFUSED_KEYS.includes(pixKey) ||
			readPixKey(pixKey) === null ||
			typeof amount === 'string' ||
			amount * 100 > LARGEST_WITHDRAWAL_CENTS;
		expect(isRefused).toBe(true);
	}
});

it('knows every payout of its rows', () => {
	for (const { intent, late, ids } of lists) {
		const listed = [...intent.list, ...late].map(({ payout }) => payout.id);
		expect([...listed].sort()).toEqual([...ids].sort());
	}
});
