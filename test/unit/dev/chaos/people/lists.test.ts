import { isCorrect } from '../../../../../dev/chaos/people/intent';
import {
	HOLDER_DOCUMENT,
	KEY_THAT_NEEDS_DOCUMENT,
	LARGEST_WITHDRAWAL_CENTS,
	LIST_SIZE,
	planLists,
	REFUSED_KEYS,
} from '../../../../../dev/chaos/people/lists';
import { isCnpj } from '../../../../../dev/sandbox/rules/taxDocument';
import { readPixKey } from '../../../../../dev/sandbox/rules/pixKey';

const COUNT = 6 * LIST_SIZE + 10;
const lists = planLists(7, 'example', COUNT);
const getRows = (given: typeof lists) =>
	given.flatMap(({ intent, late }) => [...intent.list, ...late]);
const rows = getRows(lists);
const wrong = rows.filter((row) => !isCorrect(row));

it('makes as many payouts as asked for, each with its own ID and reference', () => {
	expect(rows).toHaveLength(COUNT);
	expect(new Set(rows.map(({ payout }) => payout.id)).size).toBe(COUNT);
	expect(new Set(rows.map(({ payout }) => payout.reference)).size).toBe(COUNT);
});

it('has one PIX key that needs the document of its holder, and is seldom drawn', () => {
	const needy = rows.filter(({ payout }) => payout.pixKey === KEY_THAT_NEEDS_DOCUMENT);
	expect(needy.length).toBeGreaterThan(0);
	expect(needy.length).toBeLessThan(COUNT / 10);
	for (const { payout } of needy) expect(payout.document).toBe(HOLDER_DOCUMENT);
	expect(isCnpj(HOLDER_DOCUMENT)).toBe(true);
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
