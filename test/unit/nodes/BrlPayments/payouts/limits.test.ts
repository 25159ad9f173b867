import fc from 'fast-check';
import type { Cents } from '../../../../../nodes/shared/validation/money';
import type { InputError } from '../../../../../nodes/shared/validation/inputError';
import { parsePixKey } from '../../../../../nodes/shared/validation/pixKey';
import {
	checkLimits,
	parseNodeLimits,
	parsePayoutLimits,
	payoutLimitOptions,
	type PayoutLimits,
} from '../../../../../nodes/BrlPayments/payouts/limits';
import { getRefusal } from '../../../support/refusal';

/** Options as n8n saves them; tests change one aspect. */
const OPTIONS = {
	largestAmount: '1.000,00',
	largestTotal: 'R$ 10.000,00',
	allowedPixKeys: '529.982.247-25\n+55 11 98765-4321',
	whenOverLimit: 'refuseItem',
};

test.each(payoutLimitOptions.map((option) => [option.name, option] as const))(
	'the option %s takes no expression, and has a description',
	(_, option) => {
		expect(option.noDataExpression).toBe(true);
		expect(option.description).toBeTruthy();
	},
);

test('all are refused by default', () => {
	const [option] = payoutLimitOptions.filter(({ name }) => name === 'whenOverLimit');
	expect(option?.default).toBe('refuseAll');
	expect(option?.options).toEqual([
		expect.objectContaining({ name: 'Refuse All', value: 'refuseAll' }),
		expect.objectContaining({ name: 'Refuse Item', value: 'refuseItem' }),
	]);
});

