import fc from 'fast-check';
import { maskText } from '../../../../../nodes/shared/privacy/text';
import { brCode } from '../../../../../dev/sandbox/documents/codes';
import { countCases } from '../../../support/cases';
import { around, identifier, personal } from './personalData';

const BOLETO = '23793.38128 60007.827136 95000.063305 9 11222333000181';
const UUID = '3fa85f64-5717-4562-b3fc-529982247250';

test.each([
	['529.982.247-25', '***.982.247-**'],
	['Pago.52998224725.', 'Pago.***.982.247-**.'],
	['11.222.333/0001-81', '**.***.333/0001-**'],
	['12abc34501de35', '**.***.345/01de-**'],
	// Mistyped, but written as nothing else is.
	['529.982.247-26', '***.982.247-**'],
	['11.222.333/0001-82', '**.***.333/0001-**'],
	['<td>52998224725</td>\n(11222333000181)', '<td>***.982.247-**</td>\n(**.***.333/0001-**)'],
	['m@example.com', '***@example.com'],
	['Maria Silva <maria.silva@example.com.br>', 'Maria Silva <m***@example.com.br>'],
	['mailto:joão+x@example.com?subject=y', 'mailto:j***@example.com?subject=y'],
	['?m=maria%40example.com&x=1', '?m=m***%40example.com&x=1'],
	['a@b@example.com', 'a@***@example.com'],
	['11222333000181@example.com', '1***@example.com'],
	['maria@52998224725.com', 'm***@***.982.247-**.com'],
	['Key +5511987654321 was refused', 'Key +55*******4321 was refused'],
])('%s becomes %s, and stays so', (text, masked) => {
	expect(maskText(text)).toBe(masked);
	expect(maskText(masked)).toBe(masked);
});

test.each([
	...['52998224726', '11222333000182', '1152998224725', '529982247250', 'id_52998224725'],
	...['R$ 123.456.789,09', '123456789.09', '192.168.100.25', '111.104.115.61', BOLETO, UUID],
	...['@maria', 'maria@', 'maria@localhost', '5 @ 3.50', '', '11987654321', '+551198'],
])('%s stays', (text) => {
	expect(maskText(text)).toBe(text);
});

describe('PIX codes', () => {
	const code = brCode(1234, 'PAY0F8FAD5BD9CB469FA16570867');

	test('stay, with the key of the payee', () => {
		expect(code).toContain('emulator@sandbox.example');
		expect(maskText(code)).toBe(code);
		expect(maskText(`Pay ${code} maria@example.com ${code}`)).toBe(
			`Pay ${code} m***@example.com ${code}`,
		);
	});

	test('only when they are whole', () => {
		expect(maskText(code.slice(0, -1))).not.toContain('emulator@');
	});
});

// A CNPJ with letters in it ends where the word does.
const behind = around.filter((text) => !/^[a-z]/i.test(text));
const pieces = fc.array(fc.tuple(around, personal, behind), { minLength: 1, maxLength: 4 });
const glue = (texts: readonly string[]) => texts.join(' | ');

describe('whatever the text', () => {
	test('no valid CPF, CNPJ or e-mail address survives', () => {
		fc.assert(
			fc.property(pieces, (all) => {
				const masked = maskText(
					glue(all.map(([before, { text }, after]) => before + text + after)),
				);
				const bare = masked.replace(/[\s./-]/g, '').toUpperCase();
				for (const [, document] of all) {
					expect(masked).not.toContain(document.text);
					expect(bare).not.toContain(document.bare.toUpperCase());
				}
			}),
			{ numRuns: countCases(1_000) },
		);
	});

	test('masking it again changes nothing', () => {
		const anything = fc.oneof(
			fc.string({ unit: 'binary', maxLength: 60 }),
			fc.string({ unit: fc.constantFrom(...'0123456789.-/ @a+%*"='), maxLength: 60 }),
			pieces.map((all) => all.map(([before, { text }, after]) => before + text + after).join(' ')),
			fc.array(identifier, { maxLength: 4 }).map((all) => all.join(' ')),
		);
		fc.assert(
			fc.property(anything, (text) => {
				const once = maskText(text);
				expect(maskText(once)).toBe(once);
			}),
			{ numRuns: countCases(3_000) },
		);
	});

	test('ids, dates, amounts and boleto lines stay as they are', () => {
		fc.assert(
			fc.property(around, identifier, around, (before, id, after) => {
				// Glued to a word, it is unknown where the one ends and the other begins.
				fc.pre(!/[\dA-Za-z]$/.test(before) && !/^[\dA-Za-z]/.test(after));
				expect(maskText(before + id + after)).toBe(before + id + after);
			}),
			{ numRuns: countCases(1_000) },
		);
	});
});

// Each of these makes an expression that tries too much take hours; the test would not end.
test.each([
	...['1', '12.', ' ', '1 1 ', 'a', '@', 'a@a', '@.', 'a%40', '%', '000201', '0002010100', '+1'],
	...['12345.12345 ', '3fa85f64-5717-', '52998224725 ', 'cus_'],
])('two hundred thousand characters of %j cost no more than that', (part) => {
	const text = part.repeat(200_000 / part.length);
	// Compared before, since a difference of so many characters is not for reading.
	expect(maskText(`${text} maria@example.com`).endsWith(' m***@example.com')).toBe(true);
	expect(maskText(`${text}\n529.982.247-25`).endsWith('\n***.982.247-**')).toBe(true);
});
