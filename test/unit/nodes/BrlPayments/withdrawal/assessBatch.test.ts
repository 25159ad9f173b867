import {
	assessBatch,
	type BatchBounds,
	type BatchRow,
} from '../../../../../nodes/BrlPayments/withdrawal/assessBatch';

/** Bounds that the rows of the tests fit into; each test narrows one. */
const BOUNDS: BatchBounds = {
	fee: 150,
	minAmount: 1_000,
	perTransactionLimit: 100_000,
	remainingLimit: 1_000_000,
	availableBalance: 1_000_000,
};

const to = (value: string, amount: number): BatchRow => ({
	payout: { amount, pixKey: { value, type: 'EMAIL' }, document: undefined },
});

const ROWS = [to('maria@customer.example', 1_000), to('joao@customer.example', 2_000)];

const assess = (
	bounds: Partial<BatchBounds> = {},
	rows: readonly BatchRow[] = ROWS,
	allowDuplicates = false,
) => assessBatch(rows, { ...BOUNDS, ...bounds }, allowDuplicates);

const getCodes = (verdict: ReturnType<typeof assess>) =>
	verdict.rows.map(({ problems }) => problems.map(({ code }) => code));

describe('a row', () => {
	const [MINIMUM, LIMIT] = ['WITHDRAWAL_BELOW_MINIMUM', 'WITHDRAWAL_LIMIT_EXCEEDED'];
	const BALANCE = 'INSUFFICIENT_BALANCE';

	// The fee of R$ 1,50 counts for all bounds but the minimum. A test key has no balance.
	test.each<[Partial<BatchBounds>, string[][]]>([
		[{ minAmount: 2_000 }, [[MINIMUM], []]],
		[{ perTransactionLimit: 2_150 }, [[], []]],
		[{ perTransactionLimit: 2_149 }, [[], [LIMIT]]],
		[{ perTransactionLimit: null }, [[], []]],
		[{ remainingLimit: 2_150 }, [[], []]],
		[{ remainingLimit: 2_149 }, [[], [LIMIT]]],
		[{ availableBalance: 2_150 }, [[], []]],
		[{ availableBalance: 2_149 }, [[], [BALANCE]]],
		[{ availableBalance: null }, [[], []]],
	])('of R$ 10,00, and one of R$ 20,00, within %j: %j', (bounds, codes) => {
		expect(getCodes(assess(bounds))).toEqual(codes);
	});

	test('names all that is wrong with it, in reais', () => {
		const verdict = assess({ minAmount: 2_000, perTransactionLimit: 1_000, remainingLimit: 1_100 });

		expect(verdict.rows[0]?.problems.map(({ message }) => message)).toEqual([
			'R$ 10,00 is below the minimum of R$ 20,00',
			'R$ 11,50 with the fee exceeds the limit of R$ 10,00 per withdrawal',
			'R$ 11,50 with fees exceeds what the daily or nightly limit still allows, R$ 11,00',
		]);
	});

	test('that cannot be read keeps its problem and counts nowhere', () => {
		const problem = { code: 'INVALID_INPUT', message: 'Amount is empty.' };
		const verdict = assess({}, [{ problems: [problem] }, ...ROWS]);

		expect(verdict.rows[0]).toEqual({ ok: false, problems: [problem] });
		expect(verdict.batch).toMatchObject({ ok: true, newCount: 2, sumTotal: 3_300 });
	});
});

describe('duplicates', () => {
	const DOUBLED = [...ROWS, to('maria@customer.example', 1_000)];

	test('are a problem of the later row, which names the first one', () => {
		const verdict = assess({}, [...DOUBLED, to('maria@customer.example', 1_000)]);

		expect(getCodes(verdict)).toEqual([[], [], ['DUPLICATE_IN_BATCH'], ['DUPLICATE_IN_BATCH']]);
		for (const { problems } of verdict.rows.slice(2)) {
			expect(problems[0]?.duplicateOf).toBe(0);
			expect(problems[0]?.message).toContain('Same PIX key and amount as row 1.');
		}
		expect(verdict.batch).toMatchObject({ newCount: 2, sumAmount: 3_000 });
	});

	test('are none when the user allows them, with another amount, or to another PIX key', () => {
		expect(getCodes(assess({}, DOUBLED, true))).toEqual([[], [], []]);
		const others = [to('maria@customer.example', 1_001), to('ana@customer.example', 1_000)];
		expect(getCodes(assess({}, [...ROWS, ...others]))).toEqual([[], [], [], []]);
	});
});

// Other rows with a reference: test/engine/batch/references.test.ts.
test('a row that cannot be read is named for the reference that it shares; the other one is sent', () => {
	const problems = [{ code: 'INVALID_AMOUNT', message: 'Amount is empty.' }];
	const rows: BatchRow[] = [
		{ ...ROWS[1]!, reference: 'NF-2' },
		{ reference: 'NF-2', problems },
	];

	expect(getCodes(assess({}, rows))).toEqual([[], ['INVALID_AMOUNT', 'REFERENCE_MISMATCH']]);
});

describe('the batch', () => {
	test.each([
		['remainingLimit', 'WITHDRAWAL_LIMIT_EXCEEDED'],
		['availableBalance', 'INSUFFICIENT_BALANCE'],
	] as const)('must fit into the %s as a whole although each row does', (bound, code) => {
		expect(assess({ [bound]: 3_300 }).batch.ok).toBe(true);
		const verdict = assess({ [bound]: 3_299 });

		expect(getCodes(verdict)).toEqual([[], []]);
		const message = expect.stringContaining('R$ 33,00 with fees') as string;
		expect(verdict.batch).toMatchObject({ ok: false, problems: [{ code, message }] });
	});
});
