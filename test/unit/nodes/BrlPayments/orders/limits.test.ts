import fc from 'fast-check';
import type { IDataObject } from 'n8n-workflow';
import type { Cents } from '../../../../../nodes/shared/input/money';
import type { InputError } from '../../../../../nodes/shared/input/inputError';
import type { PixKey } from '../../../../../nodes/shared/input/pixKey';
import type { PaidContent } from '../../../../../nodes/BrlPayments/orderRequest';
import {
	checkLimits,
	parseNodeLimits,
	parsePayoutLimits,
	payoutLimitOptions,
	type PayoutLimits,
} from '../../../../../nodes/BrlPayments/orders/limits';
import { getRefusal } from '../../../support/refusal';

/** Options as n8n saves them; tests change one aspect. */
const OPTIONS = {
	largestAmount: '1.000,00',
	largestTotal: 'R$ 10.000,00',
	allowedPixKeys: '529.982.247-25\n+55 11 98765-4321',
	whenOverLimit: 'refuseItem',
};

test('none takes an expression, and all are refused by default', () => {
	for (const option of payoutLimitOptions) expect(option.noDataExpression).toBe(true);
	const whenOverLimit = payoutLimitOptions.find(({ name }) => name === 'whenOverLimit');
	expect(whenOverLimit?.default).toBe('refuseAll');
});

describe('parsePayoutLimits', () => {
	const CPF = '52998224725';

	test.each<[unknown, Partial<PayoutLimits>]>([
		[
			OPTIONS,
			{
				largestAmount: 100_000,
				largestTotal: 1_000_000,
				allowedPixKeys: new Set([CPF, '+5511987654321']),
				refuses: 'item',
			},
		],
		[{}, {}],
		[{ timeout: 30 }, {}],
		[{ largestAmount: '0' }, { largestAmount: 0 }],
		[{ largestAmount: '1000' }, { largestAmount: 100_000 }],
		[{ largestAmount: 1000.5 }, { largestAmount: 100_050 }],
		[
			{ allowedPixKeys: ' 529.982.247-25 \r\n\r\n maria@Customer.example\n' },
			{ allowedPixKeys: new Set([CPF, 'maria@customer.example']) },
		],
	])('reads %j', (options, limits) => {
		expect(parsePayoutLimits(options)).toEqual({ refuses: 'all', ...limits });
	});

	const refuse = (name: string, value: unknown) =>
		getRefusal(() => parsePayoutLimits({ ...OPTIONS, [name]: value }));

	describe.each([
		['largestAmount', 'Largest Amount'],
		['largestTotal', 'Largest Total'],
		['allowedPixKeys', 'Allowed PIX Keys'],
		['whenOverLimit', 'When Over Limit'],
	])('%s', (name, label) => {
		test.each<[string, unknown]>([
			['empty text', ''],
			['blanks', '  '],
			['an expression', '={{ $json.max }}'],
			['an expression without its sign', '{{ $json.max }}'],
			['what an agent chooses', "={{ $fromAI('max', '', 'number') }}"],
			['a text with an expression in it', '1000{{ $json.zeros }}'],
			['null', null],
			['true', true],
			['an object', {}],
			['a list', ['1.000,00']],
			['a negative number', -1],
			['infinity', Infinity],
			['a text', 'unlimited'],
		])('cannot be %s', (_, value) => {
			const { message, remedy } = refuse(name, value);
			expect(message).toContain(label);
			expect(remedy).toContain(label);
		});
	});

	test.each(['-1.000,00', '1.000'])('an amount cannot be %s', (value) => {
		expect(refuse('largestAmount', value).remedy).toContain('or remove the limit');
		expect(refuse('largestTotal', value).remedy).toContain('or remove the limit');
	});

	test.each<[string, unknown]>([
		['empty lines', '\n \n'],
		['a number', 52998224725],
		['keys with commas between them', '529.982.247-25, 111.444.777-35'],
		['digits that are a CPF or a phone number', '529.982.247-25\n11987654021'],
	])('allowed PIX keys cannot be %s', (_, value) => {
		expect(refuse('allowedPixKeys', value).message).toContain('Allowed PIX Keys');
	});

	test('names the line that cannot be read, and does not quote it', () => {
		const { message } = refuse('allowedPixKeys', '529.982.247-25\n\n111.444.777-36');
		expect(message).toContain('line 3');
		expect(message).not.toContain('444');
	});

	test.each([null, '={{ $json.options }}', [OPTIONS]])('refuses options that are %o', (options) => {
		expect(getRefusal(() => parsePayoutLimits(options)).message).toContain('Options');
	});
});

describe('parseNodeLimits', () => {
	const limits = { largestAmount: '100', largestTotal: '500', allowedPixKeys: '529.982.247-25' };
	const empty = { largestAmount: '', largestTotal: '', allowedPixKeys: '' };
	const read = {
		largestAmount: 10_000,
		largestTotal: 50_000,
		allowedPixKeys: new Set(['52998224725']),
	};

	test.each<[string, IDataObject, Partial<PayoutLimits>]>([
		['the fields of a tool', limits, read],
		['the options, if the fields of a tool are empty', { ...empty, options: limits }, read],
		[
			'the smaller amounts of both',
			{
				...{ largestAmount: '90', largestTotal: '100' },
				options: { largestAmount: '100', largestTotal: '90' },
			},
			{ largestAmount: 9_000, largestTotal: 9_000 },
		],
		[
			'only the PIX keys that both name',
			{
				allowedPixKeys: '+5511987654321\n111.444.777-35',
				options: { allowedPixKeys: '529.982.247-25\n+5511987654321' },
			},
			{ allowedPixKeys: new Set(['+5511987654321']) },
		],
	])('reads %s', (_, parameters, expected) => {
		expect(parseNodeLimits(parameters)).toEqual({ refuses: 'all', ...expected });
	});
});

