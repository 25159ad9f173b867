import { isCorrect } from '../../../../../dev/chaos/people/intent';
import {
	LARGEST_WITHDRAWAL_CENTS,
	LATE_ROWS,
	LIST_SIZE,
	planLists,
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

it('makes as many payouts as asked for, each with its own payee and reference', () => {
	expect(rows).toHaveLength(COUNT);
	expect(new Set(rows.map(({ payee }) => payee.pixKey)).size).toBe(COUNT);
	expect(new Set(rows.map(({ payee }) => payee.reference)).size).toBe(COUNT);
});

it('gives two strategies different payees', () => {
	const others = new Set(getRows(planLists(7, 'other', COUNT)).map(({ payee }) => payee.pixKey));
	expect(rows.some(({ payee }) => others.has(payee.pixKey))).toBe(false);
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

it('keeps some rows for later, and has payees who need their document', () => {
	for (const { intent, late, needDocument } of lists) {
		expect(late).toHaveLength(LATE_ROWS);
		const listed = new Set(intent.list.map(({ payee }) => payee));
		expect(needDocument).toHaveLength(2);
		for (const payee of needDocument) {
			expect(listed.has(payee)).toBe(true);
			expect(isCnpj(payee.document)).toBe(true);
		}
	}
});

it('starts every list with rows that only the service refuses', () => {
	for (const { intent } of lists) {
		expect(intent.list.some((row) => !isCorrect(row))).toBe(true);
	}
	const former = wrong.filter(({ pixKey }) => pixKey.startsWith('former-'));
	expect(former.length).toBeGreaterThan(0);
	expect(former.map(({ pixKey }) => pixKey)).toEqual(
		expect.arrayContaining(lists.flatMap(({ refusedKeys }) => refusedKeys)),
	);
	for (const { pixKey } of former) expect(readPixKey(pixKey)?.type).toBe('EMAIL');
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
	for (const { payee } of rows) {
		expect(payee.amountCents).toBeGreaterThanOrEqual(1_000);
		expect(payee.amountCents).toBeLessThan(LARGEST_WITHDRAWAL_CENTS);
	}
	const refused = new Set(lists.flatMap(({ refusedKeys }) => refusedKeys));
	for (const { pixKey, amount } of wrong) {
		const isRefused =
			refused.has(pixKey) ||
			readPixKey(pixKey) === null ||
			typeof amount === 'string' ||
			amount * 100 > LARGEST_WITHDRAWAL_CENTS;
		expect(isRefused).toBe(true);
	}
});

it('knows every PIX key of its rows, wrong ones included', () => {
	for (const { intent, late, pixKeys } of lists) {
		for (const { payee, pixKey } of [...intent.list, ...late]) {
			expect(pixKeys).toContain(payee.pixKey);
			expect(pixKeys).toContain(pixKey);
		}
	}
});
