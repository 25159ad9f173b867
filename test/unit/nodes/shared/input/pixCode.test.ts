import { readPixCode } from '../../../../../nodes/shared/input/pixCode';
import { closeBrCode } from '../../../support/brCode';
import { expectRefusals } from '../../../support/refusal';

// Made with pix-utils 2.8.2.
const EMAIL =
	'00020126540014br.gov.bcb.pix0117maria@example.com0211Pedido 10425204000053039865406149.905802BR5911MARIA SILVA6009SAO PAULO62070503***6304D4A0';
const CPF =
	'00020126330014br.gov.bcb.pix0111529982247255204000053039865802BR5910JOSE SOUZA6006RECIFE62070503***6304965D';
const PHONE =
	'00020126360014br.gov.bcb.pix0114+5511987654321520400005303986540510.005802BR5912LOJA EXEMPLO6008CURITIBA62140510PEDIDO104263049174';
const DYNAMIC =
	'00020126580014br.gov.bcb.pix2536pix.example.com/v2/cobv/0a1b2c3d4e5f5204000053039865802BR5912LOJA EXEMPLO6008CURITIBA62070503***63044E71';

const START =
	'00020126580014br.gov.bcb.pix01369f3c2d1e-5b6a-4c7d-8e9f-0a1b2c3d4e5f520400005303986540542.905802BR';
const IN_CHARACTERS = `${START}5922José Antônio Conceição6006Maceió62070503***6304C9FC`;
const IN_BYTES = `${START}5926José Antônio Conceição6010São Paulo62070503***63048F33`;
const CITY_IN_BYTES = `${START}5914PADARIA AURORA6010São Paulo62070503***63040812`;
const ACCENTS_OVER_LATIN1 = `${START}5914PADARIA AURORA6009São Paulo62070503***630431B1`;
const OF_PAGSEGURO =
	'00020101021226600016BR.COM.PAGSEGURO01369f3c2d1e-5b6a-4c7d-8e9f-0a1b2c3d4e5f520400005303986540542.905802BR5914PADARIA AURORA6009SAO PAULO62070503***63049BD2';
const ONE_DIGIT_LENGTH =
	'00020126580014br.gov.bcb.pix01369f3c2d1e-5b6a-4c7d-8e9f-0a1b2c3d4e5f52040000530398654047.505802BR598LOJA SOL6006Brasil62060502X16304450A';

/** The code with other fields, and the checksum that belongs to them. */
const changed = (code: string, from: string, to: string) =>
	closeBrCode(code.slice(0, -4).replace(from, to));

const AMBIGUOUS = changed(CPF, '52998224725', '11987654021');
const TO_JOSE = { recipientName: 'JOSE SOUZA', recipientCity: 'RECIFE' };
const TO_MARIA = { recipientName: 'MARIA SILVA', recipientCity: 'SAO PAULO', amount: 14_990 };
const TO_LOJA = {
	recipientName: 'LOJA EXEMPLO',
	recipientCity: 'CURITIBA',
	amount: 1_000,
	txId: 'PEDIDO1042',
};
const PHONE_ACCOUNT = '26360014br.gov.bcb.pix0114+5511987654321';
const BESIDE = '26570014br.gov.bcb.pix0114+55119876543212517pix.example.com/x';
const ANOTHER = '27360014br.gov.bcb.pix0114+5511987650000';
const NO_KEY = '26180014br.gov.bcb.pix';
const RECURRING = '80540014br.gov.bcb.pix2532pix.example.com/rec/0a1b2c3d4e5f6304';

test.each([
	['a key', CPF, { value: '52998224725', type: 'CPF' }, TO_JOSE],
	// Outside of a code, these digits could be a phone number.
	['digits', AMBIGUOUS, { value: '11987654021', type: 'CPF' }, TO_JOSE],
	['an amount', EMAIL, { value: 'maria@example.com', type: 'EMAIL' }, TO_MARIA],
	['an identifier for the recipient', PHONE, { value: '+5511987654321', type: 'PHONE' }, TO_LOJA],
])('reads a static code with %s', (_, code, pixKey, expected) => {
	expect(readPixCode(code)).toEqual({ pixKey, ...expected });
});

test.each([
	['a line break within a word', EMAIL.replace('MARIA', 'MA\r\nRIA')],
	['a line break in place of a blank', EMAIL.replace('MARIA SILVA', 'MARIA\nSILVA')],
	[
		'protected blanks, and invisible characters around it',
		`\u200e${EMAIL.replace(/ /g, '\u00a0')}\ufeff \n`,
	],
	['lines with blanks at their ends', EMAIL.replace(/.{40}/g, '$&  \n ')],
])('reads a code that a messenger has changed: %s', (_, code) => {
	expect(readPixCode(code)).toEqual(readPixCode(EMAIL));
});

