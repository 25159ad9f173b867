import { findBrCode } from '../../../../../nodes/shared/brazil/brCode';
import { brCode } from '../../../../../dev/sandbox/documents/codes';
import { closeBrCode as close } from '../../../support/brCode';

/** The example of a static code in the manual of the Banco Central. */
const MANUAL =
	'00020126580014br.gov.bcb.pix0136123e4567-e12b-12d1-a456-4266554400005204000053039865802BR5913Fulano de Tal6008BRASILIA62070503***63041D3D';
/** The same with other fields, and the checksum that belongs to them. */
const other = (from: string, to: string) => close(MANUAL.slice(0, -4).replace(from, to));
const field = (id: string, value: string) =>
	`${id}${String(value.length).padStart(2, '0')}${value}`;

test.each([
	['static, with a random key', MANUAL],
	// Made with pix-utils 2.8.2.
	[
		'static, with an e-mail address and an amount',
		'00020126540014br.gov.bcb.pix0117maria@example.com0211Pedido 10425204000053039865406149.905802BR5911MARIA SILVA6009SAO PAULO62070503***6304D4A0',
	],
	[
		'static, with a phone number',
		'00020126360014br.gov.bcb.pix0114+5511987654321520400005303986540510.005802BR5912LOJA EXEMPLO6008CURITIBA62140510PEDIDO104263049174',
	],
	[
		'dynamic',
		'00020126580014br.gov.bcb.pix2536pix.example.com/v2/cobv/0a1b2c3d4e5f5204000053039865802BR5912LOJA EXEMPLO6008CURITIBA62070503***63044E71',
	],
	['of the emulated service', brCode(14_990, 'PAY0123456789ABCDEF0123456789ABCDEF')],
	['with its account in another field than 26', other('00020126', '00020151')],
	['with an accent', other('5913Fulano de Tal', '5913Fulâno de Tál')],
])('a code is found: %s', (_, code) => {
	expect(findBrCode(code)).toBe(code);
});

const OTHER = brCode(100, 'PAY1');

test.each([
	['within a text, and the first of two', `PIX copia e cola: ${MANUAL}\n${OTHER}`, MANUAL],
	['behind a broken one', `${MANUAL.slice(0, -1)}E ${OTHER}`, OTHER],
	['behind the beginning of one', `000201 ${OTHER}`, OTHER],
])('a code is found %s', (_, text, code) => {
	expect(findBrCode(text)).toBe(code);
});

test.each([
	['a changed checksum', MANUAL.replace(/1D3D$/, '1D3E')],
	['the checksum of another kind', MANUAL.replace(/1D3D$/, '0000')],
	['no checksum', MANUAL.slice(0, -8)],
	['a length that leads nowhere', other('5802BR', '5803BR')],
	['a field that comes twice', close(MANUAL.slice(0, -8) + field('58', 'BR') + '6304')],
	['another payment network', other('br.gov.bcb.pix', 'br.gov.bcb.pax')],
	['PIX outside of an account', other('00020126', '00020180')],
])('no code is found: %s', (_, text) => {
	expect(findBrCode(text)).toBeUndefined();
});

test('a code has at most 512 bytes', () => {
	const filled = (length: number) =>
		close(
			MANUAL.slice(0, -8) +
				['80', '81', '82', '83'].map((id) => field(id, 'x'.repeat(80))).join('') +
				field('84', 'x'.repeat(length)) +
				'6304',
		);
	const missing = 512 - filled(0).length;

	expect(findBrCode(filled(missing))).toHaveLength(512);
	expect(findBrCode(filled(missing + 1))).toBeUndefined();
});
