import {
	documentOfPayout,
	parsePayout,
	readPayout,
} from '../../../../../nodes/BrlPayments/withdrawal/payout';
import { getRefusal } from '../../../support/refusal';

const GIVEN = {
	amount: 'R$ 1.234,56',
	pixKey: 'Maria@Customer.Example',
	recipientDocument: '529.982.247-25',
};

const read = (changed: Partial<Record<keyof typeof GIVEN, unknown>> = {}) =>
	parsePayout({ ...GIVEN, ...changed });

test('reads a payout into its canonical form', () => {
	expect(read()).toEqual({
		amount: 123456,
		pixKey: { value: 'maria@customer.example', type: 'EMAIL' },
		document: { value: '52998224725', type: 'CPF' },
	});
});

test.each([undefined, null, '', '  '])('needs no document: %o', (recipientDocument) => {
	expect(read({ recipientDocument }).document).toBeUndefined();
});

test.each([
	['9,99', 'below'],
	['0', 'below'],
	['1.000.000,01', 'above'],
])('refuses %s, which is %s what a withdrawal can be', (amount, side) => {
	const refused = getRefusal(() => read({ amount }));

	expect(refused.message).toContain(side);
	expect(refused.remedy).toBe('Enter an amount from R$ 10,00 to R$ 1.000.000,00.');
});

describe('readPayout', () => {
	const fine = { amount: '20,00', pixKey: '529.982.247-25', recipientDocument: '' };

	test.each<[string, Partial<typeof fine>, string[]]>([
		['nothing in what is on the bound', { amount: '10,00' }, []],
		['nothing in what is on the upper one', { amount: '1.000.000,00' }, []],
		['an amount with two meanings', { amount: '1.234' }, ['INVALID_AMOUNT']],
		['an amount below the floor', { amount: '9,99' }, ['WITHDRAWAL_BELOW_MINIMUM']],
		['an amount above the bound', { amount: '1.000.000,01' }, ['WITHDRAWAL_LIMIT_EXCEEDED']],
		['no amount', { amount: '' }, ['INVALID_AMOUNT']],
		['a broken PIX key', { pixKey: '52998224726' }, ['INVALID_PIX_KEY']],
		['no PIX key', { pixKey: '' }, ['INVALID_PIX_KEY']],
		['a broken document', { recipientDocument: '123' }, ['INVALID_RECIPIENT_DOCUMENT']],
		[
			'a document that is not the key',
			{ recipientDocument: '11.222.333/0001-81' },
			['RECIPIENT_DOCUMENT_MISMATCH'],
		],
		[
			'another company than the key',
			{ pixKey: '11222333000181', recipientDocument: '52998224725' },
			['RECIPIENT_DOCUMENT_MISMATCH'],
		],
		[
			'all that is wrong, in the order of the fields',
			{ amount: '0,50', pixKey: 'nobody', recipientDocument: '123' },
			['WITHDRAWAL_BELOW_MINIMUM', 'INVALID_PIX_KEY', 'INVALID_RECIPIENT_DOCUMENT'],
		],
	])('finds %s', (_name, changed, codes) => {
		const reading = readPayout({ ...fine, ...changed });

		const problems = 'problems' in reading ? reading.problems : [];
		expect(problems.map(({ code }) => code)).toEqual(codes);
		const parse = () => parsePayout({ ...fine, ...changed });
		if ('payout' in reading) expect(parse()).toEqual(reading.payout);
		else expect(parse).toThrow(reading.problems[0].error.message);
	});
});

describe('the document of a payout', () => {
	const getDocument = (changed: Parameters<typeof read>[0]) => documentOfPayout(read(changed));

	test('goes along where the PIX key is no document', () => {
		expect(getDocument({})).toBe('52998224725');
	});

	test.each([
		['529.982.247-25', '52998224725'],
		['11.222.333/0001-81', '11222333000181'],
	])(
		'is accepted, and left out, where it only repeats the PIX key %s',
		(pixKey, recipientDocument) => {
			const { document, pixKey: key } = read({ pixKey, recipientDocument });
			expect(document?.value).toBe(key.value);
			expect(getDocument({ pixKey, recipientDocument })).toBeUndefined();
		},
	);

	test('is left out where none was entered', () => {
		expect(getDocument({ recipientDocument: '' })).toBeUndefined();
	});
});