describe('parsePayoutLimits', () => {
	test('reads all limits', () => {
		expect(parsePayoutLimits(OPTIONS)).toEqual({
			largestAmount: 100_000,
			largestTotal: 1_000_000,
			allowedPixKeys: new Set(['52998224725', '+5511987654321']),
			refuses: 'item',
		});
	});

	test.each([[undefined], [{}], [{ timeout: 30 }]])('finds no limits in %o', (options) => {
		expect(parsePayoutLimits(options)).toEqual({ refuses: 'all' });
	});

	test.each<[unknown, Cents]>([
		['0', 0],
		['1000', 100_000],
		[1000.5, 100_050],
	])('reads the limit %o', (largestAmount, cents) => {
		expect(parsePayoutLimits({ largestAmount })).toEqual({ largestAmount: cents, refuses: 'all' });
	});

	test.each<[string, ReadonlySet<string>]>([
		[
			' 529.982.247-25 \r\n\r\n maria@Customer.example\n',
			new Set(['52998224725', 'maria@customer.example']),
		],
		['52998224725\n529.982.247-25', new Set(['52998224725'])],
	])('reads the keys %o', (allowedPixKeys, keys) => {
		expect(parsePayoutLimits({ allowedPixKeys }).allowedPixKeys).toEqual(keys);
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

	describe('allowedPixKeys', () => {
		test.each<[string, unknown]>([
			['empty lines', '\n \n'],
			['a number', 52998224725],
			['keys with commas between them', '529.982.247-25, 111.444.777-35'],
			['digits that are a CPF or a phone number', '529.982.247-25\n11987654021'],
		])('cannot be %s', (_, value) => {
			expect(refuse('allowedPixKeys', value).message).toContain('Allowed PIX Keys');
		});

		test('names the line that cannot be read, and does not quote it', () => {
			const { message } = refuse('allowedPixKeys', '529.982.247-25\n\n111.444.777-36');
			expect(message).toContain('line 3');
			expect(message).not.toContain('444');
		});
	});

	test.each([null, '={{ $json.options }}', '', 7, [], [OPTIONS]])(
		'refuses options that are %o',
		(options) => {
			expect(getRefusal(() => parsePayoutLimits(options)).message).toContain('Options');
		},
	);
});

describe('parseNodeLimits', () => {
	const limits = { largestAmount: '100', largestTotal: '500', allowedPixKeys: '529.982.247-25' };
	const read = { largestAmount: 10_000, largestTotal: 50_000 };

	test.each([
		['the options', { options: limits }],
		['the fields of a tool', limits],
		[
			'the options, where the fields of a tool are empty',
			{
				...{ largestAmount: '', largestTotal: '', allowedPixKeys: '' },
				options: limits,
			},
		],
	])('reads %s', (_, parameters) => {
		expect(parseNodeLimits(parameters)).toMatchObject({
			...read,
			allowedPixKeys: new Set(['52998224725']),
			refuses: 'all',
		});
	});

	test('has no limits where none is set', () => {
		expect(parseNodeLimits({ largestAmount: '', options: {} })).toEqual({ refuses: 'all' });
	});

	test.each([
		['the field of the tool', '90', '100'],
		['the option', '100', '90'],
	])('takes the smaller amount, of %s', (_, tool, option) => {
		const parameters = { largestAmount: tool, largestTotal: tool };
		const options = { largestAmount: option, largestTotal: option };
		const { largestAmount, largestTotal } = parseNodeLimits({ ...parameters, options });
		expect([largestAmount, largestTotal]).toEqual([9_000, 9_000]);
	});

	test('allows only the PIX keys that both name', () => {
		const options = { allowedPixKeys: '529.982.247-25\n+5511987654321' };
		const allowedPixKeys = '+5511987654321\n111.444.777-35';
		expect(parseNodeLimits({ allowedPixKeys, options }).allowedPixKeys).toEqual(
			new Set(['+5511987654321']),
		);
	});
});

const KEY = parsePixKey('529.982.247-25');
const OTHER_KEY = parsePixKey('111.444.777-35');
const pay = (cents: Cents, pixKey = KEY) => ({ cents, pixKey });
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
	const FINE = [pay(100_000), undefined, pay(100_000)];

	test.each([LIMITS, ITEM])('stops nothing on the limits: %o', (limits) => {
		expect(checkLimits(FINE, limits, 50_000)).toEqual([undefined, undefined, undefined]);
	});

	test.each(['all', 'item'] as const)('stops nothing where there are no limits: %s', (refuses) => {
		expect(checkLimits([pay(1e11), pay(1e11)], { refuses }, 1e12)).toEqual([undefined, undefined]);
	});

	test.each([LIMITS, ITEM])('has nothing to stop in an empty run', (limits) => {
		expect(checkLimits([], limits, 0)).toEqual([]);
		expect(checkLimits([undefined], limits, 1e12)).toEqual([undefined]);
	});

	describe('that refuses the item', () => {
		test('stops an amount that is over, and says by what', () => {
			const errors = checkLimits([pay(100_001), undefined, pay(100_000)], ITEM, 0);
			expect(messages(errors)).toEqual([
				'The amount of R$ 1.000,01 exceeds Largest Amount, which is R$ 1.000,00',
				undefined,
				undefined,
			]);
			expect(errors[0]?.remedy).toContain('Largest Amount');
		});

		test('stops a key that is not allowed, and masks it', () => {
			const errors = checkLimits([pay(5_000), pay(5_000, OTHER_KEY)], ITEM, 0);
			expect(messages(errors)).toEqual([
				undefined,
				'The PIX key "***.444.777-**" of this payout of R$ 50,00 is not in Allowed PIX Keys (1 key)',
			]);
			expect(errors[1]?.remedy).toContain('Allowed PIX Keys');
		});

		test('stops what exceeds the total, and lets a later one go that still fits', () => {
			const payouts = [pay(90_000), pay(70_000), pay(60_000), pay(10_000)];
			const errors = checkLimits(payouts, { ...ITEM, largestTotal: 170_000 }, 0);
			expect(messages(errors)).toEqual([
				undefined,
				undefined,
				'This payout of R$ 600,00 would bring the total of this execution to R$ 2.200,00, which exceeds Largest Total (R$ 1.700,00)',
				undefined,
			]);
			expect(errors[2]?.remedy).toContain('Largest Total');
		});
	});

	describe('that refuses all', () => {
		test('stops all payable items for one, which alone says why', () => {
			const payouts = [pay(5_000), undefined, pay(100_001), pay(6_000)];
			const errors = checkLimits(payouts, LIMITS, 0);
			expect(messages(errors)).toEqual([
				'This payout of R$ 50,00 was not sent, because row 3 is over a limit',
				undefined,
				'The amount of R$ 1.000,01 exceeds Largest Amount, which is R$ 1.000,00',
				'This payout of R$ 60,00 was not sent, because row 3 is over a limit',
			]);
			expect(errors[0]?.remedy).toContain('Refuse Item');
		});

		test('counts the items that are over', () => {
			const payouts = [pay(5_000), pay(5_000, OTHER_KEY), pay(100_001), pay(100_002)];
			expect(messages(checkLimits(payouts, LIMITS, 0))[0]).toContain(
				'row 2 and 2 more are over a limit',
			);
		});

		test('stops all items for the total', () => {
			const errors = checkLimits([pay(100_000), undefined, pay(50_000)], LIMITS, 100_001);
			expect(messages(errors)).toEqual([
				'The payouts of this execution add up to R$ 2.500,01, R$ 1.000,01 of which was sent before, which exceeds Largest Total (R$ 2.500,00), so this payout of R$ 1.000,00 was not sent',
				undefined,
				'The payouts of this execution add up to R$ 2.500,01, R$ 1.000,01 of which was sent before, which exceeds Largest Total (R$ 2.500,00), so this payout of R$ 500,00 was not sent',
			]);
			expect(errors[0]?.remedy).toContain('Largest Total');
		});

		test('does not speak of earlier payouts where there were none', () => {
			const [message] = messages(checkLimits([pay(90_000), pay(90_000), pay(90_000)], LIMITS, 0));
			expect(message).not.toContain('sent before');
		});

		test('names the item that is over, not the total that it makes too large', () => {
			const payouts = [pay(5_000), pay(9_000_000)];
			expect(messages(checkLimits(payouts, LIMITS, 0))[0]).toContain('row 2');
		});
	});

	test.each([LIMITS, ITEM])('refuses where what was sent before is not known', (limits) => {
		expect(stopped(checkLimits([pay(1_000), pay(2_000)], limits, Number.NaN))).toEqual([
			true,
			true,
		]);
	});

	describe('for any payouts', () => {
		const payout = fc.record({
			cents: fc.integer({ min: 0, max: 300_000 }),
			pixKey: fc.constantFrom(KEY, KEY, KEY, OTHER_KEY),
		});
		const payouts = fc.array(fc.option(payout, { nil: undefined }), { maxLength: 12 });
		const before = fc.integer({ min: 0, max: 250_000 });

		test('keeps what is sent within every limit, and never stops what is not to be paid', () => {
			fc.assert(
				fc.property(payouts, before, (given, already) => {
					const errors = checkLimits(given, LIMITS, already);
					expect(errors).toHaveLength(given.length);
					expect(errors.filter((error, index) => error && !given[index])).toEqual([]);
					const sent = given.flatMap((each, index) => (each && !errors[index] ? [each] : []));
					const total = sent.reduce((sum, { cents }) => sum + cents, already);
					expect(total).toBeLessThanOrEqual(250_000);
					expect(sent.filter(({ cents, pixKey }) => cents > 100_000 || pixKey !== KEY)).toEqual([]);
				}),
			);
		});

		test('sends all or nothing where all are refused', () => {
			fc.assert(
				fc.property(payouts, before, (given, already) => {
					const errors = checkLimits(given, LIMITS, already);
					const payable = errors.filter((_, index) => given[index] !== undefined);
					expect(new Set(payable.map((error) => error !== undefined)).size).toBeLessThan(2);
				}),
			);
		});

		test('sends everything that fits where the item is refused', () => {
			fc.assert(
				fc.property(payouts, before, (given, already) => {
					let total = already;
					const expected = given.map((each) => {
						if (!each) return false;
						const isOver =
							each.cents > 100_000 || each.pixKey !== KEY || total + each.cents > 250_000;
						if (!isOver) total += each.cents;
						return isOver;
					});
					expect(stopped(checkLimits(given, ITEM, already))).toEqual(expected);
				}),
			);
		});
	});
});
