import {
	documentOfPayout,
	parsePayout,
	readPayout,
} from '../../../../../nodes/BrlPayments/withdrawal/payout';

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

describe('readPayout', () => {
	const fine = { amount: '20,00', pixKey: '529.982.247-25', recipientDocument: '' };
	// Made with pix-utils 2.8.2.
	const CODE =
		'00020126330014br.gov.bcb.pix0111529982247255204000053039865802BR5910JOSE SOUZA6006RECIFE62070503***6304965D';

	test.each<[string, Partial<typeof fine & { pixKeyType: string }>, string[]]>([
		['nothing in what is on the bound', { amount: '10,00' }, []],
		['nothing in what is on the upper one', { amount: '1.000.000,00' }, []],
		['an amount with two meanings', { amount: '1.234' }, ['INVALID_AMOUNT']],
		['no amount', { amount: '' }, ['INVALID_AMOUNT']],
		['an amount below the floor', { amount: '9,99' }, ['WITHDRAWAL_BELOW_MINIMUM']],
		['an amount above the bound', { amount: '1.000.000,01' }, ['VALIDATION_ERROR']],
		['a broken PIX key', { pixKey: '52998224726' }, ['INVALID_PIX_KEY']],
		['no PIX key', { pixKey: '' }, ['INVALID_PIX_KEY']],
		['nothing in a key of the type that the list says', { pixKeyType: 'CPF' }, []],
		['a key of another type', { pixKeyType: 'telefone' }, ['INVALID_PIX_KEY']],
		['a type that nobody knows', { pixKeyType: 'conta' }, ['INVALID_PIX_KEY']],
		[
			'nothing in a phone number that the list calls one',
			{ pixKey: '41998765432', pixKeyType: 'Celular' },
			[],
		],
		['a phone number that the list calls nothing', { pixKey: '41998765432' }, ['INVALID_PIX_KEY']],
		['nothing in a code whose key is of that type', { pixKey: CODE, pixKeyType: 'cpf' }, []],
		[
			'a code whose key is of another type',
			{ pixKey: CODE, pixKeyType: 'EVP' },
			['INVALID_PIX_KEY'],
		],
		['a broken document', { recipientDocument: '123' }, ['INVALID_RECIPIENT_DOCUMENT']],
		[
			'a document that is not the key',
			{ recipientDocument: '11.222.333/0001-81' },
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

test.each([
	['maria@customer.example', '529.982.247-25', '52998224725'],
	['maria@customer.example', '', undefined],
	// It only repeats the key.
	['529.982.247-25', '52998224725', undefined],
	['11.222.333/0001-81', '11222333000181', undefined],
])('beside the key %s, the document %o goes along as %s', (pixKey, recipientDocument, document) => {
	const payout = read({ pixKey, recipientDocument });
	expect(documentOfPayout(payout)).toBe(document);
	if (recipientDocument !== '') expect(payout.document).toBeDefined();
});
