import fc from 'fast-check';
import { maskMessages, maskPersonalData } from '../../../../../nodes/shared/privacy/value';
import { countCases } from '../../../support/cases';
import { identifier, personal } from './personalData';

const CPF = '52998224725';
const MASKED_CPF = '***.982.247-**';

describe('fields that contain personal data by their names', () => {
	const UUID = '3fa85f64-5717-4562-b3fc-2c963f66afa6';

	test.each<[string, unknown, unknown]>([
		['document', '52998224726', MASKED_CPF],
		['document', '529.982.***-**', '***.982.***-**'],
		['document', '1234', '****'],
		['document', 2998224725, MASKED_CPF],
		['document', 191, 191],
		['document', '', ''],
		['document', null, null],
		['payer_documents', [CPF, '11222333000181'], [MASKED_CPF, '**.***.333/0001-**']],
		['cpf', '529982247-2x', MASKED_CPF],
		['email', 'ma***@example.com', 'm***@example.com'],
		['payerEmail', 'maria@localhost', 'm***@localhost'],
		['email', 'maria', 'm***'],
		['phone', '+55 (11) 98765-4321', '+55 (**) *****-4321'],
		['phone', '1198', '****'],
		['mobileNumber', '11987654321', '*******4321'],
		['payerCelular', 11987654321, '*******4321'],
		['payer_celular2', '(11) 98765-4321', '(**) *****-4321'],
		['whatsappNumber', '5511987654321', '*********4321'],
		['pixKey', '11222333000181', '**.***.333/0001-**'],
		['pixKey', '(11) 98765-4321', '(**) *****-4321'],
		['pixKey', UUID, UUID],
		['chave', '1187654321', '**********'],
		['minha_chave', CPF, MASKED_CPF],
		['chave', 'pedido-17', 'pedido-17'],
	])('%s %o becomes %o', (name, value, masked) => {
		const other = 'text';
		expect(maskPersonalData({ [name]: value, other })).toEqual({ [name]: masked, other });
	});

	test.each([
		...['parcel', 'excel', 'automobile', 'isMobileOk'],
		...['documentType', 'pixKeyType', 'description', 'idempotencyKey'],
	])('not %s', (name) => {
		const value = { [name]: ['1187654321', '52998224726'] };
		expect(maskPersonalData(value)).toEqual(value);
	});

	test.each(['recipient', 'payee', 'destination', 'pix', 'withdrawalRecipient'])(
		'the key of a %s, and no other key',
		(party) => {
			const value = { [party]: { key: '1187654321' }, metadata: { key: '1187654321' } };
			expect(maskPersonalData(value)).toEqual({ ...value, [party]: { key: '**********' } });
		},
	);

	test('are recognized by the name around them, too', () => {
		const value = { document: { type: 'CPF', number: '52998224726', email: 'x@localhost' } };

		expect(maskPersonalData(value)).toEqual({
			document: { type: 'CPF', number: '***.982.247-**', email: '***@localhost' },
		});
	});

	test('not a PIX code, which could not be paid then', () => {
		const code =
			'00020126540014br.gov.bcb.pix0117maria@example.com0211Pedido 10425204000053039865406149.905802BR5911MARIA SILVA6009SAO PAULO62070503***6304D4A0';
		const value = { pixKey: code, pix: { key: code }, document: code, email: code };
		expect(maskPersonalData(value)).toEqual(value);
	});
});

test('numbers stay where nothing says that they are personal', () => {
	const value = { amount: 52998224725, list: [11222333000181, 5511987654321] };
	expect(maskPersonalData(value)).toEqual(value);
});

test('opaque ids stay, unless they are written as only a document or an address is', () => {
	const ids = { txId: CPF, endToEndId: '11222333000181', deliveryId: CPF, idempotencyKey: CPF };

	expect(maskPersonalData(ids)).toEqual(ids);
	expect(maskPersonalData({ txId: '529.982.247-25', deliveryId: 'maria@example.com' })).toEqual({
		txId: MASKED_CPF,
		deliveryId: 'm***@example.com',
	});
});

test('names that mean something to JavaScript are names like all others', () => {
	const text = '{"__proto__":{"email":"maria@example.com"},"constructor":"maria@example.com"}';
	const masked = maskPersonalData(JSON.parse(text));

	expect(JSON.stringify(masked)).toBe(
		'{"__proto__":{"email":"m***@example.com"},"constructor":"m***@example.com"}',
	);
	expect(({} as Record<string, unknown>).email).toBeUndefined();
});

test('no depth is too deep', () => {
	const deep = (depth: number) =>
		JSON.parse(`${'[{"a":'.repeat(depth)}"${CPF}"${'}]'.repeat(depth)}`) as unknown;

	expect(JSON.stringify(maskPersonalData(deep(50)))).toContain(MASKED_CPF);
	expect(JSON.stringify(maskPersonalData(deep(200_000)))).toContain('"[nested too deeply]"');
});

type Json = null | boolean | number | string | Json[] | { [name: string]: Json };

/** Any JSON whose texts are `text`. Names are never personal data. */
const buildJson = (text: fc.Arbitrary<string>) =>
	fc.letrec<{ value: Json }>((tie) => ({
		value: fc.oneof(
			{ maxDepth: 4 },
			text,
			fc.constantFrom(null, true, false),
			fc.double({ noNaN: true, noDefaultInfinity: true }),
			fc.array(tie('value'), { maxLength: 4 }),
			fc.dictionary(
				fc.constantFrom('document', 'email', 'pixKey', 'metadata', '__proto__', 'a'),
				tie('value'),
				{ maxKeys: 4 },
			),
		),
	})).value;

const anyText = fc.oneof(
	personal.map(({ text }) => text),
	personal.map(({ text }) => `Pago por ${text}, obrigado`),
	identifier,
	fc.string({ maxLength: 30 }),
);

describe('whatever the value', () => {
	test('no valid CPF, CNPJ or e-mail address survives', () => {
		fc.assert(
			fc.property(
				buildJson(fc.oneof(fc.constant('§'), fc.string())),
				personal,
				(value, { text }) => {
					const source = JSON.stringify(value).replaceAll('§', () => text);
					expect(JSON.stringify(maskPersonalData(JSON.parse(source)))).not.toContain(text);
				},
			),
			{ numRuns: countCases(1_000) },
		);
	});

	test('masking it again changes nothing', () => {
		fc.assert(
			fc.property(buildJson(anyText), (value) => {
				const once = maskPersonalData(value);
				expect(maskPersonalData(once)).toEqual(once);
			}),
			{ numRuns: countCases(1_500) },
		);
	});
});

describe('what a server says of fields', () => {
	test.each<[string, unknown, unknown]>([
		['destination.pixKey', 'required', 'required'],
		['document', 'Must be a CPF or CNPJ', 'Must be a CPF or CNPJ'],
		['document', 'The value 52998224726 is no CPF', `The value ${MASKED_CPF} is no CPF`],
		['document', 'The value 529.982.247-26 is no CPF', `The value ${MASKED_CPF} is no CPF`],
		['email', 'maria@example.com is blocked', 'm***@example.com is blocked'],
		// The value itself.
		['document', '52998224726', MASKED_CPF],
		['pixKey', 'maria@localhost', 'm***@localhost'],
		['email', ['maria@localhost'], ['m***@localhost']],
		['cpf', 52998224725, MASKED_CPF],
	])('%s: %o reads %o', (field, told, shown) => {
		expect(maskMessages({ [field]: told, other: [told] })[field]).toEqual(shown);
	});
});