test('takes an amount of zero for none', () => {
	expect(readPixCode(changed(PHONE, '540510.00', '54040.00'))).not.toHaveProperty('amount');
});

test.each([
	['a key', 'maria@example.com'],
	['a random key that begins with the same digits', '00020126-e12b-12d1-a456-426655440000'],
	['nothing', undefined],
])('is not asked about %s', (_, value) => {
	expect(readPixCode(value)).toBeUndefined();
});

const CHECKSUM = 'its checksum does not match';
const LENGTHS = 'the lengths of its parts do not fit';

test.each([
	['the checksum is that of another encoding', CHECKSUM, ACCENTS_OVER_LATIN1],
	// Other blanks left out, each of these fits its checksum: another amount and another key were paid.
	[
		'a digit of its amount is wrong, and its name is broken into lines',
		CHECKSUM,
		'00020126400014br.gov.bcb.pix0118nf137@loja.example52040000530398654077480.465802BR5925PEDRO\n BAR DE BRAGA DO\n BAR6009SAO PAULO62100506NF12726304A811',
	],
	['a wrong digit is in a code whose lengths are in bytes', CHECKSUM, `${IN_BYTES.slice(0, -1)}4`],
	['nobody can tell which blanks belong to it', LENGTHS, EMAIL.replace(/.{9}/g, '$& ')],
	['it is blanks for the most part', LENGTHS, EMAIL.replace(/./g, `$&${' '.repeat(99)}`)],
	['only its middle without the name of PIX is there', LENGTHS, CPF.slice(30, 70)],
	['its end is missing', LENGTHS, EMAIL.slice(0, -12)],
	['something follows it', LENGTHS, `${EMAIL} obrigada`],
	['a length has one digit', LENGTHS, ONE_DIGIT_LENGTH],
	['a length is wrong by one', LENGTHS, changed(EMAIL, '5911MARIA', '5912MARIA')],
])('says that a code is damaged if %s: %s', (_, why, code) => {
	const message = new RegExp(`that is damaged: ${why}`);
	expectRefusals([code], readPixCode, message, 'Copy the whole code again');
});

test.each([
	['name and city', IN_BYTES, 'José Antônio Conceição', 'São Paulo'],
	['the city', CITY_IN_BYTES, 'PADARIA AURORA', 'São Paulo'],
	['nothing: they are in characters', IN_CHARACTERS, 'José Antônio Conceição', 'Maceió'],
])('reads an intact code whose lengths count accents as two bytes in %s', (_, code, name, city) => {
	expect(readPixCode(code)).toEqual({
		pixKey: { value: '9f3c2d1e-5b6a-4c7d-8e9f-0a1b2c3d4e5f', type: 'RANDOM' },
		amount: 4_290,
		recipientName: name,
		recipientCity: city,
	});
});

test('says that an intact code of another scheme is no PIX code', () => {
	expectRefusals(
		[OF_PAGSEGURO, changed(CPF, 'br.gov.bcb.pix', 'br.gov.bcb.pax')],
		readPixCode,
		'PIX Key contains a code of another payment scheme, which is not a PIX code',
		/for a PIX code \(copia e cola\), or for the PIX key/,
	);
});

test.each<[string, string, RegExp]>([
	['text before it', `Pix: ${EMAIL}`, /other text before a PIX code/],
	['an address alone', DYNAMIC, /dynamic PIX code, which can only be paid in a bank's app/],
	['an address beside the key', changed(PHONE, PHONE_ACCOUNT, BESIDE), /dynamic PIX code/],
	['an address, as recurring payments have it', changed(PHONE, '6304', RECURRING), /dynamic/],
	['no key', changed(CPF, '26330014br.gov.bcb.pix011152998224725', NO_KEY), /names no PIX key/],
	['two recipients', changed(PHONE, '5204', `${ANOTHER}5204`), /names several recipients/],
	['dollars', changed(PHONE, '5303986', '5303840'), /does not ask for reais in Brazil/],
	['no currency', changed(PHONE, '5303986', ''), /does not ask for reais in Brazil/],
	['no country', changed(PHONE, '5802BR', ''), /does not ask for reais in Brazil/],
	['a tip', changed(PHONE, '5802BR', '5502015802BR'), /asks for a tip or a fee/],
	['a fee', changed(PHONE, '5802BR', '550202560415.05802BR'), /asks for a tip or a fee/],
	['three decimals', changed(EMAIL, '149.90', '10.001'), /amount "10\.001", which cannot be read/],
	['a wrong key', changed(CPF, '52998224725', '52998224726'), /^The PIX key is a CPF with wrong/],
])('refuses a code with %s', (_, code, message) => {
	expectRefusals([code], readPixCode, message, /./);
});