const KEY: PixKey = { value: '52998224725', type: 'CPF' };
const OTHER_KEY: PixKey = { value: '11144477735', type: 'CPF' };
const pay = (cents: Cents, pixKey = KEY) => ({ cents, pixKey });
/** Not every row is a payout that is to be sent: undefined stands for one that is not. */
const check = (
	rows: ReadonlyArray<PaidContent | undefined>,
	limits: PayoutLimits,
	already: Cents,
) =>
	checkLimits(
		rows.flatMap((each, index) => (each ? { ...each, row: index + 1 } : [])),
		limits,
		already,
	);
const messages = (errors: Array<InputError | undefined>) => errors.map((error) => error?.message);
const stopped = (errors: Array<InputError | undefined>) =>
	errors.map((error) => error !== undefined);

describe('checkLimits', () => {
	const LIMITS: PayoutLimits = {
		largestAmount: 100_000,
		largestTotal: 250_000,
		allowedPixKeys: new Set([KEY.value]),
		refuses: 'all',
	};
	const ITEM: PayoutLimits = { ...LIMITS, refuses: 'item' };

	const NONE: PayoutLimits = { refuses: 'all' };

	test.each<[string, Array<ReturnType<typeof pay> | undefined>, PayoutLimits, number]>([
		['on the limits', [pay(100_000), undefined, pay(100_000)], LIMITS, 50_000],
		['on the limits of items', [pay(100_000), undefined, pay(100_000)], ITEM, 50_000],
		['without limits', [pay(1e11), pay(1e11)], NONE, 1e12],
		['without payouts', [undefined], LIMITS, 1e12],
		['in an empty run', [], ITEM, 0],
	])('stops nothing %s', (_, payouts, limits, already) => {
		expect(stopped(check(payouts, limits, already))).not.toContain(true);
	});

	test.each<[string, Array<ReturnType<typeof pay> | undefined>, string]>([
		[
			'Largest Amount',
			[pay(100_000), undefined, pay(100_001)],
			'The amount of R$ 1.000,01 exceeds Largest Amount, which is R$ 1.000,00',
		],
		[
			'Allowed PIX Keys',
			[pay(5_000), pay(5_000, OTHER_KEY)],
			'The PIX key "***.444.777-**" of this payout of R$ 50,00 is not in Allowed PIX Keys (1 key)',
		],
		[
			'Largest Total',
			[pay(100_000), pay(100_000), pay(60_000)],
			'This payout of R$ 600,00 would bring the total of this execution to R$ 2.600,00, which exceeds Largest Total (R$ 2.500,00)',
		],
	])(
		'says what exceeds %s, and sends the others if the item is refused',
		(label, rows, message) => {
			const [last, ...others] = check(rows, ITEM, 0).reverse();
			expect([last?.message, ...messages(others)]).toEqual([
				message,
				...others.map(() => undefined),
			]);
			expect(last?.remedy).toContain(label);
			// For all of them, one alone says why.
			const all = check(rows, LIMITS, 0);
			expect(all.at(-1)?.message).toBe(message);
			for (const { message: said, remedy } of all.slice(0, -1) as InputError[]) {
				expect(said).toMatch(
					/^This payout of R\$ \S+ was not sent, because row \d is over a limit$/,
				);
				expect(said).toContain(`row ${rows.length} is`);
				expect(remedy).toContain('Refuse Item');
			}
		},
	);

	test('counts what was sent before, and the rows that are over', () => {
		expect(stopped(check([pay(90_000), pay(70_000), pay(10_000)], ITEM, 100_001))).toEqual([
			...[false, true, false],
		]);
		const payouts = [pay(5_000), pay(5_000, OTHER_KEY), pay(100_001), pay(100_002)];
		expect(messages(check(payouts, LIMITS, 0))[0]).toContain('row 2 and 2 more are over a limit');
	});

	test.each([LIMITS, ITEM])('refuses if what was sent before is not known', (limits) => {
		const errors = check([pay(1_000), pay(2_000)], limits, Number.NaN);
		expect(stopped(errors)).toEqual([true, true]);
	});

	describe('for any payouts', () => {
		const payout = fc.record({
			cents: fc.integer({ min: 0, max: 300_000 }),
			pixKey: fc.constantFrom(KEY, KEY, KEY, OTHER_KEY),
		});
		const payouts = fc.array(fc.option(payout, { nil: undefined }), { maxLength: 12 });
		const before = fc.integer({ min: 0, max: 250_000 });

		test('sends all that is to be paid, within every limit, or nothing', () => {
			fc.assert(
				fc.property(payouts, before, (given, already) => {
					const payable = given.flatMap((each) => each ?? []);
					const errors = check(given, LIMITS, already);
					expect(errors).toHaveLength(payable.length);
					expect(new Set(stopped(errors)).size).toBeLessThan(2);
					const sent = payable.filter((_, index) => !errors[index]);
					const total = sent.reduce((sum, { cents }) => sum + cents, already);
					expect(total).toBeLessThanOrEqual(250_000);
					expect(sent.filter(({ cents, pixKey }) => cents > 100_000 || pixKey !== KEY)).toEqual([]);
				}),
			);
		});
	});
});
